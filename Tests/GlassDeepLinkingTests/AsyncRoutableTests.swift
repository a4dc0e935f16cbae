import Testing

@testable import GlassDeepLinking

private struct TestAsyncRoutable: AsyncRoutable {
    let id: String
    let actionRoutes: [String]
    var requiredPreconditions: PreconditionRequirement = .none
    let handle: @Sendable (DeepLink, DeepLinkNavigationState) async throws -> Bool

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) async throws -> Bool {
        try await handle(deepLink, state)
    }
}

@Suite(.timeLimit(.minutes(1))) struct AsyncRoutableTests {
    private func open(
        _ handle: @escaping @Sendable (DeepLink, DeepLinkNavigationState) async throws -> Bool,
        then act: (DeepLinkRouter) -> Void = { _ in }
    ) async throws -> (first: DispatchResult, last: DispatchResult, router: DeepLinkRouter) {
        let router = DeepLinkRouter(configuration: .us)
        let (results, continuation) = AsyncStream.makeStream(of: DispatchResult.self)
        router.outcomeHandler = { continuation.yield($0) }
        router.register(asyncRoutables: [TestAsyncRoutable(id: "a", actionRoutes: ["a"], handle: handle)])
        router.register(routables: [TestRoutable(id: "rest", actionRoutes: [":any"])])
        let first = router.open("walmart://a")
        act(router)
        var iterator = results.makeAsyncIterator()
        let last = try #require(await iterator.next())
        return (first, last, router)
    }

    @Test func asyncHandlerEndsInOneOutcome() async throws {
        let (first, last, router) = try await open { _, state in
            await Task.yield()
            state.show("a")
            return true
        }
        #expect(first.outcome == .running)
        #expect(first.routableID == "a" && first.reason == nil)
        #expect(last.outcome == .routed)
        #expect(last.navigation.screens.map(\.name) == ["a"])
        #expect(router.runningHandlerCount == 0)
    }

    @Test func runningHandlerReportsRunningAndLinkHandled() throws {
        let router = DeepLinkRouter(configuration: .us)
        let (routable, _) = makePatient()
        router.register(asyncRoutables: [routable])
        #expect(router.route(deepLink: "walmart://a") && router.canRoute(deepLink: "walmart://a"))
        let outcome = router.open("walmart://a").outcome
        #expect(outcome.name == "running" && !outcome.isFinal && outcome.reason == nil)
        #expect(outcome.explanation == "a handler is running; its outcome follows")
        #expect(router.waitingLinks.isEmpty && router.runningHandlerCount == 2)
    }

    @Test func asyncHandlerWaitsForPreconditions() async throws {
        let router = DeepLinkRouter(configuration: .us)
        let (results, continuation) = AsyncStream.makeStream(of: DispatchResult.self)
        router.outcomeHandler = { continuation.yield($0) }
        router.register(asyncRoutables: [
            TestAsyncRoutable(id: "a", actionRoutes: ["a"], requiredPreconditions: ["ready"]) { _, _ in true }
        ])
        #expect(router.open("walmart://a").outcome == .waiting(unmet: ["ready"]))
        router.satisfyPrecondition("ready")
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next()?.outcome == .routed, "a link that waited is reported once, when it has ended")
    }

    @Test func declinedLinkGoesToNextCandidate() async throws {
        let (_, last, _) = try await open { _, _ in false }
        #expect(last.outcome == .routed)
        #expect(last.routableID == "rest")
    }

    @Test func thrownErrorFailsTheLink() async throws {
        let (_, last, _) = try await open { _, state in
            state.show("half")
            throw TestError(description: "no network")
        }
        #expect(last.outcome.reason == "no network")
        #expect(last.navigation.screens.isEmpty)
    }

    @Test func cancelReportsOutcomeOnceImmediately() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let count = Recorder<String>()
        let (_, last, router) = try await self.open { _, state in
            for await _ in gate {}
            state.show("late")
            return true
        } then: { router in
            let earlier = router.outcomeHandler
            router.outcomeHandler = {
                count.append($0.outcome.reason ?? "")
                earlier?($0)
            }
            router.cancelRunningHandlers()
        }
        open.finish()
        #expect(last.outcome == .unroutable(.cancelled))
        #expect(count.elements == ["cancelled"])
        #expect(router.navigationState.snapshot.screens.isEmpty)
    }

    /// A routable whose handler only ends when it is cancelled, and reports that through `ends`.
    private func makePatient() -> (routable: TestAsyncRoutable, ends: AsyncStream<Void>) {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let routable = TestAsyncRoutable(id: "a", actionRoutes: ["a"]) { _, _ in
            let (gate, continuation) = AsyncStream.makeStream(of: Void.self)
            for await _ in gate {}
            continuation.finish()
            end.yield()
            return true
        }
        return (routable, ends)
    }

    @Test func releasedRouterCancelsAndReportsRunningHandlers() async throws {
        let outcomes = Recorder<String>()
        let (routable, ends) = makePatient()
        var router: DeepLinkRouter? = DeepLinkRouter(configuration: .us)
        router?.outcomeHandler = { outcomes.append("\($0.text) \($0.outcome.reason ?? "")") }
        router?.register(asyncRoutables: [routable])
        router?.open("walmart://a")
        router = nil
        #expect(outcomes.elements == ["walmart://a cancelled"])
        for await _ in ends { break }
        #expect(outcomes.elements.count == 1)
    }

    @Test func handlerEndingAfterCancellationReportsNothing() async throws {
        let outcomes = Recorder<String>()
        let (routable, ends) = makePatient()
        let router = DeepLinkRouter(configuration: .us)
        router.outcomeHandler = { outcomes.append("\($0.text) \($0.outcome.reason ?? "")") }
        router.register(asyncRoutables: [routable])
        router.open("walmart://a")
        router.cancelRunningHandlers()
        for await _ in ends { break }
        // The router's work after the handler ends is not observable, so give it time to run.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(outcomes.elements == ["walmart://a cancelled"])
    }

    @Test func navigationOfDecliningHandlerIsDiscarded() async throws {
        let (_, last, router) = try await open { _, state in
            state.show("half")
            return false
        }
        #expect(last.routableID == "rest")
        #expect(router.navigationState.snapshot.screens.isEmpty)
    }

    @Test func repeatedLinkDoesNotDisplaceItself() throws {
        let router = DeepLinkRouter(configuration: .us, waitingPolicy: WaitingPolicy(limit: 1, retention: .newestOnly))
        let outcomes = Recorder<String>()
        router.outcomeHandler = { outcomes.append("\($0.text) \($0.reason ?? $0.outcome.name)") }
        router.register(routables: [
            TestRoutable(id: "r", actionRoutes: ["r/:n"], requiredPreconditions: ["ready"])
        ])
        for number in [1, 1, 2, 2] { router.open("walmart://r/\(number)") }
        router.satisfyPrecondition("ready")
        #expect(outcomes.elements == ["walmart://r/1 displaced", "walmart://r/2 routed"])
    }

    @Test func newestOnlyDisplacesEarlierLinks() throws {
        let router = DeepLinkRouter(configuration: .us, waitingPolicy: WaitingPolicy(retention: .newestOnly))
        let outcomes = Recorder<String>()
        router.outcomeHandler = { outcomes.append("\($0.text) \($0.reason ?? $0.outcome.name)") }
        router.register(routables: [
            TestRoutable(id: "r", actionRoutes: ["r/:n"], requiredPreconditions: ["ready"])
        ])
        for number in 1...3 { router.open("walmart://r/\(number)") }
        #expect(router.waitingLinks.map(\.text) == ["walmart://r/3"])
        router.satisfyPrecondition("ready")
        #expect(
            outcomes.elements == ["walmart://r/1 displaced", "walmart://r/2 displaced", "walmart://r/3 routed"])
    }

    @Test func oneWaitingLinkIsCancelled() throws {
        let router = DeepLinkRouter(configuration: .us)
        let outcomes = Recorder<String>()
        router.outcomeHandler = { outcomes.append("\($0.text) \($0.reason ?? $0.outcome.name)") }
        router.register(routables: [
            TestRoutable(id: "r", actionRoutes: ["r/:n"], requiredPreconditions: ["ready"])
        ])
        router.open("walmart://r/1")
        router.open("walmart://r/2")
        #expect(router.cancelWaitingLink("walmart://r/1"))
        #expect(!router.cancelWaitingLink("walmart://r/1"))
        router.satisfyPrecondition("ready")
        #expect(outcomes.elements == ["walmart://r/1 cancelled", "walmart://r/2 routed"])
    }
}
