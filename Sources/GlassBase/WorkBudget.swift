import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What one job on a market may use: CPU time, bytes, and counted steps of work.
///
/// Whoever loops over what a market wrote spends a step for each turn, in the phase that it belongs to. The counts are the
/// same in every run of the same input; the clock is there for what no count foresaw. A budget that ran out stays so:
/// each later step fails with the same ``Exceeded``, so a job cannot go on with another phase.
package final class WorkBudget: Sendable {
    /// A part of a job that is counted for itself.
    package enum Phase: Int, Sendable, CaseIterable {
        /// Reading files.
        case reading
        /// Running a market's files.
        case evaluating
        /// Laying a market over what it extends.
        case merging
        /// Comparing values with their declarations.
        case validating
        /// Looking for the name that was probably meant.
        case suggesting
        /// Compiling patterns and building the route table.
        case routes
        /// Looking for routes that clash or that no link reaches.
        case conflicts
        /// Looking for the link that is the most work.
        case worstCase
        /// Looking for the places of values in the files.
        case positions
        /// Cutting lines out of the files.
        case excerpts
        /// Comparing values or markets.
        case comparing
        /// Making the files that go with routes, and proving what they claim.
        case exporting
        /// Holding markets together.
        case loading
        /// Finding out why a link goes where it goes, or where a value came from.
        case explaining
        /// Listing what a market has.
        case listing
        /// Building a link.
        case linking
        /// Making a market's services.
        case resolving
        /// Printing.
        case printing

        /// What a diagnostic calls the phase, as the subject of a sentence.
        package var name: String {
            switch self {
            case .reading: "reading the files"
            case .evaluating: "reading what the files return"
            case .merging: "merging"
            case .validating: "validating"
            case .suggesting: "looking for names that were meant"
            case .routes: "building the route table"
            case .conflicts: "looking for conflicts between routes"
            case .worstCase: "looking for the worst link"
            case .positions: "looking for the positions of values"
            case .excerpts: "cutting excerpts"
            case .comparing: "comparing"
            case .exporting: "making site and app files"
            case .loading: "holding the markets together"
            case .explaining: "explaining"
            case .listing: "listing"
            case .linking: "building a link"
            case .resolving: "making the services"
            case .printing: "printing"
            }
        }
    }

    /// What ran out.
    package enum Limit: Sendable, Hashable {
        /// The CPU time.
        case time(Duration)
        /// The bytes held or written.
        case bytes(Int)
        /// The steps of the phase.
        case work(Int)
    }

    /// A budget that ran out: in which phase, and at which limit.
    package struct Exceeded: Error, Sendable, Hashable, CustomStringConvertible {
        /// The phase that asked for more.
        package let phase: Phase
        /// The limit that it met.
        package let limit: Limit

        /// Creates the error.
        package init(phase: Phase, limit: Limit) {
            self.phase = phase
            self.limit = limit
        }

        /// The limit and the phase, as a diagnostic says them.
        package var description: String {
            switch limit {
            case .time(let time): "\(phase.name) is not done after \(time.wholeMilliseconds) ms of CPU time in all"
            case .bytes(let count): "\(phase.name) takes more than \(count.formattedBytes) of memory"
            case .work(let count): "\(phase.name) takes more than \(count.grouped) steps"
            }
        }
    }

    /// How much CPU time the job has.
    package let cpuTime: Duration
    /// How many bytes the job may hold at a time.
    package let bytes: Int
    private let work: [Int]
    private let state: Lock<State>
    private let hasExceeded = Atomic(false)

    /// The clock is read after this many steps, which keeps reading it below a hundredth of the work.
    private static let stepsBetweenClockReads = 1 << 10

    private struct State: Sendable {
        var used: [Int]
        var held = 0
        var stepsSinceLook = 0
        var clock: ThreadClock
        var exceeded: Exceeded?
    }

    /// Creates a budget and starts its clock.
    package init(
        cpuTime: Duration = .milliseconds(700), bytes: Int = 64 << 20, work: [Phase: Int] = [:]
    ) {
        self.cpuTime = cpuTime
        self.bytes = bytes
        self.work = Phase.allCases.map { work[$0] ?? Self.stepsOfAPhase }
        state = Lock(State(used: Phase.allCases.map { _ in 0 }, clock: ThreadClock()))
    }

    /// The steps of a phase where nothing else is said: less than half a second of the usual ones, so that the same input
    /// meets the same limit in each run.
    package static let stepsOfAPhase = 10_000_000

    /// A budget that never runs out, for work on what no market wrote.
    package static var unlimited: WorkBudget {
        WorkBudget(
            cpuTime: .seconds(1 << 40), bytes: .max,
            work: Dictionary(uniqueKeysWithValues: Phase.allCases.map { ($0, Int.max) }))
    }

    /// Counts steps of a phase, and looks at the clock now and then. O(1).
    package func spend(_ steps: Int = 1, on phase: Phase) throws(Exceeded) {
        try state.withLock { state throws(Exceeded) in
            if let exceeded = state.exceeded { throw exceeded }
            let index = phase.rawValue
            let (used, overflow) = state.used[index].addingReportingOverflow(steps)
            state.used[index] = overflow ? .max : used
            if overflow || used > work[index] { try fail(.work(work[index]), phase, &state) }
            state.stepsSinceLook += min(steps, Self.stepsBetweenClockReads)
            if state.stepsSinceLook >= Self.stepsBetweenClockReads { try look(phase, &state) }
        }
    }

    /// Counts bytes that are held from now on.
    package func hold(bytes count: Int, for phase: Phase) throws(Exceeded) {
        try state.withLock { state throws(Exceeded) in
            if let exceeded = state.exceeded { throw exceeded }
            let (held, overflow) = state.held.addingReportingOverflow(count)
            if overflow || held > bytes { try fail(.bytes(bytes), phase, &state) }
            state.held = held
        }
    }

    /// Gives bytes back.
    package func release(bytes count: Int) {
        state.withLock { $0.held -= count }
    }

    /// How many bytes are held now.
    package var bytesHeld: Int { state.withLock { $0.held } }

    /// Looks at the clock now: before and after a call that counts nothing itself.
    package func look(in phase: Phase) throws(Exceeded) {
        try state.withLock { state throws(Exceeded) in
            if let exceeded = state.exceeded { throw exceeded }
            try look(phase, &state)
        }
    }

    /// Takes note of the CPU time so far, where a thread is about to be left.
    package func note() {
        state.withLock { _ = $0.clock.read() }
    }

    /// What ran out, if anything did.
    package var exceeded: Exceeded? {
        hasExceeded.load(ordering: .acquiring) ? state.withLock { $0.exceeded } : nil
    }

    /// How many steps a phase has taken, for tests of how work grows.
    package func steps(of phase: Phase) -> Int { state.withLock { $0.used[phase.rawValue] } }

    /// The CPU time that is left; zero when it is over.
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

/// The CPU time of whichever thread reads it, summed over the threads that did.
///
/// A load hops between its caller's thread and the Lua state's, one at a time; what other threads of the process do in the
/// meantime is none of its business. What a thread used between two readings counts only when both were its own, so a hop
/// loses at most what passed since the last look.
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
        // No budget is named by a user, so its clock counts what a release would have used, and messages and what is
        // left are the same in each build.
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
