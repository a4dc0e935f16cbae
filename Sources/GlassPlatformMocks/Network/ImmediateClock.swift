import GlassBase

/// A clock on which every pause is over at once; it keeps the pauses.
public final class ImmediateClock: Clock {
    /// A point in time since the clock was made.
    public struct Instant: InstantProtocol {
        /// The time since then.
        public var offset: Duration

        /// A later or earlier point.
        ///
        /// - Parameter duration: How much later.
        /// - Returns: The point.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The time to another point.
        ///
        /// - Parameter other: The other point.
        /// - Returns: The time; negative for an earlier point.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Earlier is less.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Lock<(now: Instant, pauses: [Duration])>((Instant(offset: .zero), []))

    /// Creates a clock.
    public init() {}

    /// The pauses so far, oldest first.
    public var pauses: [Duration] { state.withLock { $0.pauses } }
    /// The sum of the pauses.
    public var now: Instant { state.withLock { $0.now } }
    /// Nothing is too short.
    public var minimumResolution: Duration { .zero }

    /// Moves the clock forward and returns.
    ///
    /// - Parameters:
    ///   - deadline: Where the clock moves to.
    ///   - tolerance: Does not matter.
    /// - Throws: `CancellationError` in a cancelled task.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.pauses.append(state.now.duration(to: deadline))
            state.now = max(state.now, deadline)
        }
        await Task.yield()
    }
}
