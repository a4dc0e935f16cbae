import Crypto

/// A version of a market that signed metadata listed: which bytes, and what was said about them.
package struct DeliveredVersion: Sendable, Hashable {
    /// The SHA-256 digest of its bytes as 64 hexadecimal digits: its name in the store.
    package let digest: String
    /// Its path in the repository.
    package let path: String
    /// How many bytes it has.
    package let length: Int
    /// The number that the publisher gave it; nil when there was none.
    package let serial: Int?

    /// Describes a version.
    package init(digest: String, path: String, length: Int, serial: Int? = nil) {
        self.digest = digest
        self.path = path
        self.length = length
        self.serial = serial
    }

    /// Describes bytes.
    package init(of bytes: [UInt8], path: String, serial: Int? = nil) {
        self.init(digest: SHA256.hexadecimal(of: bytes), path: path, length: bytes.count, serial: serial)
    }
}
