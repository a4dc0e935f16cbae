/// What the program that embeds the platform decides about stored values.
public struct StorageHost: Sendable {
    /// How long a read or write waits for a file that another process has locked.
    public var busyTimeout: Duration = .seconds(5)
    /// The most bytes that the values may take; a write that would leave more is refused. What is removed makes room.
    public var maximumBytes = 64 * 1024 * 1024
    /// How often other processes' commits are looked for while somebody reads changes.
    public var pollInterval: Duration = .milliseconds(250)
    /// Told when a damaged file was set aside, an open one was replaced, or a stored preference no longer fits.
    ///
    /// Called inside the call that found it, under no lock.
    public var onIssue: (@Sendable (StorageIssue) -> Void)?

    /// Whether files may be locked now; copies of the host share it.
    package let suspension = StorageSuspension()

    /// Creates a host with the defaults.
    public init() {}
}
