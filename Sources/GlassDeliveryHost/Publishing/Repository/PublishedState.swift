import GlassBase
import GlassDelivery

/// The current publication of a folder, with everything that the next one needs.
struct PublishedState: Sendable {
    /// The available root files, oldest first. A client that knows any of them can update to the last.
    let roots: [[UInt8]]
    /// The last root.
    let root: RootDocument
    /// The metadata of the other roles; `nil` before the first publication.
    let timestamp: SignedMetadata?
    let snapshot: SignedMetadata?
    let targets: SignedMetadata?
    /// The bytes of the snapshot and the targets file, as stored.
    let snapshotBytes: [UInt8]
    let targetsBytes: [UInt8]
    /// The highest version ever written for each role. An interrupted publication leaves versions that nothing refers
    /// to, and caches may have them.
    private let highest: [UpdateRole: Int]

    /// Reads a folder.
    init(reading folder: RepositoryFolder) throws(PublishingError) {
        let versions = folder.versions(of: "root")
        guard let last = versions.last else {
            throw .impossible(
                "there is no publication in \(folder.path): it has no root in metadata; check the path, or start one with "
                    + "glass-delivery root init --to \(folder.path)")
        }
        // Use only the last root and its predecessors without gaps, because a client cannot skip a missing root.
        var first = last
        while versions.contains(first - 1) { first -= 1 }
        var roots: [[UInt8]] = []
        for version in first...last {
            roots.append(try Self.required("metadata/\(version).root.json", folder))
        }
        self.roots = roots
        root = try RootDocument(
            SignedMetadata(reading: roots[roots.count - 1], "metadata/\(last).root.json").signed,
            "\(folder.path)/metadata/\(last).root.json")
        guard root.version == last else {
            throw .impossible("\(folder.path)/metadata/\(last).root.json contains version \(root.version)")
        }
        guard let bytes = try folder.read(RepositoryFolder.timestamp, limit: SignedMetadata.maximumBytes) else {
            (timestamp, snapshot, targets, snapshotBytes, targetsBytes) = (nil, nil, nil, [], [])
            highest = Self.highest(in: folder, timestamp: 0)
            return
        }
        let timestamp = try SignedMetadata(reading: bytes, RepositoryFolder.timestamp)
        let (snapshot, snapshotBytes) = try Self.listed("snapshot", by: timestamp, folder)
        let (targets, targetsBytes) = try Self.listed("targets", by: snapshot, folder)
        (self.timestamp, self.snapshot, self.targets) = (timestamp, snapshot, targets)
        (self.snapshotBytes, self.targetsBytes) = (snapshotBytes, targetsBytes)
        highest = Self.highest(in: folder, timestamp: timestamp.version)
    }

    private static func highest(in folder: RepositoryFolder, timestamp: Int) -> [UpdateRole: Int] {
        [
            .targets: folder.versions(of: "targets").last ?? 0, .snapshot: folder.versions(of: "snapshot").last ?? 0,
            .timestamp: timestamp,
        ]
    }

    private static func listed(
        _ role: String, by lister: SignedMetadata, _ folder: RepositoryFolder
    ) throws(PublishingError) -> (SignedMetadata, [UInt8]) {
        guard let version = lister.signed["meta"]?["\(role).json"]?["version"]?.intValue else {
            throw .impossible("the published metadata of \(folder.path) does not list \(role).json")
        }
        let name = "metadata/\(version).\(role).json"
        let bytes = try required(name, folder)
        return (try SignedMetadata(reading: bytes, name), bytes)
    }

    private static func required(_ name: String, _ folder: RepositoryFolder) throws(PublishingError) -> [UInt8] {
        guard let bytes = try folder.read(name, limit: SignedMetadata.maximumBytes) else {
            throw .impossible("\(folder.path)/\(name) is missing")
        }
        return bytes
    }

    /// The next version of a role's metadata.
    func nextVersion(of role: UpdateRole) -> Int {
        role == .root ? root.version + 1 : (highest[role] ?? 0) + 1
    }

    /// The published files.
    func entries() throws(PublishingError) -> [TargetEntry] { try Self.entries(of: targets) }

    /// When the metadata of a role expires; `nil` before the first publication.
    func expires(_ role: UpdateRole) -> String? {
        switch role {
        case .root: root.expires
        case .targets: targets?.expires
        case .snapshot: snapshot?.expires
        case .timestamp: timestamp?.expires
        }
    }

    /// The revoked digests.
    var revoked: [String] { targets.map(Self.revoked(in:)) ?? [] }

    /// The revoked digests in targets metadata.
    static func revoked(in targets: SignedMetadata) -> [String] {
        targets.signed["revoked"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// The files listed in targets metadata.
    static func entries(of targets: SignedMetadata?) throws(PublishingError) -> [TargetEntry] {
        var entries: [TargetEntry] = []
        for member in targets?.signed["targets"]?.members ?? [] {
            entries.append(try TargetEntry(member.key, member.value))
        }
        return entries
    }

    /// The metadata to renew: it is past half of its validity, which leaves the other half to reach the key owners.
    func due(at now: UpdateTime) -> [String] {
        let roles: [(UpdateRole, Int, String)] =
            [(.root, root.version, root.expires)]
            + [(UpdateRole.targets, targets), (.snapshot, snapshot)].compactMap { role, metadata in
                metadata.map { (role, $0.version, $0.expires) }
            }
        return roles.compactMap { role, version, text in
            guard let expires = UpdateTime(text), now.adding(seconds: role.lifetime / 2) > expires else { return nil }
            let command =
                switch role {
                case .root: "glass-delivery root rotate"
                case .targets: "glass-delivery publish"
                case .snapshot, .timestamp: "glass-delivery timestamp --with-snapshot"
                }
            return expires > now
                ? "\(role.rawValue) \(version) expires on \(text); renew it with \(command)"
                : "\(role.rawValue) \(version) expired on \(text), so clients accept nothing new; "
                    + "renew it with \(command)"
        }
    }
}
