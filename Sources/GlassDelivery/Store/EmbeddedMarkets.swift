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
    /// Its metadata, verified for the time at which the app was built.
    package let trusted: TrustedSet
    /// The markets in it, by id.
    package let versions: [String: DeliveredVersion]
    private let store: DeliveryStore

    /// Reads the metadata of a snapshot and verifies it.
    ///
    /// - Parameters:
    ///   - path: The folder's path.
    ///   - builtAt: When the app was built; the metadata was valid then.
    ///   - choice: The app.
    ///   - limits: How much of the metadata is taken.
    /// - Throws: ``DeliveryError/embedded(_:reason:)``.
    package init(
        path: String, builtAt: UpdateTime, choice: TargetChoice, limits: UpdateLimits = UpdateLimits()
    ) throws(DeliveryError) {
        self.path = path
        store = DeliveryStore(path)
        do {
            trusted = try TrustedSet(stored: store.metadata(), at: builtAt, limits: limits)
        } catch {
            throw .embedded(path, reason: "\(error)")
        }
        let targets = trusted.listedTargets
        var versions: [String: DeliveredVersion] = [:]
        for id in choice.markets(in: targets) {
            guard case .version(let version) = choice.version(of: id, in: targets, revoked: []) else { continue }
            versions[id] = version
        }
        self.versions = versions
    }

    /// The digests of the markets, whose bytes no store needs.
    package var digests: Set<String> { Set(versions.values.map(\.digest)) }

    /// The bytes of a market.
    ///
    /// - Parameter version: One of ``versions``.
    /// - Returns: Its bytes, which have the version's digest.
    /// - Throws: ``DeliveryError/embedded(_:reason:)`` where they are missing or others.
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
