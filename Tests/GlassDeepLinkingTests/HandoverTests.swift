import Testing

@testable import GlassDeepLinking

/// A deep linker that replaces another receives its links and the state of the preconditions.
@Suite(.timeLimit(.minutes(1))) struct HandoverTests {
    private let outcomes = Recorder<String>()

    private func makeRouter(_ name: String) throws -> DeepLinkRouter {
        let router = DeepLinkRouter(configuration: .us)
        router.outcomeHandler = { [outcomes] in outcomes.append("\(name) \($0.text) \($0.reason ?? $0.outcome.name)") }
        router.register(routables: [
            TestRoutable(id: "a", actionRoutes: ["a/:n"], requiredPreconditions: ["ready"])
        ])
        return router
    }

    @Test func waitingAndLaterLinksAreHandedOver() throws {
        let (old, new) = (try makeRouter("old"), try makeRouter("new"))
        old.open("walmart://a/1")
        old.handOverWaitingLinks { [weak new] in new?.open($0) }
        #expect(old.open("walmart://a/2").outcome == .waiting(unmet: ["ready"]))
        #expect(old.waitingLinks.isEmpty && new.waitingLinks.count == 2)
        new.satisfyPrecondition("ready")
        #expect(outcomes.elements == ["new walmart://a/1 routed", "new walmart://a/2 routed"])
    }

    @Test func linksStayWithoutSuccessor() throws {
        let old = try makeRouter("old")
        old.open("walmart://a/1")
        old.handOverWaitingLinks { _ in nil }
        old.open("walmart://a/2")
        #expect(old.waitingLinks.map(\.text) == ["walmart://a/1", "walmart://a/2"])
        old.satisfyPrecondition("ready")
        #expect(outcomes.elements == ["old walmart://a/1 routed", "old walmart://a/2 routed"])
    }

    @Test func sharedBoardAppliesToBothRouters() throws {
        let (old, new) = (try makeRouter("old"), try makeRouter("new"))
        for router in [old, new] { router.declarePreconditions(["ready"]) }
        old.satisfyPrecondition("ready")
        #expect(new.unmetPreconditions == ["ready"])
        new.preconditionRegistry = old.preconditionRegistry
        #expect(new.unmetPreconditions == [])
        old.resetPrecondition("ready")
        #expect(new.unmetPreconditions == ["ready"])
        new.open("walmart://a/1")
        old.satisfyPrecondition("ready")
        #expect(outcomes.elements == ["new walmart://a/1 routed"], "a change in one router applies to both")
        new.preconditionRegistry = nil
        #expect(new.unmetPreconditions == ["ready"] && old.unmetPreconditions == [])
    }

    /// The handler belongs to its router; the other router has none and uses the registry.
    @Test func preconditionWithHandlerIsNotOnTheBoard() throws {
        let (old, new) = (try makeRouter("old"), try makeRouter("new"))
        new.preconditionRegistry = old.preconditionRegistry
        old.addDeeplinkPreconditionHandler(identifier: "ready") { false }
        new.declarePreconditions(["ready"])
        old.satisfyPrecondition("ready")
        #expect(old.unmetPreconditions == [] && new.unmetPreconditions == ["ready"])
        new.satisfyPrecondition("ready")
        old.resetPrecondition("ready")
        #expect(old.unmetPreconditions == ["ready"] && new.unmetPreconditions == [])
    }
}
