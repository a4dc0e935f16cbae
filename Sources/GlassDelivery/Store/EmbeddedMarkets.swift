import Crypto
import GlassBase

/// The snapshot embedded in an app: signed metadata and the markets that were current when the app was built.
///
/// It is used before the first refresh and as a last resort, and nothing older than its metadata is accepted. The
/// folder is a store without a state, as created by `glass-delivery fetch`: `root.json`, `timestamp.json`,
/// `snapshot.json`, `targets.json`, and `objects/<sha256>`. It is never written to.
package struct EmbeddedMarkets: Sendable {
    /// The folder's path.
    package let path: String
    /// The markets in it, by id.
    package let versions: [String: DeliveredVersion]
    /// The reasons why this app cannot use other markets in it, by id.
    package let incompatible: [String: String]
    /// The limits of the metadata.
    package let limits: UpdateLimits
    private let store: DeliveryStore
    /// The metadata that a launch with newer delivered markets needs. Verifying the other signatures of the snapshot
    /// would more than double the number that such a launch verifies.
    private let shipped: ShippedMetadata
    private let proof: LazyValue<Result<TrustedSet, DeliveryError>>

    /// Reads the metadata of a snapshot. ``trusted()`` verifies it before any part of it is used.
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
        var incompatible: [String: String] = [:]
        for id in choice.markets(in: targets) {
            switch choice.version(of: id, in: targets, revoked: []) {
            case .version(let version): versions[id] = version
            case .incompatible(let reason): incompatible[id] = reason
            case .unlisted: break
            }
        }
        (self.versions, self.incompatible) = (versions, incompatible)
    }

    /// The metadata, verified as of the build time of the app. The result is cached.
    package func trusted() throws(DeliveryError) -> TrustedSet { try proof.value.get() }

    /// The digest of a market, if the metadata passes verification.
    package func trustedDigest(of id: String) -> String? {
        guard let version = versions[id], case .success = proof.value else { return nil }
        return version.digest
    }

    /// The version of the root.
    package var rootVersion: Int { shipped.rootVersion }

    /// The version of the targets.
    package var version: Int { shipped.version }

    /// Verifies a store, except for its root if that is the embedded one.
    package func verify(_ stored: [String: [UInt8]], at time: UpdateTime) throws(MetadataError) {
        _ = try TrustedSet(stored: stored, at: time, knowing: shipped, limits: limits)
    }

    /// The digests of the markets. No store needs to contain their bytes.
    package var digests: Set<String> { Set(versions.values.map(\.digest)) }

    /// The bytes of a market.
    package func bytes(of version: DeliveredVersion) throws(DeliveryError) -> [UInt8] {
        do throws(StoreError) {
            return try store.bytes(of: version)
        } catch {
            throw .embedded(
                path, reason: "objects/\(version.digest), the file of \(version.path), is missing or damaged")
        }
    }
}

extension TrustedSet {
    /// The files that the trusted roles list.
    package var listedTargets: [ListedTarget] {
        targetFiles.map { file in
            ListedTarget(path: file.path, length: file.length, digest: file.hashes["sha256"], custom: file.custom)
        }
    }

    /// The revoked digests: the member `revoked` of the targets metadata. Each delegated role can have one for the
    /// files that it signs.
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
