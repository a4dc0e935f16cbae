import GlassContainer
import GlassContainerTesting
import GlassDeepLinking
import Testing

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed002VariantBTests {
    @MainActor @Test func claimsHold() throws {
        let router = DeepLinkRouter(configuration: walmart)
        router.register(routables: makeDeeplinker().routables)
        #expect(router.open("walmart://path1").navigation.screens.last?.name == "a", "a case registers its routable")
        #expect(
            router.open("walmart://customFeaturePath").navigation.screens.last?.name == "a",
            "a case passes its configuration")
        #expect(
            router.open("walmart://path3").navigation.screens.last?.name == "b",
            "a case without configuration registers its routable")

        // The library's own enum, in one call; an app's own class is a case like the others.
        let container = Container()
        let own = DeepLinkRouter(configuration: walmart)
        own.register(
            routes: [
                .account(StandardAccountRoutable(container: container, configuration: .init(customPath: "myaccount"))),
                .custom(StandardFeatureRoutableB(container: container)),
            ],
            using: container)
        #expect(own.open("walmart://myaccount").routableID == "account", "a custom path is added to the standard one")
        #expect(own.open("walmart://account").routableID == "account", "the standard path is kept")
        #expect(
            own.open("walmart://path3").navigation.screens.last?.name == "b", "a custom routable is injected unchanged")
    }
}
