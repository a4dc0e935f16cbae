import GlassBase
public import Foundation
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
        self.init(
            sessionProvider: sessionProvider, info: AnalyticsInfoProviders(), outboxFile: outboxFile, sinks: sinks,
            host: host)
    }

    /// Creates a manager whose events also carry information from other providers, and starts to send the events that
    /// an earlier process left.
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
    ///   - container: The container with the app's ``AppInfoAPI``, if it is registered.
    ///   - configuration: The market's declaration.
    public func addAniviaIntent(container: Container, configuration: AniviaSuperAttributesConfiguration) {
        let app: (any AppInfoAPI)? = container.getIfRegistered()
        addAniviaIntent(configuration: configuration, app: app)
    }

    /// Reports which market and app the events belong to.
    func addAniviaIntent(configuration: AniviaSuperAttributesConfiguration, app: (any AppInfoAPI)?) {
        addAniviaIntent(configuration: configuration)
        // Compute it lazily: the app's version is in a file, which loading a market should not read.
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

    /// Adds the market's attributes, tenant, and channel to every event. Tracks nothing.
    package func addAniviaIntent(configuration: AniviaSuperAttributesConfiguration) {
        state.withLock { state in
            state.market = configuration.attributes
            state.booking = ["tenant": .string(configuration.tenant), "channel": .string(configuration.channel)]
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
        if state.withLock({ $0.isShutDown }) { throw .shutDown }
        try keepIntent()
        try keep(event)
    }

    /// Stores the intent event, unless it was stored already.
    private func keepIntent() throws(AnalyticsError) {
        let intent = state.withLock { state in
            defer { state.intent = nil }
            return state.intent
        }
        guard let intent else { return }
        do throws(AnalyticsError) {
            try keep(intent.value)
        } catch {
            // The next event retries this.
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

    /// Waits until every sink has accepted every event that was tracked before. Without sinks, it returns immediately.
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

    /// The numbers of events by status.
    ///
    /// - Returns: The counts, all from the same moment.
    /// - Throws: ``AnalyticsError/unavailable(cause:)``.
    public func counts() throws(AnalyticsError) -> AnalyticsCounts {
        // The intent event counts from the start. If it cannot be stored, the next event reports the error; counting
        // continues.
        try? keepIntent()
        do {
            return try outbox.counts()
        } catch {
            throw .unavailable(cause: error)
        }
    }

    /// Rejects new events, sends what it can within the host's grace period, and stops. Unsent events are kept for the
    /// next process, if there is a state folder.
    public func dispose() async {
        let isFirst = state.withLock { state in
            defer { state.isShutDown = true }
            return !state.isShutDown
        }
        guard isFirst else { return }
        if !senders.isEmpty {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    // Undelivered events are kept, and the sender has logged the error.
                    try? await self.deliverEverything()  // see above
                }
                // Only the end of the delay matters.
                group.addTask { try? await self.clock.sleep(self.grace) }  // see above
                await group.next()
                group.cancelAll()
            }
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        outbox.close()
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
