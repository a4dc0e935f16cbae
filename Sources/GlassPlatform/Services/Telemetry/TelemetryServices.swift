import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassSchema

extension PlatformCatalog {
    /// Events, sessions, and errors.
    static let telemetry: [Service] = [
        Service(
            (any Analytics).self, script: { $0.scriptMethods },
            requires: [
                PlatformConfig.self, PlatformHost.self, (any AnalyticsSessionProvider).self,
                (any AnalyticsStoreIDProviding).self,
                (any AnalyticsMembershipProviding).self, (any AnalyticsCustomerInfoProviding).self,
                (any AnalyticsLocationInfoProviding).self, (any URLSessionConfigurationAPI).self,
                (any EnvironmentAPI).self, (any AppInfoAPI).self,
            ],
            configuredBy: ["platform.aniviaSuperAttributes", "platform.analytics"],
            "Stores events until they are delivered."
        ) { container in
            let configuration = container.platform.aniviaSuperAttributes
            let sinkInput = AnalyticsSinkDefinition.Input(
                urlSession: container.get(), writeKey: configuration.writeKey, environment: container.get())
            var host = container.host.telemetry
            let sinks = host.sinks(of: container.platform.analytics)
            host.retiredSinks.formUnion(host.leftSinks(of: container.platform.analytics))
            let manager = AsyncAnalyticsManager(
                sessionProvider: container.get(),
                info: AnalyticsInfoProviders(
                    storeID: container.get((any AnalyticsStoreIDProviding).self),
                    membership: container.get((any AnalyticsMembershipProviding).self),
                    customer: container.get((any AnalyticsCustomerInfoProviding).self),
                    location: container.get((any AnalyticsLocationInfoProviding).self)),
                outboxFile: container.host.stateFolder.map { outboxFile(in: $0, tenant: configuration.tenant) },
                sinks: sinks.map { $0.make(sinkInput) },
                batching: Dictionary(
                    sinks.compactMap { sink in sink.batching.map { (sink.name, $0) } }, uniquingKeysWith: { $1 }),
                host: host)
            manager.addAniviaIntent(configuration: configuration, app: container.get())
            return manager
        },
        Service(
            (any AnalyticsTracking).self, script: { ($0 as? any Analytics)?.scriptMethods ?? $0.scriptMethods },
            requires: [(any Analytics).self], "Receives events: the part of analytics that most code needs."
        ) { container in
            container.get((any Analytics).self)
        },
        Service(
            (any AnalyticsSessionProvider).self, script: { $0.scriptMethods },
            usesChildContainer: true, requires: [PlatformHost.self],
            "The user's session."
        ) { container in
            AnalyticsSession(timeout: container.host.telemetry.sessionTimeout, clock: container.host.telemetry.clock)
        },
        Service(
            (any AnalyticsStoreIDProviding).self,
            script: { ($0 as? any AnalyticsFeatureInfo)?.scriptMethods ?? $0.scriptMethods },
            requires: [(any StorageAPI).self], "The store that events belong to."
        ) { container in
            AnalyticsFeatureInfoProvider(storage: container.get())
        },
        Service(
            (any AnalyticsMembershipProviding).self,
            script: { ($0 as? any AnalyticsFeatureInfo)?.scriptMethods ?? $0.scriptMethods },
            requires: [(any AnalyticsStoreIDProviding).self],
            "The membership that events belong to."
        ) { container in
            sharedFeatureInfo(container)
        },
        Service(
            (any AnalyticsCustomerInfoProviding).self,
            script: { ($0 as? any AnalyticsFeatureInfo)?.scriptMethods ?? $0.scriptMethods },
            requires: [(any AnalyticsStoreIDProviding).self],
            "The customer that events belong to."
        ) { container in
            sharedFeatureInfo(container)
        },
        Service(
            (any AnalyticsLocationInfoProviding).self,
            script: { ($0 as? any AnalyticsFeatureInfo)?.scriptMethods ?? $0.scriptMethods },
            requires: [(any AnalyticsStoreIDProviding).self],
            "The location that events belong to."
        ) { container in
            sharedFeatureInfo(container)
        },
        Service(
            (any ErrorCoordinatorProducing).self, script: { $0.scriptMethods },
            requires: [PlatformConfig.self, PlatformHost.self, (any AnalyticsTracking).self],
            configuredBy: [
                "platform.aniviaSuperAttributes.writeKey", "platform.networking.consumerKey",
                "platform.networking.headers", "platform.urlSession.headers", "platform.errors",
            ],
            "Explains errors to the user, and reports them."
        ) { container in
            ErrorCoordinatorManager(
                tracking: container.get(),
                secrets: container.platform.secrets,
                text: { [own = container.host.telemetry.errorText, texts = container.platform.errors] kind in
                    if let text = own(kind) { return text }
                    let text = texts[kind]
                    return ErrorText(text.title, text.message)
                })
        },
    ]

    /// One object serves all four kinds of information. If an app replaces the store's service, the other three share a
    /// separate object that uses the same storage.
    private static func sharedFeatureInfo(_ container: Container) -> AnalyticsFeatureInfoProvider {
        let storeID = container.get((any AnalyticsStoreIDProviding).self)
        return storeID as? AnalyticsFeatureInfoProvider
            ?? AnalyticsFeatureInfoProvider(storage: container.get())
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
        return stateFolder.appending(path: "analytics").appending(path: "\(name.prefix(150)).sqlite")
    }
}

extension TelemetryHost {
    /// The sinks of a market: those that it names, and the program's if it names `app` or no sinks.
    func sinks(of market: AnalyticsConfiguration) -> [AnalyticsSinkDefinition] {
        guard usesMarketSinks else { return sinks }
        var found = market.sinks.isEmpty || market.sinks.contains(.app) ? sinks : []
        for sink in market.sinks {
            let own: AnalyticsSinkDefinition? =
                switch sink {
                case .app: nil
                case .collector: market.collector.map { .collector($0) }
                case .log: .log()
                }
            if let own, !found.contains(where: { $0.name == own.name }) { found.append(own) }
        }
        return found
    }

    /// The sinks that a market no longer uses. If they were still entitled to events, every event would be kept until
    /// the outbox is full.
    func leftSinks(of market: AnalyticsConfiguration) -> Set<String> {
        guard usesMarketSinks else { return [] }
        let known = Set(
            [AnalyticsSinkDefinition.collectorName, AnalyticsSinkDefinition.log().name] + sinks.map(\.name))
        return known.subtracting(sinks(of: market).map(\.name))
    }
}
