public import Foundation

/// A stub of the options with the same name.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates options from bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Shows a number on the icon.
    public static let badge = Self(rawValue: 1)
    /// Plays a sound.
    public static let sound = Self(rawValue: 2)
    /// Shows an alert.
    public static let alert = Self(rawValue: 4)
    /// Shows notifications in CarPlay.
    public static let carPlay = Self(rawValue: 8)
    /// Asks for no permission at first.
    public static let provisional = Self(rawValue: 64)
}

/// A stub of the status with the same name.
public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined, denied, authorized, provisional, ephemeral
}

/// A stub of the settings with the same name.
open class UNNotificationSettings: NSObject, @unchecked Sendable {
    /// The user's decision.
    open var authorizationStatus: UNAuthorizationStatus { .notDetermined }
}

/// A stub of the class with the same name.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    /// The shared instance.
    ///
    /// - Returns: The center.
    open class func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }

    /// Asks the user for permission.
    ///
    /// - Parameter options: The kinds of notifications.
    /// - Returns: Whether the user granted it.
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { false }

    /// Reads the user's decision.
    ///
    /// - Parameter completionHandler: Receives the settings.
    open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {}
}
