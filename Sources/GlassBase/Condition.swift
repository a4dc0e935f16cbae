#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What threads that hold a `Lock` sleep on until another thread has news for them.
///
/// ```swift
/// lock.withLock { while !isDone { done.wait(lock) } }
/// lock.withLock { isDone = true }
/// done.broadcast()
/// ```
///
/// Only a lock without a value can be given up in the middle: while one waits, others touch what the lock guards, which a
/// value that is lent `inout` forbids. A lock may have several conditions.
package final class Condition: @unchecked Sendable {  // made to be used from several threads
    // On the heap, because it must not move.
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    /// Creates a condition that nobody waits for.
    package init() {
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        requireMade(pthread_cond_init(condition, nil), "pthread_cond_init")
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Gives the lock up, sleeps until `broadcast()`, or spuriously less, and takes the lock again: test in a loop.
    package func wait(_ lock: Lock<Void>) {
        pthread_cond_wait(condition, lock.mutex)
    }

    /// Wakes every sleeper.
    package func broadcast() {
        pthread_cond_broadcast(condition)
    }
}
