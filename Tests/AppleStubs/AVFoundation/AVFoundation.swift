public import Foundation

/// Stands in for the type of the same name.
public struct AVMediaType: Hashable, Sendable {
    /// Pictures that move.
    public static let video = Self()
}

/// Stands in for the status of the same name.
public enum AVAuthorizationStatus: Int, Sendable {
    case notDetermined, restricted, denied, authorized
}

/// Stands in for the class of the same name.
open class AVCaptureDevice: NSObject {
    /// What the user said.
    ///
    /// - Parameter mediaType: About what.
    /// - Returns: The status.
    open class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus { .notDetermined }

    /// Asks the user.
    ///
    /// - Parameter mediaType: For what.
    /// - Returns: Whether the user said yes.
    open class func requestAccess(for mediaType: AVMediaType) async -> Bool { false }

    /// The device that is used unless somebody says otherwise.
    ///
    /// - Parameter mediaType: For what.
    /// - Returns: Nil where there is none.
    open class func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? { nil }
}
