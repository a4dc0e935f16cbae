#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A mutual exclusion lock with two conditions to wait for.
///
/// The system's mutex lives on the heap, because it must not move.
final class Lock: @unchecked Sendable {
    // The pointers never change, and what they point to is made for use from many threads.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let conditions: UnsafeMutablePointer<pthread_cond_t>

    /// What a thread can wait for.
    enum Event: Int {
        case posted = 0
        case finished = 1
    }

    init() {
        mutex = .allocate(capacity: 1)
        conditions = .allocate(capacity: 2)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(conditions, nil)
        pthread_cond_init(conditions + 1, nil)
    }

    deinit {
        pthread_cond_destroy(conditions)
        pthread_cond_destroy(conditions + 1)
        pthread_mutex_destroy(mutex)
        conditions.deallocate()
        mutex.deallocate()
    }

    func withLock<R>(_ body: () -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Gives the lock up until the event is signalled; call it inside `withLock` and test again afterwards.
    func wait(for event: Event) {
        pthread_cond_wait(conditions + event.rawValue, mutex)
    }

    func signal(_ event: Event) {
        pthread_cond_broadcast(conditions + event.rawValue)
    }
}
