import Foundation
import GlassBase

/// Distributes recorded links among the markets of a review: each market gets all of them, until the total for all
/// markets is used up.
///
/// Markets are compared concurrently but get their shares in order, so that every run of a review opens the same links
/// in the same markets. The limit on CPU time catches work that the counts miss.
final class RecordedLinkShares: Sendable {
    /// The number of times that links are opened in all markets together. The files of links may have 50,000 lines, so
    /// three markets can open all of them.
    static let usualCount = 150_000

    private struct State {
        var left: Int
        var time: Duration
        /// The index of the market that takes its share next.
        var turn = 0
        /// The number of markets that skipped links, and how many links they skipped in total.
        var markets = 0
        var links = 0
    }

    private let state: Lock<State>
    /// Wakes the markets that wait for their turn. Locked whenever ``state`` is read or changed in a way that depends
    /// on the turn.
    private let turns = NSCondition()

    /// Creates the shares of a review. The time is CPU time of a release build, as a budget counts it.
    init(count: Int = usualCount, time: Duration = .milliseconds(1200)) {
        state = Lock(State(left: count, time: time))
    }

    /// The share of a market, as soon as each market before it has its own. Each index must take its share exactly
    /// once, even a share of no links, because the markets after it wait.
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

    /// The remaining CPU time.
    var timeLeft: Duration { state.withLock { max(.zero, $0.time) } }

    /// Deducts CPU time that was used.
    func spend(_ time: Duration) { state.withLock { $0.time -= time } }

    /// Records the number of links that a market skipped.
    func leaveOut(_ count: Int) {
        guard count > 0 else { return }
        state.withLock { state in
            state.markets += 1
            state.links += count
        }
    }

    /// A notice for the reader; nil if each link was opened in each market.
    var notice: String? {
        let (markets, links) = state.withLock { ($0.markets, $0.links) }
        guard markets > 0 else { return nil }
        let those = markets == 1 ? "1 market" : "\(markets.grouped) markets"
        return "\(those) skipped recorded links, \(links.grouped) in total, because a review has a limit; "
            + "name fewer with --links FILE"
    }
}
