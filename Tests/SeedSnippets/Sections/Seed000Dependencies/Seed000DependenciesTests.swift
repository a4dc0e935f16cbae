import GlassContainer
import GlassContainerTesting
import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import Testing
import WalmartPlatform

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed000DependenciesTests {
    @MainActor @Test func claimsHold() {
        let app = GlassAppProvider.mainApp
        let services = MarketModule.platform.services
        #expect(app === GlassAppProvider.mainApp, "the app provider has one container")
        // Services added after the seed, which its list does not register.
        let added: [Any.Type] = [(any FeatureFlags).self, (any RemoteConfigurationAPI).self]
        let seeded = MarketModule.platform.serviceTypes.filter { type in !added.contains { $0 == type } }
        #expect(
            services.count == seeded.count + added.count && seeded.count == 32,
            "the platform has the 32 services of the seed, remote configuration and flags")
        #expect(app.validate(requiring: seeded).isValid, "every dependency of the platform is registered in one place")
        #expect(
            app.validate(requiring: MarketModule.platform.serviceTypes).findings.count == 2,
            "a service that is missing from the list is named")

        let environment: EnvironmentAPI = app.get()
        #expect(environment is EnvironmentPlatformAPI, "a service is created by the app's closure")
        #expect(environment.names == ["production"], "a service has the configuration of its market")
        #expect(
            "\(type(of: app.get(Networking.self)))" == "URLSessionNetworking",
            "a service finds the others in the container")
        #expect(
            app.get(AnalyticsTracking.self) === app.get(Analytics.self), "the tracking service is the analytics service"
        )
        #expect(app.get(DeepLinker.self) is DeepLinkRouter, "the deep linker is the app's")
        let retries: RetryNotifyingFactory = app.get()
        #expect(retries.remoteProblem == nil, "notifiers work without remote configuration, which is not in the list")

        let intents = Container(parent: app)
        #expect(intents.validate(requiring: seeded).isValid, "an extension has every service")
        #expect(intents.get(Networking.self) === app.get(Networking.self), "an extension has the same instances")

        let forgetful = Container()
        forgetful.register(EnvironmentAPI.self) { EnvironmentPlatformAPI(container: $0, configurations: .usa) }
        let report = forgetful.validate(requiring: seeded)
        #expect(report.findings.count == 31, "a target that omits registrations gets each one reported")
    }
}
