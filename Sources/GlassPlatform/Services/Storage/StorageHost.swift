/// The program's settings for stored values.
public struct StorageHost: Sendable {
    /// The maximum time that a read or write waits for a file that another process has locked.
    public var busyTimeout: Duration = .seconds(5)
    /// The maximum total size of the values in bytes. A write that would exceed it is rejected; removing values frees
    /// space.
    public var maximumBytes = 64 * 1024 * 1024
    /// The interval between checks for other processes' commits while changes are being read.
    public var pollInterval: Duration = .milliseconds(250)
    /// Receives an issue if a damaged file was renamed, an open file was replaced, or a stored preference no longer
    /// fits.
    ///
    /// It is called during the call that found the issue, without a lock.
    public var onIssue: (@Sendable (StorageIssue) -> Void)?

    /// Determines whether files may be locked now. Copies of the host share it.
    package let suspension = StorageSuspension()

    /// Creates a host with the defaults.
    public init() {}
}
