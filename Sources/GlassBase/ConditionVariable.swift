#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A condition variable: threads that hold a `Lock` sleep on it until another thread wakes them.
///
/// ```swift
/// lock.withLock { while !isDone { done.wait(lock) } }
/// lock.withLock { isDone = true }
/// done.broadcast()
/// ```
///
/// Only a lock without a value can be released in the middle of its critical section: during the wait, other threads
/// change what the lock guards, which exclusive `inout` access to a value forbids. A lock may have several conditions.
package final class ConditionVariable: @unchecked Sendable {  // pthread conditions are thread-safe
    // On the heap, because a pthread condition must not move.
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    /// Creates a condition.
    package init() {
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        requireMade(pthread_cond_init(condition, nil), "pthread_cond_init")
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Releases the lock, sleeps until `broadcast()`, and reacquires the lock. May wake up spuriously, so test the
    /// condition in a loop.
    package func wait(_ lock: Lock<Void>) {
        pthread_cond_wait(condition, lock.mutex)
    }

    /// Wakes all waiting threads.
    package func broadcast() {
        pthread_cond_broadcast(condition)
    }
}
