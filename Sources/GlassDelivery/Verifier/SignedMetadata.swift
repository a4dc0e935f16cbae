import GlassBase

/// A metadata file as received: the signed part and its claimed signatures (specification 1.0, section 4.2).
struct SignedMetadata: Sendable {
    /// The signed part.
    let signed: MetadataFields
    /// The bytes that the signatures cover.
    let canonical: [UInt8]
    /// The signatures by key id; `nil` if a signature is not in hexadecimal digits.
    let signatures: ExactMap<[UInt8]?>
    /// The version.
    let version: Int
    /// The time at which it expires.
    let expires: UpdateTime

    /// Reads a file.
    init(_ bytes: [UInt8], role: String, type: UpdateRole, limit: Int) throws(MetadataError) {
        guard bytes.count <= limit else {
            throw MetadataError(role, .tooLarge, "the file has more than \(limit.grouped) bytes")
        }
        let json: StrictJSON
        do throws(StrictJSONError) {
            // Anyone can add members outside the signed part, and so can the writers of metadata, so any number is
            // valid there.
            json = try StrictJSON(reading: bytes, limit: limit, numbers: .all)
        } catch {
            throw MetadataError(role, .malformed, "\(error)")
        }
        let file = try MetadataFields(json, role: role, place: "file")
        signed = try file.object("signed")
        guard !signed.json.hasFractions else {
            throw signed.malformed(
                "the signed part has a number with a fraction or an exponent, which cannot be signed")
        }
        guard try signed.string("_type") == type.rawValue else {
            throw signed.malformed("the file is not for the role \(type.rawValue)")
        }
        try Self.checkSpecification(signed)
        version = try signed.integer("version", atLeast: 1)
        expires = try signed.time("expires")
        var signatures = ExactMap<[UInt8]?>()
        for value in try file.array("signatures") {
            let signature = try MetadataFields(value, role: role, place: "signatures")
            let keyID = try signature.string("keyid")
            // Counting such a signature once would suffice. But no writer repeats a key id, and every vulnerability of
            // this kind started with a repeated one.
            let bytes = [UInt8](hexadecimal: try signature.string("sig"))
            guard signatures.insert(bytes, for: UTF8Key(keyID)) else {
                throw file.malformed("the key \(keyID) signed twice")
            }
        }
        self.signatures = signatures
        canonical = signed.json.canonical()
    }

    /// Checks that the major version of the format is 1, the only existing one (section 4.3).
    private static func checkSpecification(_ signed: MetadataFields) throws(MetadataError) {
        let text = try signed.string("spec_version")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count),
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } && !$0.isEmpty })
        else { throw signed.malformed("spec_version is not a version such as 1.0.31") }
        guard parts[0] == "1" else {
            throw MetadataError(signed.role, .unsupported, "it is written for version \(text) of the specification")
        }
    }

    /// Checks that enough keys of a role signed. Signatures are counted only here, for all roles.
    func verify(_ role: RoleKeys, of authority: String) throws(MetadataError) {
        // Count keys, not ids or signatures: a key with two ids, or one that signs twice, is a single key
        // (CVE-2020-6174, CVE-2020-15093, CVE-2026-6966). There are few keys, so searching a list is as fast as
        // searching a set.
        var signers: [[UInt8]] = []
        for (id, key) in role.keys.pairs {
            // Once the threshold is reached, the other signatures need no verification.
            guard signers.count < role.threshold else { return }
            guard let signature = signatures[id] ?? nil, let key = key.verifying else { continue }
            guard !signers.contains(key.identity) else { continue }
            if key.verifies(signature, of: canonical) { signers.append(key.identity) }
        }
        guard signers.count >= role.threshold else {
            throw MetadataError(
                signed.role, version: version, .unsigned,
                "\(signers.count) of \(role.threshold) required keys signed, according to \(authority)")
        }
    }

    /// Checks that it expires later than a given time.
    func checkExpiry(at now: UpdateTime) throws(MetadataError) {
        guard expires > now else {
            throw MetadataError(signed.role, version: version, .expired, "it was valid until \(expires)")
        }
    }
}

/// The keys that can sign for a role, and the number of them that must.
package struct RoleKeys: Sendable, Equatable {
    /// The keys by id. An id without a key is omitted and counts for nothing.
    let keys: ExactMap<UpdateKey>
    /// The ids as listed.
    package let keyIDs: [String]
    /// The number of keys that must sign.
    package let threshold: Int

    /// Reads a role.
    init(_ fields: MetadataFields, keys known: ExactMap<UpdateKey>) throws(MetadataError) {
        keyIDs = try fields.strings("keyids")
        threshold = try fields.integer("threshold", atLeast: 1)
        var keys = ExactMap<UpdateKey>()
        var ids = InternTable<UTF8Key>()
        for id in keyIDs {
            let id = UTF8Key(id)
            guard ids.insert(id).isNew else { throw fields.malformed("\(fields.place).keyids lists an id twice") }
            if let key = known[id] { keys.insert(key, for: id) }
        }
        self.keys = keys
    }
}

extension MetadataFields {
    /// The keys of the member `keys`.
    func keys() throws(MetadataError) -> ExactMap<UpdateKey> {
        var keys = ExactMap<UpdateKey>()
        for (id, fields) in try object("keys").objects() { keys.insert(try UpdateKey(fields), for: UTF8Key(id)) }
        return keys
    }
}
