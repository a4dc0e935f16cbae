import Claims
import GlassContainer
import GlassDeepLinking

await Claims.check { claim in
    let router = DeepLinkRouter(configuration: walmart)
    try router.register(routables: makeDeeplinker().routables)
    claim("a case registers its routable", router.open("walmart://path1").navigation.screens.last?.name == "a")
    claim("with its configuration", router.open("walmart://customFeaturePath").navigation.screens.last?.name == "a")
    claim("a case without configuration too", router.open("walmart://path3").navigation.screens.last?.name == "b")

    // The library's own enum, in one call; an app's own class is a case like the others.
    let container = Container()
    let own = DeepLinkRouter(configuration: walmart)
    try own.register(
        routes: [
            .account(StandardAccountRoutable(container: container, configuration: .init(customPath: "myaccount"))),
            .custom(StandardFeatureRoutableB(container: container)),
        ],
        using: container)
    claim("a custom path is beside the standard one", own.open("walmart://myaccount").routableID == "account")
    claim("which stays", own.open("walmart://account").routableID == "account")
    claim("a custom routable is injected as it is", own.open("walmart://path3").navigation.screens.last?.name == "b")
}
