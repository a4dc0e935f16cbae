import GlassBase
import GlassDelivery
import GlassMarkets

/// The source that published files are read from.
protocol PublishedSource: Sendable {
    /// Reads a file.
    func file(_ path: String, limit: Int) throws(PublishingError) -> [UInt8]?
}

extension RepositoryFolder: PublishedSource {
    func file(_ path: String, limit: Int) throws(PublishingError) -> [UInt8]? { try read(path, limit: limit) }
}

/// Reads a publication the way a client that starts with a given root does. Reports everything that prevents clients
/// from using it, now or soon.
struct PublishedCheck: Sendable {
    /// The metadata of a role.
    struct Role: Sendable, Equatable {
        /// The role.
        let role: UpdateRole
        /// Its version.
        let version: Int
        /// The time at which it expires.
        let expires: UpdateTime
    }

    /// The metadata that could be read.
    private(set) var roles: [Role] = []
    /// The files listed in targets metadata.
    private(set) var entries: [TargetEntry] = []
    /// The revoked digests.
    private(set) var revoked: [String] = []
    /// The problems for which clients would reject the publication.
    private(set) var errors: [String] = []
    /// The problems for which clients will soon reject it, and suspicious findings.
    var warnings: [String] = []

    /// Reads the publication.
    init(
        _ source: some PublishedSource, root: [UInt8]?, now: UpdateTime, limits: UpdateLimits = UpdateLimits()
    ) throws(PublishingError) {
        let first: [UInt8]
        if let root {
            first = root
        } else if let bytes = try source.file("metadata/1.root.json", limit: limits.rootLength) {
            first = bytes
        } else {
            throw .impossible(
                "there is no metadata/1.root.json to start from; name the root that clients have with --root")
        }
        do {
            try read(source, first, now, limits)
        } catch let error as PublishingError {
            throw error
        } catch {
            errors.append("\(error)")
        }
    }

    private mutating func read(
        _ source: some PublishedSource, _ first: [UInt8], _ now: UpdateTime, _ limits: UpdateLimits
    ) throws {
        var client = try TrustedSet(root: first, limits: limits)
        while let next = try source.file("metadata/\(client.root.version + 1).root.json", limit: limits.rootLength) {
            try client.update(root: next)
        }
        add(.root, client.root.version, client.root.expires, now)
        func file(_ name: String, _ limit: Int) throws -> [UInt8] {
            guard let bytes = try source.file("metadata/\(name)", limit: limit) else {
                throw PublishingError.impossible("there is no metadata/\(name)")
            }
            return bytes
        }
        try client.update(timestamp: file("timestamp.json", limits.timestampLength), now: now)
        if let timestamp = client.timestamp {
            add(.timestamp, timestamp.version, timestamp.expires, now)
            try client.update(
                snapshot: file("\(timestamp.snapshot.version).snapshot.json", limits.snapshotLength), now: now)
        }
        if let snapshot = client.snapshot { add(.snapshot, snapshot.version, snapshot.expires, now) }
        try client.update(
            targets: file("\(client.listed("targets").version).targets.json", limits.targetsLength), now: now)
        guard let targets = client.targets else { return }
        add(.targets, targets.version, targets.expires, now)
        revoked = targets.signed["revoked"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for target in targets.files {
            entries.append(try TargetEntry(target.path, targets.signed["targets"]?[target.path] ?? .null))
            try check(target, source, limits)
        }
    }

    private mutating func check(
        _ target: TargetFile, _ source: some PublishedSource, _ limits: UpdateLimits
    ) throws {
        let path = "targets/\(target.serverPath(consistent: true))"
        guard let bytes = try source.file(path, limit: limits.fileLength) else {
            errors.append("\(target.path) is listed, but \(path) does not exist")
            return
        }
        do {
            try target.check(bytes)
            if target.custom != nil { _ = try CompiledMarket(reading: bytes, name: target.path) }
        } catch {
            errors.append("\(error)")
        }
        let digest = target.hashes["sha256"] ?? ""
        if target.custom != nil, revoked.contains(digest) {
            warnings.append(
                "\(target.path) is revoked but still listed: devices that can use no other version keep their current "
                    + "one")
        }
    }

    private mutating func add(_ role: UpdateRole, _ version: Int, _ expires: UpdateTime, _ now: UpdateTime) {
        roles.append(Role(role: role, version: version, expires: expires))
        // A day more than it should be, so that two clocks may differ.
        if expires > now.adding(seconds: role.lifetime + 86_400) {
            warnings.append(
                "\(role.rawValue) \(version) expires on \(expires), later than \(role.lifetime / 86_400) days from now: was "
                    + "the clock of the publisher ahead?")
        }
        if now.adding(seconds: role.lifetime / 2) > expires, now < expires {
            warnings.append("\(role.rawValue) \(version) is past half of its validity; it expires on \(expires)")
        }
    }
}
