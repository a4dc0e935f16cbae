import GlassDelivery

/// Writes the next publication to a folder, or stages it until enough keys have signed.
///
/// Nothing is written until everything is signed and has been verified as by a client with the currently published
/// root. The files are then written in an order that shows clients only complete publications: files, root, targets,
/// snapshot, and the timestamp last.
struct Publisher: Sendable {
    /// The folder to publish to.
    let folder: RepositoryFolder
    /// The signers.
    var signers: Signers
    /// The time of the publication.
    let now: UpdateTime
    /// The secrets that no file may contain.
    var secrets = SecretScan([:])
    /// Whether metadata may expire before what it replaces.
    var allowsEarlierExpiry = false
    /// The log, and what it says about the publication; `nil` writes none.
    var log: (file: PublicationLog, entry: PublicationLog.Entry)?

    /// The same publisher with more keys.
    func adding(_ keys: some Sequence<KeyFile>) -> Publisher {
        var publisher = self
        publisher.signers = Signers(files: signers.files + keys, commands: signers.commands)
        return publisher
    }

    /// A change to publish.
    struct Change: Sendable {
        /// A new root; `nil` keeps the published one.
        var root: RootDocument?
        /// The entries of the targets metadata; `nil` keeps the published ones.
        var entries: [TargetEntry]?
        /// The digests that no device may use anymore; `nil` keeps the published ones.
        var revoked: [String]?
        /// The files themselves. Files that are published already may be omitted.
        var objects: [RepositoryFolder.File] = []
        /// Whether to sign the snapshot again even if it lists nothing new.
        var renewsSnapshot = false
        /// Whether to sign the timestamp again even if it lists nothing new.
        var renewsTimestamp = false

        /// Creates an empty change.
        init() {}
    }

    /// The result of publishing.
    struct Result: Sendable, Equatable {
        /// The published metadata of a role.
        struct Role: Sendable, Equatable {
            /// The role.
            let role: UpdateRole
            /// Its version.
            let version: Int
            /// The time at which it expires.
            let expires: String
        }

        /// Metadata of a role that lacks signatures.
        struct Missing: Sendable, Equatable {
            /// The role.
            let role: UpdateRole
            /// The version of the metadata.
            let version: Int
            /// The owner of the keys that must sign: `root 1` for a root, otherwise the role itself.
            let keys: String
            /// The number of these keys that have signed.
            let signatures: Int
            /// The number of these keys that must sign.
            let threshold: Int
        }

        /// The metadata that is published now; empty if the change was staged.
        var roles: [Role] = []
        /// The missing signatures, if the change was staged.
        var missing: [Missing] = []
        /// The new files, relative to the folder.
        var files: [String] = []
    }

    /// The metadata and files of a change while it is being signed.
    private struct Draft {
        var root: SignedMetadata?
        var targets: SignedMetadata?
        var objects: [RepositoryFolder.File] = []
        var renewsSnapshot = false
        var renewsTimestamp = false
    }

    private typealias Listing = (snapshot: SignedMetadata?, timestamp: SignedMetadata?)

    // MARK: Publishing

    /// Publishes a change.
    func publish(
        _ change: Change, after state: PublishedState, staging: Bool = false, isDry: Bool = false
    ) throws(PublishingError) -> Result {
        try checkNothingIsStaged(change, staging)
        let writer = MetadataWriter(now: now)
        var draft = Draft(
            objects: change.objects, renewsSnapshot: change.renewsSnapshot, renewsTimestamp: change.renewsTimestamp)
        let root = change.root ?? state.root
        try root.check()
        draft.root = change.root.map { SignedMetadata($0.signed) }
        // Sign the targets again if the new root's keys have not signed them.
        if change.entries != nil || change.revoked != nil
            || state.targets.map({ !root[.targets].isMet(by: $0) }) == true
        {
            let entries: [TargetEntry]
            if let own = change.entries { entries = own } else { entries = try state.entries() }
            draft.targets = writer.targets(
                entries, revoked: change.revoked ?? state.revoked,
                version: state.nextVersion(of: .targets), previous: state.targets?.signed)
        }
        return try finish(&draft, after: state, staging: staging, isDry: isDry)
    }

    /// Publishes the first root of a folder, or stages it until enough of its keys have signed.
    func publish(first root: RootDocument) throws(PublishingError) -> Result {
        var draft = Draft(root: SignedMetadata(root.signed))
        return try finish(&draft, after: nil, staging: true, isDry: false)
    }

    /// Signs staged metadata, and publishes it once it has enough signatures.
    func signStaged(
        after state: PublishedState?, roles: Set<UpdateRole> = [.root, .targets]
    ) throws(PublishingError) -> Result {
        var draft = Draft()
        draft.root = try staged(.root, next: state?.nextVersion(of: .root) ?? 1)
        draft.targets = try staged(.targets, next: state?.nextVersion(of: .targets) ?? 1)
        guard
            [(UpdateRole.root, draft.root), (.targets, draft.targets)].contains(where: {
                roles.contains($0) && $1 != nil
            })
        else {
            throw .impossible("nothing is waiting for signatures in \(folder.path)/staged")
        }
        // The list includes the names of folders. A file keeps the ending `.json` of its target.
        for name in folder.names(in: "staged/targets") where name.hasSuffix(".json") {
            guard let bytes = try folder.read("staged/targets/\(name)", limit: SignedMetadata.maximumBytes) else {
                continue
            }
            draft.objects.append(RepositoryFolder.File("targets/\(name)", bytes))
        }
        return try finish(&draft, after: state, staging: true, isDry: false)
    }

    private func staged(_ role: UpdateRole, next: Int) throws(PublishingError) -> SignedMetadata? {
        guard let version = folder.versions(of: role.rawValue, in: "staged").last,
            let bytes = try folder.read("staged/\(version).\(role.rawValue).json", limit: SignedMetadata.maximumBytes)
        else { return nil }
        guard version == next else {
            throw .refused(
                "\(role.rawValue) \(version) is staged, but the next is \(next): something else was published since; "
                    + "remove \(folder.path)/staged and stage it again")
        }
        return try SignedMetadata(reading: bytes, "staged/\(version).\(role.rawValue).json")
    }

    private func checkNothingIsStaged(_ change: Change, _ staging: Bool) throws(PublishingError) {
        let roles: [UpdateRole] = [.root, .targets]
        for role in roles {
            guard let version = folder.versions(of: role.rawValue, in: "staged").last else { continue }
            // Staging the same role again replaces the staged version.
            let replaces = staging && (role == .root ? change.root != nil : change.entries != nil)
            // A root can wait for its signatures while markets are published, which may be urgent.
            let touches =
                change.root != nil || role == .targets && (change.entries != nil || change.revoked != nil)
            if touches, !replaces {
                throw .refused(
                    "\(role.rawValue) \(version) is waiting for signatures in \(folder.path)/staged; sign it with "
                        + "glass-delivery sign, or remove that folder")
            }
        }
    }

    // MARK: Signing

    private func finish(
        _ draft: inout Draft, after state: PublishedState?, staging: Bool, isDry: Bool
    ) throws(PublishingError) -> Result {
        let root: RootDocument
        if let metadata = draft.root {
            root = try RootDocument(metadata.signed, "the new root")
        } else if let state {
            root = state.root
        } else {
            throw .impossible("there is no root in \(folder.path)/metadata")
        }
        var missing: [Result.Missing] = []
        if var metadata = draft.root {
            // The keys of the previous root must agree, and the new keys must prove that they can sign (specification,
            // 5.3.4).
            if let old = state?.root {
                try sign(&metadata, .root, old[.root], "root \(old.version)", &missing)
            }
            try sign(&metadata, .root, root[.root], "root \(root.version)", &missing)
            draft.root = metadata
        }
        if var metadata = draft.targets {
            try sign(&metadata, .targets, root[.targets], "targets", &missing)
            draft.targets = metadata
        }
        var online: Listing = (nil, nil)
        if missing.isEmpty { online = try listing(draft, root, state, &missing) }
        guard missing.isEmpty else {
            let canWait =
                missing.allSatisfy { $0.role == .root || $0.role == .targets } || draft.targets != nil
                || draft.root != nil
            guard staging, canWait else { throw error(missing, root, canWait: canWait) }
            if !isDry { try stage(draft, after: state) }
            return Result(missing: missing)
        }
        return try write(draft, online.snapshot, online.timestamp, after: state, isDry: isDry)
    }

    private func sign(
        _ metadata: inout SignedMetadata, _ role: UpdateRole, _ keys: RoleKeys, _ owner: String,
        _ missing: inout [Result.Missing]
    ) throws(PublishingError) {
        try signers.sign(&metadata, as: role.rawValue, keys)
        let count = keys.signatures(of: metadata)
        guard count < keys.threshold else { return }
        missing.append(
            Result.Missing(
                role: role, version: metadata.version, keys: owner, signatures: count, threshold: keys.threshold))
    }

    /// Signs the snapshot and the timestamp if they list something new, or if a role has keys that have not signed
    /// them.
    private func listing(
        _ draft: Draft, _ root: RootDocument, _ state: PublishedState?, _ missing: inout [Result.Missing]
    ) throws(PublishingError) -> Listing {
        // Before the first publication, a root has no other metadata.
        guard draft.targets != nil || state?.targets != nil else { return (nil, nil) }
        let writer = MetadataWriter(now: now)
        func next(_ role: UpdateRole) -> Int { state?.nextVersion(of: role) ?? 1 }
        var snapshot: SignedMetadata?
        if draft.targets != nil || draft.renewsSnapshot
            || state?.snapshot.map({ root[.snapshot].isMet(by: $0) }) != true
        {
            var metadata = writer.snapshot(
                of: draft.targets?.bytes ?? state?.targetsBytes ?? [],
                targetsVersion: (draft.targets ?? state?.targets)?.version ?? 0, version: next(.snapshot),
                previous: state?.snapshot?.signed)
            try sign(&metadata, .snapshot, root[.snapshot], "snapshot", &missing)
            snapshot = metadata
        }
        guard
            snapshot != nil || draft.renewsTimestamp || state?.timestamp.map({ root[.timestamp].isMet(by: $0) }) != true
        else { return (nil, nil) }
        var timestamp = writer.timestamp(
            of: snapshot?.bytes ?? state?.snapshotBytes ?? [],
            snapshotVersion: (snapshot ?? state?.snapshot)?.version ?? 0, version: next(.timestamp),
            previous: state?.timestamp?.signed)
        try sign(&timestamp, .timestamp, root[.timestamp], "timestamp", &missing)
        return (snapshot, timestamp)
    }

    private func error(_ missing: [Result.Missing], _ root: RootDocument, canWait: Bool) -> PublishingError {
        let lines = missing.map {
            "\($0.role.rawValue) \($0.version) has \($0.signatures) of \($0.threshold) signatures by the keys of \($0.keys)"
        }
        let own = UpdateRole.allCases.flatMap { root[$0].entries.compactMap(\.key) }
        let others = signers.files.filter { $0.privateKey != nil && !own.contains($0.publicKey) }.map(\.path)
        if !others.isEmpty, others.count == signers.files.count {
            return .impossible(
                "\(others.joined(separator: ", ")): no role of root \(root.version) of \(folder.path) has "
                    + "\(others.count == 1 ? "this key" : "these keys"), which may be of another publication; "
                    + "glass-delivery key list --to \(folder.path) lists its keys")
        }
        return .impossible(
            lines.joined(separator: "\n")
                + "\nname more keys with --keys or --signer"
                + (canWait ? ", or use --stage if the keys are elsewhere" : ""))
    }

    // MARK: Writing

    private func write(
        _ draft: Draft, _ snapshot: SignedMetadata?, _ timestamp: SignedMetadata?, after state: PublishedState?,
        isDry: Bool
    ) throws(PublishingError) -> Result {
        var files = draft.objects
        var result = Result()
        let metadata: [(UpdateRole, SignedMetadata?)] = [
            (.root, draft.root), (.targets, draft.targets), (.snapshot, snapshot), (.timestamp, timestamp),
        ]
        for case (let role, let metadata?) in metadata {
            let name =
                role == .timestamp ? RepositoryFolder.timestamp : "metadata/\(metadata.version).\(role.rawValue).json"
            files.append(RepositoryFolder.File(name, metadata.bytes))
            result.roles.append(Result.Role(role: role, version: metadata.version, expires: metadata.expires))
        }
        try secrets.check(files)
        if let state, !allowsEarlierExpiry { try refuseEarlierExpiry(result.roles, after: state) }
        try verify(draft, snapshot, timestamp, after: state)
        for file in draft.objects where try folder.read(file.name, limit: Int.max) == nil {
            result.files.append(file.name)
        }
        guard !isDry else { return result }
        if let log { try log.file.add(log.entry, at: now, after: state, root: draft.root, targets: draft.targets) }
        try folder.write(files)
        // A root that still waits for signatures stays.
        let waiting = draft.root == nil ? folder.versions(of: "root", in: "staged") : []
        if draft.root != nil || draft.targets != nil {
            try folder.removeStaged(except: Set(waiting.map { "staged/\($0).root.json" }))
        }
        return result
    }

    /// Refuses metadata that would expire before what it replaces: the clock of the publisher is probably wrong, and
    /// each device would refuse the site once the new metadata is over.
    private func refuseEarlierExpiry(_ roles: [Result.Role], after state: PublishedState) throws(PublishingError) {
        let published: [UpdateRole: (version: Int, expires: String)?] = [
            .root: (state.root.version, state.root.expires),
            .targets: state.targets.map { ($0.version, $0.expires) },
            .snapshot: state.snapshot.map { ($0.version, $0.expires) },
            .timestamp: state.timestamp.map { ($0.version, $0.expires) },
        ]
        for role in roles {
            guard case let (version, expires)?? = published[role.role], let old = UpdateTime(expires),
                let new = UpdateTime(role.expires), new < old
            else { continue }
            throw .refused(
                "\(role.role.rawValue) \(role.version) would expire on \(role.expires), earlier than \(version), which "
                    + "it replaces (\(expires)); check the clock (now \(now)), or pass --allow-earlier-expiry")
        }
    }

    private func stage(_ draft: Draft, after state: PublishedState?) throws(PublishingError) {
        var files = draft.objects.map { RepositoryFolder.File("staged/\($0.name)", $0.bytes) }
        for case (let role, let metadata?) in [(UpdateRole.root, draft.root), (.targets, draft.targets)] {
            files.append(RepositoryFolder.File("staged/\(metadata.version).\(role.rawValue).json", metadata.bytes))
        }
        try secrets.check(files)
        if let log {
            try log.file.add(
                log.entry, at: now, after: state, root: draft.root, targets: draft.targets, isStaged: true)
        }
        // Write the new files first, so that a full disk does not lose what others have signed.
        try folder.write(files)
        try folder.removeStaged(except: Set(files.map(\.name)))
    }

    /// Verifies the result for a client with the previous root, and verifies that each file matches its listing.
    private func verify(
        _ draft: Draft, _ snapshot: SignedMetadata?, _ timestamp: SignedMetadata?, after state: PublishedState?
    ) throws(PublishingError) {
        let listing = ClientVerification.Listing(
            timestamp: timestamp?.bytes ?? [], snapshot: snapshot?.bytes ?? state?.snapshotBytes ?? [],
            targets: draft.targets?.bytes ?? state?.targetsBytes ?? [])
        let published = state?.timestamp.map {
            ClientVerification.Listing(
                timestamp: $0.bytes, snapshot: state?.snapshotBytes ?? [], targets: state?.targetsBytes ?? [])
        }
        try ClientVerification(now: now).verify(
            known: state?.roots ?? [], root: draft.root?.bytes, published: published,
            // If only the root is renewed, the other metadata is not verified, because another job signs it.
            listing: timestamp == nil ? nil : listing)
        let targets = draft.targets ?? state?.targets
        let objects = Dictionary(draft.objects.map { ($0.name, $0.bytes) }) { $1 }
        for entry in try PublishedState.entries(of: targets) {
            var bytes = objects[entry.file]
            if bytes == nil { bytes = try folder.read(entry.file, limit: entry.length) }
            guard let bytes, bytes.count == entry.length, bytes.sha256 == entry.digest else {
                throw .impossible(
                    "\(folder.path)/\(entry.file) is missing or differs from the listed file; restore it from a backup, "
                        + "or from the server")
            }
        }
    }
}
