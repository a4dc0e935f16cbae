package import GlassDelivery

/// Makes roots: who signs for which role.
package struct RootCeremony: Sendable {
    /// When the root is signed.
    package let now: UpdateTime

    /// Creates a ceremony.
    package init(now: UpdateTime) {
        self.now = now
    }

    /// How many keys of a role sign unless somebody says otherwise: two of several for the root, so that neither one
    /// person nor one stolen device can replace it, and one for the others.
    package static func threshold(of role: UpdateRole, keys count: Int) -> Int { role == .root && count > 1 ? 2 : 1 }

    /// The first root.
    package func first(
        keys: [UpdateRole: [MetadataKey]], thresholds: [UpdateRole: Int]
    ) throws(PublishingError) -> RootDocument {
        var roles: [UpdateRole: RoleKeys] = [:]
        for role in UpdateRole.allCases {
            let own = keys[role] ?? []
            guard !own.isEmpty else {
                throw .refused(
                    "no key is named for the role \(role.rawValue); name one with --key \(role.rawValue)=FILE")
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

    /// The next root: with other keys, or the same ones signed anew before they expire.
    package func next(
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
                        "\(id.prefix(12)) is \(found.isEmpty ? "no key" : "the beginning of several keys") of the role "
                            + "\(role.rawValue), which has \(ids)")
                }
                next[role].entries.removeAll { $0.id == found[0].id }
            }
            for key in added[role] ?? [] {
                guard !next[role].entries.contains(where: { $0.key == key }) else {
                    throw .refused("the role \(role.rawValue) has the key \(key.id.prefix(12))… already")
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
