public import GlassSchema

/// Takes the app's events, adds what every event carries, keeps them until they are delivered, and delivers them.
///
/// An event is kept before ``AnalyticsTracking/track(_:)`` returns and leaves the outbox only when every sink has
/// acknowledged it, when a sink refuses it for good, or when the outbox is full and it is the oldest.
public protocol Analytics: AnalyticsTracking {
    /// What every event carries besides session, store, membership, customer and location.
    var superAttributes: [String: ConfigurationScalar] { get }

    /// Sets an attribute that every event from now on carries.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - value: Its value; nil takes it away.
    func setSuperAttribute(_ name: String, to value: ConfigurationScalar?)

    /// Waits until every event that was tracked before has been taken by every sink.
    ///
    /// - Throws: ``AnalyticsError/notDelivered(sink:cause:)`` when a sink fails or the task is cancelled (the events are
    ///   kept and sent later), ``AnalyticsError/unavailable(cause:)``, ``AnalyticsError/shutDown``.
    func flush() async throws(AnalyticsError)

    /// What became of the events so far: of all processes that share the outbox, since it was created.
    ///
    /// - Returns: The counts, all of one moment.
    /// - Throws: ``AnalyticsError/unavailable(cause:)``.
    func counts() throws(AnalyticsError) -> AnalyticsCounts
}

/// What became of the events that were tracked.
public struct AnalyticsCounts: Sendable, Equatable {
    /// The events that were taken.
    public var tracked = 0
    /// The events that wait in the outbox.
    public var kept = 0
    /// The events that every sink has acknowledged.
    public var sent = 0
    /// The oldest events that had to go because the outbox was full.
    public var dropped = 0
    /// The events that a sink refused for good.
    public var rejected = 0
    /// The acknowledged events of each sink.
    public var sentBySink: [String: Int] = [:]
    /// The outboxes that turned out to be corrupt and lie aside, by file name.
    public var setAside: [String] = []

    /// Whether events in are events out: every tracked event is kept, sent, dropped or rejected.
    package var isBalanced: Bool { tracked == kept + sent + dropped + rejected }

    /// Creates counts of nothing.
    public init() {}
}

extension Analytics {
    /// `track`, the super attributes, `flush` and `counts`.
    package var scriptMethods: [ScriptMethod] {
        [
            trackMethod,
            ScriptMethod("superAttributes", [], "What every event carries.") { _ in
                .map(self.superAttributes.mapValues { ScriptValue($0) })
            },
            ScriptMethod(
                "setSuperAttribute", ["name", "value?"], "Sets or takes away what every event carries.", keeps: true
            ) {
                arguments in
                let value = arguments[1]
                guard value.scalar != nil || value == .nil else {
                    throw ScriptArgumentError(
                        method: "setSuperAttribute", parameter: "value", expected: "a boolean, number or text",
                        found: value.found)
                }
                self.setSuperAttribute(try arguments.string(0, "name"), to: value.scalar)
                return .nil
            },
            ScriptMethod(
                "flush", [], "Waits until every sink has every event.",
                waiting: { _ in
                    try await self.flush()
                    return .nil
                }),
            ScriptMethod("counts", [], "What became of the events.") { _ in
                let counts = try self.counts()
                return [
                    "tracked": .integer(counts.tracked), "kept": .integer(counts.kept), "sent": .integer(counts.sent),
                    "dropped": .integer(counts.dropped), "rejected": .integer(counts.rejected),
                    "balanced": .boolean(counts.isBalanced),
                    "sentBySink": .map(counts.sentBySink.mapValues { .integer($0) }),
                    "setAside": .list(counts.setAside.map { .string($0) }),
                ]
            },
        ]
    }
}
