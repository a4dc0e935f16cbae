import Foundation
public import GlassMarkets

/// Something that only the user may allow.
public enum Permission: Sendable, Equatable, CustomStringConvertible {
    /// Showing notifications.
    case notifications(options: [PermissionsConfiguration.NotificationOption])
    /// Knowing where the device is.
    case location(level: PermissionsConfiguration.LocationLevel)
    /// Recording video.
    case video

    /// What a sentence calls it: `notifications`, `location` or `video`.
    package var name: String {
        switch self {
        case .notifications: "notifications"
        case .location: "location"
        case .video: "video"
        }
    }

    /// The name, with the options: `location (whenInUse)`.
    public var description: String {
        switch self {
        case .notifications(let options): "\(name) (\(options.map(\.rawValue).joined(separator: ", ")))"
        case .location(let level): "\(name) (\(level.rawValue))"
        case .video: name
        }
    }
}

/// How far a permission has come: not determined, then requesting, then granted, denied or restricted.
public enum PermissionStatus: Sendable, Equatable, CustomStringConvertible {
    /// Nobody has been asked yet.
    case notDetermined
    /// The user is being asked.
    case requesting
    /// The user said yes.
    case granted
    /// The user said no, or there is nobody to ask.
    case denied(reason: String)
    /// Nobody on this device can allow it, such as video without a camera.
    case restricted(reason: String)

    /// The stable name that scripts and logs may rely on.
    package var name: String {
        switch self {
        case .notDetermined: "notDetermined"
        case .requesting: "requesting"
        case .granted: "granted"
        case .denied: "denied"
        case .restricted: "restricted"
        }
    }

    /// Why it is not granted, where somebody decided so.
    public var reason: String? {
        switch self {
        case .notDetermined, .requesting, .granted: nil
        case .denied(let reason), .restricted(let reason): reason
        }
    }

    /// Whether asking again would change nothing.
    public var isDecided: Bool {
        switch self {
        case .notDetermined, .requesting: false
        case .granted, .denied, .restricted: true
        }
    }

    /// `denied: the user said no`.
    public var description: String { reason.map { "\(name): \($0)" } ?? name }
}

/// Why a permission cannot be asked for.
public enum PermissionError: DescriptiveError {
    /// The app does not say why it wants the permission; the system ends an app that asks without.
    case missingUsageDescription(_ permission: Permission, key: String)
    /// There is no camera.
    case noCamera
    /// The prompt failed before the user answered; the permission is undetermined as before.
    case promptFailed(_ permission: Permission, cause: any Error)

    /// What failed, and what to do.
    public var description: String {
        switch self {
        case .missingUsageDescription(let permission, let key):
            "\(permission): the app does not say what for; add \(key) to its Info.plist"
        case .noCamera: "video: this machine has no camera; connect one, or do not offer the feature"
        case .promptFailed(let permission, let cause):
            "\(permission): the prompt failed before the user answered: \(cause); ask again"
        }
    }
}
