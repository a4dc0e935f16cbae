package import GlassMarkets
package import GlassPlatform

/// Remote configuration that a test sets. It sends no requests.
package final class RemoteConfigurationAPIMock: RemoteConfigurationAPI {
    private let market: [any MarketSection]
    private let observed: ObservedValue<RemoteConfiguration>

    /// Creates a mock.
    package init(_ current: RemoteConfiguration = RemoteConfiguration(), market: [any MarketSection] = []) {
        self.market = market
        observed = ObservedValue(current)
    }

    /// The effective values.
    package var current: RemoteConfiguration { observed.value }
    /// Always `nil`: the mock has no problems.
    package var problem: String? { nil }

    /// Applies a configuration as if it had been received.
    package func receive(_ configuration: RemoteConfiguration) throws(RemoteConfigurationError) {
        let findings = configuration.findings(over: market)
        guard findings.isEmpty else { throw .refused(findings: findings) }
        observed.set(configuration)
    }

    /// The effective values, followed by each change.
    package func changes() -> AsyncStream<RemoteConfiguration> { observed.changes() }
    /// The effective values.
    package func refresh() async throws(RemoteConfigurationError) -> RemoteConfiguration { current }
    /// The effective values.
    package func latest() async -> RemoteConfiguration { current }
    /// Does nothing.
    package func refreshIfOld() {}
}
