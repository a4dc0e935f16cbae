import GlassBase
import Foundation

/// Makes notifiers whose policy is the market's, overridden by remote configuration where that says something.
public final class RetryNotifierFactory: RetryNotifyingFactory {
    private let market: NetworkingConfiguration.Retry
    private let timing: RetryTiming
    private let remote: RemoteConfigurationCache

    /// Creates a factory.
    ///
    /// - Parameters:
    ///   - ccmSource: Where remote configuration comes from; nil leaves every policy to the market.
    ///   - market: What the market declares.
    ///   - lifetime: How long a remote configuration counts before it is asked for again.
    public convenience init(
        ccmSource: (any RemoteConfigurationSource)?, market: NetworkingConfiguration.Retry = .init(),
        lifetime: Duration = .seconds(300)
    ) {
        self.init(ccmSource: ccmSource, market: market, timing: RetryTiming(), lifetime: lifetime)
    }

    /// Creates a factory.
    ///
    /// - Parameters:
    ///   - ccmSource: Where remote configuration comes from; nil leaves every policy to the market.
    ///   - market: What the market declares.
    ///   - timing: Time and chance.
    ///   - lifetime: How long a remote configuration counts before it is asked for again. A failure counts for a tenth
    ///     of that; until it is over, the last good configuration stays.
    package init(
        ccmSource: (any RemoteConfigurationSource)?, market: NetworkingConfiguration.Retry = .init(),
        timing: RetryTiming, lifetime: Duration = .seconds(300)
    ) {
        self.market = market
        self.timing = timing
        remote = RemoteConfigurationCache(source: ccmSource, lifetime: lifetime, timing: timing)
    }

    /// Makes a notifier.
    ///
    /// - Parameter name: Its name.
    /// - Returns: A new notifier; it asks for its policy at the start of each run.
    public func makeNotifier(named name: String) -> RetryNotifier {
        RetryNotifier(name: name, timing: timing) { [market, remote] in
            let (policy, problems) = await remote.current().policy(for: name, market: market)
            if !problems.isEmpty { remote.note(problems) }
            return policy
        }
    }

    /// Why remote configuration does not apply at the moment.
    public var remoteProblem: String? { remote.problem }
}

/// The last good remote configuration, asked for again when it is old; who asks at the same time shares one request.
private final class RemoteConfigurationCache: Sendable {
    private struct State {
        var configuration = RemoteConfiguration()
        var askedAt: Double?
        var isGood = false
        var problem: String?
    }

    private let source: (any RemoteConfigurationSource)?
    private let lifetime: Double
    private let timing: RetryTiming
    private let state = Lock(State())
    private let fetches = SharedDownloads<RemoteConfiguration, Never>()
    private let logger = SafeLogger(label: "glass.remote-configuration")

    init(source: (any RemoteConfigurationSource)?, lifetime: Duration, timing: RetryTiming) {
        self.source = source
        self.lifetime = lifetime / .seconds(1)
        self.timing = timing
    }

    var problem: String? { state.withLock { $0.problem } }

    func note(_ problems: [String]) {
        let text = problems.joined(separator: "; ")
        let isNew = state.withLock { state in
            defer { state.problem = text }
            return state.problem != text
        }
        if isNew { logger.warning("\(text)") }
    }

    /// What is known, and whether that is recent enough not to ask again.
    private func last() -> (configuration: RemoteConfiguration, isFresh: Bool) {
        state.withLock { state in
            // Read within the lock: a time from before it would make what was just answered look like the future's.
            let now = timing.now().timeIntervalSinceReferenceDate
            let lifetime = state.isGood ? lifetime : lifetime / 10
            // A clock that was set back makes it old.
            let age = state.askedAt.map { now - $0 } ?? -1
            return (state.configuration, age >= 0 && age < lifetime)
        }
    }

    func current() async -> RemoteConfiguration {
        guard let source else { return RemoteConfiguration() }
        let (known, isFresh) = last()
        if isFresh { return known }
        return await fetches.outcome(for: "", ifCancelled: .success(known)) { [self] in
            // Another request may have ended between the look above and this one's turn.
            let (known, isFresh) = last()
            if isFresh { return .success(known) }
            let now = timing.now().timeIntervalSinceReferenceDate
            do throws(RemoteConfigurationError) {
                let configuration = try await source.fetch()
                state.withLock { $0 = State(configuration: configuration, askedAt: now, isGood: true) }
                return .success(configuration)
            } catch {
                note(["\(error)"])
                return .success(
                    state.withLock { state in
                        state.askedAt = now
                        state.isGood = false
                        return state.configuration
                    })
            }
        }.get()
    }
}
