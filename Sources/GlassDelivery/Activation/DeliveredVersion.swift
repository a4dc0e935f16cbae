import Crypto

/// A version of a market listed in signed metadata: its bytes, and the metadata about them.
package struct DeliveredVersion: Sendable, Hashable {
    /// The SHA-256 digest of its bytes as 64 hexadecimal digits, which is also its file name in the store.
    package let digest: String
    /// Its path in the repository.
    package let path: String
    /// Its size in bytes.
    package let length: Int
    /// The number that the publisher assigned, if any.
    package let serial: Int?

    /// Creates a version.
    package init(digest: String, path: String, length: Int, serial: Int? = nil) {
        self.digest = digest
        self.path = path
        self.length = length
        self.serial = serial
    }

    /// Creates the version that has the given bytes.
    package init(of bytes: [UInt8], path: String, serial: Int? = nil) {
        self.init(digest: SHA256.hexadecimal(of: bytes), path: path, length: bytes.count, serial: serial)
    }
}
