import Foundation
import GlassBase

/// How many recorded links each market of a review is asked for: all of them, while what the markets have together lasts.
///
/// Markets are compared at the same time, but have their shares in their own order, so that each run of a review asks the
/// same links of the same markets. The processor time is there for what no count foresaw.
final class RecordedLinkShares: Sendable {
    /// How often a link is asked of a market. The files of links may have 50,000 lines, so three markets are asked for
    /// each of them.
    static let usualCount = 150_000

    private struct State {
        var left: Int
        var time: Duration
        /// Whose share is next.
        var turn = 0
        /// Markets that were not asked for all links, and how many links those are together.
        var markets = 0
        var links = 0
    }

    private let state: Lock<State>
    /// Wakes those that wait for their turn. ``state`` is only read and changed while it is locked where the turn matters.
    private let turns = NSCondition()

    /// Creates the shares of a review. The time is that of a release build, as a budget counts it.
    init(count: Int = usualCount, time: Duration = .milliseconds(1200)) {
        state = Lock(State(left: count, time: time))
    }

    /// The share of a market, once each market before it has its own. Whoever has an index takes the share exactly once,
    /// also one of nothing: the markets behind it wait.
    func take(_ wanted: Int, at index: Int) -> Int {
        turns.lock()
        defer { turns.unlock() }
        while state.withLock({ $0.turn }) < index { turns.wait() }
        let share = state.withLock { state in
            let share = min(wanted, state.left)
            state.left -= share
            state.turn += 1
            return share
        }
        turns.broadcast()
        return share
    }

    /// The processor time that is left.
    var timeLeft: Duration { state.withLock { max(.zero, $0.time) } }

    /// Takes processor time that was used.
    func spend(_ time: Duration) { state.withLock { $0.time -= time } }

    /// Takes note of links that a market was not asked for.
    func leaveOut(_ count: Int) {
        guard count > 0 else { return }
        state.withLock { state in
            state.markets += 1
            state.links += count
        }
    }

    /// What a reader should know; nil when each link was asked of each market.
    var notice: String? {
        let (markets, links) = state.withLock { ($0.markets, $0.links) }
        guard markets > 0 else { return nil }
        let those = markets == 1 ? "1 market was" : "\(markets.grouped) markets were"
        return "\(those) not asked for all recorded links, \(links.grouped) of them together: a review has a limit; "
            + "name fewer with --links FILE"
    }
}
