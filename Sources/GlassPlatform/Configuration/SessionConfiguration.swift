public import GlassSchema

/// The behavior of the app's URL sessions: the settings of a `URLSessionConfiguration`.
public struct SessionConfiguration: ConfigurationSection {
    /// The time without data after which a request fails, in seconds.
    public var requestTimeoutSeconds = 60.0
    /// The time after which a whole transfer fails, in seconds.
    public var resourceTimeoutSeconds = 604_800.0
    /// The maximum number of simultaneous connections to a host.
    public var maximumConnectionsPerHost = 6
    /// The size of the response cache in memory.
    public var memoryCacheMegabytes = 4
    /// The size of the response cache on disk.
    public var diskCacheMegabytes = 20
    /// The policy for using cached responses.
    public var cachePolicy = CachePolicy.useProtocolCachePolicy
    /// The policy for accepting cookies.
    public var cookieAcceptPolicy = CookieAcceptPolicy.onlyFromMainDocumentDomain
    /// Whether requests include the stored cookies.
    public var setsCookies = true
    /// Headers that every request of a session carries.
    public var headers: [String: HeaderValue] = [:]
    /// Whether sessions can use the cellular network.
    public var allowsCellularAccess = true
    /// Whether sessions can use networks marked as expensive.
    public var allowsExpensiveNetworkAccess = true
    /// Whether sessions can use the network in Low Data Mode.
    public var allowsConstrainedNetworkAccess = true
    /// Whether requests wait for a network instead of failing.
    public var waitsForConnectivity = false

    /// The policy for using cached responses. The names are Foundation's.
    public enum CachePolicy: String, ConfigurationChoice {
        /// Cached responses are used as the protocol defines.
        case useProtocolCachePolicy
        /// Cached responses are never used.
        case reloadIgnoringLocalCacheData
        /// Cached responses are used regardless of their age; without one, the network is used.
        case returnCacheDataElseLoad
        /// Cached responses are used regardless of their age; the network is never used.
        case returnCacheDataDontLoad
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "requestTimeoutSeconds", \.requestTimeoutSeconds, .number(1...600), remote: true, sense: .higherIsLooser,
            "The time without data after which a request fails."),
        .init(
            "resourceTimeoutSeconds", \.resourceTimeoutSeconds, .number(1...2_592_000), remote: true,
            sense: .higherIsLooser,
            "The time after which a whole transfer fails."),
        .init(
            "maximumConnectionsPerHost", \.maximumConnectionsPerHost, .integer(1...32), remote: true,
            sense: .higherIsLooser, "The maximum number of simultaneous connections to a host."),
        .init(
            "memoryCacheMegabytes", \.memoryCacheMegabytes, .integer(0...512),
            "The size of the response cache in memory."),
        .init(
            "diskCacheMegabytes", \.diskCacheMegabytes, .integer(0...4096), "The size of the response cache on disk."),
        .init("cachePolicy", \.cachePolicy, "The policy for using cached responses."),
        .init("cookieAcceptPolicy", \.cookieAcceptPolicy, "The policy for accepting cookies.").role(.cookiePolicy),
        .init("setsCookies", \.setsCookies, "Whether requests include the stored cookies.").role(.setsCookies),
        .init(
            "headers", \.headers, .map(of: HeaderValue.valueType, keys: .headerName),
            "Headers that every request of a session carries. Only the services of the environments receive a secret."
        ).role(.headers),
        .init(
            "allowsCellularAccess", \.allowsCellularAccess, sense: .higherIsLooser,
            "Whether sessions can use the cellular network."),
        .init(
            "allowsExpensiveNetworkAccess", \.allowsExpensiveNetworkAccess, appliesOn: .apple, sense: .higherIsLooser,
            "Whether sessions can use networks marked as expensive."),
        .init(
            "allowsConstrainedNetworkAccess", \.allowsConstrainedNetworkAccess, appliesOn: .apple,
            sense: .higherIsLooser,
            "Whether sessions can use the network in Low Data Mode."),
        .init(
            "waitsForConnectivity", \.waitsForConnectivity, appliesOn: .apple,
            "Whether requests wait for a network instead of failing."),
    ]

    /// A transfer that ends earlier than a request never reaches the request's timeout. What is in memory is usually on
    /// disk as well.
    public static let rules: [ConfigurationRule<Self>] = [
        .init(
            reads: ["requestTimeoutSeconds", "resourceTimeoutSeconds"], severity: .warning, code: .numbersDisagree
        ) { session in
            let (request, resource) = (session.requestTimeoutSeconds, session.resourceTimeoutSeconds)
            guard request > resource else { return [] }
            return [
                Inconsistency(
                    "requestTimeoutSeconds",
                    "\(request.brief) exceeds resourceTimeoutSeconds (\(resource.brief)), so "
                        + "every transfer ends after \(resource.brief) seconds",
                    hint: "write at most \(resource.brief), or raise resourceTimeoutSeconds",
                    others: ["resourceTimeoutSeconds"])
            ]
        },
        .init(
            reads: ["memoryCacheMegabytes", "diskCacheMegabytes"], severity: .warning, code: .numbersDisagree
        ) { session in
            Inconsistency.largeMemoryCache(session.memoryCacheMegabytes, disk: session.diskCacheMegabytes)
        },
    ]

    /// Creates the configuration with every default.
    public init() {}
}

extension Double {
    /// The number without a fraction of zero, for messages.
    var brief: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }
}
