import Synchronization

/// One operation of a history, with what came of it: it took effect somewhere between its start and its end.
public struct Recorded<Operation: Sendable>: Sendable {
    /// The thread that did it.
    public let thread: Int
    /// What was done, with the answer.
    public let operation: Operation
    /// When it began: each operation begins and ends at a time of its own.
    public let start: Int
    /// When it ended.
    public let end: Int
}

/// Has threads do random things at once, and records them.
///
/// - Parameters:
///   - operations: How many they do together.
///   - threads: How many threads there are, at most 8.
///   - seed: What each thread's random numbers come from. The same seed gives the same operations in each thread, though not
///     the same order between them.
///   - perform: Does one thing, on the thread that is named, and says what was done and what came of it.
/// - Returns: The operations by their start.
public func recordHistory<Operation: Sendable>(
    operations: Int, threads: Int = 8, seed: UInt64,
    _ perform: @escaping @Sendable (_ thread: Int, _ random: inout SplitMix64) -> Operation
) -> [Recorded<Operation>] {
    precondition(threads <= 8, "A history has a bit for each thread.")
    let clock = Clock()
    let parts = (0..<threads).map { _ in Part<Operation>() }
    onThreads(threads) { thread in
        var random = SplitMix64(state: seed &+ UInt64(thread))
        for _ in 0..<operations / threads {
            let start = clock.tick()
            let operation = perform(thread, &random)
            parts[thread].operations.append(
                Recorded(thread: thread, operation: operation, start: start, end: clock.tick()))
        }
    }
    return parts.flatMap(\.operations).sorted { $0.start < $1.start }
}

/// What one thread did.
private final class Part<Operation: Sendable>: @unchecked Sendable {
    // One thread appends, and who reads has joined it.
    var operations: [Recorded<Operation>] = []
}

private final class Clock: Sendable {
    private let time = Atomic(0)
    func tick() -> Int { time.add(1, ordering: .sequentiallyConsistent).newValue }
}

/// One way in which a history may have gone so far.
private struct Course<State: Hashable>: Hashable {
    let state: State
    /// The threads whose operation has taken effect and not ended: a bit for each.
    let done: UInt8
}

/// Looks for an order in which one thread alone could have done what threads did at once, with the same answers: each
/// operation between its start and its end.
///
/// Goes through the history in the order of time, with all states in which the model can be; an operation is put into the order
/// only when its end, or an answer that ends before, needs it (Lowe, "Testing for linearizability", 2017).
/// - Parameters:
///   - history: The operations.
///   - initial: The model's state before them.
///   - apply: The model's state after an operation; nil where the model would give another answer.
/// - Returns: The first operation whose answer no order explains, or nil.
public func firstInexplicable<Operation, State: Hashable>(
    in history: [Recorded<Operation>], from initial: State, _ apply: (State, Recorded<Operation>) -> State?
) -> Recorded<Operation>? {
    let moments = history.flatMap { [($0.start, $0, true), ($0.end, $0, false)] }.sorted { $0.0 < $1.0 }
    var running: [Int: Recorded<Operation>] = [:]
    var courses: Set = [Course(state: initial, done: 0)]
    for (_, operation, isStart) in moments {
        if isStart {
            running[operation.thread] = operation
            continue
        }
        let ended = UInt8(1) << operation.thread
        var next: Set<Course<State>> = []
        var seen = courses
        var open = Array(courses)
        while let current = open.popLast() {
            if current.done & ended != 0 {
                next.insert(Course(state: current.state, done: current.done & ~ended))
                continue
            }
            for (thread, other) in running where current.done & (1 << thread) == 0 {
                guard let state = apply(current.state, other) else { continue }
                let new = Course(state: state, done: current.done | 1 << thread)
                if seen.insert(new).inserted { open.append(new) }
            }
        }
        if next.isEmpty { return operation }
        courses = next
        running[operation.thread] = nil
    }
    return nil
}
