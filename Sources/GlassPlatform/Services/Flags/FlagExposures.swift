import GlassBase
import GlassContainer
import GlassMarkets

/// Hands the events of exposures to the analytics, away from the thread that reads a flag: storing an event takes a
/// transaction.
final class FlagExposures: Sendable {
    private let logger: SafeLogger
    private let state = Lock(State())

    private struct State: Sendable {
        var waiting: [(event: AnalyticsEvent, container: Container)] = []
        /// The task that sends them, if there is one.
        var task: Task<Void, Never>?
    }

    /// Creates a sender.
    init(logger: SafeLogger) {
        self.logger = logger
    }

    /// Sends an event soon to the analytics of a container, which lives until then.
    func send(_ event: AnalyticsEvent, of container: Container?) {
        guard let container else {
            logger.warning("the exposure of a flag was lost: the container of its analytics was released")
            return
        }
        state.withLock { state in
            state.waiting.append((event, container))
            guard state.task == nil else { return }
            state.task = Task.detached(priority: .utility) { [self] in sendAll() }
        }
    }

    /// Waits until all events are sent.
    func wait() async { await state.withLock { $0.task }?.value }

    private func sendAll() {
        while true {
            let events = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.task = nil }
                return state.waiting
            }
            if events.isEmpty { return }
            for (event, container) in events {
                guard let analytics = container.getIfRegistered((any AnalyticsTracking).self) else { continue }
                do throws(AnalyticsError) {
                    try analytics.track(event)
                } catch {
                    logger.warning("the exposure of a flag was lost: \(error)")
                }
            }
        }
    }
}
