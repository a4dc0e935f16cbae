import GlassDelivery

/// Creates root metadata, which defines the keys that sign for each role.
struct RootCeremony: Sendable {
    /// The time at which the root is signed.
    let now: UpdateTime

    /// The default number of keys of a role that must sign. It is two for a root with several keys, so that neither one
    /// person nor one stolen device can replace the root, and one for the other roles.
    static func threshold(of role: UpdateRole, keys count: Int) -> Int { role == .root && count > 1 ? 2 : 1 }

    /// Creates the first root.
    func first(
        keys: [UpdateRole: [MetadataKey]], thresholds: [UpdateRole: Int]
    ) throws(PublishingError) -> RootDocument {
        var roles: [UpdateRole: RoleKeys] = [:]
        for role in UpdateRole.allCases {
            let own = keys[role] ?? []
            guard !own.isEmpty else {
                throw .impossible(
                    "the role \(role.rawValue) has no key; name one with --key \(role.rawValue)=FILE")
            }
            try Self.checkOnce(own, role)
            roles[role] = RoleKeys(
                own.map(RoleKeys.Entry.init),
                threshold: thresholds[role] ?? Self.threshold(of: role, keys: own.count))
        }
        let root = RootDocument(roles: roles, expires: MetadataWriter(now: now).expiry(of: .root))
        try root.check()
        return root
    }

    /// Creates the next root, with other keys or with the same keys, renewed before the current root expires.
    func next(
        after root: RootDocument, adding added: [UpdateRole: [MetadataKey]] = [:],
        removing removed: [UpdateRole: [String]] = [:], thresholds: [UpdateRole: Int] = [:]
    ) throws(PublishingError) -> RootDocument {
        var next = root
        next.version += 1
        next.expires = MetadataWriter(now: now).expiry(of: .root)
        for role in UpdateRole.allCases {
            for id in removed[role] ?? [] {
                let found = next[role].entries.filter { $0.id.hasPrefix(id) }
                guard found.count == 1 else {
                    let ids = next[role].entries.map { "\($0.id.prefix(12))…" }.joined(separator: ", ")
                    throw .refused(
                        "\(id.prefix(12)) matches \(found.isEmpty ? "no key" : "several keys") of the role "
                            + "\(role.rawValue), which has \(ids)")
                }
                next[role].entries.removeAll { $0.id == found[0].id }
            }
            for key in added[role] ?? [] {
                guard !next[role].entries.contains(where: { $0.key == key }) else {
                    throw .refused("the role \(role.rawValue) already has the key \(key.id.prefix(12))…")
                }
                next[role].entries.append(RoleKeys.Entry(key))
            }
            if let threshold = thresholds[role] { next[role].threshold = threshold }
        }
        try next.check()
        return next
    }

    private static func checkOnce(_ keys: [MetadataKey], _ role: UpdateRole) throws(PublishingError) {
        guard Set(keys).count == keys.count else {
            throw .refused("a key is named twice for the role \(role.rawValue)")
        }
    }
}
