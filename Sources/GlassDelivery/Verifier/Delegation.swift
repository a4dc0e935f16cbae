import Crypto
import GlassBase

/// A role to which a targets file delegates some of the paths (specification 1.0, section 4.5).
package struct Delegation: Sendable, Equatable {
    /// The paths that are delegated to a role.
    package enum Paths: Sendable, Equatable {
        /// The paths that match any of these patterns.
        case patterns([String])
        /// The paths whose SHA-256 digest starts with any of these hexadecimal prefixes.
        case hashPrefixes([String])
    }

    /// The name of the role.
    package let name: String
    /// The keys that sign for it.
    package let keys: RoleKeys
    /// Whether the search for a path that the role covers ends with it, so that later roles are not consulted.
    package let isTerminating: Bool
    /// The delegated paths.
    package let paths: Paths

    /// Decodes the delegations of a targets file.
    static func all(of fields: MetadataFields) throws(MetadataError) -> [Delegation] {
        if fields.json["succinct_roles"] != nil {
            throw MetadataError(fields.role, .unsupported, "it delegates to succinct roles")
        }
        let keys = try fields.keys()
        var names = InternTable<UTF8Key>()
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
        // Its file is stored next to those of the four top-level roles, including on disks that ignore the case of
        // names.
        guard !name.isEmpty, UpdateRole(rawValue: name.lowercased()) == nil else {
            throw fields.malformed("it delegates to a role with the invalid name \"\(name)\"")
        }
        keys = try RoleKeys(fields, keys: known)
        isTerminating = try fields.boolean("terminating")
        switch (fields.json["paths"], fields.json["path_hash_prefixes"]) {
        case (.some, nil): paths = .patterns(try fields.strings("paths"))
        case (nil, .some): paths = .hashPrefixes(try fields.strings("path_hash_prefixes"))
        default: throw fields.malformed("the role \(name) must have either paths or path_hash_prefixes")
        }
    }

    /// Whether a path is delegated to the role.
    package func covers(_ path: String) -> Bool {
        switch paths {
        case .patterns(let patterns): return patterns.contains { PathPattern.matches(path, $0) }
        case .hashPrefixes(let prefixes):
            let digest = SHA256.hash(data: Array(path.utf8)).hexadecimal
            return prefixes.contains { digest.utf8.starts(with: $0.utf8) }
        }
    }
}
