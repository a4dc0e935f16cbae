public import GlassSchema

/// Where the market's analytics events go.
public struct AnalyticsConfiguration: ConfigurationSection {
    /// Where events go; empty leaves it to the app.
    public var sinks: [Sink] = []
    /// The market's event collector.
    public var collector: Collector?

    /// A place for events.
    public enum Sink: String, ConfigurationChoice {
        /// The market's collector.
        case collector
        /// What the app's program lists.
        case app
        /// The log.
        case log
    }

    /// The service that takes events, and how they are put together for it.
    public struct Collector: ConfigurationSection {
        /// The service, by its name in the environments.
        public var service = ""
        /// The path below the service's base URL.
        public var path = "events"
        /// The most events of a batch; as many waiting are sent at once.
        public var batchEvents = 50
        /// How long fewer events wait for more.
        public var intervalSeconds = 10.0
        /// The header field that carries the write key.
        public var writeKeyHeader = "X-Write-Key"
        /// The header field that carries a batch's key, by which a repeated one is known.
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
                "The most events of a batch; as many waiting are sent at once."),
            .init(
                "intervalSeconds", \.intervalSeconds, .number(0...3600), "How long fewer events wait for more."),
            .init(
                "writeKeyHeader", \.writeKeyHeader, .string(.headerName),
                "The header field with aniviaSuperAttributes.writeKey. \(DefaultNameNote.note)"),
            .init(
                "batchKeyHeader", \.batchKeyHeader, .string(.headerName),
                "The header field with a batch's key, by which a repeated one is known. \(DefaultNameNote.note)"),
        ]

        /// Creates a collector to be filled in.
        public init() {}

        /// Creates the configuration.
        ///
        /// - Parameters:
        ///   - service: The service, by its name in the environments.
        ///   - path: The path below the service's base URL.
        ///   - batchEvents: The most events of a batch; as many waiting are sent at once.
        ///   - intervalSeconds: How long fewer events wait for more.
        ///   - writeKeyHeader: The header field that carries the write key.
        ///   - batchKeyHeader: The header field that carries a batch's key, by which a repeated one is known.
        public init(
            service: String, path: String = "events", batchEvents: Int = 50, intervalSeconds: Double = 10.0,
            writeKeyHeader: String = "X-Write-Key", batchKeyHeader: String = "Idempotency-Key"
        ) {
            self.service = service
            self.path = path
            self.batchEvents = batchEvents
            self.intervalSeconds = intervalSeconds
            self.writeKeyHeader = writeKeyHeader
            self.batchKeyHeader = batchKeyHeader
        }
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "sinks", \.sinks, .set(of: Sink.valueType),
            "Where events go: the market's collector, what the app's program lists, the log. Empty leaves it to the app."
        ),
        .init("collector", \.collector, "The service that takes events."),
    ]

    /// Creates the configuration with every default.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - sinks: Where events go; empty leaves it to the app.
    ///   - collector: The market's event collector.
    public init(
        sinks: [Sink] = [], collector: Collector? = nil
    ) {
        self.sinks = sinks
        self.collector = collector
    }

    /// Who sends to a collector must say which.
    public func inconsistencies() -> [Inconsistency] {
        guard let index = sinks.firstIndex(of: .collector), collector == nil else { return [] }
        return [
            Inconsistency(
                ConfigurationPath([.key("sinks"), .index(index + 1)]), "\"collector\" needs the table collector",
                hint: "write collector = { service = \"NAME\" } beside sinks", others: ["collector"])
        ]
    }
}
