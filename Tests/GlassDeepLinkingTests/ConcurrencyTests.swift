import GlassContainer
import Testing

@testable import GlassDeepLinking

@Suite struct ConcurrencyTests {
    @Test(.timeLimit(.minutes(1))) func linksAndRegistrationsRunAtOnce() async throws {
        let router = DeepLinkRouter(configuration: .us)
        let outcomes = Recorder<String>()
        router.outcomeHandler = { outcomes.append($0.outcome.name) }
        router.declarePreconditions(["ready"])
        try router.register(routables: [
            TestRoutable(id: "item", actionRoutes: ["ip/:id"]) { link, state in
                state.select(tab: "shop")
                state.show("item", parameters: link.parameters.dictionary)
                return true
            }
        ])
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        let result = router.open("walmart://ip/\(worker)-\(number)")
                        if result.outcome != .routed { Issue.record("\(result)") }
                    }
                }
                group.addTask {
                    for number in 0..<10 {
                        do {
                            try router.addRoute("new\(worker)/n\(number)", waitForPreconditions: false) { _, _ in true }
                        } catch {
                            Issue.record("\(error)")
                        }
                        if router.open("walmart://new\(worker)/n\(number)").outcome != .routed { Issue.record("lost") }
                    }
                }
                group.addTask {
                    for _ in 0..<20 {
                        _ = router.debugInfo
                        _ = router.navigationState.snapshot
                        _ = router.canRoute(deepLink: "walmart://ip/1")
                    }
                }
            }
        }
        #expect(router.table.declarations.count == 41)
        #expect(outcomes.elements.count == 4 * 50 + 4 * 10)
        #expect(router.navigationState.snapshot.screens.count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func everyWaitingLinkGetsExactlyOneOutcome() async throws {
        for round in 0..<20 {
            let router = DeepLinkRouter(configuration: .us, waitingPolicy: WaitingPolicy(limit: 1_000))
            let outcomes = Recorder<String>()
            let loading = Recorder<Bool>()
            router.outcomeHandler = { outcomes.append("\($0.text) \($0.outcome.name)") }
            router.preconditionLoadingStateUIHandler = { loading.append($0) }
            try router.register(routables: [
                TestRoutable(id: "item", actionRoutes: ["ip/:id"], requiredPreconditions: ["ready"])
            ])
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<3 {
                    group.addTask {
                        for number in 0..<20 { router.open("walmart://ip/\(worker)-\(number)") }
                    }
                }
                group.addTask { router.satisfyPrecondition("ready") }
                group.addTask { for _ in 0..<5 { router.routeWaitingLinks() } }
            }
            // No link missed the drain, none ran twice.
            #expect(router.waitingLinks.isEmpty, "round \(round)")
            let expected = (0..<3).flatMap { worker in (0..<20).map { "walmart://ip/\(worker)-\($0) routed" } }
            #expect(outcomes.elements.sorted() == expected.sorted())
            #expect(loading.elements.last != true)
        }
    }

    @Test(.timeLimit(.minutes(1))) func draftsCommitAsAWhole() async {
        let state = DeepLinkNavigationState()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for _ in 0..<100 {
                        let draft = state.draft()
                        draft.select(tab: "tab\(worker)")
                        draft.show("first\(worker)")
                        draft.show("second\(worker)")
                        draft.commit()
                        let snapshot = state.snapshot
                        let names = snapshot.screens.map(\.name)
                        let suffix = snapshot.tab.dropFirst(3)
                        if names != ["first\(suffix)", "second\(suffix)"] { Issue.record("\(snapshot)") }
                    }
                }
            }
        }
    }
}
