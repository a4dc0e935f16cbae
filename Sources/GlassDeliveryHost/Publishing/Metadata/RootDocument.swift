import GlassBase
import GlassDelivery

/// Root metadata in the form that the publisher edits: the keys that sign for each role.
struct RootDocument: Sendable, Equatable {
    var version: Int
    /// The expiration time, as written.
    var expires: String
    /// The keys of each role.
    var roles: [UpdateRole: RoleKeys]
    /// The unknown members, which are preserved.
    private let others: StrictJSON

    /// Creates the first root.
    init(roles: [UpdateRole: RoleKeys], expires: String) {
        version = 1
        self.expires = expires
        self.roles = roles
        others = .empty
    }

    /// Decodes root metadata.
    init(_ signed: StrictJSON, _ name: String) throws(PublishingError) {
        guard signed["_type"]?.stringValue == "root", let version = signed["version"]?.intValue,
            let expires = signed["expires"]?.stringValue
        else { throw .impossible("\(name) is not root metadata") }
        guard signed["consistent_snapshot"]?.boolValue == true else {
            throw .impossible("\(name) is from a repository without consistent snapshots, which publishing requires")
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
    subscript(role: UpdateRole) -> RoleKeys {
        get { roles[role] ?? RoleKeys([], threshold: 1) }
        set { roles[role] = newValue }
    }

    /// The part to sign.
    var signed: StrictJSON {
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

    /// Rejects key lists that defeat the thresholds or the separation of roles.
    func check() throws(PublishingError) {
        var owners: [String: UpdateRole] = [:]
        for role in UpdateRole.allCases {
            let keys = self[role]
            guard keys.threshold >= 1, Set(keys.entries.map(\.json.publicText)).count >= keys.threshold else {
                throw .refused(
                    "the role \(role.rawValue) has \(keys.entries.count) keys, but \(keys.threshold) must sign; "
                        + "name more keys, or a lower threshold")
            }
            for entry in keys.entries {
                if let other = owners.updateValue(role, forKey: entry.json.publicText), other != role {
                    throw .refused(
                        "the roles \(other.rawValue) and \(role.rawValue) share the key \(entry.id.prefix(8))…; "
                            + "give each role its own keys")
                }
            }
        }
    }
}

extension StrictJSON {
    /// The identity of a key, regardless of its id.
    fileprivate var publicText: String {
        self["keyval"]?["public"]?.stringValue ?? String(decoding: text(), as: UTF8.self)
    }
}

/// The common parts of all written metadata.
enum MetadataForm {
    /// The version of the specification that the files conform to.
    static let specification = "1.0.31"
}
