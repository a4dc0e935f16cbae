import Foundation

/// The identity of the built app according to its `Info.plist`.
package struct AppBundle: Sendable, Equatable {
    /// The bundle identifier; `nil` for a program outside a bundle.
    package var identifier: String?
    /// The marketing version.
    package var version: String?
    /// The build number; `nil` if it is not an integer.
    package var build: Int?
    /// The name below the icon.
    package var name: String?
    /// The schemes of links that the system passes to the app.
    package var urlSchemes: [String] = []

    /// Creates the identity of a bundle.
    package init(identifier: String? = nil, version: String? = nil, build: Int? = nil) {
        self.identifier = identifier
        self.version = version
        self.build = build
    }

    /// The bundle of this process.
    package static var main: AppBundle {
        AppBundle(Bundle.main.infoDictionary ?? [:])
    }

    /// Reads the values of a property list.
    package init(_ values: [String: Any]) {
        identifier = values["CFBundleIdentifier"] as? String
        version = values["CFBundleShortVersionString"] as? String
        build = (values["CFBundleVersion"] as? String).flatMap { Int($0) }
        name = (values["CFBundleDisplayName"] ?? values["CFBundleName"]) as? String
        let types = values["CFBundleURLTypes"] as? [[String: Any]] ?? []
        urlSchemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }.map { $0.lowercased() }
    }

    /// Whether this is the bundle of an app or of one of its extensions, whose identifiers start with the app's.
    package func belongs(to identifier: String) -> Bool {
        guard let own = self.identifier, !identifier.isEmpty else { return false }
        return own == identifier || own.hasPrefix(identifier + ".")
    }
}

extension AppInfoConfiguration {
    /// The identity of a program without a market: that of its bundle, or else the name of the process.
    init(program bundle: AppBundle) {
        self.init()
        name = bundle.name ?? ProcessInfo.processInfo.processName
        bundleIdentifier = bundle.identifier ?? ""
        version = bundle.version ?? ""
        build = bundle.build ?? build
    }
}
