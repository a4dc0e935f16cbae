import Foundation
import GRDB
import GlassBase

/// Whether the databases of a host may lock files: not while the process is about to be suspended.
///
/// iOS ends a process that is suspended while it holds a lock on a file of an app group (`0xdead10cc`). Open databases
/// follow GRDB's notifications, which are the process's; what is not open yet asks here.
package final class StorageSuspension: Sendable {
    private let state = Lock(false)

    /// Databases may lock files.
    package init() {}

    /// Whether databases must not lock files now.
    package var isSuspended: Bool { state.withLock { $0 } }

    /// Interrupts what holds a lock, and lets nothing take one.
    func suspend() {
        state.withLock { $0 = true }
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Lets databases go on.
    func resume() {
        state.withLock { $0 = false }
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}
