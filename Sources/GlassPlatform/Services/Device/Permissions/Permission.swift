import Foundation
public import GlassMarkets

/// An action that requires the user's permission.
public enum Permission: Sendable, Equatable, CustomStringConvertible {
    /// Showing notifications.
    case notifications(options: [PermissionsConfiguration.NotificationOption])
    /// Accessing the location of the device.
    case location(level: PermissionsConfiguration.LocationLevel)
    /// Recording video.
    case video

    /// The name in messages: `notifications`, `location`, or `video`.
    package var name: String {
        switch self {
        case .notifications: "notifications"
        case .location: "location"
        case .video: "video"
        }
    }

    /// The name with the options: `location (whenInUse)`.
    public var description: String {
        switch self {
        case .notifications(let options): "\(name) (\(options.map(\.rawValue).joined(separator: ", ")))"
        case .location(let level): "\(name) (\(level.rawValue))"
        case .video: name
        }
    }
}

/// The status of a permission: not determined, then requesting, then granted, denied, or restricted.
public enum PermissionStatus: Sendable, Equatable, CustomStringConvertible {
    /// The user has not been asked yet.
    case notDetermined
    /// The user is being asked.
    case requesting
    /// The user granted it.
    case granted
    /// The user denied it, or there is no user to ask.
    case denied(reason: String)
    /// No user of this device can grant it, for example video without a camera.
    case restricted(reason: String)

    /// The stable name, which scripts and logs can rely on.
    package var name: String {
        switch self {
        case .notDetermined: "notDetermined"
        case .requesting: "requesting"
        case .granted: "granted"
        case .denied: "denied"
        case .restricted: "restricted"
        }
    }

    /// The reason why it is denied or restricted.
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

/// The reason why a permission cannot be requested.
public enum PermissionError: DescriptiveError {
    /// The app does not describe its use of the permission. The system would terminate an app that asks without a
    /// description.
    case missingUsageDescription(_ permission: Permission, key: String)
    /// There is no camera.
    case noCamera
    /// The prompt failed before the user answered. The permission remains undetermined.
    case promptFailed(_ permission: Permission, cause: any Error)

    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .missingUsageDescription(let permission, let key):
            "\(permission): the app does not describe its use; add \(key) to its Info.plist"
        case .noCamera: "video: this machine has no camera; connect one, or do not offer the feature"
        case .promptFailed(let permission, let cause):
            "\(permission): the prompt failed before the user answered: \(cause); request it again"
        }
    }
}
