package import GlassSchema

/// Where the device is, and where it goes.
public protocol LocationUpdatesProvider: AnyObject, Sendable {
    /// Whether updates go on while the app is in the background.
    var allowsBackgroundLocationUpdates: Bool { get }
    /// The latest place that was reported to anybody.
    var latest: Location? { get }

    /// The places from now on.
    ///
    /// However many listen, the device's receiver runs once; it stops when nobody listens any more.
    ///
    /// - Returns: A sequence for one listener. It throws ``LocationError``. A listener that does not keep up loses the
    ///   oldest places.
    func locations() -> AsyncThrowingStream<Location, any Error>
}

extension LocationUpdatesProvider {
    /// The getters, and `next`, which waits for a place.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("allowsBackgroundLocationUpdates", [], "Whether updates go on in the background.") { _ in
                .boolean(self.allowsBackgroundLocationUpdates)
            },
            ScriptMethod("latest", [], "The latest place with latitude, longitude and accuracyMetres, or nil.") { _ in
                self.latest.map { ScriptValue($0) } ?? .nil
            },
            ScriptMethod("next", [], "Waits for the next place; nil when there are no more.") { _ in
                for try await place in self.locations() { return ScriptValue(place) }
                return .nil
            },
        ]
    }
}

extension ScriptValue {
    fileprivate init(_ place: Location) {
        self = .map([
            "latitude": .number(place.latitude), "longitude": .number(place.longitude),
            "accuracyMetres": .number(place.accuracyMetres),
        ])
    }
}
