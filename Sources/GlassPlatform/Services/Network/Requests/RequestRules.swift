import GlassBase
import GlassSchema

/// The effective rules for requests: the market's values, overridden by remote configuration.
struct RequestRules: Sendable {
    /// The retry policy.
    var policy: RetryPolicy
    /// The fraction of requests that are reported to analytics.
    var trackedShare: Double
    /// The maximum number of concurrent downloads.
    var maximumConcurrentDownloads: Int
    /// The time without data after which a request fails, in seconds; `nil` uses the session's.
    var requestTimeout: Double?
    /// The maximum duration of an attempt; `nil` uses the session's.
    var deadline: Duration?
    /// The maximum number of simultaneous connections to a host; `nil` uses the session's.
    var maximumConnectionsPerHost: Int?

    fileprivate init(_ market: NetworkingConfiguration, _ remote: RemoteConfiguration) {
        var platform = PlatformConfig()
        platform.networking = market
        let effective = remote.applied(to: platform)
        policy = effective.networking.retry
        trackedShare = effective.networking.tracking ? effective.networking.trackingSampleRate : 0
        maximumConcurrentDownloads = effective.networking.media.maximumConcurrentDownloads
        // The session already has the market's values, or the app's if the app creates its sessions itself. Override
        // them only with remote values.
        func changes(_ key: String) -> Bool {
            remote.value(at: ConfigurationPath([.key("platform"), .key("urlSession"), .key(key)])) != nil
        }
        let session = effective.urlSession
        if changes("requestTimeoutSeconds") { requestTimeout = session.requestTimeoutSeconds }
        if changes("resourceTimeoutSeconds") { deadline = .seconds(session.resourceTimeoutSeconds) }
        if changes("maximumConnectionsPerHost") { maximumConnectionsPerHost = session.maximumConnectionsPerHost }
    }
}

/// The current rules. They are rebuilt when remote configuration has changed.
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

    /// The rules for a request that starts now. Outdated remote configuration is refreshed in the background, for later
    /// requests.
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
