import GlassContainer
import GlassContainerTesting
import GlassDeepLinking
import Testing

struct OtherFeature: Routable {
    let actionRoutes = ["path1"]

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
}

@Suite(.container, .timeLimit(.minutes(1)))
struct Seed002VariantATests {
    @MainActor @Test func claimsHold() throws {
        let router = DeepLinkRouter(configuration: walmart)
        router.register(routables: makeDeeplinker().routables)
        func screen(_ link: String) -> String? { router.open(link).navigation.screens.last?.name }
        #expect(screen("walmart://path1") == "a", "a standard path opens the feature")
        #expect(screen("walmart://customFeaturePath") == "a", "a configured path opens it too")
        #expect(screen("walmart://path3") == "b", "a routable without configuration is unchanged")

        // As printed, the two features have the same paths.
        var clash: (any Error)?
        do {
            try router.add(routables: [OtherFeature()])
        } catch {
            clash = error
        }
        #expect(clash is RouteTableError, "two features cannot have the same path")

        // The library's own variant: the link of one market and of the other (002:12).
        let container = Container()
        let us = DeepLinkRouter(configuration: walmart)
        us.register(routables: [StandardAccountRoutable(container: container)])
        let ca = DeepLinkRouter(configuration: canada)
        ca.register(routables: [
            StandardAccountRoutable(container: container, configuration: .init(paths: ["myaccount"]))
        ])
        #expect(us.open("walmart://account").routableID == "account", "walmart://account opens the account")
        #expect(ca.open("walmart.ca://myaccount").routableID == "account", "walmart.ca://myaccount opens the account")
        #expect(ca.open("walmart.ca://account").routableID == nil, "walmart.ca://account opens nothing")
    }
}
