#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A mutual exclusion lock over `pthread_mutex_t`, at an address of its own, which ThreadSanitizer understands.
final class Lock: @unchecked Sendable {
    // The only state is the mutex, which exists to be used from several threads.

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "The system could not make a mutex (error \(status)).")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` while no other thread runs one under this lock. Not recursive; `body` must not call user code.
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Gives the lock up until `condition` is signalled, then takes it again. Call inside `withLock`.
    fileprivate func wait(for condition: UnsafeMutablePointer<pthread_cond_t>) {
        pthread_cond_wait(condition, mutex)
    }
}

/// What threads that hold a `Lock` sleep on until another thread has news for them.
final class Condition: @unchecked Sendable {
    // The only state is the condition variable, which exists to be used from several threads.

    private let condition: UnsafeMutablePointer<pthread_cond_t>

    init() {
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        let status = pthread_cond_init(condition, nil)
        precondition(status == 0, "The system could not make a condition variable (error \(status)).")
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Sleeps until `broadcast()`, or spuriously less; call while holding `lock` and check in a loop.
    func wait(_ lock: Lock) {
        lock.wait(for: condition)
    }

    /// Wakes every sleeper.
    func broadcast() {
        pthread_cond_broadcast(condition)
    }
}
