/// Limits on the data accepted from a server. The specification leaves the sizes to the application (1.0, section 5).
///
/// Sizes are in bytes, after decompression.
package struct UpdateLimits: Sendable, Equatable {
    /// The maximum number of new roots per refresh. Any others are left to the next refresh.
    package var rootRotations = 256
    /// The maximum number of delegated roles that a search visits.
    package var delegations = 32
    /// The maximum size of a root.
    package var rootLength = 128 * 1024
    /// The maximum size of a timestamp.
    package var timestampLength = 16 * 1024
    /// The maximum size of a snapshot whose length the timestamp does not list.
    package var snapshotLength = 256 * 1024
    /// The maximum size of targets metadata whose length the snapshot does not list.
    package var targetsLength = 1024 * 1024
    /// The maximum size of a file listed in targets metadata.
    package var fileLength = 256 * 1024
    /// The maximum size of a whole refresh.
    package var refreshLength = 2 * 1024 * 1024
    /// The maximum duration of a whole refresh.
    package var refreshTime = Duration.seconds(30)
    /// The maximum time without data from a server.
    package var silence = Duration.seconds(10)
    /// The maximum number of attempts for a request that fails for a temporary reason.
    package var tries = 3

    /// Creates the limits for phones.
    package init() {}

    /// The limits of python-tuf, for repositories of any size. Its client and third-party test suites work with them.
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

    /// The maximum size of a role's file whose length is not listed.
    package func length(of role: String) -> Int {
        switch UpdateRole(rawValue: role) {
        case .root: rootLength
        case .timestamp: timestampLength
        case .snapshot: snapshotLength
        case .targets, nil: targetsLength
        }
    }
}
