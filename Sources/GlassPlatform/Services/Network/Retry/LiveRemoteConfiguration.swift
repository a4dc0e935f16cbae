import GlassBase
import Foundation
import GlassContainer
package import GlassMarkets
import GlassSchema

/// Remote configuration from a source. It is fetched when it is needed and outdated, validated against the market, and
/// stored for the next launch.
///
/// Nothing polls: a request or a notifier that starts with outdated values triggers a fetch, and concurrent callers
/// share one fetch. If a market was replaced by a newer one and is in use again, the device or the publisher has rolled
/// back to it. It then runs as it did when it worked, without remote values: nothing is fetched or applied.
package final class LiveRemoteConfiguration: RemoteConfigurationAPI, Disposable {
    /// The settings of the service.
    package struct Setup: Sendable {
        /// The sections of the market.
        package var market: [any MarketSection]
        /// The digest of the market, if it is a compiled one.
        package var digest: String?
        /// The file for stored values; `nil` stores nothing.
        package var file: RemoteConfigurationFile?
        /// The time for which received values are used before they are fetched again. After a failure, it is a tenth of
        /// that.
        package var lifetime: Duration
        /// The clock.
        package var timing: RetryTiming

        /// Creates settings, by default without storage.
        package init(
            market: [any MarketSection] = [], digest: String? = nil, file: RemoteConfigurationFile? = nil,
            lifetime: Duration = .seconds(300), timing: RetryTiming = RetryTiming()
        ) {
            self.market = market
            self.digest = digest
            self.file = file
            self.lifetime = lifetime
            self.timing = timing
        }
    }

    private struct State {
        var askedAt: Double?
        var isGood = false
        var problem: String?
        var background: Task<Void, Never>?
    }

    private typealias Outcome = Result<RemoteConfiguration, RemoteConfigurationError>

    private let source: (any RemoteConfigurationSource)?
    private let setup: Setup
    /// The reason why nothing is fetched or applied, if any.
    private let obstacle: String?
    private let observed: ObservedValue<RemoteConfiguration>
    private let state: Lock<State>
    private let fetches = SharedDownloads<RemoteConfiguration, RemoteConfigurationError>()
    private let logger = SafeLogger(label: "glass.remote-configuration")

    /// Creates the service with the stored values, if they are valid for the market.
    package init(source: (any RemoteConfigurationSource)?, _ setup: Setup) {
        self.source = source
        self.setup = setup
        var kept = RemoteConfigurationFile.Content()
        var problem: RemoteConfigurationError?
        do throws(RemoteConfigurationError) {
            kept = try setup.file?.read() ?? kept
        } catch {
            problem = error
        }
        if kept.isRollback(setup.digest) {
            let reason = "this market was replaced by a newer one, which was rolled back"
            obstacle = reason
            problem = .notAsked(reason: reason)
            kept.configuration = RemoteConfiguration()
        } else {
            obstacle = source == nil ? "the market names no service that provides it" : nil
            if setup.digest != nil, kept.market != setup.digest {
                do throws(RemoteConfigurationError) {
                    try setup.file?.update { $0.begin(setup.digest) }
                } catch {
                    problem = problem ?? error
                }
            }
        }
        let findings = kept.configuration.findings(over: setup.market)
        if !findings.isEmpty {
            problem = .refused(findings: findings)
            kept.configuration = RemoteConfiguration()
        }
        // Without a source, nothing would ever replace the values of an earlier one.
        observed = ObservedValue(source == nil ? RemoteConfiguration() : kept.configuration)
        state = Lock(State(problem: problem.map { "\($0)" }))
        if let problem { logger.warning("\(problem)") }
    }

    deinit { state.withLock { $0.background }?.cancel() }

    /// The effective values.
    package var current: RemoteConfiguration { observed.value }

    /// The reason why the last received or stored values are not applied.
    package var problem: String? { state.withLock { $0.problem } }

    /// The effective values, followed by each change.
    package func changes() -> AsyncStream<RemoteConfiguration> { observed.changes() }

    /// Fetches the values now.
    @discardableResult
    package func refresh() async throws(RemoteConfigurationError) -> RemoteConfiguration {
        if let obstacle { throw .notAsked(reason: obstacle) }
        return try await fetched(unlessFresh: false).get()
    }

    /// The effective values, fetched first if they are outdated.
    package func latest() async -> RemoteConfiguration {
        guard obstacle == nil, !isFresh else { return current }
        _ = await fetched(unlessFresh: true)  // a failure is recorded; the values stay in effect
        return current
    }

    /// Fetches the values in the background if they are outdated.
    package func refreshIfOld() {
        guard obstacle == nil, !isFresh else { return }
        state.withLock { state in
            guard state.background == nil else { return }
            state.background = Task.detached { [weak self] in
                _ = await self?.latest()
                self?.state.withLock { $0.background = nil }
            }
        }
    }

    /// Cancels any fetch and starts no new ones. The current values stay in effect.
    package func dispose() {
        state.withLock { $0.background }?.cancel()
        (source as? any Disposable)?.dispose()
    }

    private var isFresh: Bool {
        state.withLock { state in
            // Read the time under the lock: a time read earlier could precede a fetch that has just ended.
            let now = setup.timing.now().timeIntervalSinceReferenceDate
            let lifetime = setup.lifetime / .seconds(state.isGood ? 1 : 10)
            // If the clock was set back, the values count as outdated.
            let age = state.askedAt.map { now - $0 } ?? -1
            return age >= 0 && age < lifetime
        }
    }

    private func fetched(unlessFresh: Bool) async -> Outcome {
        guard let source else { return .success(current) }
        return await fetches.outcome(for: "", ifCancelled: .success(current)) { [self] in
            // Another fetch may have ended between the caller's check and this one's turn.
            if unlessFresh, isFresh { return .success(current) }
            let now = setup.timing.now()
            do throws(RemoteConfigurationError) {
                let configuration = try await source.fetch()
                try accept(configuration, at: now)
                return .success(configuration)
            } catch {
                note(error, at: now)
                return .failure(error)
            }
        }
    }

    /// Applies received values, if they are valid.
    private func accept(_ configuration: RemoteConfiguration, at time: Date) throws(RemoteConfigurationError) {
        let findings = configuration.findings(over: setup.market)
        guard findings.isEmpty else { throw .refused(findings: findings) }
        state.withLock { state in
            state.askedAt = time.timeIntervalSinceReferenceDate
            state.isGood = true
            state.problem = nil
        }
        guard configuration != current else { return }
        do throws(RemoteConfigurationError) {
            try setup.file?.update { content in
                content.configuration = configuration
                content.receivedAt = time
                content.begin(setup.digest)
            }
        } catch {
            // The values are applied anyway; a full disk only affects the next launch.
            state.withLock { $0.problem = "\(error)" }
            logger.warning("\(error)")
        }
        observed.set(configuration)
    }

    private func note(_ error: RemoteConfigurationError, at time: Date) {
        let text = "\(error)"
        let isNew = state.withLock { state in
            state.askedAt = time.timeIntervalSinceReferenceDate
            state.isGood = false
            defer { state.problem = text }
            return state.problem != text
        }
        if isNew { logger.warning("\(text)") }
    }
}
