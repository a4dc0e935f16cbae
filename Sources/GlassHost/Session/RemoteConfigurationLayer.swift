import GlassBase
import Foundation
import GlassMarkets
import GlassPlatform

/// The remote configuration that overrides a market's files, as stored in the state folder.
struct RemoteConfigurationLayer {
    /// The stored configuration.
    let configuration: RemoteConfiguration
    /// Its origin, as `explain` prints it.
    let text: String

    /// Reads the configuration that a market's services stored; nil if none applies.
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
