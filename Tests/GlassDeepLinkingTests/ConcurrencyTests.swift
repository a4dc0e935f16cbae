import GlassContainer
import Testing

@testable import GlassDeepLinking

@Suite struct ConcurrencyTests {
    @Test(.timeLimit(.minutes(1))) func linksAndRegistrationsRunConcurrently() async throws {
        let router = DeepLinkRouter(configuration: .us)
        let outcomes = Recorder<String>()
        router.outcomeHandler = { outcomes.append($0.outcome.name) }
        router.declarePreconditions(["ready"])
        router.register(routables: [
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
                        router.addRoute("new\(worker)/n\(number)", waitForPreconditions: false) { _, _ in true }
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
        let opened = 4 * (50 + 10)
        #expect(outcomes.elements.count == opened)
        #expect(router.navigationState.snapshot.screens.count == 1)
    }

    @Test(.timeLimit(.minutes(1))) func concurrentlySetHooksAreAllKept() async {
        let router: any DeepLinker = DeepLinkRouter(configuration: .us)
        let lost = Recorder<String>()
        // Each task sets its own hook, so the hook remains until the same task sets it again.
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let hook: @Sendable (DeepLink) -> Void = { _ in }
                for round in 0..<200_000 {
                    let isSet = round.isMultiple(of: 2)
                    router.successRouteHandler = isSet ? hook : nil
                    if (router.successRouteHandler != nil) != isSet { lost.append("success \(round)") }
                }
            }
            group.addTask {
                let hook: @Sendable (DispatchResult) -> Void = { _ in }
                for round in 0..<200_000 {
                    let isSet = round.isMultiple(of: 2)
                    router.outcomeHandler = isSet ? hook : nil
                    if (router.outcomeHandler != nil) != isSet { lost.append("outcome \(round)") }
                }
            }
        }
        #expect(lost.elements.isEmpty, "\(lost.elements.count) lost, the first: \(lost.elements.first ?? "")")
    }

    @Test(.timeLimit(.minutes(1))) func everyWaitingLinkGetsExactlyOneOutcome() async throws {
        for round in 0..<20 {
            let router = DeepLinkRouter(configuration: .us, waitingPolicy: WaitingPolicy(limit: 1_000))
            let outcomes = Recorder<String>()
            let loading = Recorder<Bool>()
            router.outcomeHandler = { outcomes.append("\($0.text) \($0.outcome.name)") }
            router.preconditionLoadingStateUIHandler = { loading.append($0) }
            router.register(routables: [
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
            // The drain skipped no link and ran none twice.
            #expect(router.waitingLinks.isEmpty, "round \(round)")
            let expected = (0..<3).flatMap { worker in (0..<20).map { "walmart://ip/\(worker)-\($0) routed" } }
            #expect(outcomes.elements.sorted() == expected.sorted())
            #expect(loading.elements.last != true)
        }
    }

    private struct Handler: AsyncRoutable {
        let id = "later"
        let actionRoutes = ["later/:n"]
        let requiredPreconditions = PreconditionRequirement.named(["ready"])

        func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) async throws -> Bool {
            await Task.yield()
            return deepLink.parameters["n"]?.hasSuffix("3") == false
        }
    }

    /// Each link gets exactly one outcome, whatever else happens concurrently.
    @Test(.timeLimit(.minutes(1)), arguments: [WaitingPolicy.Retention.keepAll, .newestOnly])
    func everyLinkGetsExactlyOneOutcomeUnderConcurrency(retention: WaitingPolicy.Retention) async throws {
        for round in 0..<10 {
            let clock = ManualClock()
            let outcomes = Recorder<String>()
            let opened = Recorder<String>()
            var router: DeepLinkRouter? = DeepLinkRouter(
                configuration: .us,
                waitingPolicy: WaitingPolicy(limit: 5, expiry: .seconds(10), retention: retention), now: clock.now)
            router?.outcomeHandler = { outcomes.append($0.text) }
            let plain = TestRoutable(id: "now", actionRoutes: ["now/:n"], requiredPreconditions: ["ready"]) { link, _ in
                if link.parameters["n"]?.hasSuffix("7") == true { throw TestError(description: "seven") }
                return link.parameters["n"]?.hasSuffix("3") == false
            }
            router?.register(routables: [plain])
            router?.register(asyncRoutables: [Handler()])
            await withTaskGroup(of: Void.self) { [router] group in
                for worker in 0..<3 {
                    group.addTask {
                        for number in 0..<40 {
                            for kind in ["now", "later", "nowhere"] {
                                let link = "walmart://\(kind)/\(worker)-\(number)"
                                opened.append(link)
                                router?.open(link)
                            }
                            router?.open("walmart://now/\(worker)-\(number)@")
                            opened.append("walmart://now/\(worker)-\(number)@")
                        }
                    }
                }
                group.addTask {
                    for number in 0..<60 {
                        switch number % 6 {
                        case 0, 3: router?.satisfyPrecondition("ready")
                        case 1, 4: router?.resetPrecondition("ready")
                        case 2: router?.cancelRunningHandlers()
                        default: router?.cancelWaitingLinks()
                        }
                        await Task.yield()
                    }
                    router?.resetPrecondition("ready")
                }
                group.addTask {
                    for number in 0..<30 {
                        clock.advance(by: .seconds(3))
                        router?.expireWaitingLinks()
                        if number % 10 == 0 { try? router?.replaceRoutables([plain]) }  // rebuilds the table
                        await Task.yield()
                    }
                }
            }
            router = nil
            // A handler that has just ended retains the router until it has reported the outcome.
            while outcomes.elements.count < opened.elements.count, !Task.isCancelled { await Task.yield() }
            #expect(outcomes.elements.sorted() == opened.elements.sorted(), "round \(round)")
        }
    }

    @Test(.timeLimit(.minutes(1))) func draftsCommitAtomically() async {
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
