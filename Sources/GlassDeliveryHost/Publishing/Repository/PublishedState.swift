import GlassBase
package import GlassDelivery

/// What a folder has published, as the next publication needs it.
package struct PublishedState: Sendable {
    /// The files of the roots that are there, the oldest first; a client that knows any of them gets to the last.
    package let roots: [[UInt8]]
    /// The last root.
    package let root: RootDocument
    /// What is signed by the others, nil before the first publication.
    package let timestamp: SignedMetadata?
    package let snapshot: SignedMetadata?
    package let targets: SignedMetadata?
    /// The files of snapshot and targets, as they are there.
    let snapshotBytes: [UInt8]
    let targetsBytes: [UInt8]
    /// The highest version that was ever written; a publication that did not come to its end leaves some that nothing
    /// names, and caches may have them.
    private let highest: [UpdateRole: Int]

    /// Reads a folder.
    package init(reading folder: RepositoryFolder) throws(PublishingError) {
        let versions = folder.versions(of: "root")
        guard let last = versions.last else {
            throw .impossible(
                "there is no root in \(folder.path)/metadata; begin with glass-delivery root init --to \(folder.path)")
        }
        // Without gaps from the last one down: a client cannot step over one that is missing.
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
            throw .impossible("\(folder.path)/metadata/\(last).root.json holds version \(root.version)")
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

    /// The version that comes next.
    package func nextVersion(of role: UpdateRole) -> Int {
        role == .root ? root.version + 1 : (highest[role] ?? 0) + 1
    }

    /// The files that are published.
    package func entries() throws(PublishingError) -> [TargetEntry] { try Self.entries(of: targets) }

    /// The digests that are revoked.
    package var revoked: [String] { targets?.signed["revoked"]?.arrayValue?.compactMap(\.stringValue) ?? [] }

    /// The files that targets metadata lists.
    static func entries(of targets: SignedMetadata?) throws(PublishingError) -> [TargetEntry] {
        var entries: [TargetEntry] = []
        for member in targets?.signed["targets"]?.members ?? [] {
            entries.append(try TargetEntry(member.key, member.value))
        }
        return entries
    }

    /// What has to be signed again soon: past the half of its time there is still half of it left to find who can.
    package func due(at now: UpdateTime) -> [String] {
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
                ? "\(role.rawValue) \(version) expires on \(text); sign it again with \(command)"
                : "\(role.rawValue) \(version) expired on \(text): no client takes anything new; "
                    + "sign it again with \(command)"
        }
    }
}
