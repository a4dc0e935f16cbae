import Foundation

/// The source of an app's descriptions of its use of permissions.
///
/// Apple systems show these texts in their prompts, and terminate an app that asks without one.
package struct UsageDescriptions: Sendable {
    /// `nil` if no texts are required.
    private let text: (@Sendable (_ key: String) -> String?)?

    private init(text: (@Sendable (String) -> String?)?) {
        self.text = text
    }

    /// The requirement of the platform that this library was built for: the Info.plist on Apple platforms, nothing
    /// elsewhere.
    package static var system: UsageDescriptions {
        #if canImport(Darwin)
            UsageDescriptions { Bundle.main.object(forInfoDictionaryKey: $0) as? String }
        #else
            notNeeded
        #endif
    }

    /// No texts are required.
    package static var notNeeded: UsageDescriptions { UsageDescriptions(text: nil) }

    /// The given texts, by key.
    package static func declared(_ texts: [String: String]) -> UsageDescriptions {
        UsageDescriptions { texts[$0] }
    }

    /// Checks that the app describes its use of a permission.
    func require(_ permission: Permission) throws(PermissionError) {
        guard let text else { return }
        for key in permission.usageKeys where text(key)?.isEmpty ?? true {
            throw .missingUsageDescription(permission, key: key)
        }
    }
}

extension Permission {
    /// The keys that Apple systems look up in an Info.plist.
    fileprivate var usageKeys: [String] {
        switch self {
        case .notifications: []
        case .location(.whenInUse): ["NSLocationWhenInUseUsageDescription"]
        case .location(.always):
            ["NSLocationWhenInUseUsageDescription", "NSLocationAlwaysAndWhenInUseUsageDescription"]
        case .video: ["NSCameraUsageDescription"]
        }
    }
}
