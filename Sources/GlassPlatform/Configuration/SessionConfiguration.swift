public import GlassSchema

/// How the app's URL sessions behave: what a `URLSessionConfiguration` is made from.
public struct SessionConfiguration: ConfigurationSection {
    /// Seconds without a byte after which a request fails.
    public var requestTimeoutSeconds = 60.0
    /// Seconds after which a whole transfer fails.
    public var resourceTimeoutSeconds = 604_800.0
    /// Connections to one host at a time.
    public var maximumConnectionsPerHost = 6
    /// The size of the response cache in memory.
    public var memoryCacheMegabytes = 4
    /// The size of the response cache on disk.
    public var diskCacheMegabytes = 20
    /// When a cached response is used.
    public var cachePolicy = CachePolicy.useProtocolCachePolicy
    /// Whose cookies are taken.
    public var cookieAcceptPolicy = CookieAcceptPolicy.onlyFromMainDocumentDomain
    /// Whether requests carry the stored cookies.
    public var setsCookies = true
    /// Headers that every request of a session carries.
    public var headers: [String: String] = [:]
    /// Whether a session may use the mobile network.
    public var allowsCellularAccess = true
    /// Whether a session may use networks marked as expensive.
    public var allowsExpensiveNetworkAccess = true
    /// Whether a session may run in low data mode.
    public var allowsConstrainedNetworkAccess = true
    /// Whether a request waits for a network instead of failing.
    public var waitsForConnectivity = false

    /// When a cached response is used; the names are Foundation's.
    public enum CachePolicy: String, ConfigurationChoice {
        /// As the protocol says.
        case useProtocolCachePolicy
        /// Never.
        case reloadIgnoringLocalCacheData
        /// Whenever there is one; else from the network.
        case returnCacheDataElseLoad
        /// Whenever there is one; never from the network.
        case returnCacheDataDontLoad
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "requestTimeoutSeconds", \.requestTimeoutSeconds, .number(1...600), remote: true, sense: .higherIsLooser,
            "Seconds without a byte after which a request fails."),
        .init(
            "resourceTimeoutSeconds", \.resourceTimeoutSeconds, .number(1...2_592_000), remote: true,
            sense: .higherIsLooser,
            "Seconds after which a whole transfer fails."),
        .init(
            "maximumConnectionsPerHost", \.maximumConnectionsPerHost, .integer(1...32), remote: true,
            sense: .higherIsLooser, "Connections to one host at a time."),
        .init("memoryCacheMegabytes", \.memoryCacheMegabytes, .integer(0...512), "Response cache in memory."),
        .init("diskCacheMegabytes", \.diskCacheMegabytes, .integer(0...4096), "Response cache on disk."),
        .init("cachePolicy", \.cachePolicy, "When a cached response is used."),
        .init("cookieAcceptPolicy", \.cookieAcceptPolicy, "Whose cookies are taken."),
        .init("setsCookies", \.setsCookies, "Whether requests carry the stored cookies."),
        .init(
            "headers", \.headers, .map(of: .string(.headerValue), keys: .headerName),
            "Headers that every request of a session carries."),
        .init(
            "allowsCellularAccess", \.allowsCellularAccess, sense: .higherIsLooser,
            "Whether a session may use the mobile network."),
        .init(
            "allowsExpensiveNetworkAccess", \.allowsExpensiveNetworkAccess, appliesOn: .apple, sense: .higherIsLooser,
            "Whether a session may use networks marked as expensive."),
        .init(
            "allowsConstrainedNetworkAccess", \.allowsConstrainedNetworkAccess, appliesOn: .apple,
            sense: .higherIsLooser,
            "Whether a session may run in low data mode."),
        .init(
            "waitsForConnectivity", \.waitsForConnectivity, appliesOn: .apple,
            "Whether a request waits for a network instead of failing."),
    ]

    /// Creates the configuration with every default.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - requestTimeoutSeconds: Seconds without a byte after which a request fails.
    ///   - resourceTimeoutSeconds: Seconds after which a whole transfer fails.
    ///   - maximumConnectionsPerHost: Connections to one host at a time.
    ///   - memoryCacheMegabytes: The size of the response cache in memory.
    ///   - diskCacheMegabytes: The size of the response cache on disk.
    ///   - cachePolicy: When a cached response is used.
    ///   - cookieAcceptPolicy: Whose cookies are taken.
    ///   - setsCookies: Whether requests carry the stored cookies.
    ///   - headers: Headers that every request of a session carries.
    ///   - allowsCellularAccess: Whether a session may use the mobile network.
    ///   - allowsExpensiveNetworkAccess: Whether a session may use networks marked as expensive.
    ///   - allowsConstrainedNetworkAccess: Whether a session may run in low data mode.
    ///   - waitsForConnectivity: Whether a request waits for a network instead of failing.
    public init(
        requestTimeoutSeconds: Double = 60.0, resourceTimeoutSeconds: Double = 604_800.0,
        maximumConnectionsPerHost: Int = 6, memoryCacheMegabytes: Int = 4, diskCacheMegabytes: Int = 20,
        cachePolicy: CachePolicy = .useProtocolCachePolicy,
        cookieAcceptPolicy: CookieAcceptPolicy = .onlyFromMainDocumentDomain, setsCookies: Bool = true,
        headers: [String: String] = [:], allowsCellularAccess: Bool = true, allowsExpensiveNetworkAccess: Bool = true,
        allowsConstrainedNetworkAccess: Bool = true, waitsForConnectivity: Bool = false
    ) {
        self.requestTimeoutSeconds = requestTimeoutSeconds
        self.resourceTimeoutSeconds = resourceTimeoutSeconds
        self.maximumConnectionsPerHost = maximumConnectionsPerHost
        self.memoryCacheMegabytes = memoryCacheMegabytes
        self.diskCacheMegabytes = diskCacheMegabytes
        self.cachePolicy = cachePolicy
        self.cookieAcceptPolicy = cookieAcceptPolicy
        self.setsCookies = setsCookies
        self.headers = headers
        self.allowsCellularAccess = allowsCellularAccess
        self.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
        self.waitsForConnectivity = waitsForConnectivity
    }
}
