import Dispatch
import GlassDeepLinking

/// Waits for asynchronous work on a thread that belongs to one script and may block: the owner thread of a Lua state.
enum BlockingCall {
    /// Runs the work in a task of its own and waits.
    ///
    /// - Parameter body: The work.
    /// - Returns: What it returned.
    /// - Throws: What it threw.
    static func result<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Lock<Result<Value, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = outcome.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
