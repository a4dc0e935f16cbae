public import GlassSchema

/// The destinations of the market's analytics events.
public struct AnalyticsConfiguration: ConfigurationSection {
    /// The destinations of events. If empty, the app decides.
    public var sinks: [Sink] = []
    /// The market's event collector.
    public var collector: Collector?

    /// A destination of events.
    public enum Sink: String, ConfigurationChoice {
        /// The market's collector.
        case collector
        /// The sinks that the app's program lists.
        case app
        /// The log.
        case log
    }

    /// The service that receives events, and the format in which they are sent.
    public struct Collector: ConfigurationSection {
        /// The service, by its name in the environments.
        public var service = ""
        /// The path below the service's base URL.
        public var path = "events"
        /// The maximum number of events in a batch. A full batch is sent immediately.
        public var batchEvents = 50
        /// The number of seconds that an incomplete batch waits for more events.
        public var intervalSeconds = 10.0
        /// The header field that carries the write key.
        public var writeKeyHeader = "X-Write-Key"
        /// The header field with the key of a batch, which identifies a repeated batch.
        public var batchKeyHeader = "Idempotency-Key"

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init(
                "service", \.service, .string(.identifier), required: true,
                "The service, by its name in the environments."),
            .init(
                "path", \.path, .string(.servicePath), "The path below the service's base URL. \(DefaultNameNote.note)"),
            .init(
                "batchEvents", \.batchEvents, .integer(1...1000),
                "The maximum number of events in a batch; a full batch is sent immediately."),
            .init(
                "intervalSeconds", \.intervalSeconds, .number(0...3600),
                "The time that an incomplete batch waits for more events."),
            .init(
                "writeKeyHeader", \.writeKeyHeader, .string(.headerName),
                "The header field with aniviaSuperAttributes.writeKey. \(DefaultNameNote.note)"),
            .init(
                "batchKeyHeader", \.batchKeyHeader, .string(.headerName),
                "The header field with the key of a batch, which identifies a repeated batch. \(DefaultNameNote.note)"),
        ]

        /// Creates an empty collector.
        public init() {}
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "sinks", \.sinks, .set(of: Sink.valueType),
            "The destinations of events: the market's collector, the sinks that the app's program lists, or the log. "
                + "If empty, the app decides."
        ).role(.eventSinks),
        .init("collector", \.collector, "The service that receives events."),
    ]

    /// The sink `collector` requires a collector.
    public static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["sinks", "collector"]) { analytics in
            guard let index = analytics.sinks.firstIndex(of: .collector), analytics.collector == nil else { return [] }
            return [
                Inconsistency(
                    ConfigurationPath([.key("sinks"), .index(index + 1)]),
                    "\"collector\" requires a collector table",
                    hint: "add collector = { service = \"NAME\" } next to sinks", others: ["collector"])
            ]
        }
    ]

    /// Creates the configuration with every default.
    public init() {}
}
