package import GlassBase

/// What the program that embeds the platform decides about telemetry.
///
/// ```swift
/// var host = PlatformHost(stateFolder: folder)
/// host.telemetry.sinks = [.http(collector), .log()]
/// ```
///
/// Processes that share a state folder share one outbox. Each lists the same sinks, or none: an extension without sinks
/// keeps its events for the app to send.
public struct TelemetryHost: Sendable {
    /// Where events go, besides the sinks that the market names; a market whose list lacks `"app"` does without these. Each
    /// sink gets every event, in order; with none, events are kept until the outbox is full.
    public var sinks: [AnalyticsSinkDefinition] = []
    /// Whether the sinks that the market names under `platform.analytics` take events too. A process that must not send,
    /// such as a tool, says no; events are kept for the processes that do.
    public var usesMarketSinks = true
    /// The names of sinks that no process lists any more. A sink that merely disappears from ``sinks`` still has a claim
    /// to every event, so that one process without it does not lose what another one sends.
    public var retiredSinks: Set<String> = []
    /// How much the outbox keeps.
    public var outbox = AnalyticsOutboxLimits()
    /// How events are batched for a sink that the market does not configure.
    public var batching = AnalyticsBatching()
    /// The pauses between the attempts to send a batch. Attempts end only at the outbox's limits.
    package var retry = Backoff(initialDelay: .seconds(1), maximumDelay: .seconds(300), multiplier: 2, jitter: 0.2)
    /// How long a session outlives the last activity.
    public var sessionTimeout: Duration = .seconds(30 * 60)
    /// How long a container's shutdown waits for what is still to be sent.
    public var shutdownGrace: Duration = .seconds(2)
    /// The clocks.
    package var clock = TelemetryClock.system
    /// Whether the file of the events may be locked now; the platform's host sets it.
    var suspension: StorageSuspension?
    /// The text for a kind of error, such as a translation; nil takes the English one.
    public var errorText: @Sendable (ErrorKind) -> ErrorText? = { _ in nil }

    /// Creates a host with every default.
    public init() {}
}

/// How much an outbox keeps.
public struct AnalyticsOutboxLimits: Sendable, Equatable {
    /// The most events; of more, the oldest are dropped and counted. What is being sent is never dropped.
    public var maximumEvents = 10_000
    /// The most bytes of events; of more, the oldest are dropped and counted.
    public var maximumBytes = 10 * 1024 * 1024
    /// The largest event.
    public var maximumEventBytes = 64 * 1024
    /// How long an operation waits for another process that uses the file.
    package var busyTimeout: Duration = .seconds(5)
    /// How long a process may send a batch without a sign of life before another one takes it over.
    package var leaseDuration: Duration = .seconds(30)

    /// Creates limits with every default.
    package init() {}
}

/// How events are put together.
public struct AnalyticsBatching: Sendable, Equatable {
    /// The most events of a batch; as many waiting are sent at once.
    public var maximumEvents = 50
    /// The most bytes of a batch; a larger event is a batch of its own.
    public var maximumBytes = 256 * 1024
    /// How long fewer events wait for more.
    public var delay: Duration = .seconds(10)
    /// How often a process looks for events that another one has tracked.
    package var pollInterval: Duration = .seconds(60)

    /// Creates the default.
    package init() {}
}
