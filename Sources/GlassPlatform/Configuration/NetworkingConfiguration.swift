public import GlassSchema

/// Requests, retries, and media downloads.
public struct NetworkingConfiguration: ConfigurationSection {
    /// The service for requests that do not name one.
    public var defaultService = ""
    /// Headers that every request carries.
    public var headers: [String: HeaderValue] = [:]
    /// The retries of failed requests.
    public var retry = Retry()
    /// Whether requests are reported to analytics.
    public var tracking = true
    /// The fraction of requests that are reported, chosen at random.
    public var trackingSampleRate = 1.0
    /// Image and video downloads.
    public var media = Media()
    /// The key that identifies the app to backends.
    public var consumerKey: Secret?
    /// The header field for the consumer key.
    public var consumerKeyHeader = "WM-Consumer-Key"

    /// The retries of failed requests: exponential backoff with jitter.
    public struct Retry: ConfigurationSection {
        /// The maximum number of retries of a failed request.
        public var maxRetries = 3
        /// The delay before the first retry.
        public var initialDelaySeconds = 0.5
        /// The longest delay. If the server requests a longer one, the request is not retried.
        public var maximumDelaySeconds = 30.0
        /// The factor by which each delay grows.
        public var multiplier = 2.0
        /// The random fraction of a delay.
        public var jitter = 0.2
        /// The response statuses for which a request is retried.
        public var statuses = [408, 429, 500, 502, 503, 504]
        /// Whether non-idempotent requests are also retried.
        public var retriesNonIdempotent = false

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init(
                "maxRetries", \.maxRetries, .integer(0...10), formerNames: ["maxAttempts"], remote: true,
                sense: .higherIsLooser, "The maximum number of retries of a failed request."),
            .init(
                "initialDelaySeconds", \.initialDelaySeconds, .number(0...60), remote: true,
                "The delay before the first retry."),
            .init(
                "maximumDelaySeconds", \.maximumDelaySeconds, .number(0...600), remote: true,
                "The longest delay. If the server requests a longer one, the request is not retried."),
            .init("multiplier", \.multiplier, .number(1...10), remote: true, "The factor by which each delay grows."),
            .init("jitter", \.jitter, .number(0...1), remote: true, "The random fraction of a delay."),
            .init(
                "statuses", \.statuses, .set(of: .integer(400...599)), remote: true, sense: .higherIsLooser,
                "The response statuses for which a request is retried."),
            .init(
                "retriesNonIdempotent", \.retriesNonIdempotent, remote: true,
                "Whether non-idempotent requests are also retried."),
        ]

        /// The first delay cannot be longer than the longest one. Without a delay, retries add to the load that made a
        /// request fail.
        public static let rules: [ConfigurationRule<Self>] = [
            .init(reads: ["initialDelaySeconds", "maximumDelaySeconds"]) { retry in
                guard retry.initialDelaySeconds > retry.maximumDelaySeconds else { return [] }
                return [
                    Inconsistency(
                        "initialDelaySeconds",
                        "\(retry.initialDelaySeconds.brief) is more than maximumDelaySeconds, "
                            + retry.maximumDelaySeconds.brief,
                        hint: "write at most \(retry.maximumDelaySeconds.brief), or raise maximumDelaySeconds",
                        others: ["maximumDelaySeconds"])
                ]
            },
            .init(reads: ["maxRetries", "initialDelaySeconds"], severity: .warning, code: .numbersDisagree) { retry in
                guard retry.maxRetries > 0, retry.initialDelaySeconds == 0 else { return [] }
                return [
                    Inconsistency(
                        "initialDelaySeconds", "\(retry.maxRetries) retries follow each other without a pause",
                        hint: "write a delay, such as 0.5, or maxRetries = 0", others: ["maxRetries"])
                ]
            },
        ]

        /// Creates the configuration with every default.
        public init() {}
    }

    /// Image and video downloads.
    public struct Media: ConfigurationSection {
        /// The size of the media cache in memory.
        public var memoryCacheMegabytes = 32
        /// The size of the media cache on disk.
        public var diskCacheMegabytes = 200
        /// The maximum number of concurrent downloads.
        public var maximumConcurrentDownloads = 4

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init(
                "memoryCacheMegabytes", \.memoryCacheMegabytes, .integer(0...1024),
                "The size of the media cache in memory."),
            .init(
                "diskCacheMegabytes", \.diskCacheMegabytes, .integer(0...8192), "The size of the media cache on disk."),
            .init(
                "maximumConcurrentDownloads", \.maximumConcurrentDownloads, .integer(1...32), remote: true,
                sense: .higherIsLooser,
                "The maximum number of concurrent downloads."),
        ]

        /// What is in memory is usually on disk as well.
        public static let rules: [ConfigurationRule<Self>] = [
            .init(
                reads: ["memoryCacheMegabytes", "diskCacheMegabytes"], severity: .warning, code: .numbersDisagree
            ) { media in
                Inconsistency.largeMemoryCache(media.memoryCacheMegabytes, disk: media.diskCacheMegabytes)
            }
        ]

        /// Creates the configuration with every default.
        public init() {}
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "defaultService", \.defaultService, .string(.identifier), required: true,
            "The service for requests that do not name one."),
        .init(
            "headers", \.headers, .map(of: HeaderValue.valueType, keys: .headerName),
            "Headers that every request carries. Only the services of the environments receive a secret."
        ).role(.headers),
        .init("retry", \.retry, "The retries of failed requests.").varying(.live),
        .init("tracking", \.tracking, remote: true, "Whether requests are reported to analytics.").role(.tracking),
        .init(
            "trackingSampleRate", \.trackingSampleRate, .number(0...1), remote: true,
            "The fraction of requests that are reported, chosen at random."
        ).role(.trackingShare),
        .init("media", \.media, "Image and video downloads."),
        .init("consumerKey", \.consumerKey, "The key that identifies the app to backends."),
        .init(
            "consumerKeyHeader", \.consumerKeyHeader, .string(.headerName),
            "The header field with the consumer key. \(DefaultNameNote.note)"),
    ]

    /// Creates the configuration with every default.
    public init() {}
}

extension Inconsistency {
    /// A cache that is larger in memory than on disk. One without a disk is only in memory.
    static func largeMemoryCache(_ memory: Int, disk: Int) -> [Inconsistency] {
        guard disk > 0, memory > disk else { return [] }
        return [
            Inconsistency(
                "memoryCacheMegabytes", "\(memory) is more than diskCacheMegabytes, \(disk)",
                hint: "write at most \(disk), or raise diskCacheMegabytes", others: ["diskCacheMegabytes"])
        ]
    }
}
