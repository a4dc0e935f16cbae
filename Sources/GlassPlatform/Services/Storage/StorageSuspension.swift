import Foundation
import GRDB
import GlassBase

/// Determines whether the databases of a host may lock files: not while the process is about to be suspended.
///
/// iOS terminates a process that is suspended while it holds a lock on a file of an app group (`0xdead10cc`). Open
/// databases observe GRDB's notifications, which apply to the whole process. Code that opens a database checks this
/// object.
package final class StorageSuspension: Sendable {
    private let state = Lock(false)

    /// Creates the initial state, in which databases may lock files.
    package init() {}

    /// Whether databases must not lock files now.
    package var isSuspended: Bool { state.withLock { $0 } }

    /// Interrupts operations that hold a lock, and prevents new locks.
    func suspend() {
        state.withLock { $0 = true }
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Resumes the databases.
    func resume() {
        state.withLock { $0 = false }
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}
