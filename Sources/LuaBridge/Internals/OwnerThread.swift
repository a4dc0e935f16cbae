import CLuaShims
import GlassBase
import Synchronization

/// The one thread that a Lua state lives on, and the queue of work for it.
///
/// Lua recurses in C, so the stack has a size of our own choosing instead of whatever the caller's thread has.
final class OwnerThread: @unchecked Sendable {
    // Proof: every stored variable is read and written under `lock`, but `onClose`, which is set before the thread starts
    // and then used on it alone. A job's work runs on the thread, after the lock gave it away and before the lock says
    // that it is finished.

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

    private let lock = Lock()
    private let posted = Condition()
    private let finished = Condition()
    private var jobs: [Job] = []
    /// The running thread's number; 0 before it runs and after it has ended.
    private let identity = Atomic<UInt>(0)
    private var isClosing = false
    private var isClosed = false
    private var onClose: (() -> Void)?

    /// Starts the thread. It ends after `close()`, when no work is left.
    ///
    /// - Returns: An `errno` value when the system has no thread to give.
    static func start(onClose: @escaping () -> Void) -> (thread: OwnerThread, error: Int32) {
        let thread = OwnerThread()
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
    ///
    /// - Returns: False when the thread has ended or is about to.
    func run(_ work: () -> Void) -> Bool {
        if isCurrent {
            work()
            return true
        }
        return withoutActuallyEscaping(work) { work in
            let job = Job(work)
            return lock.withLock {
                guard !isClosing else { return false }
                jobs.append(job)
                posted.broadcast()
                while !job.isFinished { finished.wait(lock) }
                return true
            }
        }
    }

    /// Runs the work on the thread when its turn comes; does not wait.
    ///
    /// - Returns: False when the thread has ended or is about to.
    func post(_ work: @escaping @Sendable () -> Void) -> Bool {
        lock.withLock {
            guard !isClosing else { return false }
            jobs.append(Job(work))
            posted.broadcast()
            return true
        }
    }

    /// Lets the thread end when its queue is empty; does not wait.
    func close() {
        lock.withLock {
            isClosing = true
            posted.broadcast()
        }
    }

    /// Waits until the thread has closed the state.
    func waitUntilClosed() {
        lock.withLock {
            while !isClosed { finished.wait(lock) }
        }
    }

    private func main() {
        identity.store(UInt(glua_thread_current()), ordering: .relaxed)
        while let job = next() {
            job.run()
            lock.withLock {
                job.isFinished = true
                finished.broadcast()
            }
        }
        onClose?()
        onClose = nil
        lock.withLock {
            isClosed = true
            // A later thread may get the same number.
            identity.store(0, ordering: .relaxed)
            finished.broadcast()
        }
    }

    private func next() -> Job? {
        lock.withLock {
            while jobs.isEmpty && !isClosing { posted.wait(lock) }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}
