import Claims
import GlassContainer

final class AppAnalytics: Analytics {}

final class AppNetworking: Networking {
    let analytics: Analytics

    init(container: Container) {
        analytics = container.analytics
    }
}

final class Plugin {
    let networking: Networking

    init(container: Container) {
        networking = container.networking
    }
}

if CommandLine.arguments.contains("unregistered") {
    _ = Container.walmartApp.networking
}

await Claims.check { claim in
    Container.walmartApp.register(Networking.self, AppNetworking.init)
    Container.walmartApp.register(Analytics.self, AppAnalytics.init)
    Container.walmartApp.register(Plugin.self, Plugin.init)

    let plugin: Plugin = Container.walmartApp.get()
    claim("the container is one for the app", Container.walmartApp === Container.walmartApp)
    claim("a property reads what is registered", Container.walmartApp.analytics is AppAnalytics)
    claim("a property reads one instance", Container.walmartApp.networking === Container.walmartApp.networking)
    claim("a plugin finds the app's services", plugin.networking === Container.walmartApp.networking)
    claim(
        "a service finds another one, registered later",
        (plugin.networking as? AppNetworking)?.analytics === Container.walmartApp.analytics)
    claim("a property finds it too where the type is given", Container.walmartApp.get(Plugin.self) === plugin)
}
