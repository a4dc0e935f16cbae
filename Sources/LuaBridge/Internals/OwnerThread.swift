import CLuaShims
import GlassBase
import Synchronization

/// The one thread of a Lua state, with its queue of work.
///
/// Lua recurses in C, so the thread has a fixed stack size instead of that of the caller's thread.
final class OwnerThread: @unchecked Sendable {  // two locks; the rest belongs to the thread
    // Proof: `jobs`, `isClosing`, `isWaiting` and, once the thread has started, `onClose` are read and written under
    // `lock`; `isClosed`, and whether a job is finished, under `ending`; `onStart` is set before the thread starts and
    // then used only on it. A job's work runs on the thread, after the job is removed from the queue under `lock` and
    // before it is marked as finished under `ending`. The closing work belongs to the one that takes it under `lock`:
    // the thread when it ends, or a caller of `closeAndWait()` while the thread waits. The thread then does not use the
    // state again.

    private final class Job {
        private var work: (() -> Void)?
        var isFinished = false

        init(_ work: @escaping () -> Void) {
            self.work = work
        }

        /// Runs the work and releases it, because the caller only lends its closure.
        func run() {
            let work = work
            self.work = nil
            work?()
        }
    }

    /// The limits of nested calls in CLuaShims (GLUA_MAX_DEPTH) are chosen for this size.
    static let stackSize = 16 * 1024 * 1024

    // There are two locks, and a condition is signaled after its lock is released, so that the woken thread does not
    // block on the same lock. That would cost two more thread switches each time.
    private let lock = Lock()
    private let posted = ConditionVariable()
    private let ending = Lock()
    private let finished = ConditionVariable()
    private var jobs: [Job] = []
    /// The number of the thread that owns the state; 0 before there is one and after the state is closed.
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

    // Relaxed, because a thread looks only for the number that it stored itself.
    var isCurrent: Bool { identity.load(ordering: .relaxed) == UInt(glua_thread_current()) }

    /// Runs the work on the thread and waits for it. On the thread itself, runs it at once.
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
    /// If the thread is only waiting for work, the caller does the closing work itself, because waking the thread and
    /// being woken by it takes longer than closing a small state.
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

    /// Does the closing work, and releases it before the end is signaled, because it retains what the state called.
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
