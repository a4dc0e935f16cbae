import Foundation
import GlassBase
import Testing

@Suite struct AllowanceTests {
    @Test func stepsOfOnePhaseRunOutAndTheOtherPhasesGoWithThem() throws {
        let allowance = Allowance(work: [.merging: 10])
        try allowance.spend(10, on: .merging)
        try allowance.spend(1000, on: .validating)
        let exceeded = Allowance.Exceeded(phase: .merging, limit: .work(10))
        #expect(throws: exceeded) { try allowance.spend(on: .merging) }
        #expect(throws: exceeded) { try allowance.spend(on: .validating) }
        #expect(throws: exceeded) { try allowance.hold(bytes: 1, for: .printing) }
        #expect(allowance.exceeded == exceeded)
        #expect("\(exceeded)" == "merging takes more than 10 steps")
    }

    @Test func bytesGivenBackCanBeHeldAgain() throws {
        let allowance = Allowance(bytes: 100)
        for _ in 0..<10 {
            try allowance.hold(bytes: 100, for: .reading)
            allowance.release(bytes: 100)
        }
        try allowance.hold(bytes: 60, for: .reading)
        #expect(throws: Allowance.Exceeded(phase: .printing, limit: .bytes(100))) {
            try allowance.hold(bytes: 41, for: .printing)
        }
    }

    @Test(.timeLimit(.minutes(1))) func cpuTimeRunsOutInALoopThatOnlyCounts() {
        let allowance = Allowance(cpuTime: .milliseconds(5))
        #expect(throws: Allowance.Exceeded(phase: .conflicts, limit: .time(.milliseconds(5)))) {
            while true { try allowance.spend(on: .conflicts) }
        }
        #expect(allowance.timeLeft == .zero)
    }

    /// What a market may take is meant for optimized code.
    @Test(.timeLimit(.minutes(1))) func codeThatIsNotOptimizedHasMoreTime() {
        let start = nanosecondsOfThisThread()
        let allowance = Allowance(cpuTime: .milliseconds(5))
        while (try? allowance.spend(on: .conflicts)) != nil {}
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

    @Test func countsThatOverflowAreTooMany() throws {
        let allowance = Allowance(bytes: .max, work: [.routes: .max])
        try allowance.spend(.max, on: .routes)
        #expect(throws: Allowance.Exceeded.self) { try allowance.spend(on: .routes) }
        let other = Allowance(bytes: .max)
        try other.hold(bytes: .max, for: .reading)
        #expect(throws: Allowance.Exceeded.self) { try other.hold(bytes: 1, for: .reading) }
    }
}
