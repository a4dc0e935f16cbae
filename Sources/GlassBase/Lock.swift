// Public because the inlined paths call the system's functions, and the lock stores one of its types.
#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// A value that one thread at a time can access or, without a value, a plain mutex for state that is stored next to it.
///
/// ```swift
/// private let names = Lock<[String]>([])      // the value is inside
/// private let lock = Lock()                   // guards state next to it
/// ```
///
/// Uses `pthread_mutex_t` instead of `Synchronization.Mutex`, because ThreadSanitizer does not see the latter on Linux.
///
/// `@usableFromInline` lets other modules of the package specialize the generic code. Without it they call the
/// unspecialized functions, although these are `@inlinable`.
@usableFromInline
package final class Lock<Value>: @unchecked Sendable {  // `value` is accessed only under `mutex`
    // `mutex` is on the heap, because it must not move.
    @usableFromInline var value: Value
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates a lock around a value.
    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        requireMade(pthread_mutex_init(mutex, nil), "pthread_mutex_init")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value. `body` must not call code that may take this lock again.
    @inlinable
    package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

extension Lock where Value == Void {
    /// Creates a lock for state that is stored next to it.
    package convenience init() {
        self.init(())
    }

    /// Runs `body` while holding the lock. `body` must not call code that may take this lock again.
    @inlinable
    package func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}
