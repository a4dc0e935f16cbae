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

private final class Greeting: Sendable { let text = "hello" }

private class GreetingRoutable: Routable, @unchecked Sendable {
    private lazy var greeting: Greeting = container.get()

    override var actionRoutes: [String] { ["greet"] }
    override var waitForPreconditions: Bool { false }

    override func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.show(greeting.text)
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
        router.register(
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
        router.register(routables: [routable])
        let result = router.open("walmart://path4")
        #expect(result.routableID == "open")
        #expect(result.navigation.screens.last?.name == "open")
    }

    @Test func routableRegistersItselfWithItsContainer() throws {
        let router = makeRouter()
        let container = Container()
        container.register(DeepLinker.self) { router }
        OpenRoutable(container: container).registerRoutes()
        #expect(router.open("walmart://path3").routableID == "open")
        #expect(throws: RouteTableError.self) {
            try container.deepLinker.add(routables: [StandardFeatureRoutableB(container: container)])
        }
    }

    // 001:88, in a routable
    @Test func containerIsReadInLazyProperty() {
        let container = Container()
        container.register(Greeting.self) { Greeting() }
        let router = makeRouter()
        router.register(routables: [GreetingRoutable(container: container)])
        #expect(router.open("walmart://greet").navigation.screens.last?.name == "hello")
        withExtendedLifetime(container) {}
    }

    @Test func routableDoesNotHoldItsContainer() {
        weak var released: Container?
        let routable: OpenRoutable
        do {
            let container = Container()
            released = container
            routable = OpenRoutable(container: container)
        }
        #expect(released == nil)
        routable.registerRoutes()
    }

    @Test func containerReadAfterItsReleaseStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let routable = OpenRoutable(container: Container())
            _ = routable.container
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "the routable \"open\" reads its container after the container was released; a routable doesn't hold its "
                    + "container, so keep the container as long as its links are opened"), "\(text)")
    }

    @Test func clashStopsWithItsPlaces() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let router = DeepLinkRouter()
            router.register(
                routables: [StandardFeatureRoutableB(container: Container())], file: "App/First.swift", line: 3)
            router.register(
                routables: [OpenRoutable(container: Container())], file: "App/Second.swift", line: 7)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("register(routables:) at App/Second.swift:7: open: pattern \"path3\" conflicts"), "\(text)")
        #expect(text.contains("StandardFeatureRoutableB is registered at App/First.swift:3"), "\(text)")
    }

    @Test func eachPrintedFormStopsWithTheClash() async {
        let routes = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = Container()
            let home = Route.home(StandardHomeRoutable(container: container))
            DeepLinkRouter().register(routes: [home, home], using: container)
        }
        let patterns = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DeepLinkRouter().addRoutes(["a", "a"], waitForPreconditions: true) { _, _ in true }
        }
        let itself = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = Container()
            let router = DeepLinkRouter()
            container.register(DeepLinker.self) { router }
            let routable = OpenRoutable(container: container)
            routable.registerRoutes()
            routable.registerRoutes()
        }
        for (result, call) in [
            (routes, "register(routes:using:) at SeedNamesTests/SubclassTests.swift"),
            (patterns, "addRoutes at SeedNamesTests/SubclassTests.swift"),
            (itself, "registerRoutes() at the class of \"open\""),
        ] {
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("Fatal error: \(call)") && text.contains("conflicts with"), "\(text)")
        }
    }
}
