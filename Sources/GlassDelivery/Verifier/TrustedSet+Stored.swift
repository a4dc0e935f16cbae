extension TrustedSet {
    static let noTargets = MetadataError("targets", .malformed, "the store has no targets.json")

    /// Begins with what a store has, for the next refresh.
    ///
    /// A file that is missing, damaged, or not signed by the keys in use is left out, as if it had never been there: the
    /// refresh fetches it. Whether the files have expired does not matter; the newest ones are what nothing may be older
    /// than.
    package init(remembering stored: [String: [UInt8]], limits: UpdateLimits = UpdateLimits()) throws(MetadataError) {
        self = try Self.read(stored, limits: limits) { (_: MetadataError) throws(MetadataError) in }
    }

    /// Verifies a store again, to run on what it has.
    ///
    /// After a refresh that ended early a store holds a timestamp or a snapshot that is newer than its targets: that is no
    /// error, the files of the targets are those of the last good refresh. Nor is a timestamp or a snapshot that is signed
    /// by keys which the root no longer has; it is left out.
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

    /// Reads the files of a store, each with the keys that are in use; without verifying them for `ShippedMetadata` only.
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
                // A listed length may be more than the limit of files without; what was stored was within one of them.
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
        // Roles that others delegate to, as far as the store has them; a cycle meets a role that is already read.
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
