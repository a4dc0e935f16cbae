/// A source of locations, such as a receiver that is attached to the device, for ``DeviceHost/locationSource``.
///
/// ```swift
/// struct SurveyReceiver: LocationSource {
///     let port: SerialPort
///
///     func locations(allowsBackgroundUpdates: Bool) -> AsyncThrowingStream<Location, any Error> {
///         AsyncThrowingStream { continuation in
///             let reading = Task {
///                 for await fix in port.fixes() {
///                     continuation.yield(Location(latitude: fix.north, longitude: fix.east, accuracyMetres: 0.02))
///                 }
///                 continuation.finish()
///             }
///             continuation.onTermination = { _ in reading.cancel() }
///         }
///     }
/// }
/// ```
public protocol LocationSource: Sendable {
    /// Starts the source. ``LocationUpdates`` calls it for its first listener, and ends the sequence after its last.
    ///
    /// - Parameter allowsBackgroundUpdates: Whether updates continue while the app is in the background, as the market
    ///   declares.
    /// - Returns: The locations from now on. Listeners skip those with a negative accuracy or impossible coordinates. If
    ///   the sequence throws, listeners get ``LocationError/sourceFailed(cause:)``.
    func locations(allowsBackgroundUpdates: Bool) -> AsyncThrowingStream<Location, any Error>
}

/// A list of locations, for tests, demonstrations, and machines without a receiver.
///
/// ```swift
/// let walk = ScriptedLocationSource([
///     Location(latitude: 36.3723, longitude: -94.2106), Location(latitude: 36.3729, longitude: -94.2088),
/// ])
/// ```
package struct ScriptedLocationSource: LocationSource {
    /// The behavior after the last location.
    package enum Ending: Sendable {
        /// The device stays there, and listeners wait.
        case standsStill
        /// The sequence ends.
        case ends
        /// The sequence fails.
        case fails(any Error)
    }

    private let places: [Location]
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let ending: Ending

    /// Creates a source.
    package init(
        _ places: [Location], every interval: Duration = .zero, clock: any Clock<Duration> = ContinuousClock(),
        ending: Ending = .standsStill
    ) {
        self.places = places
        self.interval = interval
        self.clock = clock
        self.ending = ending
    }

    /// Starts with the first location.
    package func locations(allowsBackgroundUpdates: Bool) -> AsyncThrowingStream<Location, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                for (offset, place) in places.enumerated() {
                    if offset > 0, interval > .zero {
                        do {
                            try await clock.sleep(for: interval)
                        } catch {
                            // Only cancellation ends a sleep early, and then there is no listener.
                            return
                        }
                    }
                    continuation.yield(place)
                }
                switch ending {
                case .standsStill: break
                case .ends: continuation.finish()
                case .fails(let error): continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
