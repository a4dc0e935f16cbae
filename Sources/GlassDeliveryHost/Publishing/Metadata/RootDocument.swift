package import GlassBase
package import GlassDelivery

/// Root metadata as the publisher works on it: who signs for which role.
package struct RootDocument: Sendable, Equatable {
    /// Its version.
    package var version: Int
    /// When it expires, as written.
    package var expires: String
    /// The keys of each role.
    package var roles: [UpdateRole: RoleKeys]
    /// Members that this program does not know stay as they are.
    private let others: StrictJSON

    /// Begins the first root.
    package init(roles: [UpdateRole: RoleKeys], expires: String) {
        version = 1
        self.expires = expires
        self.roles = roles
        others = .empty
    }

    /// Reads root metadata.
    package init(_ signed: StrictJSON, _ name: String) throws(PublishingError) {
        guard signed["_type"]?.stringValue == "root", let version = signed["version"]?.intValue,
            let expires = signed["expires"]?.stringValue
        else { throw .impossible("\(name) is no root metadata") }
        guard signed["consistent_snapshot"]?.boolValue == true else {
            throw .impossible("\(name) is of a repository without consistent snapshots, which cannot be published to")
        }
        self.version = version
        self.expires = expires
        others = signed
        roles = [:]
        for role in UpdateRole.allCases {
            guard let entry = signed["roles"]?[role.rawValue], let threshold = entry["threshold"]?.intValue,
                let ids = entry["keyids"]?.arrayValue
            else { throw .impossible("\(name) has no keys for the role \(role.rawValue)") }
            let entries = ids.compactMap(\.stringValue).compactMap { id in
                signed["keys"]?[id].map { RoleKeys.Entry(id: id, json: $0) }
            }
            roles[role] = RoleKeys(entries, threshold: threshold)
        }
    }

    /// The keys of a role.
    package subscript(role: UpdateRole) -> RoleKeys {
        get { roles[role] ?? RoleKeys([], threshold: 1) }
        set { roles[role] = newValue }
    }

    /// What is signed.
    package var signed: StrictJSON {
        var keys: [String: StrictJSON] = [:]
        for role in roles.values {
            for entry in role.entries { keys[entry.id] = entry.json }
        }
        let roles = UpdateRole.allCases.map { role in
            let entry = self[role]
            return (
                role.rawValue,
                StrictJSON.object([
                    ("keyids", .array(entry.entries.map { .string($0.id) })), ("threshold", .integer(entry.threshold)),
                ])
            )
        }
        return others.replacing([
            ("_type", .string("root")), ("spec_version", .string(MetadataForm.specification)),
            ("consistent_snapshot", .boolean(true)), ("version", .integer(version)), ("expires", .string(expires)),
            ("keys", .object(keys.map { ($0.key, $0.value) })), ("roles", .object(roles)),
        ])
    }

    /// Refuses what makes thresholds and the separation of roles worthless.
    package func check() throws(PublishingError) {
        var owners: [String: UpdateRole] = [:]
        for role in UpdateRole.allCases {
            let keys = self[role]
            guard keys.threshold >= 1, Set(keys.entries.map(\.json.publicText)).count >= keys.threshold else {
                throw .refused(
                    "the role \(role.rawValue) has \(keys.entries.count) keys and needs \(keys.threshold) to sign; "
                        + "name more keys, or a lower threshold")
            }
            for entry in keys.entries {
                if let other = owners.updateValue(role, forKey: entry.json.publicText), other != role {
                    throw .refused(
                        "the roles \(other.rawValue) and \(role.rawValue) share the key \(entry.id.prefix(8))…; "
                            + "give each role keys of its own")
                }
            }
        }
    }
}

extension StrictJSON {
    /// What a key is, whatever its id.
    fileprivate var publicText: String {
        self["keyval"]?["public"]?.stringValue ?? String(decoding: text(), as: UTF8.self)
    }
}

/// What all metadata that is written has in common.
enum MetadataForm {
    /// The version of the specification that the files follow.
    static let specification = "1.0.31"
}
