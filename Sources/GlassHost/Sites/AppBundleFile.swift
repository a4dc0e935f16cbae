import Foundation
import GlassBase
import GlassMarketFiles
import GlassSiteFiles

/// The property lists of a built app: its `Info.plist`, and its entitlements where they are beside it.
struct AppBundleFile {
    /// The path of the `Info.plist`.
    let path: String
    /// The values of the `Info.plist`.
    let values: [String: Any]
    /// The path of the entitlements; nil where there are none.
    let entitlementsPath: String?
    /// The values of the entitlements.
    let entitlements: [String: Any]

    /// Reads the lists.
    init(_ name: String) throws(CommandFailure) {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
        guard exists else {
            throw CommandFailure(status: .impossible, "there is no \(name); name a built app's Info.plist")
        }
        var file = name
        if isFolder.boolValue {
            // An app for macOS has a folder more than one for iOS.
            let places = ["Info.plist", "Contents/Info.plist"].map { "\(name)/\($0)" }
            guard let place = places.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
                throw CommandFailure(status: .impossible, "there is no Info.plist in \(name)")
            }
            file = place
        }
        path = file
        values = try Self.read(file)
        let folder = URL(filePath: file).deletingLastPathComponent()
        // A folder that cannot be listed has no entitlements for us; the Info.plist was read.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let beside = names.filter { $0.hasSuffix(".entitlements") }.sorted()
        guard beside.count < 2 else {
            throw CommandFailure(
                status: .impossible,
                "\(beside.joined(separator: " and ")) are beside \(file); leave the app's own there")
        }
        entitlementsPath = beside.first.map { folder.appending(path: $0).relativePath }
        entitlements = try entitlementsPath.map { path throws(CommandFailure) in try Self.read(path) } ?? [:]
    }

    private static func read(_ path: String) throws(CommandFailure) -> [String: Any] {
        let url = URL(filePath: path)
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try BeneathFolder(url.deletingLastPathComponent().path).read(
                url.lastPathComponent, limit: PropertyList.mostBytes)
        } catch {
            throw CommandFailure(status: .impossible, "cannot read \(path): \(error.reason)")
        }
        do throws(PropertyList.Failure) {
            return try PropertyList.values(of: bytes)
        } catch {
            throw CommandFailure(status: .impossible, "\(path) \(error)")
        }
    }

    /// A list of texts; nothing where there is none.
    func texts(_ key: String) -> [String] { (values[key] as? [Any])?.compactMap { $0 as? String } ?? [] }

    /// The custom schemes of `CFBundleURLTypes`.
    var schemes: [String] {
        let types = values["CFBundleURLTypes"] as? [[String: Any]] ?? []
        return types.flatMap { ($0["CFBundleURLSchemes"] as? [Any])?.compactMap { $0 as? String } ?? [] }
    }

    /// The hosts of the entitlement for associated domains, without what stands around them.
    var domains: [String] {
        let list = entitlements["com.apple.developer.associated-domains"] as? [Any] ?? []
        return list.compactMap { $0 as? String }.filter { $0.hasPrefix("applinks:") }
            .map { String($0.dropFirst("applinks:".count).prefix { $0 != "?" }).lowercased() }
    }

    /// The app groups of the entitlements.
    var groups: [String] {
        (entitlements["com.apple.security.application-groups"] as? [Any])?.compactMap { $0 as? String } ?? []
    }
}
