import GlassContainer
import GlassPlatform

extension Container {
    func registerTelemetryMocks(_ configuration: PlatformConfig) {
        register((any Analytics).self, requires: []) { _ in
            AnalyticsMock(superAttributes: configuration.aniviaSuperAttributes.attributes)
        }
        register((any AnalyticsTracking).self, requires: [(any Analytics).self]) { $0.get((any Analytics).self) }
        register((any AnalyticsSessionProvider).self, requires: []) { _ in AnalyticsSessionProviderMock() }
        register((any AnalyticsStoreIDProviding).self, requires: []) { _ in AnalyticsFeatureInfoMock() }
        // As with the live ones, one object serves all four.
        let storeID = [(any AnalyticsStoreIDProviding).self] as [Any.Type]
        register((any AnalyticsMembershipProviding).self, requires: storeID) { $0.featureInfoMock }
        register((any AnalyticsCustomerInfoProviding).self, requires: storeID) { $0.featureInfoMock }
        register((any AnalyticsLocationInfoProviding).self, requires: storeID) { $0.featureInfoMock }
        register((any ErrorCoordinatorProducing).self, requires: []) { _ in ErrorCoordinatorProducingMock() }
    }

    private var featureInfoMock: AnalyticsFeatureInfoMock {
        self.get((any AnalyticsStoreIDProviding).self) as? AnalyticsFeatureInfoMock ?? AnalyticsFeatureInfoMock()
    }
}
