import GlassContainer
import GlassDeepLinking
import Testing

// This module is isolated to the main actor by default, like a new app in Xcode.

// Seed 002, lines 60-98, as printed but for distinct paths.
private typealias Routable = MainActorRoutable

private protocol FeatureRoutableA: Routable {}

private class StandardFeatureRoutableA: Routable {
    struct Configuration {
        let customPath: String
    }

    private var configuredRoutes = [
        "path1",
        "path2",
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

private class StandardFeatureRoutableB: Routable {
    override var actionRoutes: [String] {
        [
            "path3",
            "path4",
        ]
    }
}

/// A model of the main actor, which the handler changes.
private final class Screens {
    var shown: [String] = []
}

private class Opening: StandardFeatureRoutableB, FeatureRoutableA {
    private lazy var screens: Screens = container.get()
    var isDeclining = false
    var error: (any Error)?

    override var id: String { "opening" }
    override var waitForPreconditions: Bool { false }

    override func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        MainActor.preconditionIsolated()
        if let error { throw error }
        if isDeclining { return false }
        screens.shown.append(deepLink.text)
        state.show("opening")
        return true
    }
}

/// The other way: a class that doesn't belong to the main actor.
private nonisolated class PlainRoutable: BaseRoutable, @unchecked Sendable {
    override var actionRoutes: [String] { ["plain"] }
    override var waitForPreconditions: Bool { false }

    override func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.show("plain")
        return true
    }
}

private nonisolated struct NoScreen: Error, CustomStringConvertible {
    let description = "no screen"
}

@Suite(.timeLimit(.minutes(1))) struct MainActorRoutableTests {
    private let container = Container()
    private let screens = Screens()
    private let router = DeepLinkRouter(configuration: DeepLinkConfiguration(schemes: ["walmart"]))

    private init() {
        let screens = screens
        container.register(Screens.self) { screens }
    }

    /// Opens a link off the main actor, and returns its first result and its final outcome.
    private func openElsewhere(_ link: String) async -> (first: RouteOutcome, final: DispatchResult?) {
        let (results, sink) = AsyncStream.makeStream(of: DispatchResult.self)
        router.outcomeHandler = { sink.yield($0) }
        let router = router
        let first = await Task.detached { router.open(link).outcome }.value
        var iterator = results.makeAsyncIterator()
        return (first, await iterator.next())
    }

    @Test func printedClassesAreRegistered() {
        router.register(
            routables: [
                StandardFeatureRoutableA(
                    container: container,
                    configuration: .init(customPath: "customFeaturePath")
                ),
                StandardFeatureRoutableB(container: container),
            ]
        )
        router.declarePreconditions(["signedIn"])
        #expect(router.canRoute(deepLink: "walmart://path2"))
        #expect(router.canRoute(deepLink: "walmart://customFeaturePath"))
        #expect(router.open("walmart://path3").outcome == .waiting(unmet: ["signedIn"]), "links wait by default")
        #expect(router.routables.map(\.id) == ["StandardFeatureRoutableA", "StandardFeatureRoutableB"])
    }

    @Test func linkOnTheMainActorIsHandledAtOnce() {
        router.register(routables: [Opening(container: container)])
        let result = router.open("walmart://path3")
        #expect(result.outcome == .routed && result.routableID == "opening")
        #expect(result.navigation.screens.map(\.name) == ["opening"] && screens.shown == ["walmart://path3"])
    }

    @Test func linkFromElsewhereIsHandledOnTheMainActorLater() async {
        router.register(routables: [Opening(container: container)])
        let (first, final) = await openElsewhere("walmart://path4")
        #expect(first == .running)
        #expect(final?.outcome == .routed && final?.navigation.screens.map(\.name) == ["opening"])
        #expect(screens.shown == ["walmart://path4"])
    }

    @Test func linkFromElsewhereEndsWithItsReason() async {
        let routable = Opening(container: container)
        router.register(routables: [routable])
        routable.error = NoScreen()
        #expect(await openElsewhere("walmart://path3").final?.outcome.reason == "no screen")
        routable.error = nil
        routable.isDeclining = true
        #expect(await openElsewhere("walmart://path3").final?.outcome == .unroutable(.declined))
        #expect(router.open("walmart://path3").outcome == .unroutable(.declined))
        #expect(screens.shown.isEmpty && router.navigationState.screens.isEmpty)
    }

    @Test func waitingLinkIsHandledOnTheMainActorWhoeverReleasesIt() async {
        router.declarePreconditions(["ready"])
        final class Waiting: Opening {
            override var waitForPreconditions: Bool { true }
        }
        router.register(routables: [Waiting(container: container)])
        #expect(router.open("walmart://path3").outcome == .waiting(unmet: ["ready"]))
        let (results, sink) = AsyncStream.makeStream(of: DispatchResult.self)
        router.outcomeHandler = { sink.yield($0) }
        let router = router
        await Task.detached { router.satisfyPrecondition("ready") }.value
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next()?.outcome == .routed)
    }

    @Test func sharedContainerIsThatOfTheRoutes() async {
        final class Reading: MainActorRoutable {
            var seen: [Container] = []
            override var actionRoutes: [String] { ["read"] }
            override var waitForPreconditions: Bool { false }
            override func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
                seen.append(Container.shared)
                return true
            }
        }
        let routable = Reading(container: container)
        router.register(routes: [.custom(routable.routable)], using: container)
        #expect(router.open("walmart://read").outcome == .routed)
        #expect(await openElsewhere("walmart://read").final?.outcome == .routed)
        #expect(routable.seen.count == 2 && routable.seen.allSatisfy { $0 === container })
    }

    @Test func nonisolatedClassIsHandledAnywhere() async {
        router.register(routables: [PlainRoutable(container: container), Opening(container: container).routable])
        #expect(router.open("walmart://plain").outcome == .routed)
        let (first, final) = await openElsewhere("walmart://plain")
        #expect(first == .routed && final?.outcome == .routed)
    }

    @Test func clashIsAnErrorOrStops() async throws {
        router.register(routables: [StandardFeatureRoutableB(container: container)])
        #expect(throws: RouteTableError.self) { try router.add(routables: [Opening(container: container)]) }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let container = Container()
                let routables = [StandardFeatureRoutableB(container: container), Opening(container: container)]
                DeepLinkRouter().register(routables: routables, file: "App/Links.swift", line: 4)
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("register(routables:) at App/Links.swift:4: opening: pattern \"path3\" conflicts"), "\(text)")
    }

    @Test func routableRegistersItselfAndDoesNotHoldItsContainer() {
        let router = router
        container.register((any DeepLinker).self) { @Sendable in router }
        Opening(container: container).registerRoutes()
        #expect(router.routables.map(\.id) == ["opening"])
        weak var released: Container?
        let routable: Opening
        do {
            let container = Container()
            released = container
            routable = Opening(container: container)
        }
        #expect(released == nil)
        routable.registerRoutes()
    }

    @Test func containerReadAfterItsReleaseStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let routable = Opening(container: Container())
                _ = routable.container
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("the routable \"opening\" reads its container after the container was released"), "\(text)")
    }

    /// A deep linker other than `DeepLinkRouter` calls the routable itself, on any thread.
    @Test func callFromElsewhereIsAnErrorWithItsReason() async throws {
        let routable = Opening(container: container).routable
        let (link, state) = (try DeepLink("walmart://path3"), DeepLinkNavigationState())
        #expect(try routable.handleDeepLink(link, state: state))
        let reason = await Task.detached {
            do {
                return "handled: \(try routable.handleDeepLink(link, state: state))"
            } catch {
                return "\(error)"
            }
        }.value
        #expect(
            reason == """
                the routable "opening" belongs to the main actor, but this deep linker calls it elsewhere; use a \
                DeepLinkRouter, or open the link on the main actor
                """)
    }
}
