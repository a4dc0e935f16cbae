public import Foundation
public import GlassMarkets

/// A place on earth, and when the device was there.
public struct Location: Sendable, Equatable, Codable {
    /// Degrees north of the equator.
    public var latitude: Double
    /// Degrees east of Greenwich.
    public var longitude: Double
    /// How far off the place may be, in metres.
    public var accuracyMetres: Double
    /// When the device was there.
    public var date: Date

    /// Creates a place.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north of the equator.
    ///   - longitude: Degrees east of Greenwich.
    ///   - accuracyMetres: How far off the place may be.
    ///   - date: When the device was there.
    public init(latitude: Double, longitude: Double, accuracyMetres: Double = 0, date: Date = Date()) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracyMetres = accuracyMetres
        self.date = date
    }

    /// Whether there is such a place. Receivers report a negative accuracy while they do not know where they are.
    package var isValid: Bool {
        (-90...90).contains(latitude) && (-180...180).contains(longitude) && accuracyMetres >= 0
    }
}

/// Why there are no places.
public enum LocationError: DescriptiveError {
    /// The user has not allowed it.
    case notPermitted(PermissionStatus)
    /// This system has no receiver, and the program gave none.
    case noSource
    /// The source failed.
    case sourceFailed(cause: any Error)

    /// What failed, and what to do.
    public var description: String {
        switch self {
        case .notPermitted(let status):
            "no locations: the permission is \(status); request it from LocationPermissionProvider first"
        case .noSource: "no locations: this system has no source of them; give PlatformHost.device a locationSource"
        case .sourceFailed(let cause): "no more locations: their source failed: \(cause); listen again"
        }
    }
}
