import Dispatch
import Foundation

extension Process {
    /// Starts the program. The returned semaphore is signaled when the program ends.
    ///
    /// On Linux, Foundation's `waitUntilExit()` polls every 50 ms, which is ten times as long as git needs to respond.
    func start() throws -> DispatchSemaphore {
        let ended = DispatchSemaphore(value: 0)
        terminationHandler = { _ in ended.signal() }
        try run()
        return ended
    }
}
