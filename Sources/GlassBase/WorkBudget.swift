import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The resources that one job on a market may use: CPU time, bytes, and counted steps of work.
///
/// Loops over market input charge one step per iteration to their phase. The counts are the same in every run with the
/// same input; the clock catches work that the counts miss. An exhausted budget stays exhausted: each later step fails
/// with the same ``Exceeded``, so a job cannot continue with another phase.
///
/// A job can be part of another one, such as a command: its steps then count for both.
package final class WorkBudget: Sendable {
    /// A part of a job that is counted separately.
    package enum Phase: Int, Sendable, CaseIterable {
        /// Reading files.
        case reading
        /// Running a market's files.
        case evaluating
        /// Merging a market with its base market.
        case merging
        /// Checking values against their declarations.
        case validating
        /// Searching for names similar to a misspelled one.
        case suggesting
        /// Compiling patterns and building the route table.
        case routes
        /// Searching for routes that conflict or that no link reaches.
        case conflicts
        /// Searching for the link that takes the most work.
        case worstCase
        /// Proving what the conditions of a market mean in every situation.
        case proving
        /// Finding the source positions of values.
        case positions
        /// Extracting lines from the files.
        case excerpts
        /// Comparing values or markets.
        case comparing
        /// Generating site and app files for routes, and verifying their claims.
        case exporting
        /// Keeping several markets in memory at once.
        case loading
        /// Explaining why a link opens its target, or where a value comes from.
        case explaining
        /// Listing the contents of a market.
        case listing
        /// Building a link.
        case linking
        /// Creating a market's services.
        case resolving
        /// Printing.
        case printing

        /// The number of steps in the sum of all phases for which a step of this phase counts: steps of the proof compare
        /// sets of situations, and take about twenty times as long as others.
        fileprivate var weight: Int { self == .proving ? 20 : 1 }

        /// The phase's name in messages, as the subject of a sentence.
        package var name: String {
            switch self {
            case .reading: "reading the files"
            case .evaluating: "reading the returned values"
            case .merging: "merging"
            case .validating: "validating"
            case .proving: "checking every situation"
            case .suggesting: "searching for similar names"
            case .routes: "building the route table"
            case .conflicts: "searching for conflicts between routes"
            case .worstCase: "searching for the worst link"
            case .positions: "finding the positions of values"
            case .excerpts: "extracting excerpts"
            case .comparing: "comparing"
            case .exporting: "generating site and app files"
            case .loading: "loading markets"
            case .explaining: "explaining"
            case .listing: "listing"
            case .linking: "building a link"
            case .resolving: "creating the services"
            case .printing: "printing"
            }
        }
    }

    /// The limit that was exceeded.
    package enum Limit: Sendable, Hashable {
        /// The CPU time.
        case time(Duration)
        /// The bytes held or written.
        case bytes(Int)
        /// The steps of the phase.
        case work(Int)
        /// The steps of all phases together.
        case total(Int)
        /// The steps of the command that the job is part of.
        case command(Int)
    }

    /// An exhausted budget, with the phase and the limit.
    package struct Exceeded: Error, Sendable, Hashable, CustomStringConvertible {
        /// The phase that exceeded the limit.
        package let phase: Phase
        /// The exceeded limit.
        package let limit: Limit

        /// Creates the error.
        package init(phase: Phase, limit: Limit) {
            self.phase = phase
            self.limit = limit
        }

        /// Whether the limit is one that a user can raise.
        package var isOfCommand: Bool { if case .command = limit { true } else { false } }

        /// The phase and the limit, as a sentence.
        package var description: String {
            switch limit {
            case .time(let time): "\(phase.name) exceeded the total limit of \(time.wholeMilliseconds) ms of CPU time"
            case .bytes(let count): "\(phase.name) takes more than \(count.formattedBytes) of memory"
            case .work(let count): "\(phase.name) takes more than \(count.grouped) steps"
            case .total(let count): "\(phase.name) exceeded the total limit of \(count.grouped) steps"
            case .command(let count):
                "\(phase.name) exceeded the command's limit of \(count.grouped) steps; raise the limit with --max-steps"
            }
        }
    }

    /// The CPU time that the job may use.
    package let cpuTime: Duration
    /// The number of bytes that the job may hold at a time.
    package let bytes: Int
    private let work: [Int]
    private let parent: WorkBudget?
    /// Whether it is the budget of a command rather than of one job.
    private let isOfCommand: Bool
    private let state: Lock<State>
    private let hasExceeded = Atomic(false)  // lets `exceeded` skip the lock in the usual case

    /// The number of steps between clock reads, which keeps their cost below a hundredth of the work.
    private static let stepsBetweenClockReads = 1 << 10

    private struct State: Sendable {
        var used: [Int]
        /// The steps of all phases, by their weight.
        var sum = 0
        var total: Int
        var held = 0
        var stepsSinceLook = 0
        var clock: ThreadClock
        var exceeded: Exceeded?
    }

    /// Creates a budget and starts its clock.
    ///
    /// - Parameters:
    ///   - cpuTime: The CPU time.
    ///   - bytes: The bytes held at a time.
    ///   - work: The steps of phases that do not have the usual number.
    ///   - steps: The steps of all phases together.
    ///   - parent: The budget that pays for this job, too.
    ///   - isOfCommand: Whether it is the budget of a command, whose limit a user can raise.
    package init(
        cpuTime: Duration = .milliseconds(700), bytes: Int = 64 << 20, work: [Phase: Int] = [:],
        steps: Int = stepsOfAJob, partOf parent: WorkBudget? = nil, isOfCommand: Bool = false
    ) {
        self.cpuTime = cpuTime
        self.bytes = bytes
        self.work = Phase.allCases.map { work[$0] ?? Self.stepsOfAPhase }
        self.parent = parent
        self.isOfCommand = isOfCommand
        state = Lock(State(used: Phase.allCases.map { _ in 0 }, total: steps, clock: ThreadClock()))
    }

    /// The default number of steps for a phase: less than half a second of typical steps, so that the same input
    /// exceeds the same limit in every run.
    package static let stepsOfAPhase = 10_000_000

    /// The default number of steps for all phases: some 300 ms. A large market takes a fortieth of it.
    package static let stepsOfAJob = 6_000_000

    /// Phases without limits, for a budget that limits only their sum.
    package static let unlimitedPhases = Dictionary(uniqueKeysWithValues: Phase.allCases.map { ($0, Int.max) })

    /// A budget without limits, for work on input that does not come from a market.
    package static var unlimited: WorkBudget {
        WorkBudget(
            cpuTime: .seconds(1 << 40), bytes: .max,
            work: unlimitedPhases, steps: .max)
    }

    /// Charges steps to a phase, and reads the clock from time to time. O(1).
    package func spend(_ steps: Int = 1, on phase: Phase) throws(Exceeded) {
        try parent?.spend(steps, on: phase)
        try state.withLock { state throws(Exceeded) in
            if let exceeded = state.exceeded { throw exceeded }
            let index = phase.rawValue
            let (used, overflow) = state.used[index].addingReportingOverflow(steps)
            state.used[index] = overflow ? .max : used
            state.sum = state.sum.adding(steps, times: phase.weight)
            if overflow || used > work[index] { try fail(.work(work[index]), phase, &state) }
            if state.sum > state.total {
                try fail(isOfCommand ? .command(state.total) : .total(state.total), phase, &state)
            }
            state.stepsSinceLook += min(steps, Self.stepsBetweenClockReads)
            if state.stepsSinceLook >= Self.stepsBetweenClockReads { try look(phase, &state) }
        }
    }

    /// Charges the steps of a job that is done, even if they exceed the limit: its result exists. Later steps then fail.
    package func charge(_ steps: Int) {
        parent?.charge(steps)
        state.withLock { $0.sum = $0.sum.adding(steps, times: 1) }
    }

    /// Whether all steps are used up.
    package var isSpent: Bool { stepsLeft == 0 }

    /// The number of steps that are left for all phases together.
    package var stepsLeft: Int { state.withLock { max(0, $0.total - $0.sum) } }

    /// The number of steps for all phases together.
    package var total: Int { state.withLock { $0.total } }

    /// The number of steps charged to all phases, by their weight.
    package var steps: Int { state.withLock { $0.sum } }

    /// Raises the number of steps for all phases together. It is never lowered.
    package func raise(to total: Int) { state.withLock { $0.total = max($0.total, total) } }

    /// Reserves bytes until they are released.
    package func hold(bytes count: Int, for phase: Phase) throws(Exceeded) {
        try state.withLock { state throws(Exceeded) in
            if let exceeded = state.exceeded { throw exceeded }
            let (held, overflow) = state.held.addingReportingOverflow(count)
            if overflow || held > bytes { try fail(.bytes(bytes), phase, &state) }
            state.held = held
        }
    }

    /// Releases reserved bytes.
    package func release(bytes count: Int) {
        state.withLock { $0.held -= count }
    }

    /// The number of bytes that are reserved now.
    package var bytesHeld: Int { state.withLock { $0.held } }

    /// Reads the clock at once: before and after a call that charges no steps itself.
    package func look(in phase: Phase) throws(Exceeded) {
        try state.withLock { state throws(Exceeded) in
            if let exceeded = state.exceeded { throw exceeded }
            try look(phase, &state)
        }
    }

    /// Records the CPU time so far, before the job leaves the current thread.
    package func note() {
        state.withLock { _ = $0.clock.read() }
    }

    /// The exceeded limit of this job, or of the job that it is part of; nil if neither is exceeded.
    package var exceeded: Exceeded? {
        (hasExceeded.load(ordering: .acquiring) ? state.withLock { $0.exceeded } : nil) ?? parent?.exceeded
    }

    /// The number of steps charged to a phase, for tests of how work grows.
    package func steps(of phase: Phase) -> Int { state.withLock { $0.used[phase.rawValue] } }

    /// The remaining CPU time; zero if it is used up.
    package var timeLeft: Duration {
        state.withLock { max(.zero, cpuTime - $0.clock.read()) }
    }

    private func look(_ phase: Phase, _ state: inout State) throws(Exceeded) {
        state.stepsSinceLook = 0
        if state.clock.read() > cpuTime { try fail(.time(cpuTime), phase, &state) }
    }

    private func fail(_ limit: Limit, _ phase: Phase, _ state: inout State) throws(Exceeded) {
        let exceeded = Exceeded(phase: phase, limit: limit)
        state.exceeded = exceeded
        hasExceeded.store(true, ordering: .releasing)
        throw exceeded
    }
}

extension Int {
    /// The sum with a product, or the maximum if it is larger.
    fileprivate func adding(_ count: Int, times weight: Int) -> Int {
        let (product, isTooLarge) = count.multipliedReportingOverflow(by: weight)
        let (sum, overflow) = addingReportingOverflow(product)
        return isTooLarge || overflow ? .max : sum
    }
}

/// The CPU time of the thread that reads it, summed over all threads that do.
///
/// A load alternates between its caller's thread and the Lua state's thread; CPU time of other threads is not counted.
/// The time between two reads counts only if the same thread made both, so a switch loses at most the time since the
/// last read.
private struct ThreadClock: Sendable {
    private var total = Duration.zero
    private var thread = UInt(0)
    private var last = Duration.zero

    init() {
        thread = Self.current
        last = Self.now
    }

    mutating func read() -> Duration {
        let (current, now) = (Self.current, Self.now)
        if current == thread { total += now - last }
        (thread, last) = (current, now)
        return total
    }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        let used = Duration.seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        // Users do not set budgets, so the clock counts the time that a release build would have used. Messages and the
        // remaining time are then the same in every build.
        return used / BuildSpeed.slowdown
    }

    private static var current: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
