/// Creates notifiers with the market's policy, overridden by remote configuration.
///
/// ```swift
/// container.register((any RetryNotifyingFactory).self) { container in
///     RetryNotifierFactory(ccmSource: container.get())
/// }
/// ```
public final class RetryNotifierFactory: RetryNotifyingFactory {
    private let market: @Sendable () -> NetworkingConfiguration.Retry
    private let timing: RetryTiming
    private let remote: (any RemoteConfigurationAPI)?

    /// Creates a factory with the market's policy of the container whose factory creates it, or else with the default
    /// policy.
    ///
    /// - Parameter ccmSource: The remote configuration, which the platform's containers provide; `nil` uses only the
    ///   market's policy.
    public convenience init(ccmSource: (any RemoteConfigurationAPI)?) {
        let container = LateContainer.building
        self.init(ccmSource: ccmSource, timing: container.host.timing) {
            container.get(PlatformConfig.self)?.networking.retry ?? .init()
        }
    }

    /// Creates a factory.
    ///
    /// - Parameters:
    ///   - ccmSource: The remote configuration; `nil` uses only the market's policy.
    ///   - market: The market's declaration.
    public convenience init(ccmSource: (any RemoteConfigurationAPI)?, market: NetworkingConfiguration.Retry) {
        self.init(ccmSource: ccmSource, market: market, timing: RetryTiming())
    }

    /// Creates a factory.
    package convenience init(
        ccmSource: (any RemoteConfigurationAPI)?, market: NetworkingConfiguration.Retry = .init(), timing: RetryTiming
    ) {
        self.init(ccmSource: ccmSource, timing: timing) { market }
    }

    private init(
        ccmSource: (any RemoteConfigurationAPI)?, timing: RetryTiming,
        market: @escaping @Sendable () -> NetworkingConfiguration.Retry
    ) {
        self.market = market
        self.timing = timing
        remote = ccmSource
    }

    /// Creates a notifier.
    ///
    /// - Parameter name: Its name.
    /// - Returns: A new notifier. It gets its policy at the start of each run.
    public func makeNotifier(named name: String) -> RetryNotifier {
        RetryNotifier(name: name, timing: timing) { [market, remote] in
            guard let remote else { return market() }
            return await remote.latest().policy(for: name, market: market())
        }
    }

    /// The reason why remote configuration does not currently apply, if any.
    public var remoteProblem: String? { remote?.problem }
}
