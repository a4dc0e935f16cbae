import GlassBase
import Foundation
import GlassMarkets
import GlassPlatform

/// What stands over a market's files: the remote configuration that its services keep in the state folder.
struct RemoteConfigurationLayer {
    /// What holds.
    let configuration: RemoteConfiguration
    /// Where it comes from, as `explain` says it.
    let text: String

    /// Reads what the services of a market keep.
    init?(of market: Market, in session: Session) {
        guard market.module.sections.contains(where: { $0 == PlatformConfig.self }),
            let file = session.remoteConfigurationFile(of: market.id)
        else { return nil }
        do throws(RemoteConfigurationError) {
            guard let kept = try file.read(), !kept.isRollback(market.compiledDigest) else { return nil }
            let findings = kept.configuration.findings(over: market.sectionValues)
            guard findings.isEmpty else { throw .refused(findings: findings) }
            configuration = kept.configuration
            text =
                "remote configuration" + (kept.receivedAt.map { " of \($0.ISO8601Format())" } ?? "") + " (\(file.path))"
        } catch {
            Console.message("\(error)")
            return nil
        }
    }
}
