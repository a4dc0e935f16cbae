import GlassContainer
import GlassContainerTesting
import GlassDeepLinking
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed002InjectedTests {
    @MainActor @Test func claimsHold() {
        let container = Container()
        let router = DeepLinkRouter(configuration: walmart)
        container.register(DeepLinker.self) { router }
        let deeplinker = makeDeeplinker(container)
        #expect(deeplinker.routables.count == 2, "the deep linker keeps the routables of its cases")
        #expect(
            router.open("walmart://path1").outcome != .routed, "a link reaches the routable, which declines it here")
        #expect(
            router.canRoute(deepLink: "walmart://customFeaturePath"), "a configured path is registered with the others")
        #expect(router.canRoute(deepLink: "walmart://path3"), "every feature is registered")
        #expect(!router.canRoute(deepLink: "walmart://path5"), "no other path is registered")
    }
}
