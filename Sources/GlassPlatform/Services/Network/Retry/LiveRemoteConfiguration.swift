import GlassBase
import Foundation
import GlassContainer
package import GlassMarkets
import GlassSchema

/// Remote configuration from a source: asked for when it is old and somebody needs it, validated over the market, kept for
/// the next start.
///
/// Nothing polls: a request or a notifier that starts with old values lets it ask. Who asks at the same time shares one
/// fetch. A market that was replaced by a newer one and is in use again, because the device or the publisher went back to
/// it, is the one that was known to work, without values that came later: nothing is asked for then, and nothing holds.
package final class LiveRemoteConfiguration: RemoteConfigurationAPI, Disposable {
    /// What a service of this kind is made from.
    package struct Setup: Sendable {
        /// The sections of the market.
        package var market: [any MarketSection]
        /// The digest of the market, where it is a compiled one.
        package var digest: String?
        /// What is kept; nil keeps nothing.
        package var file: RemoteConfigurationFile?
        /// How long what was received counts before it is asked for again. A failure counts for a tenth of that.
        package var lifetime: Duration
        /// Time.
        package var timing: RetryTiming

        /// Describes a service without a memory.
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
    /// Why nothing is asked for and nothing holds; nil when that is not so.
    private let obstacle: String?
    private let observed: ObservedValue<RemoteConfiguration>
    private let state: Lock<State>
    private let fetches = SharedDownloads<RemoteConfiguration, RemoteConfigurationError>()
    private let logger = SafeLogger(label: "glass.remote-configuration")

    /// Creates the service with what was kept, as far as it fits the market.
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
            let reason = "this market was replaced by a newer one, which was taken back"
            obstacle = reason
            problem = .notAsked(reason: reason)
            kept.configuration = RemoteConfiguration()
        } else {
            obstacle = source == nil ? "the market names no service that has it" : nil
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
        // Without a source nothing would ever replace what an earlier one said.
        observed = ObservedValue(source == nil ? RemoteConfiguration() : kept.configuration)
        state = Lock(State(problem: problem.map { "\($0)" }))
        if let problem { logger.warning("\(problem)") }
    }

    deinit { state.withLock { $0.background }?.cancel() }

    /// What holds now.
    package var current: RemoteConfiguration { observed.value }

    /// Why what was last received or kept does not hold.
    package var problem: String? { state.withLock { $0.problem } }

    /// What holds now, and then each change.
    package func changes() -> AsyncStream<RemoteConfiguration> { observed.changes() }

    /// Asks now.
    @discardableResult
    package func refresh() async throws(RemoteConfigurationError) -> RemoteConfiguration {
        if let obstacle { throw .notAsked(reason: obstacle) }
        return try await fetched(unlessFresh: false).get()
    }

    /// What holds, asked for first when it is old.
    package func latest() async -> RemoteConfiguration {
        guard obstacle == nil, !isFresh else { return current }
        _ = await fetched(unlessFresh: true)  // a failure is a problem, and what held goes on
        return current
    }

    /// Asks in the background when what holds is old.
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

    /// Cancels a fetch and starts no more. What holds goes on holding.
    package func dispose() {
        state.withLock { $0.background }?.cancel()
        (source as? any Disposable)?.dispose()
    }

    private var isFresh: Bool {
        state.withLock { state in
            // Read within the lock: a time from before it would make what was just answered look like the future's.
            let now = setup.timing.now().timeIntervalSinceReferenceDate
            let lifetime = setup.lifetime / .seconds(state.isGood ? 1 : 10)
            // A clock that was set back makes it old.
            let age = state.askedAt.map { now - $0 } ?? -1
            return age >= 0 && age < lifetime
        }
    }

    private func fetched(unlessFresh: Bool) async -> Outcome {
        guard let source else { return .success(current) }
        return await fetches.outcome(for: "", ifCancelled: .success(current)) { [self] in
            // Another fetch may have ended between the look before and this one's turn.
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

    /// Puts what was received in place, if it fits.
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
            // It holds all the same: what a full disk takes is the next start's.
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
