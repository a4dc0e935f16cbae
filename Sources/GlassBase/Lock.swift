#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value that one thread at a time may touch; the targets above this one use it too.
///
/// `pthread_mutex_t` and not `Synchronization.Mutex`, because ThreadSanitizer does not see the latter on Linux.
package final class Lock<Value>: @unchecked Sendable {
    // Proof: `value` is read and written between lock and unlock of `mutex` only, and `mutex` never moves: it is on the
    // heap.
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Creates a lock around a value.
    ///
    /// - Parameter value: The value; nobody else keeps a reference to its parts.
    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        let status = pthread_mutex_init(mutex, nil)
        if status != 0 { fatalError("pthread_mutex_init failed with \(status): the system is out of resources") }
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value. `body` must not call out to code that may take this lock again.
    ///
    /// - Parameter body: What to do with the value.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
