import GlassBase
public import Foundation
public import GlassContainer
import GlassDeepLinking
public import GlassSchema

/// Keeps events in an outbox and delivers them in the background.
///
/// ```swift
/// let analytics = AsyncAnalyticsManager(sessionProvider: AnalyticsSession(), sinks: [sink])
/// analytics.addAniviaIntent(configuration: config.aniviaSuperAttributes)
/// try analytics.track(AnalyticsEvent("pageView", attributes: ["page": .string("home")]))
/// try await analytics.flush()
/// ```
///
/// An event leaves as a JSON object: `id`, `name`, `timestamp`, `attributes` (its own), `context` (what every event
/// carries), `process` and `sequence` (without gaps within a process, in the order of tracking).
public final class AsyncAnalyticsManager: Analytics, AsyncDisposable {
    private struct State {
        var market: [String: ConfigurationScalar] = [:]
        var own: [String: ConfigurationScalar] = [:]
        /// Tenant and channel: what events are booked on is the market's alone to say.
        var booking: [String: ConfigurationScalar] = [:]
        /// The intent, until it is kept with the first event.
        var intent: LazyValue<AnalyticsEvent>?
        var isShutDown = false
    }

    private let sessionProvider: (any AnalyticsSessionProvider)?
    private let info: AnalyticsInfoProviders
    private let outbox: AnalyticsOutbox
    private let senders: [AnalyticsSender]
    private let tasks: [Task<Void, Never>]
    private let clock: TelemetryClock
    private let grace: Duration
    private let logger: SafeLogger
    private let state = Lock(State())

    /// Creates a manager and begins to send what an earlier process left.
    ///
    /// - Parameters:
    ///   - sessionProvider: The session that events belong to; each event prolongs it.
    ///   - outboxFile: The file that keeps the events; nil keeps them in memory. It belongs to one tenant; all processes
    ///     that use it share its events.
    ///   - sinks: Where events go; their names differ.
    ///   - host: Limits, batching and retry. Its sinks are not looked at.
    public convenience init(
        sessionProvider: (any AnalyticsSessionProvider)? = nil, outboxFile: URL? = nil,
        sinks: [any AnalyticsSink] = [], host: TelemetryHost = TelemetryHost()
    ) {
        self.init(
            sessionProvider: sessionProvider, info: AnalyticsInfoProviders(), outboxFile: outboxFile, sinks: sinks,
            host: host)
    }

    /// Creates a manager whose events also carry what others know, and begins to send what an earlier process left.
    package convenience init(
        sessionProvider: (any AnalyticsSessionProvider)? = nil, info: AnalyticsInfoProviders, outboxFile: URL? = nil,
        sinks: [any AnalyticsSink] = [], batching: [String: AnalyticsBatching] = [:],
        host: TelemetryHost = TelemetryHost()
    ) {
        self.init(
            sessionProvider: sessionProvider, info: info,
            outbox: AnalyticsOutbox(
                file: outboxFile, sinks: sinks.map(\.name), retired: host.retiredSinks, limits: host.outbox,
                clock: host.clock, suspension: host.suspension),
            sinks: sinks, batching: batching, host: host)
    }

    init(
        sessionProvider: (any AnalyticsSessionProvider)? = nil,
        info: AnalyticsInfoProviders = AnalyticsInfoProviders(), outbox: AnalyticsOutbox,
        sinks: [any AnalyticsSink], batching: [String: AnalyticsBatching] = [:], host: TelemetryHost
    ) {
        precondition(Set(sinks.map(\.name)).count == sinks.count, "two analytics sinks have the same name")
        let logger = SafeLogger(label: "glass.analytics")
        self.sessionProvider = sessionProvider
        self.info = info
        self.outbox = outbox
        self.logger = logger
        clock = host.clock
        grace = host.shutdownGrace
        senders = sinks.map {
            AnalyticsSender(
                sink: $0, outbox: outbox, batching: batching[$0.name] ?? host.batching, retry: host.retry,
                clock: host.clock,
                logger: logger)
        }
        tasks = senders.map { sender in Task.detached { await sender.run() } }
    }

    deinit { for task in tasks { task.cancel() } }

    /// The name of the event that tells of the market and the app.
    package static let intentName = "aniviaIntent"

    /// Tells the collector once which market and app the events are of: the event `aniviaIntent` with the market's
    /// attributes, tenant and channel, and the app's version. Every event carries what the market declares from now on.
    ///
    /// The event is kept when the first one is tracked, before it, or when somebody counts or flushes, so that an app that
    /// tracks nothing opens no file.
    ///
    /// - Parameters:
    ///   - container: Where the app's ``AppInfoAPI`` is, if it is registered.
    ///   - configuration: What the market declares.
    public func addAniviaIntent(container: Container, configuration: AniviaSuperAttributesConfiguration) {
        let app: (any AppInfoAPI)? = container.getIfRegistered()
        addAniviaIntent(configuration: configuration, app: app)
    }

    /// Tells which market and app the events are of.
    func addAniviaIntent(configuration: AniviaSuperAttributesConfiguration, app: (any AppInfoAPI)?) {
        addAniviaIntent(configuration: configuration)
        // The app's version is in a file, which a load does without.
        let intent = LazyValue {
            var attributes = configuration.attributes
            attributes["tenant"] = .string(configuration.tenant)
            attributes["channel"] = .string(configuration.channel)
            if let app {
                attributes["appVersion"] = .string(app.version)
                attributes["appBuild"] = .integer(app.build)
            }
            return AnalyticsEvent(Self.intentName, attributes: attributes)
        }
        state.withLock { $0.intent = intent }
    }

    /// Makes every event carry what the market declares: its attributes, the tenant and the channel. Tracks nothing.
    package func addAniviaIntent(configuration: AniviaSuperAttributesConfiguration) {
        state.withLock { state in
            state.market = configuration.attributes
            state.booking = ["tenant": .string(configuration.tenant), "channel": .string(configuration.channel)]
        }
    }

    /// What every event carries besides session, store, membership, customer and location: the market's attributes,
    /// over them those of ``setSuperAttribute(_:to:)``, over them tenant and channel.
    public var superAttributes: [String: ConfigurationScalar] {
        state.withLock { state in
            state.market.merging(state.own) { _, own in own }.merging(state.booking) { _, booking in booking }
        }
    }

    /// Sets an attribute that every event from now on carries.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - value: Its value; nil takes it away, and what the market declares comes back.
    public func setSuperAttribute(_ name: String, to value: ConfigurationScalar?) {
        state.withLock { $0.own[name] = value }
    }

    /// Takes an event; when this returns, the event survives the end of the process. Never waits for the network.
    ///
    /// - Parameter event: The event.
    /// - Throws: ``AnalyticsError``; the event was not kept then.
    public func track(_ event: AnalyticsEvent) throws(AnalyticsError) {
        if state.withLock({ $0.isShutDown }) { throw .shutDown }
        try keepIntent()
        try keep(event)
    }

    /// Keeps the intent, unless that is done.
    private func keepIntent() throws(AnalyticsError) {
        let intent = state.withLock { state in
            defer { state.intent = nil }
            return state.intent
        }
        guard let intent else { return }
        do throws(AnalyticsError) {
            try keep(intent.value)
        } catch {
            // The next event tries again.
            state.withLock { $0.intent = $0.intent ?? intent }
            throw error
        }
    }

    private func keep(_ event: AnalyticsEvent) throws(AnalyticsError) {
        var context = superAttributes
        if let session = sessionProvider?.recordActivity() {
            context.merge(session.attributes) { _, session in session }
        }
        context.merge(info.attributes) { _, info in info }
        let dropped: Int
        do {
            let record = try AnalyticsRecord(event: event, context: context, date: clock.now()).encoded()
            let limit = outbox.limits.maximumEventBytes
            guard record.count <= limit else {
                throw AnalyticsError.tooLarge(event: event.name, bytes: record.count, limit: limit)
            }
            dropped = try outbox.keep(record)
        } catch let error as AnalyticsError {
            throw error
        } catch {
            throw .notKept(cause: error)
        }
        if dropped > 0 {
            logger.warning("the analytics outbox is full: the oldest \(dropped) events were dropped and counted")
        }
        for sender in senders { sender.noticeEvent() }
    }

    /// Waits until every event that was tracked before has been taken by every sink. Without sinks there is nothing to
    /// wait for.
    ///
    /// - Throws: ``AnalyticsError``.
    public func flush() async throws(AnalyticsError) {
        if state.withLock({ $0.isShutDown }) { throw .shutDown }
        try keepIntent()
        try await deliverEverything()
    }

    private func deliverEverything() async throws(AnalyticsError) {
        let target: Int64
        do {
            target = try outbox.lastID()
        } catch {
            throw .unavailable(cause: error)
        }
        let results = await withTaskGroup(of: Result<Void, AnalyticsError>.self) { group in
            for sender in senders {
                group.addTask {
                    do throws(AnalyticsError) {
                        try await sender.flush(through: target)
                        return .success(())
                    } catch {
                        return .failure(error)
                    }
                }
            }
            var results: [Result<Void, AnalyticsError>] = []
            for await result in group { results.append(result) }
            return results
        }
        for result in results { try result.get() }
    }

    /// What became of the events so far.
    ///
    /// - Returns: The counts, all of one moment.
    /// - Throws: ``AnalyticsError/unavailable(cause:)``.
    public func counts() throws(AnalyticsError) -> AnalyticsCounts {
        // The intent counts from the start on. Where it cannot be kept, the next event says so; counting goes on.
        try? keepIntent()
        do {
            return try outbox.counts()
        } catch {
            throw .unavailable(cause: error)
        }
    }

    /// Takes no more events, sends what it can within the grace that the host gives, and stops. What is not sent is kept
    /// for the next process, if there is a state folder.
    public func dispose() async {
        let isFirst = state.withLock { state in
            defer { state.isShutDown = true }
            return !state.isShutDown
        }
        guard isFirst else { return }
        if !senders.isEmpty {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // What is not delivered is kept, and has been logged by the sender.
                    try? await self.deliverEverything()  // See above.
                }
                // The end of the pause is all that matters.
                group.addTask { try? await self.clock.sleep(self.grace) }  // See above.
                await group.next()
                group.cancelAll()
            }
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        outbox.close()
    }
}

/// An event as it is kept and sent.
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
        // A measurement that is no number is worth a word, not a lost event.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return try encoder.encode(self)
    }
}
