import CLuaShims
import GlassBase
import Synchronization

/// The one thread that a Lua state lives on, and the queue of work for it.
///
/// Lua recurses in C, so the stack has a size of our own choosing instead of whatever the caller's thread has.
final class OwnerThread: @unchecked Sendable {  // two locks; the rest is the thread's own
    // Proof: `jobs`, `isClosing`, `isWaiting` and, once the thread has started, `onClose` are read and written under
    // `lock`; `isClosed`, and whether a job is finished, under `ending`; `onStart` is set before the thread starts and then
    // used on it alone. A job's work runs on the thread, after `lock` gave it away and before `ending` says that it is
    // finished. The closing work belongs to whoever takes it under `lock`: the thread when it ends, or a caller of
    // `closeAndWait()` while the thread waits; the thread then does not touch the state again.

    private final class Job {
        private var work: (() -> Void)?
        var isFinished = false

        init(_ work: @escaping () -> Void) {
            self.work = work
        }

        /// Runs the work and lets go of it: the caller only lends its closure.
        func run() {
            let work = work
            self.work = nil
            work?()
        }
    }

    static let stackSize = 16 * 1024 * 1024

    // Two locks, and news told after a lock is given up: whoever wakes up finds free what it takes next. Each time that it
    // did not would cost two changes of threads more.
    private let lock = Lock()
    private let posted = Condition()
    private let ending = Lock()
    private let finished = Condition()
    private var jobs: [Job] = []
    /// The number of the thread that has the state; 0 before there is one and after the state is closed.
    private let identity = Atomic<UInt>(0)
    private var isClosing = false
    /// Whether the thread waits for work.
    private var isWaiting = false
    private var isClosed = false
    private var onStart: (() -> Void)?
    private var onClose: (() -> Void)?

    /// Starts the thread. It ends after `close()`, when no work is left.
    static func start(
        onStart: @escaping () -> Void, onClose: @escaping () -> Void
    ) -> (thread: OwnerThread, error: Int32) {
        let thread = OwnerThread()
        thread.onStart = onStart
        thread.onClose = onClose
        let context = Unmanaged.passRetained(thread)
        let error = glua_thread_start(
            stackSize,
            { context in
                guard let context else { return }
                Unmanaged<OwnerThread>.fromOpaque(context).takeRetainedValue().main()
            },
            context.toOpaque()
        )
        if error != 0 { context.release() }
        return (thread, error)
    }

    var isCurrent: Bool { identity.load(ordering: .relaxed) == UInt(glua_thread_current()) }

    /// Runs the work on the thread and waits for it; at once when this is the thread.
    func run(_ work: () -> Void) -> Bool {
        if isCurrent {
            work()
            return true
        }
        return withoutActuallyEscaping(work) { work in
            let job = Job(work)
            guard append(job) else { return false }
            ending.withLock {
                while !job.isFinished { finished.wait(ending) }
            }
            return true
        }
    }

    /// Runs the work on the thread when its turn comes; does not wait.
    func post(_ work: @escaping @Sendable () -> Void) -> Bool {
        append(Job(work))
    }

    private func append(_ job: Job) -> Bool {
        let isOpen = lock.withLock {
            guard !isClosing else { return false }
            jobs.append(job)
            return true
        }
        posted.broadcast()
        return isOpen
    }

    /// Lets the thread end when its queue is empty; does not wait.
    func close() {
        lock.withLock { isClosing = true }
        posted.broadcast()
    }

    /// Ends the thread, and returns when the closing work is done.
    ///
    /// When the thread only waits for work, the caller does the closing work itself and does not wait for the thread:
    /// waking it and being woken by it takes longer than closing a small state.
    func closeAndWait() {
        var onClose = lock.withLock { () -> (() -> Void)? in
            isClosing = true
            guard isWaiting, jobs.isEmpty, let onClose = self.onClose else { return nil }
            self.onClose = nil
            identity.store(UInt(glua_thread_current()), ordering: .relaxed)
            return onClose
        }
        posted.broadcast()
        if onClose != nil { return finish(&onClose) }
        ending.withLock {
            while !isClosed { finished.wait(ending) }
        }
    }

    /// Does the closing work and lets go of it before anybody hears of the end, since it holds what the state called.
    private func finish(_ onClose: inout (() -> Void)?) {
        onClose?()
        onClose = nil
        ending.withLock {
            isClosed = true
            // A later thread may get the same number.
            identity.store(0, ordering: .relaxed)
        }
        finished.broadcast()
    }

    private func main() {
        identity.store(UInt(glua_thread_current()), ordering: .relaxed)
        onStart?()
        onStart = nil
        while let job = next() {
            job.run()
            ending.withLock { job.isFinished = true }
            finished.broadcast()
        }
        var onClose = lock.withLock { () -> (() -> Void)? in
            defer { self.onClose = nil }
            return self.onClose
        }
        if onClose != nil { finish(&onClose) }
    }

    private func next() -> Job? {
        lock.withLock {
            isWaiting = true
            while jobs.isEmpty && !isClosing { posted.wait(lock) }
            isWaiting = false
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}
