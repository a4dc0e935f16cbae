extension TrustedSet {
    static let noTargets = MetadataError("targets", .malformed, "the store has no targets.json")

    /// Starts with the contents of a store, for the next refresh.
    ///
    /// A file that is missing, damaged, or not signed by the current keys is treated as missing, and the refresh
    /// fetches it. Expired files are accepted, because nothing may be older than the newest known files.
    package init(remembering stored: [String: [UInt8]], limits: UpdateLimits = UpdateLimits()) throws(MetadataError) {
        self = try Self.read(stored, limits: limits) { (_: MetadataError) throws(MetadataError) in }
    }

    /// Verifies a store again, to use its contents.
    ///
    /// After a refresh that ended early, a store contains a timestamp or a snapshot that is newer than its targets.
    /// This is not an error, because the targets metadata is still that of the last successful refresh. A timestamp or
    /// a snapshot signed by keys that the root no longer lists is ignored.
    package init(
        stored: [String: [UInt8]], at time: UpdateTime, knowing shipped: ShippedMetadata? = nil,
        limits: UpdateLimits = UpdateLimits()
    ) throws(MetadataError) {
        self = try Self.read(stored, knowing: shipped, limits: limits) { (error) throws(MetadataError) in
            let mayBeOlderThanRoot = error.role == "timestamp" || error.role == "snapshot"
            guard mayBeOlderThanRoot, error.rule == .unsigned else { throw error }
        }
        guard let targetsFile else { throw Self.noTargets }
        try timestampFile?.file.checkExpiry(at: time)
        try snapshotFile?.file.checkExpiry(at: time)
        try check(targetsFile, role: "targets", at: time)
        for (role, file) in delegatedFiles { try check(file, role: role.text, at: time) }
    }

    private func check(
        _ file: Verified<TargetsMetadata>, role: String, at time: UpdateTime
    ) throws(MetadataError) {
        try file.file.checkExpiry(at: time)
        guard let listed = snapshot?.file(of: role), file.file.version >= listed.version else { return }
        try Self.checkVersion(file.file.version, listed, role: role)
        try listed.check(file.bytes, role: role)
    }

    /// Reads the files of a store, and verifies each with the current keys, except for `ShippedMetadata`.
    static func read(
        _ stored: [String: [UInt8]], knowing shipped: ShippedMetadata? = nil, proves: Bool = true, limits: UpdateLimits,
        leavingOut: (MetadataError) throws(MetadataError) -> Void
    ) throws(MetadataError) -> TrustedSet {
        guard let root = stored["root.json"] else {
            throw MetadataError("root", .malformed, "the store has no root.json")
        }
        var set: TrustedSet
        if let same = shipped?.beginning(with: root, limits: limits) {
            set = same
        } else {
            set = try TrustedSet(root: root, limits: limits, proves: proves)
        }
        let authority = "root \(set.root.version)"
        func read<Content>(
            _ role: String, _ type: UpdateRole, keys: RoleKeys, by authority: String,
            _ decode: (SignedMetadata) throws(MetadataError) -> Content
        ) throws(MetadataError) -> Verified<Content>? {
            guard let bytes = stored[storedName(of: role)] else { return nil }
            do throws(MetadataError) {
                // A listed length may exceed the limit for files without a listed length. When the file was stored, it
                // was within one of the two limits.
                let file = try SignedMetadata(bytes, role: role, type: type, limit: max(bytes.count, 1))
                if proves { try file.verify(keys, of: authority) }
                return Verified(file: file, content: try decode(file), bytes: bytes)
            } catch {
                try leavingOut(error)
                return nil
            }
        }
        set.timestampFile = try read(
            "timestamp", .timestamp, keys: set.root.keys(of: .timestamp), by: authority, TimestampMetadata.init)
        set.snapshotFile = try read(
            "snapshot", .snapshot, keys: set.root.keys(of: .snapshot), by: authority, SnapshotMetadata.init)
        set.targetsFile = try read(
            "targets", .targets, keys: set.root.keys(of: .targets), by: authority, TargetsMetadata.init)
        // The delegated roles that the store has. In a cycle of delegations, roles that were read already end the loop.
        var delegators = set.targetsFile.map { [("targets", $0.content)] } ?? []
        while let (delegator, targets) = delegators.popLast() {
            for delegation in targets.delegations where set.delegatedFiles[UTF8Key(delegation.name)] == nil {
                let file = try read(
                    delegation.name, .targets, keys: delegation.keys, by: delegator, TargetsMetadata.init)
                guard let file else { continue }
                set.delegatedFiles[UTF8Key(delegation.name)] = file
                delegators.append((delegation.name, file.content))
            }
        }
        return set
    }
}
