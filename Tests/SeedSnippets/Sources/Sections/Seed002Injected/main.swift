import Claims
import GlassContainer
import GlassDeepLinking

await Claims.check { claim in
    let container = Container()
    let router = DeepLinkRouter(configuration: walmart)
    container.register(DeepLinker.self) { router }
    let deeplinker = try makeDeeplinker(container)
    claim("the deep linker keeps the routables of its cases", deeplinker.routables.count == 2)
    claim("a link goes to the routable, which here declines it", router.open("walmart://path1").outcome != .routed)
    claim("a configured path is registered with the others", router.canRoute(deepLink: "walmart://customFeaturePath"))
    claim("every feature is registered", router.canRoute(deepLink: "walmart://path3"))
    claim("no other path is", !router.canRoute(deepLink: "walmart://path5"))
}
