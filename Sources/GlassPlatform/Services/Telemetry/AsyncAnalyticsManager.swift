public import Foundation
import GlassBase
public import GlassContainer
import GlassDeepLinking
public import GlassSchema

/// Stores events in an outbox and delivers them in the background.
///
/// ```swift
/// let analytics = AsyncAnalyticsManager(sessionProvider: AnalyticsSession(), sinks: [sink])
/// analytics.addAniviaIntent(configuration: config.aniviaSuperAttributes)
/// try analytics.track(AnalyticsEvent("pageView", attributes: ["page": .string("home")]))
/// try await analytics.flush()
/// ```
///
/// An event is sent as a JSON object: `id`, `name`, `timestamp`, `attributes` (its own), `context` (the common
/// attributes), `process`, and `sequence` (without gaps within a process, in the order of tracking).
public final class AsyncAnalyticsManager: Analytics, AsyncDisposable {
    private struct State {
        var market: [String: ConfigurationScalar] = [:]
        var own: [String: ConfigurationScalar] = [:]
        /// The tenant and the channel. Only the market determines them.
        var booking: [String: ConfigurationScalar] = [:]
        /// The intent event, until it is stored with the first event.
        var intent: LazyValue<AnalyticsEvent>?
        var anivia: AniviaSuperAttributesConfiguration?
        /// The container that decides about the delivery, for a manager that was created without an outbox and sinks.
        var container: LateContainer?
        var delivery: AnalyticsDelivery?
        var isShutDown = false
    }

    /// The session for a delivery that does not exist yet.
    private let sessionProvider: (any AnalyticsSessionProvider)?
    private let logger = SafeLogger(label: "glass.analytics")
    private let state: Lock<State>

    /// Creates a manager that delivers events as its container does: to the sinks and from the outbox of the market, the
    /// program's host, and the services that the container has when the first event is tracked, or when the events are
    /// flushed or counted. Events that an earlier process left are sent from then on.
    ///
    /// The container is the one whose factory creates the manager, or else the one of
    /// ``addAniviaIntent(container:configuration:)``. A container without a market's configuration and without sinks of
    /// its host writes events to the log. Without a container, events are kept in memory.
    ///
    /// - Parameter sessionProvider: The session of the events. Each event extends it. `nil` uses the container's.
    public convenience init(sessionProvider: (any AnalyticsSessionProvider)?) {
        self.init(sessionProvider: sessionProvider, container: Container.building.map { LateContainer($0) })
    }

    /// Creates a manager that delivers events as a container does.
    init(sessionProvider: (any AnalyticsSessionProvider)?, container: LateContainer?) {
        self.sessionProvider = sessionProvider
        var state = State()
        state.container = container
        self.state = Lock(state)
    }

    /// Creates a manager, and starts to send the events that an earlier process left.
    ///
    /// - Parameters:
    ///   - sessionProvider: The session of the events. Each event extends it.
    ///   - outboxFile: The file for the events; `nil` keeps them in memory. It belongs to one tenant, and all processes
    ///     that use it share its events.
    ///   - sinks: The destinations of events. Their names must be unique.
    ///   - host: The limits, batching, and retry settings. Its sinks are ignored.
    public convenience init(
        sessionProvider: (any AnalyticsSessionProvider)? = nil, outboxFile: URL? = nil,
        sinks: [any AnalyticsSink] = [], host: TelemetryHost = TelemetryHost()
    ) {
        self.init(AnalyticsSetup(session: sessionProvider, outboxFile: outboxFile, sinks: sinks, host: host))
    }

    /// Creates a manager whose events also carry information from other providers, and starts to send the events that
    /// an earlier process left.
    package convenience init(
        sessionProvider: (any AnalyticsSessionProvider)? = nil, info: AnalyticsInfoProviders, outboxFile: URL? = nil,
        sinks: [any AnalyticsSink] = [], batching: [String: AnalyticsBatching] = [:],
        host: TelemetryHost = TelemetryHost()
    ) {
        self.init(
            AnalyticsSetup(
                session: sessionProvider, info: info, outboxFile: outboxFile, sinks: sinks, batching: batching,
                host: host))
    }

    /// Creates a manager, with an outbox that tests can replace, and starts to send.
    init(_ setup: AnalyticsSetup, outbox: AnalyticsOutbox? = nil) {
        sessionProvider = setup.session
        let delivery = AnalyticsDelivery(setup, outbox: outbox, logger: logger)
        var state = State()
        state.delivery = delivery
        self.state = Lock(state)
        delivery.start()
    }

    /// The delivery, which is created with the container's services when it is first used.
    private func delivery() throws(AnalyticsError) -> AnalyticsDelivery {
        let (existing, container, anivia) = try state.withLock { state throws(AnalyticsError) in
            if state.isShutDown { throw .shutDown }
            return (state.delivery, state.container, state.anivia)
        }
        if let existing { return existing }
        // Created without the lock, because it runs factories of the app, which may track events themselves.
        let made = AnalyticsDelivery(
            container.map { AnalyticsSetup($0, anivia: anivia, session: sessionProvider) }
                ?? AnalyticsSetup(session: sessionProvider), logger: logger)
        return try state.withLock { state throws(AnalyticsError) in
            if state.isShutDown { throw .shutDown }
            // Another thread, or one of those factories, may have been first.
            if let first = state.delivery { return first }
            state.delivery = made
            made.start()
            return made
        }
    }

    /// The secrets of the market's events.
    var secrets: [Secret] { [state.withLock { $0.anivia?.writeKey }].compactMap(\.self) }

    /// The name of the event that describes the market and the app.
    package static let intentName = "aniviaIntent"

    /// Reports once to the collector which market and app the events belong to: the event `aniviaIntent` contains the
    /// market's attributes, tenant, and channel, and the app's version. From now on, every event carries the market's
    /// attributes, too.
    ///
    /// The event is stored before the first tracked event, or when the counts are read or the events are flushed, so
    /// that an app that tracks nothing opens no file.
    ///
    /// - Parameters:
    ///   - container: The container with the app's ``AppInfoAPI``, if it is registered. A manager that was created
    ///     without an outbox and sinks, and outside any factory, also delivers its events as this container does.
    ///   - configuration: The market's declaration.
    public func addAniviaIntent(container: Container, configuration: AniviaSuperAttributesConfiguration) {
        let late = LateContainer(container)
        state.withLock { state in
            if state.delivery == nil, state.container == nil { state.container = late }
        }
        addAniviaIntent(configuration: configuration) { late.get() }
    }

    /// Reports which market and app the events belong to.
    func addAniviaIntent(
        configuration: AniviaSuperAttributesConfiguration, app: @escaping @Sendable () -> (any AppInfoAPI)?
    ) {
        addAniviaIntent(configuration: configuration)
        // Compute it lazily: the app's version is in a file, which loading a market should not read.
        let intent = LazyValue {
            var attributes = configuration.attributes
            attributes["tenant"] = .string(configuration.tenant)
            attributes["channel"] = .string(configuration.channel)
            if let app = app() {
                attributes["appVersion"] = .string(app.version)
                attributes["appBuild"] = .integer(app.build)
            }
            return AnalyticsEvent(Self.intentName, attributes: attributes)
        }
        state.withLock { $0.intent = intent }
    }

    /// Adds the market's attributes, tenant, and channel to every event. Tracks nothing.
    package func addAniviaIntent(configuration: AniviaSuperAttributesConfiguration) {
        state.withLock { state in
            state.market = configuration.attributes
            state.booking = ["tenant": .string(configuration.tenant), "channel": .string(configuration.channel)]
            state.anivia = configuration
        }
    }

    /// The attributes that every event carries in addition to session, store, membership, customer, and location: the
    /// market's attributes, overridden by those of ``setSuperAttribute(_:to:)``, overridden by tenant and channel.
    public var superAttributes: [String: ConfigurationScalar] {
        state.withLock { state in
            state.market.merging(state.own) { _, own in own }.merging(state.booking) { _, booking in booking }
        }
    }

    /// Sets an attribute that every later event carries.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - value: The value; `nil` removes it, which restores the market's value.
    public func setSuperAttribute(_ name: String, to value: ConfigurationScalar?) {
        state.withLock { $0.own[name] = value }
    }

    /// Tracks an event. When this returns, the event survives the end of the process. Never waits for the network.
    ///
    /// - Parameter event: The event.
    /// - Throws: ``AnalyticsError``, in which case the event was not stored.
    public func track(_ event: AnalyticsEvent) throws(AnalyticsError) {
        let delivery = try delivery()
        try keepIntent(delivery)
        try keep(event, delivery)
    }

    /// Stores the intent event, unless it was stored already.
    private func keepIntent(_ delivery: AnalyticsDelivery) throws(AnalyticsError) {
        let intent = state.withLock { state in
            defer { state.intent = nil }
            return state.intent
        }
        guard let intent else { return }
        do throws(AnalyticsError) {
            try keep(intent.value, delivery)
        } catch {
            // The next event retries this.
            state.withLock { $0.intent = $0.intent ?? intent }
            throw error
        }
    }

    private func keep(_ event: AnalyticsEvent, _ delivery: AnalyticsDelivery) throws(AnalyticsError) {
        var context = superAttributes
        if let session = delivery.session?.recordActivity() {
            context.merge(session.attributes) { _, session in session }
        }
        context.merge(delivery.info.attributes) { _, info in info }
        let dropped: Int
        do {
            let record = try AnalyticsRecord(event: event, context: context, date: delivery.clock.now()).encoded()
            let limit = delivery.outbox.limits.maximumEventBytes
            guard record.count <= limit else {
                throw AnalyticsError.tooLarge(event: event.name, bytes: record.count, limit: limit)
            }
            dropped = try delivery.outbox.keep(record)
        } catch let error as AnalyticsError {
            throw error
        } catch {
            throw .notKept(cause: error)
        }
        if dropped > 0 {
            logger.warning("the analytics outbox is full: the oldest \(dropped) events were dropped and counted")
        }
        for sender in delivery.senders { sender.noticeEvent() }
    }

    /// Waits until every sink has accepted every event that was tracked before. Without sinks, it returns immediately.
    ///
    /// - Throws: ``AnalyticsError``.
    public func flush() async throws(AnalyticsError) {
        let delivery = try delivery()
        try keepIntent(delivery)
        try await delivery.deliverEverything()
    }

    /// The numbers of events by status.
    ///
    /// - Returns: The counts, all from the same moment.
    /// - Throws: ``AnalyticsError/unavailable(cause:)``.
    public func counts() throws(AnalyticsError) -> AnalyticsCounts {
        // After a shutdown, those of the delivery that has ended.
        let delivery: AnalyticsDelivery
        if let known = state.withLock({ $0.delivery }) { delivery = known } else { delivery = try self.delivery() }
        // The intent event counts from the start. If it cannot be stored, the next event reports the error; counting
        // continues.
        try? keepIntent(delivery)
        do {
            return try delivery.outbox.counts()
        } catch {
            throw .unavailable(cause: error)
        }
    }

    /// Rejects new events, sends what it can within the host's grace period, and stops. Unsent events are kept for the
    /// next process, if there is a state folder.
    public func dispose() async {
        let delivery = state.withLock { state in
            defer { state.isShutDown = true }
            return state.isShutDown ? nil : state.delivery
        }
        await delivery?.stop()
    }
}

/// An event in its stored and sent form.
struct AnalyticsRecord: Encodable {
    let id: String
    let name: String
    let timestamp: String
    let attributes: [String: ConfigurationScalar]
    let context: [String: ConfigurationScalar]

    init(event: AnalyticsEvent, context: [String: ConfigurationScalar], date: Date) {
        id = UUID().uuidString.lowercased()
        name = event.name
        timestamp = date.formatted(.analytics)
        attributes = event.attributes
        self.context = context
    }

    /// The event as a JSON object with sorted keys.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encode NaN and infinity as strings instead of losing the event.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return try encoder.encode(self)
    }
}
