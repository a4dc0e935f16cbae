import GlassBase
import LuaBridge

/// Ends the load of a market whose result nobody wants any more: the Lua that runs stops at once.
///
/// What the load returns then is no use, because it says that the market took too much time.
package final class LoadCancellation: Sendable {
    private let state = Lock(Contents())

    private struct Contents: Sendable {
        var isInterrupted = false
        var running: LuaState?
    }

    /// Creates an interruption that has not happened.
    package init() {}

    /// Whether it has happened.
    package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Ends the load that runs, and each that begins with this interruption. From any thread.
    package func interrupt() {
        let running = state.withLock { contents in
            contents.isInterrupted = true
            return contents.running
        }
        running?.interrupt()
    }

    /// Runs a body in which a Lua state may be interrupted.
    func during<Result>(_ running: LuaState, _ body: () throws -> Result) rethrows -> Result {
        let isInterrupted = state.withLock { contents in
            contents.running = running
            return contents.isInterrupted
        }
        defer { state.withLock { $0.running = nil } }
        if isInterrupted { running.interrupt() }
        return try body()
    }
}
