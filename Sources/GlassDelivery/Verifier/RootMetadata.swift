package import GlassBase

/// The keys that sign for each role (specification 1.0, section 4.3).
package struct RootMetadata: Sendable {
    /// The version.
    package let version: Int
    /// The time at which it expires.
    package let expires: UpdateTime
    /// Whether the names of files on the server start with their version or digest.
    package let consistentSnapshot: Bool
    /// The keys of each role, by raw value. The first dictionary keyed by `UpdateRole` would make the runtime search
    /// for that type's conformance, which would slow down the first load.
    private let roles: [String: RoleKeys]
    /// The signed part, including unknown members.
    package let signed: StrictJSON

    /// Decodes a root.
    init(_ file: SignedMetadata) throws(MetadataError) {
        version = file.version
        expires = file.expires
        signed = file.signed.json
        // A root that predates consistent snapshots lacks this member.
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

    /// The keys of a role. All four roles are present.
    func keys(of role: UpdateRole) -> RoleKeys {
        guard let keys = roles[role.rawValue] else { preconditionFailure("a root has all four roles") }
        return keys
    }
}
