import GlassBase
import Dispatch
import GlassDeepLinking

/// Waits for asynchronous work on a thread that may block: the owner thread of a Lua state, or a command's own thread.
package enum BlockingCall {
    /// Runs the work in a task of its own and waits for it.
    package static func result<Value: Sendable>(
        within limit: Duration? = nil, _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let outcome = Lock<Result<Value, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        let task = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
            done.signal()
        }
        if let limit {
            let nanoseconds = Int(min(limit / .nanoseconds(1), Double(Int32.max) * 1e9))
            if done.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .timedOut {
                task.cancel()
                // Canceled work ends with a result or an error, too.
                done.wait()
            }
        } else {
            done.wait()
        }
        guard let result = outcome.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
