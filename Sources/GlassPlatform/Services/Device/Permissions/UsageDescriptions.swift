import Foundation

/// Where an app says what it wants a permission for.
///
/// Apple's systems show these texts in their prompt and end an app that asks without one.
package struct UsageDescriptions: Sendable {
    /// Nil where no text is needed.
    private let text: (@Sendable (_ key: String) -> String?)?

    private init(text: (@Sendable (String) -> String?)?) {
        self.text = text
    }

    /// What the system that this library was built for needs: the Info.plist on Apple platforms, nothing elsewhere.
    package static var system: UsageDescriptions {
        #if canImport(Darwin)
            UsageDescriptions { Bundle.main.object(forInfoDictionaryKey: $0) as? String }
        #else
            notNeeded
        #endif
    }

    /// No text is needed.
    package static var notNeeded: UsageDescriptions { UsageDescriptions(text: nil) }

    /// The texts themselves.
    package static func declared(_ texts: [String: String]) -> UsageDescriptions {
        UsageDescriptions { texts[$0] }
    }

    /// Checks that the app says what it wants a permission for.
    func require(_ permission: Permission) throws(PermissionError) {
        guard let text else { return }
        for key in permission.usageKeys where text(key)?.isEmpty ?? true {
            throw .missingUsageDescription(permission, key: key)
        }
    }
}

extension Permission {
    /// The keys of an Info.plist that Apple's systems look for.
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
