import Foundation
import GlassContainer
import GlassContainerTesting
import GlassDeepLinking
import GlassPlatform
import GlassPlatformMocks
import Testing

/// Both containers that seed 000 prints, built with the library's names: each service does what it says.
@Suite(.container, .timeLimit(.minutes(1)))
struct PrintedSetupTests {
    /// The container of Option 1, on a device with a camera.
    @available(*, deprecated)
    private func option1() -> Container {
        let app = PrintedSetups.option1()
        var host = PlatformHost()
        host.device = .unattended(permissions: .allow, urlOpener: .print { _ in })
        app.register(PlatformHost.self) { [host] _ in host }
        return app
    }

    @available(*, deprecated)
    private func option2() -> Container {
        let app = Container()
        app.setupOption2(with: PrintedSetups.usa)
        return app
    }

    // MARK: Option 1

    @available(*, deprecated)
    @Test func everyPrintedServiceResolves() throws {
        let app = option1()
        for service in app.registrations {
            #expect(throws: Never.self, "\(service)") { try app.require(named: service.displayName, as: Any.self) }
        }
        #expect(app.registrations.count >= 32)
    }

    @available(*, deprecated)
    @Test func storedIDOfThePrintedProviderReachesStorage() throws {
        let app = option1()
        try app.get(AnalyticsStoreIDProviding.self).setAnalyticsStoreID("3520")
        #expect(try app.get(StorageAPI.self).keys(in: "analytics").contains("storeID"))
        try app.get(QuimbyCartProviding.self).setCartID("c")
        try app.get(PreferencesStorage.self).set(.integer(7), for: "storeID")
        #expect(try app.get(StorageAPI.self).keys(in: "quimby") == ["cartID"])
        #expect(try app.get(StorageAPI.self).keys(in: "preferences/com.walmart.seeds") == ["storeID"])
    }

    @available(*, deprecated)
    @Test func userAgentHasTheAppsName() {
        let app = option1()
        let agent = app.get(UserAgentProviding.self).userAgent
        #expect(agent.hasPrefix("Walmart/24.3.0 (") && agent.contains("com.walmart.electronics"), "\(agent)")
        let headers = app.get(URLSessionConfigurationAPI.self).makeConfiguration().httpAdditionalHeaders
        #expect(headers?["User-Agent"] as? String == agent)
    }

    @available(*, deprecated)
    @Test func printedAnalyticsSendsEventsSomewhere() async throws {
        let app = option1()
        let analytics = app.get(Analytics.self)
        try analytics.track(AnalyticsEvent("pageView"))
        try await analytics.flush()
        let counts = try analytics.counts()
        #expect(counts.tracked == 2 && counts.sent == counts.tracked && !counts.sentBySink.isEmpty, "\(counts)")
        await app.shutdown()
    }

    @available(*, deprecated)
    @Test func printedRouterRoutes() throws {
        let app = option1()
        app.deepLinker.register(routes: [.account(StandardAccountRoutable(container: app))], using: app)
        #expect(app.deepLinker.open("walmart://account").routableID == "account")
        app.register(DeepLinkConfiguration.self) { DeepLinkConfiguration(schemes: ["walmart"]) }
        #expect(app.deepLinker.open("walmart://account").routableID == "account")
        #expect(app.deepLinker.open("target://account").routableID == nil)
    }

    @available(*, deprecated)
    @Test func setupGivesTheContainersConfiguration() throws {
        let container = Container()
        container.setupPlatformDependencies(
            with: PlatformConfig(), deepLinking: DeepLinkConfiguration(schemes: ["walmart"]))
        let router = DeepLinkRouter()
        container.setupDeeplinkerDependancies(deeplinker: router)
        router.register(routes: [.account(StandardAccountRoutable(container: container))])
        #expect(router.open("walmart://account").routableID == "account")
        #expect(router.open("target://account").routableID == nil)
    }

    @available(*, deprecated)
    @Test func errorTextsOfThePrintedInitializer() {
        let app = option1()
        var config = PlatformConfig()
        config.errors[.offline].title = "Sin conexión"
        app.register(PlatformConfig.self) { [config] _ in config }
        #expect(app.get(ErrorCoordinatorProducing.self).text(for: .offline).title == "Sin conexión")
    }

    @available(*, deprecated)
    @Test func printedContainerIsReleased() {
        weak var app: Container?
        do {
            let container = option1()
            for service in container.registrations {
                _ = try? container.require(named: service.displayName, as: Any.self)  // the test above checks it
            }
            app = container
        }
        #expect(app == nil)
    }

    // MARK: Option 2

    @available(*, deprecated)
    @Test func printedConfigurationIsValid() {
        let errors = PrintedSetups.usa.findings().filter { $0.severity == .error }
        #expect(errors.isEmpty, "\(errors)")
    }

    @available(*, deprecated)
    @Test func everyServiceOfOption2Resolves() throws {
        let app = option2()
        #expect(app.registrations.count == 9)
        for service in app.registrations {
            #expect(throws: Never.self, "\(service)") { try app.require(named: service.displayName, as: Any.self) }
        }
        #expect(try app.get(PreferencesStorage.self).value(for: "storeID") == .integer(100))
        try app.get(PreferencesStorage.self).set(.integer(7), for: "storeID")
        #expect(try app.get(PreferencesStorage.self).value(for: "storeID") == .integer(7))
        let headers = app.get(URLSessionConfigurationAPI.self).makeConfiguration().httpAdditionalHeaders
        #expect((headers?["User-Agent"] as? String)?.hasPrefix("Walmart/24.3.0 (") == true)
    }

    @available(*, deprecated)
    @Test func servicesAfterOption2AreUsed() throws {
        let app = option2()
        let (preferences, environment) = (app.get(PreferencesStorage.self), app.get(EnvironmentAPI.self))
        let sessions = app.get(URLSessionConfigurationAPI.self)
        let mock = Container.mock
        app.register(StorageAPI.self) { _ in mock.get() }
        app.register(UserAgentProviding.self) { _ in mock.get() }
        try preferences.set(.integer(7), for: "storeID")
        try environment.switchTo("production")
        #expect(try mock.get(StorageAPI.self).keys(in: "preferences/com.walmart.seeds") == ["storeID"])
        #expect(try mock.get(StorageAPI.self).keys(in: "environment") == ["com.walmart.electronics"])
        let headers = sessions.makeConfiguration().httpAdditionalHeaders
        #expect(headers?["User-Agent"] as? String == mock.get(UserAgentProviding.self).userAgent)
    }

    @available(*, deprecated)
    @Test func eventsOfOption2HaveADestination() async throws {
        let app = option2()
        let analytics = app.get(Analytics.self)
        try analytics.track(AnalyticsEvent("pageView"))
        try await analytics.flush()
        #expect(try !analytics.counts().sentBySink.isEmpty)
        await app.shutdown()
    }

    @available(*, deprecated)
    @Test func missingServiceOfOption2IsNamed() throws {
        let app = Container()
        app.setupNetworking(setupTracking: true, configuration: .usa)
        let findings = app.validate().findings
        #expect(findings.map(\.message) == ["Networking requires EnvironmentAPI, which is not registered"])
        let error = #expect(throws: ContainerError.self) { try app.require(Networking.self) }
        #expect(error?.description.contains("hint: register((any EnvironmentAPI).self) { … }") == true)
    }
}
