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
            let manager = AsyncAnalyticsManager(
                AnalyticsSetup(
                    market: container.platform.analytics, anivia: configuration, host: container.host,
                    session: container.get(),
                    info: AnalyticsInfoProviders(
                        storeID: container.get((any AnalyticsStoreIDProviding).self),
                        membership: container.get((any AnalyticsMembershipProviding).self),
                        customer: container.get((any AnalyticsCustomerInfoProviding).self),
                        location: container.get((any AnalyticsLocationInfoProviding).self)),
                    urlSession: container.get(), environment: container.get()))
            // Not the container, which retains the manager.
            let app: any AppInfoAPI = container.get()
            manager.addAniviaIntent(configuration: configuration) { app }
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
                text: { [host = container.host.telemetry, market = container.platform.errors] kind in
                    ErrorCoordinatorManager.text(for: kind, host: host, market: market)
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
