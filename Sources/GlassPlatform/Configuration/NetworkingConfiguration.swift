public import GlassSchema

/// Requests, retries and media downloads.
public struct NetworkingConfiguration: ConfigurationSection {
    /// The service that a request without one goes to.
    public var defaultService = ""
    /// Headers that every request carries.
    public var headers: [String: String] = [:]
    /// How failed requests are repeated.
    public var retry = Retry()
    /// Whether requests are reported to analytics.
    public var tracking = true
    /// The share of requests that are reported, chosen at random.
    public var trackingSampleRate = 1.0
    /// Image and video downloads.
    public var media = Media()
    /// The key that backends identify the app by.
    public var consumerKey: Secret?
    /// The header field that carries it.
    public var consumerKeyHeader = "WM-Consumer-Key"

    /// How failed requests are repeated: exponential backoff with jitter.
    public struct Retry: ConfigurationSection {
        /// How often a failed request is tried again.
        public var maxRetries = 3
        /// The pause before the first repetition.
        public var initialDelaySeconds = 0.5
        /// The longest pause. If the server asks for a longer pause, the request is not retried.
        public var maximumDelaySeconds = 30.0
        /// What each pause is multiplied by.
        public var multiplier = 2.0
        /// The share of a pause that is random.
        public var jitter = 0.2
        /// The response statuses that are worth another try.
        public var statuses = [408, 429, 500, 502, 503, 504]
        /// Whether requests that change something are repeated too.
        public var retriesNonIdempotent = false

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init(
                "maxRetries", \.maxRetries, .integer(0...10), formerNames: ["maxAttempts"], remote: true,
                sense: .higherIsLooser, "How often a failed request is tried again."),
            .init(
                "initialDelaySeconds", \.initialDelaySeconds, .number(0...60), remote: true,
                "The pause before the first repetition."),
            .init(
                "maximumDelaySeconds", \.maximumDelaySeconds, .number(0...600), remote: true,
                "The longest pause. If the server asks for a longer pause, the request is not retried."),
            .init("multiplier", \.multiplier, .number(1...10), remote: true, "What each pause is multiplied by."),
            .init("jitter", \.jitter, .number(0...1), remote: true, "The share of a pause that is random."),
            .init(
                "statuses", \.statuses, .set(of: .integer(400...599)), remote: true, sense: .higherIsLooser,
                "The response statuses that are worth another try."),
            .init(
                "retriesNonIdempotent", \.retriesNonIdempotent, remote: true,
                "Whether requests that change something are repeated too."),
        ]

        /// Creates the configuration with every default.
        public init() {}

        /// Creates the configuration.
        ///
        /// - Parameters:
        ///   - maxRetries: How often a failed request is tried again.
        ///   - initialDelaySeconds: The pause before the first repetition.
        ///   - maximumDelaySeconds: The longest pause. If the server asks for a longer pause, the request is not retried.
        ///   - multiplier: What each pause is multiplied by.
        ///   - jitter: The share of a pause that is random.
        ///   - statuses: The response statuses that are worth another try.
        ///   - retriesNonIdempotent: Whether requests that change something are repeated too.
        public init(
            maxRetries: Int = 3, initialDelaySeconds: Double = 0.5, maximumDelaySeconds: Double = 30.0,
            multiplier: Double = 2.0, jitter: Double = 0.2, statuses: [Int] = [408, 429, 500, 502, 503, 504],
            retriesNonIdempotent: Bool = false
        ) {
            self.maxRetries = maxRetries
            self.initialDelaySeconds = initialDelaySeconds
            self.maximumDelaySeconds = maximumDelaySeconds
            self.multiplier = multiplier
            self.jitter = jitter
            self.statuses = statuses
            self.retriesNonIdempotent = retriesNonIdempotent
        }

        /// The first pause cannot be longer than the longest one.
        public func inconsistencies() -> [Inconsistency] {
            guard initialDelaySeconds > maximumDelaySeconds else { return [] }
            return [
                Inconsistency(
                    "initialDelaySeconds",
                    "\(initialDelaySeconds) is more than maximumDelaySeconds, \(maximumDelaySeconds)",
                    others: ["maximumDelaySeconds"])
            ]
        }
    }

    /// Image and video downloads.
    public struct Media: ConfigurationSection {
        /// The size of the media cache in memory.
        public var memoryCacheMegabytes = 32
        /// The size of the media cache on disk.
        public var diskCacheMegabytes = 200
        /// Downloads at a time.
        public var maximumConcurrentDownloads = 4

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("memoryCacheMegabytes", \.memoryCacheMegabytes, .integer(0...1024), "Media cache in memory."),
            .init("diskCacheMegabytes", \.diskCacheMegabytes, .integer(0...8192), "Media cache on disk."),
            .init(
                "maximumConcurrentDownloads", \.maximumConcurrentDownloads, .integer(1...32), remote: true,
                sense: .higherIsLooser,
                "Downloads at a time."),
        ]

        /// Creates the configuration with every default.
        public init() {}

        /// Creates the configuration.
        ///
        /// - Parameters:
        ///   - memoryCacheMegabytes: The size of the media cache in memory.
        ///   - diskCacheMegabytes: The size of the media cache on disk.
        ///   - maximumConcurrentDownloads: Downloads at a time.
        public init(
            memoryCacheMegabytes: Int = 32, diskCacheMegabytes: Int = 200, maximumConcurrentDownloads: Int = 4
        ) {
            self.memoryCacheMegabytes = memoryCacheMegabytes
            self.diskCacheMegabytes = diskCacheMegabytes
            self.maximumConcurrentDownloads = maximumConcurrentDownloads
        }
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "defaultService", \.defaultService, .string(.identifier), required: true,
            "The service that a request without one goes to."),
        .init(
            "headers", \.headers, .map(of: .string(.headerValue), keys: .headerName),
            "Headers that every request carries."),
        .init("retry", \.retry, "How failed requests are repeated."),
        .init("tracking", \.tracking, remote: true, "Whether requests are reported to analytics."),
        .init(
            "trackingSampleRate", \.trackingSampleRate, .number(0...1), remote: true,
            "The share of requests that are reported, chosen at random."),
        .init("media", \.media, "Image and video downloads."),
        .init("consumerKey", \.consumerKey, "The key that backends identify the app by."),
        .init(
            "consumerKeyHeader", \.consumerKeyHeader, .string(.headerName),
            "The header field with the consumer key. \(DefaultNameNote.note)"),
    ]

    /// Creates the configuration with every default.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - defaultService: The service that a request without one goes to.
    ///   - headers: Headers that every request carries.
    ///   - retry: How failed requests are repeated.
    ///   - tracking: Whether requests are reported to analytics.
    ///   - trackingSampleRate: The share of requests that are reported, chosen at random.
    ///   - media: Image and video downloads.
    ///   - consumerKey: The key that backends identify the app by.
    ///   - consumerKeyHeader: The header field that carries it.
    public init(
        defaultService: String, headers: [String: String] = [:], retry: Retry = .init(), tracking: Bool = true,
        trackingSampleRate: Double = 1.0, media: Media = .init(), consumerKey: Secret? = nil,
        consumerKeyHeader: String = "WM-Consumer-Key"
    ) {
        self.defaultService = defaultService
        self.headers = headers
        self.retry = retry
        self.tracking = tracking
        self.trackingSampleRate = trackingSampleRate
        self.media = media
        self.consumerKey = consumerKey
        self.consumerKeyHeader = consumerKeyHeader
    }
}
