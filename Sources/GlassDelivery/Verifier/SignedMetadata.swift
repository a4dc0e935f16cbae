import GlassBase

/// A metadata file as received: what is signed, and by whom it says it is (specification 1.0, section 4.2).
struct SignedMetadata: Sendable {
    /// The signed part.
    let signed: MetadataFields
    /// What the signatures are over.
    let canonical: [UInt8]
    /// The signatures by key id; nil is one that is no hexadecimal text.
    let signatures: ExactMap<[UInt8]?>
    /// The version.
    let version: Int
    /// Until when it is valid.
    let expires: UpdateTime

    /// Reads a file.
    init(_ bytes: [UInt8], role: String, type: UpdateRole, limit: Int) throws(MetadataError) {
        guard bytes.count <= limit else {
            throw MetadataError(role, .tooLarge, "the file has more than \(limit.grouped) bytes")
        }
        let json: StrictJSON
        do throws(StrictJSONError) {
            // Beside the signed part stands what anyone wrote, and writers of metadata may: any number is right there.
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
            // Counted once would do; but no writer repeats one, and each bug of this kind began with a repeated id.
            let bytes = [UInt8](hexadecimal: try signature.string("sig"))
            guard signatures.insert(bytes, for: UTF8Key(keyID)) else {
                throw file.malformed("the key \(keyID) signed twice")
            }
        }
        self.signatures = signatures
        canonical = signed.json.canonical()
    }

    /// Checks that the format is of a version 1, the only one there is (section 4.3).
    private static func checkSpecification(_ signed: MetadataFields) throws(MetadataError) {
        let text = try signed.string("spec_version")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count),
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } && !$0.isEmpty })
        else { throw signed.malformed("spec_version is no version such as 1.0.31") }
        guard parts[0] == "1" else {
            throw MetadataError(signed.role, .unsupported, "it is written for version \(text) of the specification")
        }
    }

    /// Checks that enough keys of a role signed. The one place where signatures are counted, for all roles.
    func verify(_ role: RoleKeys, of authority: String) throws(MetadataError) {
        // Keys, not ids or signatures: one key with two ids, or that signs twice, is one key
        // (CVE-2020-6174, CVE-2020-15093, CVE-2026-6966). They are few, so a list finds one as fast as a set.
        var signers: [[UInt8]] = []
        for (id, key) in role.keys.pairs {
            // Enough are enough: the rest need not be verified.
            guard signers.count < role.threshold else { return }
            guard let signature = signatures[id] ?? nil, let key = key.verifying else { continue }
            guard !signers.contains(key.identity) else { continue }
            if key.verifies(signature, of: canonical) { signers.append(key.identity) }
        }
        guard signers.count >= role.threshold else {
            throw MetadataError(
                signed.role, version: version, .unsigned,
                "\(signers.count) of the \(role.threshold) keys that must sign did, by \(authority)")
        }
    }

    /// Checks that it is valid after a time.
    func checkExpiry(at now: UpdateTime) throws(MetadataError) {
        guard expires > now else {
            throw MetadataError(signed.role, version: version, .expired, "it was valid until \(expires)")
        }
    }
}

/// Who signs for a role, and how many of them must.
package struct RoleKeys: Sendable, Equatable {
    /// The keys by their ids. An id without a key is missing: it counts for nothing.
    let keys: ExactMap<UpdateKey>
    /// The ids as listed.
    package let keyIDs: [String]
    /// How many keys must sign.
    package let threshold: Int

    /// Reads a role.
    init(_ fields: MetadataFields, keys known: ExactMap<UpdateKey>) throws(MetadataError) {
        keyIDs = try fields.strings("keyids")
        threshold = try fields.integer("threshold", atLeast: 1)
        var keys = ExactMap<UpdateKey>()
        var ids = Numbering<UTF8Key>()
        for id in keyIDs {
            let id = UTF8Key(id)
            guard ids.insert(id).isNew else { throw fields.malformed("\(fields.place).keyids has an id twice") }
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
