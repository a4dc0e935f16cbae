/// How much of what a server sends is taken. The specification leaves the sizes to the application (1.0, section 5).
///
/// Sizes count after decompression.
package struct UpdateLimits: Sendable, Equatable {
    /// How many new roots one refresh takes; the rest waits for the next.
    package var rootRotations = 256
    /// How many delegated roles a search visits.
    package var delegations = 32
    /// The bytes of a root.
    package var rootLength = 128 * 1024
    /// The bytes of a timestamp.
    package var timestampLength = 16 * 1024
    /// The bytes of a snapshot of which the timestamp lists no length.
    package var snapshotLength = 256 * 1024
    /// The bytes of a targets file of which the snapshot lists no length.
    package var targetsLength = 1024 * 1024
    /// The bytes of a file that targets list.
    package var fileLength = 256 * 1024
    /// The bytes of a whole refresh.
    package var refreshLength = 2 * 1024 * 1024
    /// How long a whole refresh takes at most.
    package var refreshTime = Duration.seconds(30)
    /// How long a server may be silent.
    package var silence = Duration.seconds(10)
    /// How often a request is made at most, if it fails for a reason that may pass.
    package var tries = 3

    /// Creates the limits for phones.
    package init() {}

    /// The limits of python-tuf, for repositories of any size: those that its client and the suites of others work with.
    package static let wide: UpdateLimits = {
        var limits = UpdateLimits()
        limits.rootLength = 512_000
        limits.timestampLength = 16_384
        limits.snapshotLength = 2_000_000
        limits.targetsLength = 5_000_000
        limits.fileLength = 64 * 1024 * 1024
        limits.refreshLength = 256 * 1024 * 1024
        limits.refreshTime = .seconds(300)
        limits.silence = .seconds(30)
        return limits
    }()

    /// The bytes of a role's file of which no length is listed.
    package func length(of role: String) -> Int {
        switch UpdateRole(rawValue: role) {
        case .root: rootLength
        case .timestamp: timestampLength
        case .snapshot: snapshotLength
        case .targets, nil: targetsLength
        }
    }
}
