package import GlassBase

/// A market file listed in verified metadata.
package struct ListedTarget: Sendable, Equatable {
    /// Its path in the repository.
    package let path: String
    /// Its size in bytes.
    package let length: Int
    /// The SHA-256 digest of its bytes as 64 hexadecimal digits; `nil` if only other digests are listed.
    package let digest: String?
    /// The additional metadata about it.
    package let custom: StrictJSON?

    /// Creates a listed file.
    package init(path: String, length: Int, digest: String?, custom: StrictJSON? = nil) {
        self.path = path
        self.length = length
        self.digest = digest
        self.custom = custom
    }
}

/// Selects the listed file of a market for this installation of the app.
///
/// A market is listed as `GENERATION/ID.json`, where the generation is that of the file format: an incompatible format
/// is published next to the old one, and a market may exist only in the old one. `GENERATION/ID.next.json` is for a
/// percentage of the installations and takes precedence in any generation.
package struct TargetChoice: Sendable {
    /// The version of the app.
    package let app: AppVersion
    /// The newest file format that the app can read.
    package let generation: Int
    /// The random identifier of the installation; `nil` if the store cannot keep one, which excludes it from all
    /// rollouts.
    package let install: String?

    /// Creates the selection for an installation.
    package init(app: AppVersion, generation: Int, install: String?) {
        self.app = app
        self.generation = generation
        self.install = install
    }

    /// The result for a market.
    package enum Result: Sendable, Equatable {
        /// A version that the installation can use.
        case version(DeliveredVersion)
        /// Only versions that the installation cannot use; the reason why it cannot use the best one.
        case incompatible(String)
        /// The metadata lists no version.
        case unlisted
    }

    /// The ids of the markets that are listed in a format that the app can read.
    package func markets(in targets: [ListedTarget]) -> [String] {
        Set(targets.compactMap { Self.parts(of: $0.path) }.filter { $0.generation <= generation }.map(\.id)).sorted()
    }

    /// Finds the file for a market.
    package func version(of id: String, in targets: [ListedTarget], revoked: Set<String>) -> Result {
        var reason: String?
        let files = targets.compactMap { target in Self.parts(of: target.path).map { (parts: $0, target: target) } }
            .filter { $0.parts.id == id && $0.parts.generation <= generation }
            .sorted { ($0.parts.isNext ? 1 : 0, $0.parts.generation) > ($1.parts.isNext ? 1 : 0, $1.parts.generation) }
        for (parts, target) in files {
            do throws(TargetCustomMetadata.Malformed) {
                let terms = try TargetCustomMetadata(target.custom)
                if let rollout = terms.rollout, !(install.map(rollout.includes) ?? false) { continue }
                // Without a rollout, the file would be for everyone, which is what the other path is for.
                if parts.isNext, terms.rollout == nil { continue }
                if let market = terms.market, market != id {
                    reason = reason ?? "its custom metadata names the market \(market)"
                } else if let incompatibility = terms.incompatibility(app: app, generation: generation) {
                    reason = reason ?? incompatibility
                } else if let digest = target.digest?.ifDigest {
                    guard !revoked.contains(digest) else {
                        reason = reason ?? "it is revoked"
                        continue
                    }
                    return .version(
                        DeliveredVersion(
                            digest: digest, path: target.path, length: target.length, serial: terms.serial))
                } else {
                    reason = reason ?? "it is listed without a SHA-256 digest"
                }
            } catch {
                reason = reason ?? "\(error)"
            }
        }
        return reason.map { .incompatible($0) } ?? .unlisted
    }

    /// Parses `1/ca.json` and `1/ca.next.json`; returns `nil` for other paths, such as that of a provenance map.
    private static func parts(of path: String) -> (generation: Int, id: String, isNext: Bool)? {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, let generation = Int(names[0]), generation > 0, names[1].hasSuffix(".json") else {
            return nil
        }
        var id = names[1].dropLast(5)
        let isNext = id.hasSuffix(".next")
        if isNext { id = id.dropLast(5) }
        guard !id.isEmpty, !id.contains(".") else { return nil }
        return (generation, String(id), isNext)
    }
}
