public import Foundation

/// Stands in for the place of the same name.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees to the north.
    public var latitude = 0.0
    /// Degrees to the east.
    public var longitude = 0.0
}

/// Stands in for the class of the same name.
open class CLLocation: NSObject, @unchecked Sendable {
    /// Where.
    open var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D() }
    /// How exact, in metres.
    open var horizontalAccuracy: Double { 0 }
    /// When.
    open var timestamp: Date { Date(timeIntervalSince1970: 0) }
}

/// Stands in for the status of the same name; a C enumeration there, so that switches need a default.
public enum CLAuthorizationStatus: Int32, Sendable {
    case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

/// Stands in for the class of the same name.
open class CLLocationManager: NSObject {
    /// Who is told.
    open weak var delegate: (any CLLocationManagerDelegate)?
    /// What the user said.
    open var authorizationStatus: CLAuthorizationStatus { .notDetermined }
    /// Asks the user.
    open func requestAlwaysAuthorization() {}
    /// Asks the user.
    open func requestWhenInUseAuthorization() {}
}

/// Stands in for the protocol of the same name.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
    /// Is told what the user said.
    ///
    /// - Parameter manager: Who asked.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
}

/// Stands in for the updates of the same name.
public struct CLLocationUpdate: Sendable {
    /// Where; nil when nobody knows.
    public var location: CLLocation? { nil }
    /// Whether the user said no.
    public var authorizationDenied: Bool { false }
    /// Whether nobody can say yes.
    public var authorizationRestricted: Bool { false }

    /// The updates of the receiver.
    public struct Updates: AsyncSequence, Sendable {
        /// Reads them.
        public struct AsyncIterator: AsyncIteratorProtocol {
            /// The next one.
            ///
            /// - Returns: Nil at the end.
            public mutating func next() async throws -> CLLocationUpdate? { nil }
        }

        /// Begins to read.
        ///
        /// - Returns: What reads.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }

    /// The updates from now on.
    ///
    /// - Returns: The updates.
    public static func liveUpdates() -> Updates { Updates() }
}

/// Stands in for the session of the same name.
public class CLBackgroundActivitySession: NSObject {
    /// Ends it.
    public func invalidate() {}
}
