public import Foundation
public import GlassMarkets

/// A geographic location, and the time at which the device was there.
public struct Location: Sendable, Equatable, Codable {
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double
    /// The radius of uncertainty, in meters.
    public var accuracyMetres: Double
    /// The time at which the device was there.
    public var date: Date

    /// Creates a location.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north of the equator.
    ///   - longitude: Degrees east of Greenwich.
    ///   - accuracyMetres: The radius of uncertainty, in meters.
    ///   - date: The time at which the device was there.
    public init(latitude: Double, longitude: Double, accuracyMetres: Double = 0, date: Date = Date()) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMetres = accuracyMetres
        self.date = date
    }

    /// Whether the location is valid. A negative accuracy means that the receiver does not know its location.
    package var isValid: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude) && accuracyMetres >= 0
    }
}

/// The reason why there are no locations.
public enum LocationError: DescriptiveError {
    /// The user has not granted the permission.
    case notPermitted(PermissionStatus)
    /// The system has no receiver, and the program provided no source.
    case noSource
    /// The source failed.
    case sourceFailed(cause: any Error)

    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .notPermitted(let status):
            "no locations: the permission is \(status); request it from LocationPermissionProvider first"
        case .noSource:
            "no locations: this system has no location source; set the locationSource of PlatformHost.device"
        case .sourceFailed(let cause): "no more locations: the source failed: \(cause); start listening again"
        }
    }
}
