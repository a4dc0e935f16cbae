import Foundation
@testable import GlassBase
import Testing

@Suite struct WorkBudgetTests {
    @Test func exhaustedPhaseExhaustsWholeBudget() throws {
        let budget = WorkBudget(work: [.merging: 10])
        try budget.spend(10, on: .merging)
        try budget.spend(1000, on: .validating)
        let exceeded = WorkBudget.Exceeded(phase: .merging, limit: .work(10))
        #expect(throws: exceeded) { try budget.spend(on: .merging) }
        #expect(throws: exceeded) { try budget.spend(on: .validating) }
        #expect(throws: exceeded) { try budget.hold(bytes: 1, for: .printing) }
        #expect(budget.exceeded == exceeded)
        #expect("\(exceeded)" == "merging takes more than 10 steps")
    }

    @Test func releasedBytesCanBeReservedAgain() throws {
        let budget = WorkBudget(bytes: 100)
        for _ in 0..<10 {
            try budget.hold(bytes: 100, for: .reading)
            budget.release(bytes: 100)
        }
        try budget.hold(bytes: 60, for: .reading)
        #expect(throws: WorkBudget.Exceeded(phase: .printing, limit: .bytes(100))) {
            try budget.hold(bytes: 41, for: .printing)
        }
    }

    @Test(.timeLimit(.minutes(1))) func cpuTimeLimitEndsCountingLoop() {
        let budget = WorkBudget(cpuTime: .milliseconds(5))
        #expect(throws: WorkBudget.Exceeded(phase: .conflicts, limit: .time(.milliseconds(5)))) {
            while true { try budget.spend(on: .conflicts) }
        }
        #expect(budget.timeLeft == .zero)
    }

    /// Limits for markets assume optimized code.
    @Test(.timeLimit(.minutes(1))) func unoptimizedCodeGetsMoreTime() {
        let start = nanosecondsOfThisThread()
        let budget = WorkBudget(cpuTime: .milliseconds(5))
        while (try? budget.spend(on: .conflicts)) != nil {}
        let used = nanosecondsOfThisThread() - start
        #if SANITIZED
            #expect(used >= 8 * 5_000_000)
        #elseif DEBUG
            #expect(used >= 4 * 5_000_000)
        #else
            #expect(used >= 5_000_000)
        #endif
    }

    private func nanosecondsOfThisThread() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    @Test func overflowingCountsExceedTheBudget() throws {
        let budget = WorkBudget(bytes: .max, work: [.routes: .max])
        try budget.spend(.max, on: .routes)
        #expect(throws: WorkBudget.Exceeded.self) { try budget.spend(on: .routes) }
        let other = WorkBudget(bytes: .max)
        try other.hold(bytes: .max, for: .reading)
        #expect(throws: WorkBudget.Exceeded.self) { try other.hold(bytes: 1, for: .reading) }
    }
}
