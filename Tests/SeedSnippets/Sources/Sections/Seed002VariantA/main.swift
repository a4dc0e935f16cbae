import Claims
import GlassContainer
import GlassDeepLinking

struct OtherFeature: Routable {
    let actionRoutes = ["path1"]

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
}

await Claims.check { claim in
    let router = DeepLinkRouter(configuration: walmart)
    try router.register(routables: makeDeeplinker().routables)
    func screen(_ link: String) -> String? { router.open(link).navigation.screens.last?.name }
    claim("a standard path opens the feature", screen("walmart://path1") == "a")
    claim("a configured path opens it too", screen("walmart://customFeaturePath") == "a")
    claim("a routable without configuration is as it is", screen("walmart://path3") == "b")

    // As printed, the two features have the same paths.
    var clash: (any Error)?
    do {
        try router.register(routables: [OtherFeature()])
    } catch {
        clash = error
    }
    claim("two features cannot have one path", clash is RouteTableError)

    // The library's own: the link of one market and of the other (002:12).
    let container = Container()
    let us = DeepLinkRouter(configuration: walmart)
    try us.register(routables: [StandardAccountRoutable(container: container)])
    let ca = DeepLinkRouter(configuration: canada)
    try ca.register(routables: [
        StandardAccountRoutable(container: container, configuration: .init(paths: ["myaccount"]))
    ])
    claim("walmart://account opens the account", us.open("walmart://account").routableID == "account")
    claim("walmart.ca://myaccount does", ca.open("walmart.ca://myaccount").routableID == "account")
    claim("and walmart.ca://account nothing", ca.open("walmart.ca://account").routableID == nil)
}
