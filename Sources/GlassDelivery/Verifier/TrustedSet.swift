import Crypto
import GlassBase

/// The trusted metadata: a value that accepts files and a time, and either advances or throws.
///
/// It implements the client of The Update Framework (specification 1.0, section 5) without files, network, or clock.
/// Pass the files in the order of the workflow: each newer root, the timestamp, the snapshot, the targets, and the
/// delegated targets.
///
/// ```swift
/// var trusted = try TrustedSet(root: shipped)
/// try trusted.update(root: received)
/// try trusted.update(timestamp: received, now: now)
/// ```
///
/// A method that throws changes nothing, except that ``finishRoots(now:)`` may have discarded a timestamp and a
/// snapshot whose keys are no longer in use.
package struct TrustedSet: Sendable {
    /// The newest root.
    package private(set) var root: RootMetadata
    /// The newest timestamp. It may have expired, but a new one still must not be older.
    package var timestamp: TimestampMetadata? { timestampFile?.content }
    /// The newest snapshot.
    package var snapshot: SnapshotMetadata? { snapshotFile?.content }
    /// The newest targets metadata.
    package var targets: TargetsMetadata? { targetsFile?.content }
    /// The limits of the metadata.
    package let limits: UpdateLimits

    /// A verified file as received.
    struct Verified<Content: Sendable>: Sendable {
        let file: SignedMetadata
        let content: Content
        let bytes: [UInt8]
    }

    private var rootFile: Verified<RootMetadata>
    var timestampFile: Verified<TimestampMetadata>?
    var snapshotFile: Verified<SnapshotMetadata>?
    var targetsFile: Verified<TargetsMetadata>?
    /// The metadata of delegated roles, by role name.
    var delegatedFiles: [UTF8Key: Verified<TargetsMetadata>] = [:]

    /// Starts with a root that was embedded in the app or stored.
    package init(root bytes: [UInt8], limits: UpdateLimits = UpdateLimits()) throws(MetadataError) {
        try self.init(root: bytes, limits: limits, proves: true)
    }

    init(root bytes: [UInt8], limits: UpdateLimits, proves: Bool) throws(MetadataError) {
        self.limits = limits
        let file = try SignedMetadata(bytes, role: "root", type: .root, limit: limits.rootLength)
        let root = try RootMetadata(file)
        if proves { try file.verify(root.keys(of: .root), of: "the root itself") }
        rootFile = Verified(file: file, content: root, bytes: bytes)
        self.root = root
    }

    /// A set that starts with the root of this one, if the bytes are the same, which makes it equally trustworthy.
    func beginning(with bytes: [UInt8], limits: UpdateLimits) -> TrustedSet? {
        rootFile.bytes == bytes && bytes.count <= limits.rootLength
            ? TrustedSet(limits: limits, rootFile: rootFile) : nil
    }

    private init(limits: UpdateLimits, rootFile: Verified<RootMetadata>) {
        self.limits = limits
        self.rootFile = rootFile
        root = rootFile.content
    }

    /// The verified files as received, by their names in a store: `root.json`, `timestamp.json`, `snapshot.json`,
    /// `targets.json`, and the ``storedName(of:)`` of each delegated role.
    package var received: [String: [UInt8]] { received(keeping: delegatedRoles) }

    /// The verified files as received, but only those of some delegated roles.
    package func received(keeping roles: [String]) -> [String: [UInt8]] {
        var files = ["root.json": rootFile.bytes]
        files["timestamp.json"] = timestampFile?.bytes
        files["snapshot.json"] = snapshotFile?.bytes
        files["targets.json"] = targetsFile?.bytes
        for role in roles { files[Self.storedName(of: role)] = delegatedFiles[UTF8Key(role)]?.bytes }
        return files
    }

    /// The delegated roles with known metadata.
    package var delegatedRoles: [String] {
        delegatedFiles.keys.map(\.text).sorted { $0.precedesInUTF8($1) }
    }

    /// The metadata of a delegated role.
    package func delegated(_ role: String) -> TargetsMetadata? { delegatedFiles[UTF8Key(role)]?.content }

    /// The name of a role's file on a server, without the version prefix.
    package static func fileName(of role: String) -> String { encodedName(of: role) + ".json" }

    /// The name of a role's file in a store: the name on a server, unless it is too long for file systems, because
    /// percent-encoding turns a three-byte character into nine bytes. A hashed name starts with an equals sign, which
    /// no encoded name contains.
    package static func storedName(of role: String) -> String {
        let name = fileName(of: role)
        return name.utf8.count <= 255 ? name : "=\(SHA256.hexadecimal(of: role.utf8)).json"
    }

    /// A safe file name for arbitrary text.
    package static func encodedName(of text: String) -> String { text.percentEncoded() }

    // MARK: Root

    /// Accepts the next root (section 5.3.4 to 5.3.7).
    package mutating func update(root bytes: [UInt8]) throws(MetadataError) {
        let file = try SignedMetadata(bytes, role: "root", type: .root, limit: limits.rootLength)
        let next = try RootMetadata(file)
        try file.verify(root.keys(of: .root), of: "root \(root.version)")
        // A root that does not meet its own threshold could never have a successor (CVE-2020-15163).
        try file.verify(next.keys(of: .root), of: "the root itself")
        guard next.version == root.version + 1 else {
            throw MetadataError(
                "root", version: next.version, .wrongVersion, "the root after \(root.version) has the wrong version")
        }
        rootFile = Verified(file: file, content: next, bytes: bytes)
        root = next
    }

    /// Completes the chain of roots (section 5.3.10 and 5.3.11). ``update(timestamp:now:)`` does so, too.
    @discardableResult
    package mutating func finishRoots(now: UpdateTime) throws(MetadataError) -> Bool {
        try rootFile.file.checkExpiry(at: now)
        let timestampHolds = holds(timestampFile?.file, .timestamp)
        let snapshotHolds = holds(snapshotFile?.file, .snapshot)
        if timestampHolds, snapshotHolds { return false }
        timestampFile = nil
        snapshotFile = nil
        return true
    }

    /// Whether a file still has the signatures that the root requires. Returns `true` if there is no file.
    private func holds(_ file: SignedMetadata?, _ role: UpdateRole) -> Bool {
        guard let file else { return true }
        do throws(MetadataError) {
            try file.verify(root.keys(of: role), of: "root \(root.version)")
            return true
        } catch { return false }
    }

    // MARK: Timestamp

    /// Accepts a timestamp (section 5.4).
    @discardableResult
    package mutating func update(timestamp bytes: [UInt8], now: UpdateTime) throws(MetadataError) -> Bool {
        try finishRoots(now: now)
        let file = try SignedMetadata(bytes, role: "timestamp", type: .timestamp, limit: limits.timestampLength)
        let next = try TimestampMetadata(file)
        try file.verify(root.keys(of: .timestamp), of: "root \(root.version)")
        if let known = timestamp {
            if next.version == known.version {
                try confirmTimestamp(now: now)
                return false
            }
            guard next.version > known.version else {
                throw MetadataError("timestamp", version: next.version, .rollback, "version \(known.version) is known")
            }
            guard next.snapshot.version >= known.snapshot.version else {
                throw MetadataError(
                    "timestamp", version: next.version, .rollback,
                    "it lists snapshot \(next.snapshot.version), but \(known.snapshot.version) was listed before")
            }
        }
        try file.checkExpiry(at: now)
        timestampFile = Verified(file: file, content: next, bytes: bytes)
        return true
    }

    /// Keeps the known timestamp, because the server has no newer one.
    package func confirmTimestamp(now: UpdateTime) throws(MetadataError) {
        guard let timestampFile else {
            throw MetadataError(
                "timestamp", .network, "the server reports that it is unchanged, but no timestamp is known")
        }
        try timestampFile.file.checkExpiry(at: now)
    }

    // MARK: Snapshot

    /// Whether the known snapshot is the one that the timestamp lists, in which case it is not fetched.
    package var hasListedSnapshot: Bool {
        guard let snapshotFile, let listed = timestamp?.snapshot else { return false }
        return Self.matches(snapshotFile, listed, role: "snapshot")
    }

    /// Accepts the snapshot that the timestamp lists (section 5.5).
    package mutating func update(snapshot bytes: [UInt8], now: UpdateTime) throws(MetadataError) {
        guard let listed = timestamp?.snapshot else { preconditionFailure("a snapshot comes after the timestamp") }
        try confirmTimestamp(now: now)
        try listed.check(bytes, role: "snapshot")
        let limit = listed.length ?? limits.snapshotLength
        let file = try SignedMetadata(bytes, role: "snapshot", type: .snapshot, limit: limit)
        let next = try SnapshotMetadata(file)
        try file.verify(root.keys(of: .snapshot), of: "root \(root.version)")
        try Self.checkVersion(next.version, listed, role: "snapshot")
        for (name, known) in (snapshot?.files ?? ExactMap()).pairs {
            guard let new = next.files[name] else {
                throw MetadataError("snapshot", version: next.version, .rollback, "it no longer lists \(name.text)")
            }
            guard new.version >= known.version else {
                throw MetadataError(
                    "snapshot", version: next.version, .rollback,
                    "it lists version \(new.version) of \(name.text), but \(known.version) was listed before")
            }
        }
        try file.checkExpiry(at: now)
        snapshotFile = Verified(file: file, content: next, bytes: bytes)
    }

    /// Keeps the known snapshot, which the timestamp lists.
    package func confirmSnapshot(now: UpdateTime) throws(MetadataError) {
        try snapshotFile?.file.checkExpiry(at: now)
    }

    // MARK: Shared

    /// Checks that a file has the listed version.
    static func checkVersion(_ version: Int, _ listed: ListedFile, role: String) throws(MetadataError) {
        guard version == listed.version else {
            throw MetadataError(role, version: version, .wrongVersion, "version \(listed.version) is listed")
        }
    }

    /// Whether a known file is the listed one.
    static func matches<Content>(_ known: Verified<Content>, _ listed: ListedFile, role: String) -> Bool {
        guard known.file.version == listed.version else { return false }
        do throws(MetadataError) {
            try listed.check(known.bytes, role: role)
            return true
        } catch { return false }
    }
}

extension String {
    /// The text with all bytes percent-encoded except unreserved characters (RFC 3986, section 2.3) and `kept` ones.
    func percentEncoded(keeping kept: String = "") -> String {
        var result: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.append(byte)
            case _ where kept.utf8.contains(byte): result.append(byte)
            default:
                result.append(UInt8(ascii: "%"))
                result += [byte].hexadecimal.uppercased().utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
