/// Identifies the content of a market's files: two markets have the same revision if all of their files are the same.
///
/// It covers the market, its base markets and the files that they include, each with its path relative to the markets
/// folder. It does not cover the values of secrets, which come from elsewhere.
public struct MarketRevision: Sendable, Hashable, CustomStringConvertible {
    /// The SHA-256 digest of the files as 64 hexadecimal digits.
    public let digest: String

    /// The first twelve digits, which are enough to distinguish revisions.
    public var description: String { String(digest.prefix(12)) }

    /// Creates the revision of one compiled market.
    init(digest: String) {
        self.digest = digest
    }

    /// Creates the revision of files.
    package init(_ files: [MarketFile], folder: String) {
        var hash = SHA256Digest()
        for file in files {
            let name = file.file.hasPrefix(folder + "/") ? file.file.dropFirst(folder.count + 1) : file.file[...]
            // Lengths come first, so that one file cannot have the same digest as two.
            for part in [Array(name.utf8), file.bytes] {
                hash.update(withUnsafeBytes(of: UInt64(part.count).bigEndian) { Array($0) })
                hash.update(part)
            }
        }
        digest = hash.hexadecimal()
    }
}
