/// Detects that a folder may have changed. One thread waits; any thread may stop it.
protocol ChangeSource: AnyObject, Sendable {
    /// Waits until something may have changed, or until the limit has expired.
    func wait(_ limit: Duration?) -> ChangeSourceReport

    /// Ends the current wait and every later one.
    func stop()
}

/// The reason why a wait for changes ended.
enum ChangeSourceReport: Sendable {
    /// Something may have changed since the last wait.
    case changed
    /// The limit has expired.
    case quiet
    /// The watch has ended.
    case stopped
}
