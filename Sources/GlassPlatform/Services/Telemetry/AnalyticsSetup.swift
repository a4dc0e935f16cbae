import Foundation
import GlassSchema

/// The outbox, the destinations, and the common information of an ``AsyncAnalyticsManager``.
struct AnalyticsSetup: Sendable {
    /// The session of the events. Each event extends it.
    var session: (any AnalyticsSessionProvider)?
    var info = AnalyticsInfoProviders()
    /// The file for the events; `nil` keeps them in memory.
    var outboxFile: URL?
    var sinks: [any AnalyticsSink] = []
    /// The batching for some of the sinks; the others have that of `host`.
    var batching: [String: AnalyticsBatching] = [:]
    /// The limits, batching, and retry settings. Its sinks are ignored.
    var host = TelemetryHost()
}

extension AnalyticsSetup {
    /// The setup of a market: the sinks that it names and those of the program, and the outbox of its tenant.
    init(
        market: AnalyticsConfiguration, anivia: AniviaSuperAttributesConfiguration, host: PlatformHost,
        session: (any AnalyticsSessionProvider)?, info: AnalyticsInfoProviders,
        urlSession: any URLSessionConfigurationAPI, environment: any EnvironmentAPI
    ) {
        let input = AnalyticsSinkDefinition.Input(
            urlSession: urlSession, writeKey: anivia.writeKey, environment: environment)
        let definitions = host.telemetry.sinks(of: market)
        self.session = session
        self.info = info
        outboxFile = host.stateFolder.map { Self.outboxFile(in: $0, tenant: anivia.tenant) }
        sinks = definitions.map { $0.make(input) }
        batching = Dictionary(
            definitions.compactMap { sink in sink.batching.map { (sink.name, $0) } }, uniquingKeysWith: { $1 })
        self.host = host.telemetry
        self.host.retiredSinks.formUnion(host.telemetry.leftSinks(of: market))
    }

    /// The setup for the services that a container has. Without a market's configuration and sinks of the program,
    /// events go to the log.
    init(
        _ container: LateContainer, anivia: AniviaSuperAttributesConfiguration?,
        session: (any AnalyticsSessionProvider)?
    ) {
        let (platform, host) = (container.get(PlatformConfig.self), container.host)
        var market = platform?.analytics ?? AnalyticsConfiguration()
        if platform == nil, host.telemetry.sinks.isEmpty { market.sinks = [.log] }
        self.init(
            market: market, anivia: anivia ?? platform?.aniviaSuperAttributes ?? AniviaSuperAttributesConfiguration(),
            host: host, session: session ?? container.get((any AnalyticsSessionProvider).self),
            info: AnalyticsInfoProviders(
                storeID: container.get(), membership: container.get(), customer: container.get(),
                location: container.get()),
            urlSession: container.get((any URLSessionConfigurationAPI).self)
                ?? URLSessionConfigurationPlatformAPI(
                    container, configuration: platform?.urlSession ?? SessionConfiguration()),
            environment: container.get((any EnvironmentAPI).self)
                ?? EnvironmentPlatformAPI(
                    container, configurations: platform?.environment ?? EnvironmentConfiguration()))
    }

    private static let folder = "analytics"

    /// The state folder that has an outbox file; `nil` for a file that is elsewhere.
    static func stateFolder(of outboxFile: URL) -> URL? {
        let parent = outboxFile.deletingLastPathComponent()
        return parent.lastPathComponent == folder ? parent.deletingLastPathComponent() : nil
    }

    /// The outbox files in a state folder, one for each tenant, by name. At most 100.
    static func outboxFiles(in stateFolder: URL) -> [URL] {
        let folder = stateFolder.appending(path: folder)
        // Without the folder, there are none.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".sqlite") }.sorted().prefix(100).map { folder.appending(path: $0) }
    }

    /// The outbox file of a tenant. Markets that share a state folder must not send each other's events.
    static func outboxFile(in stateFolder: URL, tenant: String) -> URL {
        var name = ""
        for byte in tenant.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                name += "_" + String(byte, radix: 16)
            }
        }
        // File names are limited to 255 bytes, and suffixes are added.
        return stateFolder.appending(path: folder).appending(path: "\(name.prefix(150)).sqlite")
    }
}
