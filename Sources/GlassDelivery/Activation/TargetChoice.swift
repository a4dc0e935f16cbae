package import GlassBase
import GlassMarkets

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
/// A market is listed as `FORMAT/ID.json`, where the format is the number of the compiled format. An app reads one; if a
/// market is listed only in others, the app keeps the version that it has. `FORMAT/ID.next.json` is for a percentage of
/// the installations and takes precedence.
package struct TargetChoice: Sendable {
    /// The version of the app.
    package let app: AppVersion
    /// The random identifier of the installation; `nil` if the store cannot keep one, which excludes it from all
    /// rollouts.
    package let install: String?

    /// Creates the selection for an installation.
    package init(app: AppVersion, install: String?) {
        self.app = app
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

    /// The ids of the markets that are listed, in any format.
    package func markets(in targets: [ListedTarget]) -> [String] {
        Set(targets.compactMap { Self.parts(of: $0.path)?.id }).sorted()
    }

    /// Finds the file for a market.
    package func version(of id: String, in targets: [ListedTarget], revoked: Set<String>) -> Result {
        var reason: String?
        let files = targets.compactMap { target in Self.parts(of: target.path).map { (parts: $0, target: target) } }
            .filter { $0.parts.id == id }
        let readable = files.filter { $0.parts.format == CompiledMarket.format }
        for (parts, target) in readable.sorted(by: { $0.parts.isNext && !$1.parts.isNext }) {
            do throws(TargetCustomMetadata.Malformed) {
                let terms = try TargetCustomMetadata(target.custom)
                if let rollout = terms.rollout, !(install.map(rollout.includes) ?? false) { continue }
                // Without a rollout, the file would be for everyone, which is what the other path is for.
                if parts.isNext, terms.rollout == nil { continue }
                if let market = terms.market, market != id {
                    reason = reason ?? "its custom metadata names the market \(market)"
                } else if let incompatibility = terms.incompatibility(app: app) {
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
        if readable.isEmpty, let other = files.map(\.parts.format).max() {
            reason = TargetCustomMetadata.incompatibility(format: other)
        }
        return reason.map { .incompatible($0) } ?? .unlisted
    }

    /// Parses `4/ca.json` and `4/ca.next.json`; returns `nil` for other paths, such as that of a provenance map.
    private static func parts(of path: String) -> (format: Int, id: String, isNext: Bool)? {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, let format = Int(names[0]), format > 0, names[1].hasSuffix(".json") else {
            return nil
        }
        var id = names[1].dropLast(5)
        let isNext = id.hasSuffix(".next")
        if isNext { id = id.dropLast(5) }
        guard !id.isEmpty, !id.contains(".") else { return nil }
        return (format, String(id), isNext)
    }
}
