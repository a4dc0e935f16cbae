import GlassBase
import GlassDeepLinking
public import GlassMarkets
public import GlassPlatform
public import GlassSchema

/// Locations that a test sends.
public final class LocationUpdatesProviderMock: LocationUpdatesProvider {
    private typealias Listener = AsyncThrowingStream<Location, any Error>.Continuation

    private struct State: Sendable {
        var latest: Location?
        var listeners = ListenerList<Listener>()
    }

    /// Whether updates continue while the app is in the background.
    public let allowsBackgroundLocationUpdates: Bool
    private let state: Lock<State>

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - allowsBackgroundLocationUpdates: Whether updates continue while the app is in the background.
    ///   - latest: The current location, which each listener gets first.
    public init(allowsBackgroundLocationUpdates: Bool = false, latest: Location? = nil) {
        self.allowsBackgroundLocationUpdates = allowsBackgroundLocationUpdates
        state = Lock(State(latest: latest))
    }

    deinit { finish() }

    /// The current location of the device.
    public var latest: Location? { state.withLock { $0.latest } }

    /// The current location, followed by each location that is sent.
    ///
    /// - Returns: A sequence for one listener.
    public func locations() -> AsyncThrowingStream<Location, any Error> {
        let (stream, listener) = AsyncThrowingStream.makeStream(of: Location.self, throwing: (any Error).self)
        let id = state.withLock { state in
            if let latest = state.latest { listener.yield(latest) }
            return state.listeners.add(listener)
        }
        listener.onTermination = { [weak self] _ in _ = self?.state.withLock { $0.listeners.remove(id) } }
        return stream
    }

    /// Moves the device.
    ///
    /// - Parameter place: The new location.
    public func send(_ place: Location) {
        let listeners = state.withLock { state in
            state.latest = place
            return state.listeners.all
        }
        for listener in listeners { listener.yield(place) }
    }

    /// Ends every sequence.
    ///
    /// - Parameter error: The error; `nil` ends them without an error.
    public func finish(throwing error: LocationError? = nil) {
        for listener in state.withLock({ $0.listeners.removeAll() }) { listener.finish(throwing: error) }
    }
}

extension LocationUpdatesProviderMock: ScriptedMock {
    /// The mock method `move`.
    public var mockMethods: [ScriptMethod] {
        [
            ScriptMethod("move", ["latitude", "longitude", "accuracyMetres?"], "Moves the device.") { arguments in
                var place = Location(
                    latitude: try arguments.number(0, "latitude"), longitude: try arguments.number(1, "longitude"))
                if arguments[2] != .nil { place.accuracyMetres = try arguments.number(2, "accuracyMetres") }
                guard place.isValid else {
                    throw ScriptArgumentError(
                        method: "move", parameter: "latitude and longitude", expected: "a location on earth",
                        found: "\(place.latitude), \(place.longitude), \(place.accuracyMetres) m")
                }
                self.send(place)
                return .nil
            }
        ]
    }
}
