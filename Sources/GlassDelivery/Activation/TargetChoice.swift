package import GlassBase

/// A market file that verified metadata lists.
package struct ListedTarget: Sendable, Equatable {
    /// Its path in the repository.
    package let path: String
    /// How many bytes it has.
    package let length: Int
    /// The SHA-256 digest of its bytes as 64 hexadecimal digits; nil where only other digests are listed.
    package let digest: String?
    /// What is said about it besides its bytes.
    package let custom: StrictJSON?

    /// Describes a file.
    package init(path: String, length: Int, digest: String?, custom: StrictJSON? = nil) {
        self.path = path
        self.length = length
        self.digest = digest
        self.custom = custom
    }
}

/// Which of the listed files of a market is for this installation of this app.
///
/// A market is listed as `GENERATION/ID.json`, where the generation is that of the file's form: a break of the form is
/// published beside the old one. `GENERATION/ID.next.json` is for a share of the installations and goes first.
package struct TargetChoice: Sendable {
    /// The version of the app.
    package let app: AppVersion
    /// The newest generation of files that the app reads.
    package let generation: Int
    /// The random name of the installation; nil where the store cannot keep one, which is in no share.
    package let install: String?

    /// Describes an installation.
    package init(app: AppVersion, generation: Int, install: String?) {
        self.app = app
        self.generation = generation
        self.install = install
    }

    /// What was found for a market.
    package enum Result: Sendable, Equatable {
        /// A version that the installation can use.
        case version(DeliveredVersion)
        /// Only versions that it cannot use; why, of the best of them.
        case incompatible(String)
        /// The metadata lists none.
        case unlisted
    }

    /// The markets that are listed in a generation that the app reads.
    package func markets(in targets: [ListedTarget]) -> [String] {
        Set(targets.compactMap { Self.parts(of: $0.path) }.filter { $0.generation <= generation }.map(\.id)).sorted()
    }

    /// Finds the file for a market.
    package func version(of id: String, in targets: [ListedTarget], revoked: Set<String>) -> Result {
        var reason: String?
        let files = targets.compactMap { target in Self.parts(of: target.path).map { (parts: $0, target: target) } }
            .filter { $0.parts.id == id && $0.parts.generation <= generation }
            .sorted { ($0.parts.generation, $0.parts.isNext ? 1 : 0) > ($1.parts.generation, $1.parts.isNext ? 1 : 0) }
        for (parts, target) in files {
            do throws(TargetCustomMetadata.Malformed) {
                let terms = try TargetCustomMetadata(target.custom)
                if let rollout = terms.rollout, !(install.map(rollout.includes) ?? false) { continue }
                // Without a share it would be for everyone, which the other path is for.
                if parts.isNext, terms.rollout == nil { continue }
                if let market = terms.market, market != id {
                    reason = reason ?? "its terms name the market \(market)"
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

    /// `1/ca.json` and `1/ca.next.json`; nil for other paths, such as that of a map.
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
