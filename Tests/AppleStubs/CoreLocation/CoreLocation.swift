public import Foundation

/// A stub of the coordinate with the same name.
public struct CLLocationCoordinate2D: Sendable {
    /// The latitude in degrees north.
    public var latitude = 0.0
    /// The longitude in degrees east.
    public var longitude = 0.0
}

/// A stub of the class with the same name.
open class CLLocation: NSObject, @unchecked Sendable {
    /// The coordinate.
    open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D() }
    /// The accuracy in meters.
    open var horizontalAccuracy: Double { 0 }
    /// The time of the measurement.
    open var timestamp: Date { Date(timeIntervalSince1970: 0) }
}

/// A stub of the status with the same name; the original is a C enumeration, so that switches need a default.
public enum CLAuthorizationStatus: Int32, Sendable {
    case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

/// A stub of the class with the same name.
open class CLLocationManager: NSObject {
    /// The delegate.
    open weak var delegate: (any CLLocationManagerDelegate)?
    /// The user's decision.
    open var authorizationStatus: CLAuthorizationStatus { .notDetermined }
    /// Asks the user for permission.
    open func requestAlwaysAuthorization() {}
    /// Asks the user for permission.
    open func requestWhenInUseAuthorization() {}
}

/// A stub of the protocol with the same name.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Reports the user's decision.
    ///
    /// - Parameter manager: The manager that asked.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
}

/// A stub of the updates with the same name.
public struct CLLocationUpdate: Sendable {
    /// The location; `nil` if unknown.
    public var location: CLLocation? { nil }
    /// Whether the user denied permission.
    public var authorizationDenied: Bool { false }
    /// Whether the user cannot grant permission.
    public var authorizationRestricted: Bool { false }

    /// The sequence of updates.
    public struct Updates: AsyncSequence, Sendable {
        /// The iterator of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// Returns the next update.
            ///
            /// - Returns: `nil` at the end.
            public mutating func next() async throws -> CLLocationUpdate? { nil }
        }

        /// Creates an iterator.
        ///
        /// - Returns: The iterator.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }

    /// The updates from now on.
    ///
    /// - Returns: The updates.
    public static func liveUpdates() -> Updates { Updates() }
}

/// A stub of the session with the same name.
public class CLBackgroundActivitySession: NSObject {
    /// Ends the session.
    public func invalidate() {}
}
