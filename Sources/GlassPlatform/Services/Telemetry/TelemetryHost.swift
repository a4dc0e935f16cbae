package import GlassBase

/// The program's settings for telemetry.
///
/// ```swift
/// var host = PlatformHost(stateFolder: folder)
/// host.telemetry.sinks = [.http(collector), .log()]
/// ```
///
/// Processes that share a state folder share one outbox. Each process lists the same sinks, or none: an extension
/// without sinks leaves its events for the app to send.
public struct TelemetryHost: Sendable {
    /// The destinations of events, in addition to the sinks that the market names. A market whose list lacks `"app"`
    /// does not use these. Each sink gets every event, in order. Without sinks, events are kept until the outbox is
    /// full.
    public var sinks: [AnalyticsSinkDefinition] = []
    /// Whether the sinks that the market names under `platform.analytics` also receive events. Set it to `false` in a
    /// process that must not send, such as a tool; its events are kept for other processes.
    public var usesMarketSinks = true
    /// The names of sinks that no process lists anymore. A sink that is only missing from ``sinks`` is still entitled
    /// to every event, so that a process without it does not discard what another process sends.
    public var retiredSinks: Set<String> = []
    /// The limits of the outbox.
    public var outbox = AnalyticsOutboxLimits()
    /// The batching of events for a sink that the market does not configure.
    public var batching = AnalyticsBatching()
    /// The delays between attempts to send a batch. Attempts continue until the outbox reaches its limits.
    package var retry = Backoff(initialDelay: .seconds(1), maximumDelay: .seconds(300), multiplier: 2, jitter: 0.2)
    /// The time after the last activity at which a session ends.
    public var sessionTimeout: Duration = .seconds(30 * 60)
    /// The maximum time that a container's shutdown waits for unsent events.
    public var shutdownGrace: Duration = .seconds(2)
    /// The clocks.
    package var clock = TelemetryClock.system
    /// Determines whether the file of the events may be locked now. The platform's host sets it.
    var suspension: StorageSuspension?
    /// The text for a kind of error, such as a translation; `nil` uses the English text.
    public var errorText: @Sendable (ErrorKind) -> ErrorText? = { _ in nil }

    /// Creates a host with every default.
    public init() {}
}

/// The limits of an outbox.
public struct AnalyticsOutboxLimits: Sendable, Equatable {
    /// The maximum number of events. Beyond it, the oldest events are dropped and counted, but never those that are
    /// being sent.
    public var maximumEvents = 10_000
    /// The maximum size of all events in bytes. Beyond it, the oldest events are dropped and counted.
    public var maximumBytes = 10 * 1024 * 1024
    /// The maximum size of an event in bytes.
    public var maximumEventBytes = 64 * 1024
    /// The maximum time that an operation waits for another process that uses the file.
    package var busyTimeout: Duration = .seconds(5)
    /// The time for which a process can send a batch without renewing its lease before another process takes over.
    package var leaseDuration: Duration = .seconds(30)

    /// Creates limits with every default.
    package init() {}
}

/// The batching of events.
public struct AnalyticsBatching: Sendable, Equatable {
    /// The maximum number of events in a batch. A full batch is sent immediately.
    public var maximumEvents = 50
    /// The maximum size of a batch in bytes. A larger event is sent in a separate batch.
    public var maximumBytes = 256 * 1024
    /// The time that an incomplete batch waits for more events.
    public var delay: Duration = .seconds(10)
    /// The interval at which a process checks for events of other processes.
    package var pollInterval: Duration = .seconds(60)

    /// Creates the default.
    package init() {}
}
