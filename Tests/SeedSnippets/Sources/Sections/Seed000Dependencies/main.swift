import Claims
import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassPlatform

await Claims.check { claim in
    let app = GlassAppProvider.mainApp
    let services = MarketModule.platform.services
    claim("the app provider has one container", app === GlassAppProvider.mainApp)
    claim("the platform has the 32 services of the seed and remote configuration", services.count == 33)
    // The service that came after the seed, which its list does not register.
    let seeded = MarketModule.platform.serviceTypes.filter { $0 != (any RemoteConfigurationAPI).self }
    claim("every dependency of the platform is registered in one place", app.validate(requiring: seeded).isValid)
    claim(
        "and what the list does not have is named",
        app.validate(requiring: MarketModule.platform.serviceTypes).findings.count == 1)

    let environment: EnvironmentAPI = app.get()
    claim("a service is what the app's closure makes", environment is EnvironmentPlatformAPI)
    claim("with the configuration of its market", environment.names == ["production"])
    claim(
        "a service finds the others in the container", "\(type(of: app.get(Networking.self)))" == "URLSessionNetworking"
    )
    claim("tracking is the analytics", app.get(AnalyticsTracking.self) === app.get(Analytics.self))
    claim("the deep linker is the app's", app.get(DeepLinker.self) is DeepLinkRouter)

    let intents = Container(parent: app)
    claim("an extension has every service", intents.validate(requiring: seeded).isValid)
    claim("and the same instance", intents.get(Networking.self) === app.get(Networking.self))

    let forgetful = Container()
    forgetful.register(EnvironmentAPI.self) { EnvironmentPlatformAPI(container: $0, configurations: .usa) }
    let report = forgetful.validate(requiring: seeded)
    claim("a target that forgets a registration is told each one", report.findings.count == 31)
}
