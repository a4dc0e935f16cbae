import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs `body` on `count` separate threads, all released at once, and waits for them.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [pthread_t] = []
    let ready = Gate(count)
    for index in 0..<count { spawn(Start(index, ready, body)) { threads.append($0) } }
    for thread in threads { pthread_join(thread, nil) }
}

/// The start parameters of a thread.
private final class Start: Sendable {
    let index: Int
    let ready: Gate
    let body: @Sendable (Int) -> Void

    init(_ index: Int, _ ready: Gate, _ body: @escaping @Sendable (Int) -> Void) {
        self.index = index
        self.ready = ready
        self.body = body
    }
}

private func spawn(_ start: Start, _ use: (pthread_t) -> Void) {
    let start = Unmanaged.passRetained(start).toOpaque()
    #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(
            &thread, nil,
            { pointer in
                let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
                start.ready.arrive()
                start.body(start.index)
                return nil
            }, start)
        precondition(status == 0, "The system could not create a thread (error \(status)).")
        use(thread!)
    #else
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { pointer in
                let start = Unmanaged<Start>.fromOpaque(pointer!).takeRetainedValue()
                start.ready.arrive()
                start.body(start.index)
                return nil
            }, start)
        precondition(status == 0, "The system could not create a thread (error \(status)).")
        use(thread)
    #endif
}

/// The same for asynchronous tests, without blocking the threads of tasks.
public func awaitThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
    await withCheckedContinuation { continuation in
        spawn(
            Start(0, Gate(1)) { _ in
                onThreads(count, body)
                continuation.resume()
            }
        ) { pthread_detach($0) }
    }
}

/// Blocks threads until a number of them has arrived.
public final class Gate: Sendable {
    private let missing: Atomic<Int>

    /// Creates a gate.
    ///
    /// - Parameter count: The number of threads that must arrive.
    public init(_ count: Int) {
        missing = Atomic(count)
    }

    /// Waits until all have arrived.
    public func arrive() {
        missing.subtract(1, ordering: .sequentiallyConsistent)
        while missing.load(ordering: .sequentiallyConsistent) > 0 { sched_yield() }
    }
}
