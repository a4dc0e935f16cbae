public import GlassSchema

/// Receives the app's events, adds the common attributes, and stores the events until they are delivered.
///
/// An event is stored before ``AnalyticsTracking/track(_:)`` returns. It leaves the outbox only when every sink has
/// acknowledged it, when a sink rejects it permanently, or when the outbox is full and it is the oldest event.
public protocol Analytics: AnalyticsTracking {
    /// The attributes that every event carries in addition to session, store, membership, customer, and location.
    var superAttributes: [String: ConfigurationScalar] { get }

    /// Sets an attribute that every later event carries.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - value: The value; `nil` removes the attribute.
    func setSuperAttribute(_ name: String, to value: ConfigurationScalar?)

    /// Waits until every sink has accepted every event that was tracked before.
    ///
    /// - Throws: ``AnalyticsError/notDelivered(sink:cause:)`` if a sink fails or the task is canceled (the events are
    ///   kept and sent later), ``AnalyticsError/unavailable(cause:)``, ``AnalyticsError/shutDown``.
    func flush() async throws(AnalyticsError)

    /// The numbers of events by status, for all processes that share the outbox, since it was created.
    ///
    /// - Returns: The counts, all from the same moment.
    /// - Throws: ``AnalyticsError/unavailable(cause:)``.
    func counts() throws(AnalyticsError) -> AnalyticsCounts
}

/// The numbers of tracked events by status.
public struct AnalyticsCounts: Sendable, Equatable {
    /// The number of events that were tracked.
    public var tracked = 0
    /// The number of events that are waiting in the outbox.
    public var kept = 0
    /// The number of events that every sink has acknowledged.
    public var sent = 0
    /// The number of events that were dropped because the outbox was full. The oldest are dropped first.
    public var dropped = 0
    /// The number of events that a sink rejected permanently.
    public var rejected = 0
    /// The number of acknowledged events, by sink.
    public var sentBySink: [String: Int] = [:]
    /// The names of corrupt outbox files that were renamed.
    public var setAside: [String] = []

    /// Whether the counts add up: every tracked event is kept, sent, dropped, or rejected.
    package var isBalanced: Bool { tracked == kept + sent + dropped + rejected }

    /// Creates counts of zero.
    public init() {}
}

extension Analytics {
    /// The script methods `track`, `flush`, and `counts`, and those for super attributes.
    package var scriptMethods: [ScriptMethod] {
        [
            trackMethod,
            ScriptMethod("superAttributes", [], "The attributes that every event carries.") { _ in
                .map(self.superAttributes.mapValues { ScriptValue($0) })
            },
            ScriptMethod(
                "setSuperAttribute", ["name", "value?"], "Sets or removes an attribute that every event carries.",
                keeps: true
            ) {
                arguments in
                let value = arguments[1]
                guard value.scalar != nil || value == .nil else {
                    throw ScriptArgumentError(
                        method: "setSuperAttribute", parameter: "value", expected: "a boolean, number or string",
                        found: value.found)
                }
                self.setSuperAttribute(try arguments.string(0, "name"), to: value.scalar)
                return .nil
            },
            ScriptMethod(
                "flush", [], "Waits until every sink has accepted every event.",
                waiting: { _ in
                    try await self.flush()
                    return .nil
                }),
            ScriptMethod("counts", [], "The numbers of events by status.") { _ in
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
