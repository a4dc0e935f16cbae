import GlassBase

/// A clock on which every pause is over at once; it keeps the pauses.
package final class ImmediateClock: Clock {
    /// A point in time since the clock was made.
    package struct Instant: InstantProtocol {
        /// The time since then.
        package var offset: Duration

        /// A later or earlier point.
        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time to another point.
        package func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Earlier is less.
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Lock<(now: Instant, pauses: [Duration])>((Instant(offset: .zero), []))

    /// Creates a clock.
    package init() {}

    /// The pauses so far, oldest first.
    package var pauses: [Duration] { state.withLock { $0.pauses } }
    /// The sum of the pauses.
    package var now: Instant { state.withLock { $0.now } }
    /// Nothing is too short.
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
