import Foundation

/// A value that only one thread at a time can reach.
final class Guarded<Value>: @unchecked Sendable {
    // Sendable: `value` is only touched between lock and unlock.
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
