@testable import GlassBase
import Testing

@Suite struct BackoffTests {
    private let backoff = Backoff(
        initialDelay: .seconds(1), maximumDelay: .seconds(30), multiplier: 2, jitter: 0.5)

    @Test(arguments: [(1, 1.0), (2, 2), (3, 4), (5, 16), (6, 30), (5000, 30)])
    func pauseGrowsToMaximum(_ retry: Int, _ seconds: Double) {
        #expect(backoff.pause(beforeRetry: retry, random: 0) == .seconds(seconds))
        #expect(backoff.pause(beforeRetry: retry, random: 1) == .seconds(seconds / 2))
    }

    @Test func zeroPauseStaysZero() {
        var none = backoff
        none.initialDelay = .zero
        #expect(none.pause(beforeRetry: 5000, random: 0) == .zero)
    }
}
