import Crypto
import GlassBase

/// A role that a targets file trusts with some of the paths (specification 1.0, section 4.5).
package struct Delegation: Sendable, Equatable {
    /// Which paths a role is trusted with.
    package enum Paths: Sendable, Equatable {
        /// Those that match one of these patterns.
        case patterns([String])
        /// Those whose SHA-256 begins with one of these hexadecimal digits.
        case hashPrefixes([String])
    }

    /// The name of the role.
    package let name: String
    /// Who signs for it.
    package let keys: RoleKeys
    /// Whether roles after it are not asked for the paths that it is trusted with.
    package let isTerminating: Bool
    /// Its paths.
    package let paths: Paths

    /// Decodes the delegations of a targets file.
    static func all(of fields: MetadataFields) throws(MetadataError) -> [Delegation] {
        if fields.json["succinct_roles"] != nil {
            throw MetadataError(fields.role, .unsupported, "it delegates to succinct roles")
        }
        let keys = try fields.keys()
        var names = Numbering<UTF8Key>()
        var delegations: [Delegation] = []
        for value in try fields.array("roles") {
            let role = try MetadataFields(value, role: fields.role, place: "\(fields.place).roles")
            let delegation = try Delegation(role, keys: keys)
            guard names.insert(UTF8Key(delegation.name)).isNew else {
                throw fields.malformed("it delegates to \(delegation.name) twice")
            }
            delegations.append(delegation)
        }
        return delegations
    }

    private init(_ fields: MetadataFields, keys known: ExactMap<UpdateKey>) throws(MetadataError) {
        name = try fields.string("name")
        // Its file stands beside those of the four, on disks that ignore the case of names too.
        guard !name.isEmpty, UpdateRole(rawValue: name.lowercased()) == nil else {
            throw fields.malformed("it delegates to a role of the name \"\(name)\"")
        }
        keys = try RoleKeys(fields, keys: known)
        isTerminating = try fields.boolean("terminating")
        switch (fields.json["paths"], fields.json["path_hash_prefixes"]) {
        case (.some, nil): paths = .patterns(try fields.strings("paths"))
        case (nil, .some): paths = .hashPrefixes(try fields.strings("path_hash_prefixes"))
        default: throw fields.malformed("the role \(name) has not one of paths and path_hash_prefixes")
        }
    }

    /// Whether the role is trusted with a path.
    package func covers(_ path: String) -> Bool {
        switch paths {
        case .patterns(let patterns): return patterns.contains { PathPattern.matches(path, $0) }
        case .hashPrefixes(let prefixes):
            let digest = SHA256.hash(data: Array(path.utf8)).hexadecimal
            return prefixes.contains { digest.utf8.starts(with: $0.utf8) }
        }
    }
}
