import GlassBase
public import GlassPlatform
public import GlassSchema

/// Records the tracked events. Flushing counts them as sent.
public final class AnalyticsMock: Analytics {
    private struct State {
        var events: [AnalyticsEvent] = []
        var sent = 0
        var superAttributes: [String: ConfigurationScalar]
    }

    private let state: Lock<State>

    /// Creates a mock without events.
    ///
    /// - Parameter superAttributes: The attributes that every event would carry.
    public init(superAttributes: [String: ConfigurationScalar] = [:]) {
        state = Lock(State(superAttributes: superAttributes))
    }

    /// The events so far, oldest first.
    public var events: [AnalyticsEvent] { state.withLock { $0.events } }
    /// The attributes that every event would carry.
    public var superAttributes: [String: ConfigurationScalar] { state.withLock { $0.superAttributes } }

    /// Records the event.
    ///
    /// - Parameter event: The event.
    public func track(_ event: AnalyticsEvent) { state.withLock { $0.events.append(event) } }

    /// Sets an attribute.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - value: The value; `nil` removes the attribute.
    public func setSuperAttribute(_ name: String, to value: ConfigurationScalar?) {
        state.withLock { $0.superAttributes[name] = value }
    }

    /// Counts every event as sent.
    public func flush() async { state.withLock { $0.sent = $0.events.count } }

    /// The numbers of events by status.
    ///
    /// - Returns: The counts.
    public func counts() -> AnalyticsCounts {
        state.withLock { state in
            var counts = AnalyticsCounts()
            counts.tracked = state.events.count
            counts.sent = state.sent
            counts.kept = state.events.count - state.sent
            return counts
        }
    }
}
