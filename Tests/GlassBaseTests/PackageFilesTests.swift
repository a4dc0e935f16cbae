import Foundation
import TestSupport
import Testing

/// The files beside the sources that others read: notices, and privacy manifests for Apple's App Store.
@Suite struct PackageFilesTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: FuzzedMarket.repository.appending(path: path), encoding: .utf8)
    }

    /// The Swift and C files below a folder.
    private static func sources(_ folder: String) throws -> [(path: String, text: String)] {
        let root = FuzzedMarket.repository.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return try names.filter { ["swift", "c", "h"].contains(URL(filePath: $0).pathExtension) }.map {
            ("\(folder)/\($0)", try text("\(folder)/\($0)"))
        }
    }

    @Test func noticesNameEveryDependency() throws {
        let notices = try Self.text("NOTICES.md")
        let manifest = try Self.text("Package.swift")
        let urls = manifest.matches(of: /\.package\(\s*url: "([^"]+?)(\.git)?"/).map { String($0.1) }
        #expect(urls.count > 3)
        for url in urls { #expect(notices.contains("](\(url))"), "\(url)") }
    }

    @Test func noticesNameEveryGeneratedTable() throws {
        let notices = try Self.text("NOTICES.md")
        let tables = try Self.sources("Sources").filter { $0.text.hasPrefix("// Written by scripts/") }
        #expect(!tables.isEmpty)
        for table in tables { #expect(notices.contains("`\(table.path)`"), "\(table.path)") }
    }

    /// What an app on iOS links: the targets that .github/workflows/apple.yml builds, and those that they depend on.
    private static let appTargets = [
        "CGlassSystem", "CThreadHead", "GlassBase", "GlassContainer", "GlassContainerTesting", "GlassDeepLinking",
        "GlassDelivery", "GlassMarkets", "GlassPlatform", "GlassPlatformMocks", "GlassSchema", "GlassTransfer",
    ]

    /// The interfaces for which Apple requires a reason, as code names them
    /// (https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api).
    private static let categories = [
        "FileTimestamp": #"\b[fl]?stat(at)?\(|getattrlist|[mM]odificationDate\b|\bcreationDate\b"#,
        "SystemBootTime": #"extension ProcessInfo\b|processInfo\.systemUptime|mach_absolute_time"#,
        "DiskSpace": #"\bf?statv?fs\b|volume(Available|Total)Capacity|\bsystem(Free)?Size\b"#,
        "ActiveKeyboards": "activeInputModes",
        "UserDefaults": #"\bUserDefaults\b"#,
    ]

    @Test(arguments: appTargets) func privacyManifestDeclaresWhatTargetUses(target: String) throws {
        let sources = try Self.sources("Sources/\(target)").map { $0.text.replacing(/\/\/.*/, with: "") }
        let used = try Self.categories.filter { _, pattern in
            let pattern = try Regex(pattern)
            return sources.contains { $0.contains(pattern) }
        }
        let path = "Sources/\(target)/PrivacyInfo.xcprivacy"
        let file = FuzzedMarket.repository.appending(path: path)
        guard !used.isEmpty else {
            #expect(!FileManager.default.fileExists(atPath: file.path))
            return
        }
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        let manifest = try #require(list as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        let declared = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        #expect(
            Set(declared.compactMap { $0["NSPrivacyAccessedAPIType"] as? String })
                == Set(used.keys.map { "NSPrivacyAccessedAPICategory\($0)" }))
        for entry in declared { #expect((entry["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false) }
    }
}
