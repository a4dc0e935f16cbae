import GlassBase

extension TrustedSet {
    /// The result of a search for a path.
    package enum Search: Sendable, Equatable {
        /// A role lists the path.
        case found(TargetFile)
        /// None of the roles that cover the path lists it.
        case absent
        /// The search needs the targets metadata of this role, which is not known yet.
        case needs(role: String, delegatedBy: String)
    }

    /// Whether the known targets metadata of a role is what the snapshot lists, in which case it is not fetched.
    package func hasListedTargets(_ role: String = "targets") -> Bool {
        guard let known = file(of: role), let listed = snapshot?.file(of: role) else { return false }
        return Self.matches(known, listed, role: role)
    }

    /// Accepts the targets metadata that the snapshot lists (section 5.6).
    package mutating func update(targets bytes: [UInt8], now: UpdateTime) throws(MetadataError) {
        let authority = "root \(root.version)"
        targetsFile = try verified(bytes, "targets", keys: root.keys(of: .targets), authority, now: now)
    }

    /// Accepts the targets metadata of a delegated role, for which the same rules apply (section 5.6.7).
    package mutating func update(
        delegated bytes: [UInt8], role: String, delegatedBy delegator: String, now: UpdateTime
    ) throws(MetadataError) {
        guard let delegation = delegation(to: role, by: delegator) else {
            preconditionFailure("a delegated role comes after the role that delegates to it")
        }
        delegatedFiles[UTF8Key(role)] = try verified(bytes, role, keys: delegation.keys, delegator, now: now)
    }

    /// Keeps the known targets metadata, which the snapshot lists.
    package func confirmTargets(
        _ role: String = "targets", delegatedBy delegator: String? = nil, now: UpdateTime
    ) throws(MetadataError) {
        guard let known = file(of: role) else { return }
        let keys = delegator.flatMap { delegation(to: role, by: $0)?.keys } ?? root.keys(of: .targets)
        try known.file.verify(keys, of: delegator ?? "root \(root.version)")
        try known.file.checkExpiry(at: now)
    }

    /// The listing of a role in the snapshot.
    package func listed(_ role: String) throws(MetadataError) -> ListedFile {
        guard let listed = snapshot?.file(of: role) else {
            throw MetadataError(role, .wrongVersion, "the snapshot does not list the role")
        }
        return listed
    }

    private func file(of role: String) -> Verified<TargetsMetadata>? {
        role.hasSameUTF8(as: "targets") ? targetsFile : delegatedFiles[UTF8Key(role)]
    }

    private func delegation(to role: String, by delegator: String) -> Delegation? {
        file(of: delegator)?.content.delegations.first { $0.name.hasSameUTF8(as: role) }
    }

    private func verified(
        _ bytes: [UInt8], _ role: String, keys: RoleKeys, _ authority: String, now: UpdateTime
    ) throws(MetadataError) -> Verified<TargetsMetadata> {
        precondition(snapshot != nil, "targets come after the snapshot")
        try confirmTimestamp(now: now)
        try confirmSnapshot(now: now)
        let listed = try listed(role)
        try listed.check(bytes, role: role)
        let file = try SignedMetadata(
            bytes, role: role, type: .targets, limit: listed.length ?? limits.targetsLength)
        let targets = try TargetsMetadata(file)
        try file.verify(keys, of: authority)
        try Self.checkVersion(targets.version, listed, role: role)
        try file.checkExpiry(at: now)
        return Verified(file: file, content: targets, bytes: bytes)
    }

    // MARK: Looking up

    /// Searches for a path in pre-order: a role is followed by the roles that it delegates to, and then by its
    /// siblings. No role is visited twice, and roles that do not cover the path are skipped (section 5.6.7).
    package func search(_ path: String, isKnown: (_ role: String, _ delegator: String) -> Bool) -> Search {
        var waiting: [(role: String, delegator: String?)] = [("targets", nil)]
        var visited: Set<UTF8Key> = []
        while let (role, delegator) = waiting.popLast(), visited.count <= limits.delegations {
            if visited.contains(UTF8Key(role)) { continue }
            if let delegator, !isKnown(role, delegator) { return .needs(role: role, delegatedBy: delegator) }
            guard let targets = file(of: role)?.content else { return .absent }
            if let file = targets.file(path) { return .found(file) }
            visited.insert(UTF8Key(role))
            var next: [(String, String?)] = []
            for delegation in targets.delegations where delegation.covers(path) {
                next.append((delegation.name, role))
                if delegation.isTerminating {
                    // A terminating delegation discards all roles that are still waiting.
                    waiting = []
                    break
                }
            }
            waiting += next.reversed()
        }
        return .absent
    }

    /// The file with a path, according to the known targets metadata.
    package func target(_ path: String) -> TargetFile? {
        var verified: [Delegated: Bool] = [:]
        return target(path, &verified)
    }

    /// All files that ``target(_:)`` finds, sorted by the UTF-8 bytes of their paths. O(*n* · roles).
    package var targetFiles: [TargetFile] {
        var paths = InternTable<UTF8Key>()
        for file in targets?.files ?? [] { paths.insert(UTF8Key(file.path)) }
        for role in delegatedFiles.values {
            for file in role.content.files { paths.insert(UTF8Key(file.path)) }
        }
        var verified: [Delegated: Bool] = [:]
        return paths.values.sorted { $0.text.precedesInUTF8($1.text) }.compactMap { target($0.text, &verified) }
    }

    /// A role, and a role that delegates to it.
    private struct Delegated: Hashable {
        let role: UTF8Key
        let delegator: UTF8Key
    }

    /// Finds a path. A role to which two others delegate may be signed validly for only one of them, so each pair is
    /// verified, once.
    private func target(_ path: String, _ verified: inout [Delegated: Bool]) -> TargetFile? {
        let search = search(path) { role, delegator in
            let pair = Delegated(role: UTF8Key(role), delegator: UTF8Key(delegator))
            if let isVerified = verified[pair] { return isVerified }
            guard let known = delegatedFiles[pair.role], let delegation = delegation(to: role, by: delegator) else {
                return false
            }
            do throws(MetadataError) {
                try known.file.verify(delegation.keys, of: delegator)
                verified[pair] = true
            } catch { verified[pair] = false }
            return verified[pair] ?? false
        }
        if case .found(let file) = search { return file }
        return nil
    }
}
