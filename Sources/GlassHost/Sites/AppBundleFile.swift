import Foundation
import GlassBase
import GlassMarketFiles
import GlassAuthoring

/// The property lists of a built app: its `Info.plist`, and its entitlements if they are next to it.
struct AppBundleFile {
    /// The path of the `Info.plist`.
    let path: String
    /// The values of the `Info.plist`.
    let values: [String: Any]
    /// The path of the entitlements; nil if there are none.
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
        if isFolder.boolValue {
            // A macOS app has one more folder than an iOS app.
            let places = ["Info.plist", "Contents/Info.plist"]
            guard let place = places.first(where: { FileManager.default.fileExists(atPath: "\(name)/\($0)") }) else {
                throw CommandFailure(status: .impossible, "there is no Info.plist in \(name)")
            }
            path = "\(name)/\(place)"
            values = try Self.read(path) { () throws(FileFailure) in try ConfinedDirectory(name).openFile(place) }
        } else {
            path = name
            values = try Self.read(name) { () throws(FileFailure) in try Descriptor.regular(name) }
        }
        let folder = ConfinedDirectory.split(path).folder
        // If the folder cannot be listed, continue without entitlements: the Info.plist was read.
        let names = (try? folder.names()) ?? []
        let beside = names.filter { $0.hasSuffix(".entitlements") }.sorted()
        guard beside.count < 2 else {
            throw CommandFailure(
                status: .impossible,
                "\(beside.joined(separator: " and ")) are next to \(path); keep only the app's own there")
        }
        guard let name = beside.first else {
            (entitlementsPath, entitlements) = (nil, [:])
            return
        }
        let entitlementsPath = folder.path == "." ? name : folder.path + name
        entitlements = try Self.read(entitlementsPath) { () throws(FileFailure) in try folder.openFile(name) }
        self.entitlementsPath = entitlementsPath
    }

    private static func read(
        _ path: String, _ opening: () throws(FileFailure) -> Descriptor
    ) throws(CommandFailure) -> [String: Any] {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try opening().contents(limit: PropertyList.maximumBytes)
        } catch {
            throw CommandFailure(status: .impossible, "cannot read \(path): \(error.reason)")
        }
        do throws(PropertyList.Failure) {
            return try PropertyList.values(of: bytes)
        } catch {
            throw CommandFailure(status: .impossible, "\(path) \(error)")
        }
    }

    /// A list of strings; empty if there is none.
    func texts(_ key: String) -> [String] { (values[key] as? [Any])?.compactMap { $0 as? String } ?? [] }

    /// The custom schemes of `CFBundleURLTypes`.
    var schemes: [String] {
        let types = values["CFBundleURLTypes"] as? [[String: Any]] ?? []
        return types.flatMap { ($0["CFBundleURLSchemes"] as? [Any])?.compactMap { $0 as? String } ?? [] }
    }

    /// The hosts in the entitlement for associated domains, without their prefixes and modes.
    var domains: [String] { associations.filter { $0.modes.isEmpty }.map { $0.host } }

    /// The hosts in the entitlement that apply to the devices of a mode.
    func domains(for mode: AssociationMode) -> [String] {
        associations.filter { $0.modes.contains(mode) }.map { $0.host }
    }

    private var associations: [(host: String, modes: Set<AssociationMode>)] {
        let list = entitlements["com.apple.developer.associated-domains"] as? [Any] ?? []
        return list.compactMap { $0 as? String }.filter { $0.hasPrefix("applinks:") }.map { text in
            let parts = text.dropFirst("applinks:".count).lowercased()
                .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let values = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { $0.hasPrefix("mode=") }
            let names = values.flatMap { $0.dropFirst("mode=".count).split(separator: "+") }
            return (String(parts[0]), Set(names.compactMap { AssociationMode(rawValue: String($0)) }))
        }
    }

    /// The app groups of the entitlements.
    var groups: [String] {
        (entitlements["com.apple.security.application-groups"] as? [Any])?.compactMap { $0 as? String } ?? []
    }
}

/// A mode of an associated domain: with `?mode=`, the domain applies only to some devices
enum AssociationMode: String, CaseIterable {
    /// The system contacts the site itself, on devices whose developer has enabled that.
    case developer
    /// Devices that an organization manages.
    case managed
}
