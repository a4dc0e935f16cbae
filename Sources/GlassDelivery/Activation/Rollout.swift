import Crypto

/// A share of installations that gets a version before all others do.
package struct Rollout: Sendable, Hashable {
    /// The number of buckets: a share is in hundredths of a percent.
    package static let buckets = 10_000

    /// Deals the installations to buckets; another salt deals anew.
    package let salt: String
    /// How many buckets get the version.
    package let share: Int

    /// Describes a share.
    package init(salt: String, share: Int) {
        self.salt = salt
        self.share = share
    }

    /// The bucket of an installation.
    ///
    /// A larger share of the same salt adds installations and takes none away.
    package static func bucket(of install: String, salt: String) -> Int {
        let digest = SHA256.hash(data: Array(salt.utf8) + [0] + Array(install.utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number.multipliedFullWidth(by: UInt64(buckets)).high)
    }

    /// Whether an installation gets the version.
    package func includes(_ install: String) -> Bool { Self.bucket(of: install, salt: salt) < share }
}
