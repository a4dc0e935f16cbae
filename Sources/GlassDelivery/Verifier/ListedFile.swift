import Crypto
package import GlassBase

/// The listing of a metadata file in another one: its version, and optionally its length and hashes.
package struct ListedFile: Sendable, Equatable {
    /// The version.
    package let version: Int
    /// The size in bytes, if listed.
    package let length: Int?
    /// The hexadecimal digests by algorithm; empty if none are listed.
    package let hashes: [String: String]

    /// Decodes a listing.
    init(_ fields: MetadataFields) throws(MetadataError) {
        version = try fields.integer("version", atLeast: 1)
        length = fields.json["length"] == nil ? nil : try fields.integer("length", atLeast: 0)
        hashes = fields.json["hashes"] == nil ? [:] : try fields.hashes()
    }

    /// Verifies that bytes match the listing.
    func check(_ bytes: [UInt8], role: String) throws(MetadataError) {
        if let length { try checkLength(of: bytes, length, role: role, version: version) }
        try checkHashes(of: bytes, hashes, role: role, version: version)
    }
}

/// A file listed in targets metadata.
package struct TargetFile: Sendable, Equatable {
    /// Its path, relative to the server's folder of files.
    package let path: String
    /// The size in bytes.
    package let length: Int
    /// The hexadecimal digests by algorithm; at least one.
    package let hashes: [String: String]
    /// The application-specific metadata about the file.
    package let custom: StrictJSON?

    /// Decodes an entry of the member `targets`.
    init(path: String, _ fields: MetadataFields) throws(MetadataError) {
        self.path = path
        length = try fields.integer("length", atLeast: 0)
        hashes = try fields.hashes()
        custom = fields.json["custom"]
    }

    /// Verifies that bytes are this file: its length and every listed hash.
    package func check(_ bytes: [UInt8]) throws(MetadataError) {
        try checkLength(of: bytes, length, role: path, version: nil)
        try checkHashes(of: bytes, hashes, role: path, version: nil)
    }

    /// Its path on the server, relative to the folder of files.
    package func serverPath(consistent: Bool) -> String {
        guard consistent, let hash = hashes["sha256"] ?? hashes.min(by: { $0.key < $1.key })?.value else { return path }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return (parts.dropLast() + ["\(hash).\(parts.last ?? "")"]).joined(separator: "/")
    }
}

extension MetadataFields {
    /// The member `hashes`: at least one algorithm with its digest.
    fileprivate func hashes() throws(MetadataError) -> [String: String] {
        let fields = try object("hashes")
        var hashes: [String: String] = [:]
        for member in fields.json.members ?? [] { hashes[member.key] = try fields.string(member.key) }
        if hashes.isEmpty { throw malformed("\(fields.place) is empty") }
        return hashes
    }
}

private func checkLength(of bytes: [UInt8], _ length: Int, role: String, version: Int?) throws(MetadataError) {
    if bytes.count > length {
        throw MetadataError(
            role, version: version, .tooLarge, "the file has more than the listed \(length.grouped) bytes")
    }
    if bytes.count < length {
        throw MetadataError(
            role, version: version, .hash,
            "the file has \(bytes.count.grouped) bytes instead of the listed \(length.grouped)")
    }
}

private func checkHashes(of bytes: [UInt8], _ hashes: [String: String], role: String, version: Int?)
    throws(MetadataError)
{
    for (algorithm, expected) in hashes.sorted(by: { $0.key < $1.key }) {
        let digest: String
        switch algorithm {
        case "sha256": digest = SHA256.hash(data: bytes).hexadecimal
        case "sha384": digest = SHA384.hash(data: bytes).hexadecimal
        case "sha512": digest = SHA512.hash(data: bytes).hexadecimal
        default:
            throw MetadataError(
                role, version: version, .hash, "its \(algorithm) cannot be checked; use sha256, sha384 or sha512")
        }
        guard digest == expected else {
            throw MetadataError(role, version: version, .hash, "its \(algorithm) differs from the listed one")
        }
    }
}
