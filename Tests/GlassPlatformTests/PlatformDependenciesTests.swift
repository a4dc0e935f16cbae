import GlassContainer
import GlassDeepLinking
import GlassMarkets
@testable import GlassPlatform
import GlassPlatformMocks
import Testing

struct PlatformDependenciesTests {
    @Test func appServicesReplacePlatformServices() {
        var dependencies = PlatformDependencies()
        dependencies[(any UserAgentProviding).self] = { container in
            UserAgentProvidingMock(userAgent: "Own/" + container.get((any AppInfoAPI).self).version)
        }
        dependencies[(any EnvironmentAPI).self] = { _ in EnvironmentAPIMock(current: "own") }
        dependencies[(any DeepLinker).self] = { _ in DeepLinkerMock().deepLinker }
        let container = Container()
        container.setupPlatformDependencies(
            with: sampleConfig(), overriding: dependencies, deepLinking: DeepLinkConfiguration(schemes: ["walmart"]),
            host: .inMemory)
        #expect(container.get((any UserAgentProviding).self).userAgent == "Own/1.2.3")
        #expect(container.get((any EnvironmentAPI).self).current == "own")
        #expect(DeepLinkerMock(behind: container.deepLinker)?.opened == [])
        #expect(container.get((any AppInfoAPI).self).name == "Walmart México")
        let report = container.validate(requiring: MarketModule.platform.serviceTypes)
        #expect(report.isValid, "\(report)")
        #expect(container.registrations.map(\.displayName).sorted() == PlatformServicesTests.registered)
    }

    @Test func allServicesAreThePlatformsByDefault() {
        let container = Container()
        container.setupPlatformDependencies(
            with: sampleConfig(), overriding: PlatformDependencies(), host: .inMemory)
        #expect(container.validate(requiring: MarketModule.platform.serviceTypes).notChecked.isEmpty)
        #expect(container.get((any AppInfoAPI).self) is AppInfoPlatformAPI)
    }

    @Test func closuresRegisterTheirServicesAndValidationListsTheRest() throws {
        var dependencies = PlatformDependencies()
        dependencies[(any AppInfoAPI).self] = { _ in AppInfoAPIMock(name: "Own") }
        dependencies[(any VideoPermissionProvider).self] = { _ in VideoPermissionProviderMock() }
        let container = Container()
        container.setupPlatformDependencies(dependencies: dependencies)
        #expect(container.get((any AppInfoAPI).self).name == "Own")
        #expect(container.registrations.map(\.displayName).sorted() == ["AppInfoAPI", "VideoPermissionProvider"])
        let report = container.validate(requiring: MarketModule.platform.serviceTypes)
        #expect(report.findings.count == MarketModule.platform.services.count - 2)
    }

    @Test func remoteConfigurationUsesServicesOfApp() {
        var dependencies = PlatformDependencies()
        let mock = Container.mock
        dependencies[(any EnvironmentAPI).self] = { _ in mock.get() }
        dependencies[(any QuimbyAuthProviding).self] = { _ in mock.get() }
        dependencies[(any QuimbyCartProviding).self] = { _ in mock.get() }
        dependencies[(any URLSessionConfigurationAPI).self] = { _ in mock.get() }
        dependencies[(any RetryNotifyingFactory).self] = { container in
            RetryNotifierFactory(ccmSource: container.get())
        }
        let container = Container()
        container.setupPlatformDependencies(dependencies: dependencies)
        #expect(container.validate(requiring: [(any RemoteConfigurationAPI).self]).isValid)
        #expect(container.get((any RetryNotifyingFactory).self).remoteProblem == nil)
    }

    @Test func closureCanBeRemoved() {
        var dependencies = PlatformDependencies()
        #expect(dependencies[(any AppInfoAPI).self] == nil)
        dependencies[(any AppInfoAPI).self] = { _ in AppInfoAPIMock() }
        #expect(dependencies[(any AppInfoAPI).self]?(Container()).name == "Mock")
        dependencies[(any AppInfoAPI).self] = nil
        #expect(dependencies[(any AppInfoAPI).self] == nil)
    }

    @Test func everyReplaceableServiceBelongsToPlatform() {
        // Setting a closure for any other type traps, so this test only finishes if all of them belong to the platform.
        var dependencies = PlatformDependencies()
        let mock = Container.mock
        dependencies[(any AddressConfigurationAPI).self] = { _ in mock.get() }
        dependencies[(any Analytics).self] = { _ in mock.get() }
        dependencies[(any AnalyticsCustomerInfoProviding).self] = { _ in mock.get() }
        dependencies[(any AnalyticsLocationInfoProviding).self] = { _ in mock.get() }
        dependencies[(any AnalyticsMembershipProviding).self] = { _ in mock.get() }
        dependencies[(any AnalyticsSessionProvider).self] = { _ in mock.get() }
        dependencies[(any AnalyticsStoreIDProviding).self] = { _ in mock.get() }
        dependencies[(any AnalyticsTracking).self] = { _ in mock.get() }
        dependencies[(any AppInfoAPI).self] = { _ in mock.get() }
        dependencies[(any AppProcessInfo).self] = { _ in mock.get() }
        dependencies[(any ApplicationURLHandler).self] = { _ in mock.get() }
        dependencies[(any CookieStorageAPI).self] = { _ in mock.get() }
        dependencies[(any DeepLinker).self] = { _ in mock.get() }
        dependencies[(any EnvironmentAPI).self] = { _ in mock.get() }
        dependencies[(any ErrorCoordinatorProducing).self] = { _ in mock.get() }
        dependencies[(any FeatureFlags).self] = { _ in mock.get() }
        dependencies[(any LocationPermissionProvider).self] = { _ in mock.get() }
        dependencies[(any LocationUpdatesProvider).self] = { _ in mock.get() }
        dependencies[(any MediaNetworking).self] = { _ in mock.get() }
        dependencies[(any NetworkInformationProvider).self] = { _ in mock.get() }
        dependencies[(any Networking).self] = { _ in mock.get() }
        dependencies[(any NotificationPermissionProvider).self] = { _ in mock.get() }
        dependencies[(any PreferencesStorage).self] = { _ in mock.get() }
        dependencies[(any QuimbyAuthProviding).self] = { _ in mock.get() }
        dependencies[(any QuimbyCartProviding).self] = { _ in mock.get() }
        dependencies[(any ReflectorManager).self] = { _ in mock.get() }
        dependencies[(any RemoteConfigurationAPI).self] = { _ in mock.get() }
        dependencies[(any RetryNotifyingFactory).self] = { _ in mock.get() }
        dependencies[(any StartupPreferenceAPI).self] = { _ in mock.get() }
        dependencies[(any StorageAPI).self] = { _ in mock.get() }
        dependencies[(any URLSessionConfigurationAPI).self] = { _ in mock.get() }
        dependencies[(any UserAgentProviding).self] = { _ in mock.get() }
        dependencies[(any UserDefaultsRegistrationAPI).self] = { _ in mock.get() }
        dependencies[(any VideoPermissionProvider).self] = { _ in mock.get() }
        let container = Container()
        container.setupPlatformDependencies(with: sampleConfig(), overriding: dependencies, host: .inMemory)
        #expect(container.get((any AppInfoAPI).self) === mock.get((any AppInfoAPI).self))
        #expect(container.get((any VideoPermissionProvider).self) === mock.get((any VideoPermissionProvider).self))
        for service in MarketModule.platform.services {
            let (made, own) = (service.resolve(in: container), service.resolve(in: mock))
            #expect(made as AnyObject === own as AnyObject, "\(service.name)")
        }
    }

    @Test func unknownServiceTypeTrapsWithName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var dependencies = PlatformDependencies()
            dependencies[GlassUserAgent.self] = { _ in GlassUserAgent(appInfo: AppInfoAPIMock()) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("GlassUserAgent is not a service of the platform; pass the protocol"))
    }
}
