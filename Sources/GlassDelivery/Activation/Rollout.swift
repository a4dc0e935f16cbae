import Crypto

/// A percentage of installations that gets a version before all others.
package struct Rollout: Sendable, Hashable {
    /// The number of buckets: one bucket is a hundredth of a percent.
    package static let buckets = 10_000

    /// Assigns installations to buckets; a different salt assigns them differently.
    package let salt: String
    /// The number of buckets that get the version.
    package let share: Int

    /// Creates a rollout.
    package init(salt: String, share: Int) {
        self.salt = salt
        self.share = share
    }

    /// The bucket of an installation.
    ///
    /// Increasing the share of the same salt adds installations and removes none.
    package static func bucket(of install: String, salt: String) -> Int {
        let digest = SHA256.hash(data: Array(salt.utf8) + [0] + Array(install.utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number.multipliedFullWidth(by: UInt64(buckets)).high)
    }

    /// Whether an installation gets the version.
    package func includes(_ install: String) -> Bool { Self.bucket(of: install, salt: salt) < share }
}
