import GlassBase

/// A clock on which every delay ends immediately. It records the delays.
package final class ImmediateClock: Clock {
    /// A point in time, relative to the creation of the clock.
    package struct Instant: InstantProtocol {
        /// The time since the clock was created.
        package var offset: Duration

        /// Returns a later or earlier point.
        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the time to another point.
        package func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether one point is earlier than another.
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Lock<(now: Instant, pauses: [Duration])>((Instant(offset: .zero), []))

    /// Creates a clock.
    package init() {}

    /// The delays so far, oldest first.
    package var pauses: [Duration] { state.withLock { $0.pauses } }
    /// The sum of the delays.
    package var now: Instant { state.withLock { $0.now } }
    /// The minimum resolution, which is zero.
    package var minimumResolution: Duration { .zero }

    /// Moves the clock forward and returns.
    package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.pauses.append(state.now.duration(to: deadline))
            state.now = max(state.now, deadline)
        }
        await Task.yield()
    }
}
