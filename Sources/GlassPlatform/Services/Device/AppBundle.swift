import Foundation

/// What the built app says about itself in its `Info.plist`.
package struct AppBundle: Sendable, Equatable {
    /// The bundle identifier; nil for a program that is in no bundle.
    package var identifier: String?
    /// The marketing version.
    package var version: String?
    /// The build number; nil where it is no whole number.
    package var build: Int?

    /// Describes a bundle.
    package init(identifier: String? = nil, version: String? = nil, build: Int? = nil) {
        self.identifier = identifier
        self.version = version
        self.build = build
    }

    /// The bundle of this process.
    package static var main: AppBundle {
        AppBundle(Bundle.main.infoDictionary ?? [:])
    }

    /// Reads what a property list says.
    package init(_ values: [String: Any]) {
        identifier = values["CFBundleIdentifier"] as? String
        version = values["CFBundleShortVersionString"] as? String
        build = (values["CFBundleVersion"] as? String).flatMap { Int($0) }
    }

    /// Whether it is the bundle of an app, or of one of its extensions, whose identifiers begin with the app's.
    package func belongs(to identifier: String) -> Bool {
        guard let own = self.identifier, !identifier.isEmpty else { return false }
        return own == identifier || own.hasPrefix(identifier + ".")
    }
}
