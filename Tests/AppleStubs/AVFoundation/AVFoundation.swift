public import Foundation

/// A stub of the type with the same name.
public struct AVMediaType: Hashable, Sendable {
    /// Video.
    public static let video = Self()
}

/// A stub of the status with the same name.
public enum AVAuthorizationStatus: Int, Sendable {
    case notDetermined, restricted, denied, authorized
}

/// A stub of the class with the same name.
open class AVCaptureDevice: NSObject {
    /// The user's decision.
    ///
    /// - Parameter mediaType: The type of media.
    /// - Returns: The status.
    open class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus { .notDetermined }

    /// Asks the user for permission.
    ///
    /// - Parameter mediaType: The type of media.
    /// - Returns: Whether the user granted it.
    open class func requestAccess(for mediaType: AVMediaType) async -> Bool { false }

    /// The default device.
    ///
    /// - Parameter mediaType: The type of media.
    /// - Returns: `nil` if there is none.
    open class func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? { nil }
}
