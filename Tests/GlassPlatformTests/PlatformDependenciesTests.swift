import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks
import Testing

struct PlatformDependenciesTests {
    @Test func anAppsOwnServicesTakeThePlaceOfThePlatforms() {
        var dependencies = PlatformDependencies()
        dependencies.userAgentProvider = { container in
            UserAgentProvidingMock(userAgent: "Own/" + container.get((any AppInfoAPI).self).version)
        }
        dependencies[(any EnvironmentAPI).self] = { _ in EnvironmentAPIMock(current: "own") }
        dependencies.deepLinkerProvider = { _ in DeepLinkerMock() }
        let container = Container()
        container.setupPlatformDependencies(
            with: sampleConfig(), overriding: dependencies, deepLinking: DeepLinkConfiguration(schemes: ["walmart"]))
        #expect(container.get((any UserAgentProviding).self).userAgent == "Own/1.2.3")
        #expect(container.get((any EnvironmentAPI).self).current == "own")
        #expect(container.deepLinker is DeepLinkerMock)
        #expect(container.get((any AppInfoAPI).self).name == "Walmart México")
        let report = container.validate(requiring: MarketModule.platform.serviceTypes)
        #expect(report.isValid, "\(report)")
        #expect(container.registrations.map(\.displayName).sorted() == PlatformServicesTests.registered)
    }

    @Test func withoutOverridesEverythingIsThePlatforms() {
        let container = Container()
        container.setupPlatformDependencies(with: sampleConfig(), overriding: PlatformDependencies())
        #expect(container.validate(requiring: MarketModule.platform.serviceTypes).notChecked.isEmpty)
        #expect(container.get((any AppInfoAPI).self) is AppInfoPlatformAPI)
    }

    @Test func closuresAloneRegisterWhatTheyMakeAndValidationNamesTheRest() throws {
        var dependencies = PlatformDependencies()
        dependencies.appInfoAPIProvider = { _ in AppInfoAPIMock(name: "Own") }
        dependencies.videoPermissionProvider = { _ in VideoPermissionProviderMock() }
        let container = Container()
        container.setupPlatformDependencies(dependencies: dependencies)
        #expect(container.get((any AppInfoAPI).self).name == "Own")
        #expect(container.registrations.map(\.displayName).sorted() == ["AppInfoAPI", "VideoPermissionProvider"])
        let report = container.validate(requiring: MarketModule.platform.serviceTypes)
        #expect(report.findings.count == MarketModule.platform.services.count - 2)
    }

    @Test func remoteConfigurationIsThePlatformsWhereTheAppMakesWhatItTakes() {
        var dependencies = PlatformDependencies()
        let mock = Container.mock
        dependencies.environmentAPIProvider = { _ in mock.get() }
        dependencies.quimbyAuthProvider = { _ in mock.get() }
        dependencies.quimbyCartProvider = { _ in mock.get() }
        dependencies.urlSessionConfigurationAPIProvider = { _ in mock.get() }
        dependencies.retryNotifyingFactoryProvider = { container in RetryNotifierFactory(ccmSource: container.get()) }
        let container = Container()
        container.setupPlatformDependencies(dependencies: dependencies)
        #expect(container.validate(requiring: [(any RemoteConfigurationAPI).self]).isValid)
        #expect(container.get((any RetryNotifyingFactory).self).remoteProblem == nil)
    }

    @Test func aClosureCanBeTakenBack() {
        var dependencies = PlatformDependencies()
        #expect(dependencies.appInfoAPIProvider == nil)
        dependencies.appInfoAPIProvider = { _ in AppInfoAPIMock() }
        #expect(dependencies.appInfoAPIProvider?(Container()).name == "Mock")
        dependencies.appInfoAPIProvider = nil
        #expect(dependencies[(any AppInfoAPI).self] == nil)
    }

    @Test func everyServiceThatMayBeMadeByTheAppIsOneOfThePlatforms() {
        // Setting a property stops when its type is none, so that this test ends only when all are.
        var dependencies = PlatformDependencies()
        let mock = Container.mock
        dependencies.addressConfigurationAPIProvider = { _ in mock.get() }
        dependencies.analyticsProvider = { _ in mock.get() }
        dependencies.analyticsCustomerInfoProvider = { _ in mock.get() }
        dependencies.analyticsLocationInfoProvider = { _ in mock.get() }
        dependencies.analyticsMembershipProvider = { _ in mock.get() }
        dependencies.analyticsSessionProvider = { _ in mock.get() }
        dependencies.analyticsStoreIDProvider = { _ in mock.get() }
        dependencies.analyticsTrackingProvider = { _ in mock.get() }
        dependencies.appInfoAPIProvider = { _ in mock.get() }
        dependencies.appProcessInfoProvider = { _ in mock.get() }
        dependencies.applicationURLHandlerProvider = { _ in mock.get() }
        dependencies.cookieStorageAPIProvider = { _ in mock.get() }
        dependencies.deepLinkerProvider = { _ in mock.get() }
        dependencies.environmentAPIProvider = { _ in mock.get() }
        dependencies.errorCoordinatorProvider = { _ in mock.get() }
        dependencies.locationPermissionProvider = { _ in mock.get() }
        dependencies.locationUpdatesProvider = { _ in mock.get() }
        dependencies.mediaNetworkingProvider = { _ in mock.get() }
        dependencies.networkInformationProvider = { _ in mock.get() }
        dependencies.networkingProvider = { _ in mock.get() }
        dependencies.notificationPermissionProvider = { _ in mock.get() }
        dependencies.preferencesStorageProvider = { _ in mock.get() }
        dependencies.quimbyAuthProvider = { _ in mock.get() }
        dependencies.quimbyCartProvider = { _ in mock.get() }
        dependencies.reflectorManagerProvider = { _ in mock.get() }
        dependencies.remoteConfigurationAPIProvider = { _ in mock.get() }
        dependencies.retryNotifyingFactoryProvider = { _ in mock.get() }
        dependencies.startupPreferenceAPIProvider = { _ in mock.get() }
        dependencies.storageAPIProvider = { _ in mock.get() }
        dependencies.urlSessionConfigurationAPIProvider = { _ in mock.get() }
        dependencies.userAgentProvider = { _ in mock.get() }
        dependencies.userDefaultsRegistrationAPI = { _ in mock.get() }
        dependencies.videoPermissionProvider = { _ in mock.get() }
        let container = Container()
        container.setupPlatformDependencies(with: sampleConfig(), overriding: dependencies)
        #expect(container.get((any AppInfoAPI).self) === mock.get((any AppInfoAPI).self))
        #expect(container.get((any VideoPermissionProvider).self) === mock.get((any VideoPermissionProvider).self))
        for service in MarketModule.platform.services {
            let (made, own) = (service.resolve(in: container), service.resolve(in: mock))
            #expect(made as AnyObject === own as AnyObject, "\(service.name)")
        }
    }

    @Test func aTypeThatIsNoServiceStopsWithItsName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var dependencies = PlatformDependencies()
            dependencies[GlassUserAgent.self] = { _ in GlassUserAgent(appInfo: AppInfoAPIMock()) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("GlassUserAgent is no service of the platform; give the protocol"))
    }
}
