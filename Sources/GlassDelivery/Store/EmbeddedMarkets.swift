import Crypto
import GlassBase

/// The snapshot that came with an app: signed metadata and the markets of the day on which the app was built.
///
/// It is what runs before the first refresh and when nothing else can, and nothing older than its metadata is taken. The
/// folder is a store without a state, as `glass-delivery fetch` makes one: `root.json`, `timestamp.json`, `snapshot.json`,
/// `targets.json` and `objects/<sha256>`. It is only read.
package struct EmbeddedMarkets: Sendable {
    /// The folder's path.
    package let path: String
    /// The markets in it, by id.
    package let versions: [String: DeliveredVersion]
    /// How much of metadata is taken.
    package let limits: UpdateLimits
    private let store: DeliveryStore
    /// A start that runs on newer markets of the store needs no more: the other signatures of the snapshot would be more
    /// than half of those that such a start verifies.
    private let shipped: ShippedMetadata
    private let proof: LazyValue<Result<TrustedSet, DeliveryError>>

    /// Reads the metadata of a snapshot. ``trusted()`` verifies it, before anything of it is used.
    package init(
        path: String, builtAt: UpdateTime, choice: TargetChoice, limits: UpdateLimits = UpdateLimits()
    ) throws(DeliveryError) {
        self.path = path
        self.limits = limits
        store = DeliveryStore(path)
        let files: [String: [UInt8]]
        do {
            files = try store.metadata()
            shipped = try ShippedMetadata(files, limits: limits)
        } catch {
            throw .embedded(path, reason: "\(error)")
        }
        proof = LazyValue {
            Result { () throws(MetadataError) in try TrustedSet(stored: files, at: builtAt, limits: limits) }
                .mapError { .embedded(path, reason: "\($0)") }
        }
        let targets = shipped.listedTargets
        var versions: [String: DeliveredVersion] = [:]
        for id in choice.markets(in: targets) {
            guard case .version(let version) = choice.version(of: id, in: targets, revoked: []) else { continue }
            versions[id] = version
        }
        self.versions = versions
    }

    /// The metadata, verified for the time at which the app was built. It is verified once.
    package func trusted() throws(DeliveryError) -> TrustedSet { try proof.value.get() }

    /// The digest of a market whose metadata proves itself.
    package func trustedDigest(of id: String) -> String? {
        guard let version = versions[id], case .success = proof.value else { return nil }
        return version.digest
    }

    /// The version of the root.
    package var rootVersion: Int { shipped.rootVersion }

    /// The version of the targets.
    package var version: Int { shipped.version }

    /// Verifies a store, but for its root where that is the one that came with the app.
    package func verify(_ stored: [String: [UInt8]], at time: UpdateTime) throws(MetadataError) {
        _ = try TrustedSet(stored: stored, at: time, knowing: shipped, limits: limits)
    }

    /// The digests of the markets, whose bytes no store needs.
    package var digests: Set<String> { Set(versions.values.map(\.digest)) }

    /// The bytes of a market.
    package func bytes(of version: DeliveredVersion) throws(DeliveryError) -> [UInt8] {
        do throws(StoreError) {
            return try store.bytes(of: version)
        } catch {
            throw .embedded(
                path, reason: "objects/\(version.digest), which is \(version.path), is missing or another file")
        }
    }
}

extension TrustedSet {
    /// The files that the known roles list.
    package var listedTargets: [ListedTarget] {
        targetFiles.map { file in
            ListedTarget(path: file.path, length: file.length, digest: file.hashes["sha256"], custom: file.custom)
        }
    }

    /// The digests that are not to be used any more: the member `revoked` of the targets, which each role may have for what
    /// it signs.
    package var revoked: Set<String> {
        let roles = [targets] + delegatedRoles.map { delegated($0) }
        return roles.reduce(into: []) { revoked, targets in
            for digest in targets?.signed["revoked"]?.arrayValue ?? [] {
                if let digest = digest.stringValue?.ifDigest { revoked.insert(digest) }
            }
        }
    }

    /// The versions of the files, by role.
    package var versions: [String: Int] {
        var versions = ["root": root.version]
        versions["timestamp"] = timestamp?.version
        versions["snapshot"] = snapshot?.version
        versions["targets"] = targets?.version
        return versions
    }
}
