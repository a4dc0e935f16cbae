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

    @Test func phasesHaveOneSum() throws {
        let budget = WorkBudget(steps: 100)
        try budget.spend(50, on: .merging)
        try budget.spend(50, on: .routes)
        let exceeded = WorkBudget.Exceeded(phase: .reading, limit: .total(100))
        #expect(throws: exceeded) { try budget.spend(on: .reading) }
        #expect("\(exceeded)" == "reading the files exceeded the total limit of 100 steps")
    }

    /// A step of the proof takes some twenty times as long as another one.
    @Test func stepsOfTheProofCountTwentyfold() throws {
        let budget = WorkBudget(steps: 100)
        try budget.spend(5, on: .proving)
        #expect(budget.stepsLeft == 0)
        #expect(budget.steps(of: .proving) == 5)
    }

    @Test func jobsOfOneCommandShareItsSteps() throws {
        let command = WorkBudget(steps: 100, isOfCommand: true)
        try WorkBudget(steps: .max, partOf: command).spend(60, on: .comparing)
        let job = WorkBudget(steps: .max, partOf: command)
        try job.spend(40, on: .comparing)
        let exceeded = WorkBudget.Exceeded(phase: .comparing, limit: .command(100))
        #expect(throws: exceeded) { try job.spend(on: .comparing) }
        #expect(
            "\(exceeded)"
                == "comparing exceeded the command's limit of 100 steps; raise the limit with --max-steps")
        #expect(throws: exceeded) { try WorkBudget(partOf: command).spend(on: .comparing) }
    }

    /// The result of a job that is done is used, even if it was the last.
    @Test func doneJobMayExceedTheSteps() {
        let command = WorkBudget(steps: 100)
        command.charge(99)
        #expect(!command.isSpent)
        command.charge(.max)
        #expect(command.isSpent)
        #expect(command.stepsLeft == 0)
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
        let budget = WorkBudget(bytes: .max, work: [.routes: .max], steps: .max)
        try budget.spend(.max, on: .routes)
        #expect(throws: WorkBudget.Exceeded.self) { try budget.spend(on: .routes) }
        let other = WorkBudget(bytes: .max)
        try other.hold(bytes: .max, for: .reading)
        #expect(throws: WorkBudget.Exceeded.self) { try other.hold(bytes: 1, for: .reading) }
    }
}
