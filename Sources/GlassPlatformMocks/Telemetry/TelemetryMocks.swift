import GlassContainer
import GlassMarkets
import GlassPlatform

extension Service {
    /// Mocks of events, sessions, and errors.
    static let telemetryMocks: [Service] = [
        Service((any Analytics).self, requires: [PlatformConfig.self], "Stores events.") { container in
            let attributes = container.get(PlatformConfig.self).aniviaSuperAttributes.attributes
            return AnalyticsMock(superAttributes: attributes)
        },
        Service((any AnalyticsTracking).self, requires: [(any Analytics).self], "Receives events.") { container in
            container.get((any Analytics).self)
        },
        Service((any AnalyticsSessionProvider).self, "The user's session.") { _ in AnalyticsSessionProviderMock() },
        Service((any AnalyticsStoreIDProviding).self, "The store that events belong to.") { _ in
            AnalyticsFeatureInfoMock()
        },
        // As with the live services, one object serves all four.
        Service((any AnalyticsMembershipProviding).self, requires: storeID, "The membership of events.") { container in
            container.featureInfoMock
        },
        Service((any AnalyticsCustomerInfoProviding).self, requires: storeID, "The customer of events.") { container in
            container.featureInfoMock
        },
        Service((any AnalyticsLocationInfoProviding).self, requires: storeID, "The location of events.") { container in
            container.featureInfoMock
        },
        Service((any ErrorCoordinatorProducing).self, "Explains errors to the user.") { _ in
            ErrorCoordinatorProducingMock()
        },
    ]

    private static var storeID: [Any.Type] { [(any AnalyticsStoreIDProviding).self] }
}

extension Container {
    fileprivate var featureInfoMock: AnalyticsFeatureInfoMock {
        self.get((any AnalyticsStoreIDProviding).self) as? AnalyticsFeatureInfoMock ?? AnalyticsFeatureInfoMock()
    }
}
