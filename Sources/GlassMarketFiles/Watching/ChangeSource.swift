/// Notices that a folder may have changed. One thread waits; any thread may stop it.
protocol ChangeSource: AnyObject, Sendable {
    /// Waits until something may have changed.
    func wait(_ limit: Duration?) -> ChangeSourceReport

    /// Ends the wait that is going on and every later one.
    func stop()
}

/// Why a wait for changes ended.
enum ChangeSourceReport: Sendable {
    /// Something may have changed since the last wait.
    case changed
    /// The time is up.
    case quiet
    /// The watch has ended.
    case stopped
}
