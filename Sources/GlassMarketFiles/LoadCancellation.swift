import GlassBase
package import LuaBridge

/// Cancels the load of a market whose result is no longer needed: running Lua code stops at once.
///
/// The result of a canceled load is unusable, because it says that the market exceeded its time limit.
package final class LoadCancellation: Sendable {
    private let state = Lock(Contents())

    private struct Contents: Sendable {
        var isInterrupted = false
        var running: LuaState?
    }

    /// Creates a cancellation that has not been requested yet.
    package init() {}

    /// Whether the cancellation was requested.
    package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Cancels the load that is running, and each later load with this cancellation. Can be called from any thread.
    package func interrupt() {
        let running = state.withLock { contents in
            contents.isInterrupted = true
            return contents.running
        }
        running?.interrupt()
    }

    /// Runs a body during which a Lua state can be interrupted.
    package func during<Result>(_ running: LuaState, _ body: () throws -> Result) rethrows -> Result {
        // One step under the lock: an interruption between registering the state and reading the flag would be lost.
        let isInterrupted = state.withLock { contents in
            contents.running = running
            return contents.isInterrupted
        }
        defer { state.withLock { $0.running = nil } }
        if isInterrupted { running.interrupt() }
        return try body()
    }
}
