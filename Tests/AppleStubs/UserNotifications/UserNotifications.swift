public import Foundation

/// Stands in for the options of the same name.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Makes options of bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Put a number on the icon.
    public static let badge = Self(rawValue: 1)
    /// Play a sound.
    public static let sound = Self(rawValue: 2)
    /// Show an alert.
    public static let alert = Self(rawValue: 4)
    /// Show up in a car.
    public static let carPlay = Self(rawValue: 8)
    /// Ask for nothing first.
    public static let provisional = Self(rawValue: 64)
}

/// Stands in for the status of the same name.
public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined, denied, authorized, provisional, ephemeral
}

/// Stands in for the settings of the same name.
open class UNNotificationSettings: NSObject, @unchecked Sendable {
    /// What the user said.
    open var authorizationStatus: UNAuthorizationStatus { .notDetermined }
}

/// Stands in for the class of the same name.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    /// The one of the process.
    ///
    /// - Returns: The center.
    open class func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }

    /// Asks the user.
    ///
    /// - Parameter options: What for.
    /// - Returns: Whether the user said yes.
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { false }

    /// Reads what the user said.
    ///
    /// - Parameter completionHandler: Gets it.
    open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {}
}
