// swift-format-ignore-file
// Some of the code is printed verbatim.
import GlassContainer
import GlassDeepLinking
import Testing

private typealias Routable = BaseRoutable

// 002:64-100, with the conformance that the compiler asks a subclass to restate, and with distinct paths.
private class StandardFeatureRoutableA: Routable, @unchecked Sendable {
    struct Configuration {
        let customPath: String
    }

    private var configuredRoutes = [
        "path1",
        "path2"
    ]

    override var actionRoutes: [String] { configuredRoutes }

    init(container: Container, configuration: Configuration) {
        super.init(container: container)

        configuredRoutes.append(configuration.customPath)
    }

    required init(container: Container) {
        super.init(container: container)
    }
}

private class StandardFeatureRoutableB: Routable, @unchecked Sendable {
    override var actionRoutes: [String] {
        [
           "path3",
           "path4"
       ]
    }
}

/// Overrides the rest.
private final class OpenRoutable: StandardFeatureRoutableB, @unchecked Sendable {
    override var id: String { "open" }
    override var waitForPreconditions: Bool { false }

    override func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.show("open")
        return true
    }
}

/// A routable as a subclass, as seed 002 prints it.
@Suite(.timeLimit(.minutes(1)))
struct SubclassTests {
    private func makeRouter() -> DeepLinkRouter {
        let router = DeepLinkRouter(configuration: DeepLinkConfiguration(schemes: ["walmart"]))
        router.declarePreconditions(["signedIn"])
        return router
    }

    @Test func subclassConfiguresItsPathsAfterTheBaseClass() throws {
        let container = Container()
        let router = makeRouter()
        try router.register(
            routables: [
                StandardFeatureRoutableA(
                    container: container,
                    configuration: .init(customPath: "customFeaturePath")
                ),
                StandardFeatureRoutableB(container: container)
            ]
        )
        #expect(router.canRoute(deepLink: "walmart://path1"))
        #expect(router.canRoute(deepLink: "walmart://customFeaturePath"))
        #expect(router.canRoute(deepLink: "walmart://path3"))
        #expect(router.open("walmart://path1").outcome == .waiting(unmet: ["signedIn"]), "links wait by default")
        router.satisfyPrecondition("signedIn")
        #expect(router.open("walmart://path1").outcome != .routed, "a link is declined by default")
        #expect(router.routables.map(\.id) == ["StandardFeatureRoutableA", "StandardFeatureRoutableB"])
    }

    @Test func overridesAreUsedThroughTheProtocol() throws {
        let router = makeRouter()
        let routable = OpenRoutable(container: Container())
        #expect(routable.container == nil, "a routable does not hold its container")
        try router.register(routables: [routable])
        let result = router.open("walmart://path4")
        #expect(result.routableID == "open")
        #expect(result.navigation.screens.last?.name == "open")
    }

    @Test func routableRegistersItselfWithItsContainer() throws {
        let router = makeRouter()
        let container = Container()
        container.register(DeepLinker.self) { router }
        try OpenRoutable(container: container).registerRoutes()
        #expect(router.open("walmart://path3").routableID == "open")
        #expect(throws: RouteTableError.self) { try StandardFeatureRoutableB(container: container).registerRoutes() }
        try OpenRoutable(container: Container()).registerRoutes()
    }
}
