import GlassBase
import Foundation

/// The session of one process, measured with a clock that cannot be set.
///
/// ```swift
/// let session = AnalyticsSession(timeout: .seconds(1800))
/// session.recordActivity()
/// ```
///
/// Sleep counts as idle time. Setting the date has no effect. If the clock itself jumped back, idle time would be
/// counted from the jump, so a session would neither end early nor last forever.
public final class AnalyticsSession: AnalyticsSessionProvider {
    private struct State {
        var info: AnalyticsSessionInfo
        var lastActivity: Duration
    }

    private let timeout: @Sendable () -> Duration
    private let clock: TelemetryClock
    private let state: Lock<State>

    /// Starts the first session.
    ///
    /// - Parameter timeout: The time after the last activity at which a session ends.
    public convenience init(timeout: Duration = .seconds(30 * 60)) {
        self.init(timeout: timeout, clock: .system)
    }

    /// Starts the first session.
    package convenience init(timeout: Duration = .seconds(30 * 60), clock: TelemetryClock) {
        self.init(clock: clock) { timeout }
    }

    /// Starts the first session, with a timeout that may become known later.
    init(clock: TelemetryClock, timeout: @escaping @Sendable () -> Duration) {
        self.timeout = timeout
        self.clock = clock
        state = Lock(State(info: Self.newSession(number: 1, clock), lastActivity: clock.uptime()))
    }

    /// The session. It is a new one if the last one has timed out.
    public var session: AnalyticsSessionInfo { update(isActivity: false) }

    /// Extends the session, or starts one if the last one has timed out.
    ///
    /// - Returns: The session.
    @discardableResult public func recordActivity() -> AnalyticsSessionInfo { update(isActivity: true) }

    /// Starts a new session.
    ///
    /// - Returns: The new session.
    @discardableResult public func startNewSession() -> AnalyticsSessionInfo {
        let now = clock.uptime()
        return state.withLock { state in
            state = State(info: Self.newSession(number: state.info.number + 1, clock), lastActivity: now)
            return state.info
        }
    }

    private func update(isActivity: Bool) -> AnalyticsSessionInfo {
        let (now, timeout) = (clock.uptime(), timeout())
        return state.withLock { state in
            if now < state.lastActivity { state.lastActivity = now }
            if now - state.lastActivity >= timeout {
                state = State(info: Self.newSession(number: state.info.number + 1, clock), lastActivity: now)
            } else if isActivity {
                state.lastActivity = now
            }
            return state.info
        }
    }

    private static func newSession(number: Int, _ clock: TelemetryClock) -> AnalyticsSessionInfo {
        AnalyticsSessionInfo(id: UUID().uuidString.lowercased(), start: clock.now(), number: number)
    }
}
