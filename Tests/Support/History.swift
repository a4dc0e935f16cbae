import Synchronization

/// One operation in a history, with its result: it took effect somewhere between its start and its end.
public struct Recorded<Operation: Sendable>: Sendable {
    /// The thread that performed it.
    public let thread: Int
    /// The operation, including its result.
    public let operation: Operation
    /// The time of its start: all starts and ends are distinct.
    public let start: Int
    /// The time of its end.
    public let end: Int
}

/// Performs random operations on several threads at once, and records them.
///
/// - Parameters:
///   - operations: The total number of operations.
///   - threads: The number of threads, at most 8.
///   - seed: The seed for each thread's random numbers. The same seed gives the same operations in each thread, but not
///     the same order between threads.
///   - perform: Performs one operation on the given thread, and returns it with its result.
/// - Returns: The operations, ordered by start.
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

/// The operations of one thread.
private final class Part<Operation: Sendable>: @unchecked Sendable {
    // One thread appends, and it is joined before others read.
    var operations: [Recorded<Operation>] = []
}

private final class Clock: Sendable {
    private let time = Atomic(0)
    func tick() -> Int { time.add(1, ordering: .sequentiallyConsistent).newValue }
}

/// One possible course of a history so far.
private struct Course<State: Hashable>: Hashable {
    let state: State
    /// The threads whose operation has taken effect but not ended, with one bit each.
    let done: UInt8
}

/// Searches for an order in which one thread could have performed the operations of several threads with the same
/// results: each operation takes effect between its start and its end.
///
/// Goes through the history in order of time, with all possible states of the model; an operation is only placed in the
/// order when its end, or a result that ends earlier, requires it (Lowe, "Testing for linearizability", 2017).
///
/// - Parameters:
///   - history: The operations.
///   - initial: The model's state before them.
///   - apply: The model's state after an operation; `nil` if the model would give a different result.
/// - Returns: The first operation whose result no order explains, or `nil`.
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
