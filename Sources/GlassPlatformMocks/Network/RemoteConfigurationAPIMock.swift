package import GlassMarkets
package import GlassPlatform

/// Remote configuration that a test sets; it asks nobody.
package final class RemoteConfigurationAPIMock: RemoteConfigurationAPI {
    private let market: [any MarketSection]
    private let observed: ObservedValue<RemoteConfiguration>

    /// Creates a mock.
    package init(_ current: RemoteConfiguration = RemoteConfiguration(), market: [any MarketSection] = []) {
        self.market = market
        observed = ObservedValue(current)
    }

    /// What holds now.
    package var current: RemoteConfiguration { observed.value }
    /// Nothing is wrong here.
    package var problem: String? { nil }

    /// Puts a configuration in place, as if it had been received.
    package func receive(_ configuration: RemoteConfiguration) throws(RemoteConfigurationError) {
        let findings = configuration.findings(over: market)
        guard findings.isEmpty else { throw .refused(findings: findings) }
        observed.set(configuration)
    }

    /// What holds now, and then each change.
    package func changes() -> AsyncStream<RemoteConfiguration> { observed.changes() }
    /// What holds.
    package func refresh() async throws(RemoteConfigurationError) -> RemoteConfiguration { current }
    /// What holds.
    package func latest() async -> RemoteConfiguration { current }
    /// Asks nobody.
    package func refreshIfOld() {}
}
