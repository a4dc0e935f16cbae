/// Where places come from: the system's receiver, or a script.
package protocol LocationSource: Sendable {
    /// Starts the source.
    ///
    /// - Parameter allowsBackgroundUpdates: Whether it goes on while the app is in the background.
    /// - Returns: The places. The source stops when the sequence is no longer iterated, and is started anew by the next
    ///   call.
    func locations(allowsBackgroundUpdates: Bool) -> AsyncThrowingStream<Location, any Error>
}

/// Places from a list, for tests, demonstrations and machines without a receiver.
///
/// ```swift
/// let walk = ScriptedLocationSource([
///     Location(latitude: 36.3723, longitude: -94.2106), Location(latitude: 36.3729, longitude: -94.2088),
/// ])
/// ```
package struct ScriptedLocationSource: LocationSource {
    /// What happens after the last place.
    package enum Ending: Sendable {
        /// Nothing: the device stands still, and listeners wait.
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
    ///
    /// - Parameters:
    ///   - places: The places in order; each start begins with the first one.
    ///   - interval: How long the device takes from one to the next.
    ///   - clock: What measures the interval.
    ///   - ending: What happens after the last place.
    package init(
        _ places: [Location], every interval: Duration = .zero, clock: any Clock<Duration> = ContinuousClock(),
        ending: Ending = .standsStill
    ) {
        self.places = places
        self.interval = interval
        self.clock = clock
        self.ending = ending
    }

    /// Starts with the first place.
    ///
    /// - Parameter allowsBackgroundUpdates: Ignored: a script is never in the background.
    /// - Returns: The places.
    package func locations(allowsBackgroundUpdates: Bool) -> AsyncThrowingStream<Location, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                for (offset, place) in places.enumerated() {
                    if offset > 0, interval > .zero {
                        do {
                            try await clock.sleep(for: interval)
                        } catch {
                            // Only cancellation ends a sleep early, and then nobody listens.
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
