import Dispatch
import Foundation

extension Process {
    /// Starts the program.
    ///
    /// Foundation's `waitUntilExit()` looks every 50 ms on Linux whether the program still runs, which is ten times as long
    /// as git takes to answer.
    func start() throws -> DispatchSemaphore {
        let ended = DispatchSemaphore(value: 0)
        terminationHandler = { _ in ended.signal() }
        try run()
        return ended
    }
}
