package import Foundation
import GlassAuthoring
package import GlassMarketFiles
package import GlassMarkets
import GlassPlatform
package import GlassSchema
import LuaBridge

/// A temporary markets folder: the real markets, and additional files from the test.
package final class MarketFixture: Sendable {
    package let folder: URL

    /// The repository, located relative to this file.
    package static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Creates a folder.
    ///
    /// - Parameters:
    ///   - flags: Whether the real markets keep their flags.
    ///   - isAlone: Whether the United States are the only real market. What loads all markets of a folder takes a
    ///     third of the time then.
    ///   - files: The additional files, by their paths relative to the folder.
    package init(flags: Bool = true, isAlone: Bool = false, _ files: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "markets-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.repository.appending(path: "markets"), to: folder)
        for id in isAlone ? ["ca", "mx"] : [] {
            try FileManager.default.removeItem(at: folder.appending(path: "\(id).lua"))
        }
        for id in flags ? [] : ["us", "ca", "mx"] {
            let file = folder.appending(path: "\(id).lua")
            let text = try String(contentsOf: file, encoding: .utf8)
            // The flags are the last keys of the files.
            let starts = ["layers", "flags"].compactMap { text.firstRange(of: "\n  \($0) = {")?.lowerBound }
            if let start = starts.min() { try write(String(text[..<start]) + "\n}\n", to: "\(id).lua") }
        }
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: folder)
    }

    package func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    package func write(_ data: Data, to name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// A loader for the folder, with only the given secrets.
    package func loader(secrets: [String: String] = [:], limits: MarketLimits = MarketLimits()) -> MarketLoader {
        // The closure retains the folder for as long as the loader lives.
        MarketLoader(.platformInMemory, folder: MarketFolder(path: folder.path), limits: limits) { [self] name in
            withExtendedLifetime(self) { secrets[name] }
        }.writingFixes
    }

    /// The findings about a market, as text.
    package func diagnostics(_ id: String, limits: MarketLimits = MarketLimits()) throws -> String {
        text(of: try loader(limits: limits).check(id).findings)
    }

    /// Findings without warnings about secrets, with the folder's path shortened to `markets`.
    package func text(of findings: [Finding]) -> String {
        findings.filter { $0.code != .secretUnset }.map(\.description).joined(separator: "\n")
            .replacingOccurrences(of: folder.path, with: "markets")
    }

    /// The findings about a market that extends the United States with one addition.
    package static func diagnostics(of addition: String, files: [String: String] = [:]) throws -> String {
        var files = files
        files["xx.lua"] = file(with: addition)
        return try MarketFixture(files).diagnostics("xx", limits: patientLimits)
    }

    /// The file of a market that extends the United States with one addition.
    package static func file(with addition: String) -> String {
        "return { id = \"xx\", name = \"Test\", extends = \"us\",\n\(addition)\n}"
    }

    /// Limits for tests of results rather than speed: under a sanitizer and with other work, a check may take longer
    /// than markets are allowed.
    package static let patientLimits: MarketLimits = {
        var limits = MarketLimits(load: .seconds(60))
        limits.evaluation.cpuTime = .seconds(60)
        return limits
    }()
}

extension MarketModule {
    /// The platform with a host that stores nothing, so that no test stores data in the place of the program.
    package static let platformInMemory = platform.overriding(services: [.host(.inMemory)])
}
