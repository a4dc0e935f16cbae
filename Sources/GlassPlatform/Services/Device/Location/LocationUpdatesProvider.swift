package import GlassSchema

/// The location of the device, and its changes.
public protocol LocationUpdatesProvider: AnyObject, Sendable {
    /// Whether updates continue while the app is in the background.
    var allowsBackgroundLocationUpdates: Bool { get }
    /// The location that was last reported to a listener.
    var latest: Location? { get }

    /// The locations from now on.
    ///
    /// The device's receiver runs once for all listeners, and stops when the last one leaves.
    ///
    /// - Returns: A sequence for one listener. It throws ``LocationError``. A slow listener loses the oldest locations.
    func locations() -> AsyncThrowingStream<Location, any Error>
}

extension LocationUpdatesProvider {
    /// The getters, and `next`, which waits for a location.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("allowsBackgroundLocationUpdates", [], "Whether updates continue in the background.") { _ in
                .boolean(self.allowsBackgroundLocationUpdates)
            },
            ScriptMethod(
                "latest", [], "The latest location with latitude, longitude and accuracyMetres, or nil."
            ) { _ in
                self.latest.map { ScriptValue($0) } ?? .nil
            },
            ScriptMethod("next", [], "Waits for the next location; nil if there are no more.") { _ in
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
