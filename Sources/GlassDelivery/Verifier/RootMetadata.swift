package import GlassBase

/// Who signs for which role (specification 1.0, section 4.3).
package struct RootMetadata: Sendable {
    /// The version.
    package let version: Int
    /// Until when it is valid.
    package let expires: UpdateTime
    /// Whether names of files on the server begin with their version or digest.
    package let consistentSnapshot: Bool
    /// The keys of each role, by the role's raw value: the first dictionary by role would have the runtime look for the
    /// conformance of `UpdateRole`, which a first load would notice.
    private let roles: [String: RoleKeys]
    /// The signed part, with members that nobody here knows.
    package let signed: StrictJSON

    /// Decodes a root.
    init(_ file: SignedMetadata) throws(MetadataError) {
        version = file.version
        expires = file.expires
        signed = file.signed.json
        // A root of before consistent snapshots has no such member.
        consistentSnapshot =
            signed["consistent_snapshot"] == nil ? false : try file.signed.boolean("consistent_snapshot")
        let keys = try file.signed.keys()
        let listed = try file.signed.object("roles")
        var roles: [String: RoleKeys] = [:]
        for role in UpdateRole.allCases {
            roles[role.rawValue] = try RoleKeys(listed.object(role.rawValue), keys: keys)
        }
        self.roles = roles
    }

    /// The keys of a role; each of the four has some.
    func keys(of role: UpdateRole) -> RoleKeys {
        guard let keys = roles[role.rawValue] else { preconditionFailure("a root has all four roles") }
        return keys
    }
}
