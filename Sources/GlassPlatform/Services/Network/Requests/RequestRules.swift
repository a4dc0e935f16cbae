import GlassBase
import GlassSchema

/// What holds for requests: the market's values, with what remote configuration changes.
struct RequestRules: Sendable {
    /// How requests are repeated.
    var policy: RetryPolicy
    /// The share of requests that are reported to analytics.
    var trackedShare: Double
    /// Downloads at a time.
    var maximumConcurrentDownloads: Int
    /// Seconds without a byte after which a request fails; nil leaves it to the session.
    var requestTimeout: Double?
    /// The longest that one attempt may take; nil leaves it to the session.
    var deadline: Duration?
    /// Connections to one host at a time; nil leaves it to the session.
    var maximumConnectionsPerHost: Int?

    fileprivate init(_ market: NetworkingConfiguration, _ remote: RemoteConfiguration) {
        var platform = PlatformConfig()
        platform.networking = market
        let effective = remote.applied(to: platform)
        policy = effective.networking.retry
        trackedShare = effective.networking.tracking ? effective.networking.trackingSampleRate : 0
        maximumConcurrentDownloads = effective.networking.media.maximumConcurrentDownloads
        // The session has the market's own, or another's where the app makes its sessions itself.
        func changes(_ key: String) -> Bool {
            remote.value(at: ConfigurationPath([.key("platform"), .key("urlSession"), .key(key)])) != nil
        }
        let session = effective.urlSession
        if changes("requestTimeoutSeconds") { requestTimeout = session.requestTimeoutSeconds }
        if changes("resourceTimeoutSeconds") { deadline = .seconds(session.resourceTimeoutSeconds) }
        if changes("maximumConnectionsPerHost") { maximumConnectionsPerHost = session.maximumConnectionsPerHost }
    }
}

/// The rules as they are now. They are made anew when remote configuration has changed.
final class CurrentRequestRules: Sendable {
    private let market: NetworkingConfiguration
    private let remote: (any RemoteConfigurationAPI)?
    private let known: Lock<(remote: RemoteConfiguration, rules: RequestRules)>

    /// Starts with the market's values.
    init(_ market: NetworkingConfiguration, remote: (any RemoteConfigurationAPI)?) {
        self.market = market
        self.remote = remote
        let nothing = RemoteConfiguration()
        known = Lock((nothing, RequestRules(market, nothing)))
    }

    /// The rules for a request that starts now. Old remote configuration is asked for meanwhile and holds for later ones.
    var now: RequestRules {
        guard let remote else { return known.withLock { $0.rules } }
        remote.refreshIfOld()
        let current = remote.current
        return known.withLock { known in
            if known.remote != current { known = (current, RequestRules(market, current)) }
            return known.rules
        }
    }
}
