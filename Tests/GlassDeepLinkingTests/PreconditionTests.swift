import Testing

@testable import GlassDeepLinking

@Suite struct PreconditionTests {
    private let clock = ManualClock()
    private let outcomes = Recorder<String>()
    private let loading = Recorder<Bool>()

    private func makeRouter(limit: Int = 32, handle: @escaping DeepLinker.RouteHandler = { _, _ in true }) throws
        -> DeepLinkRouter
    {
        let router = DeepLinkRouter(
            configuration: .us, waitingPolicy: WaitingPolicy(limit: limit, expiry: .seconds(60)), now: clock.now)
        router.outcomeHandler = { [outcomes] in outcomes.append("\($0.text) \($0.outcome.name) \($0.reason ?? "")") }
        router.preconditionLoadingStateUIHandler = { [loading] in loading.append($0) }
        router.register(routables: [
            TestRoutable(id: "all", actionRoutes: ["all/:n?"], requiredPreconditions: .all, handle: handle),
            TestRoutable(
                id: "signed", actionRoutes: ["signed/:n?"], requiredPreconditions: ["signedIn"], handle: handle),
            TestRoutable(id: "none", actionRoutes: ["none"], requiredPreconditions: false, handle: handle),
        ])
        router.declarePreconditions(["appStarted", "signedIn"])
        return router
    }

    @Test func linksWaitForAllNamedOrNoPreconditions() throws {
        let router = try makeRouter()
        #expect(router.open("walmart://all").outcome == .waiting(unmet: ["appStarted", "signedIn"]))
        #expect(router.open("walmart://signed").outcome == .waiting(unmet: ["signedIn"]))
        #expect(router.open("walmart://none").outcome == .routed)
        router.satisfyPrecondition("signedIn")
        #expect(router.waitingLinks.map(\.text) == ["walmart://all"])
        router.satisfyPrecondition("appStarted")
        #expect(outcomes.elements == ["walmart://none routed ", "walmart://signed routed ", "walmart://all routed "])
        #expect(loading.elements == [true, false])
        #expect(router.open("walmart://all").outcome == .routed)
        router.resetPrecondition("appStarted")
        #expect(router.unmetPreconditions == ["appStarted"])
        #expect(router.open("walmart://all").outcome == .waiting(unmet: ["appStarted"]))
    }

    @Test func waitingResultHasRouteAndParameters() throws {
        let result = try makeRouter().open("walmart://signed/7?x=1")
        #expect(result.routableID == "signed")
        #expect(result.pattern == "signed/:n?")
        #expect(result.parameters["n"] == "7")
        #expect(result.queryItems == [QueryItem(name: "x", value: "1")])
    }

    @Test func waitingLinksRunInOrder() throws {
        let router = try makeRouter()
        for number in 1...5 { router.open("walmart://signed/\(number)") }
        router.satisfyPrecondition("signedIn")
        #expect(outcomes.elements == (1...5).map { "walmart://signed/\($0) routed " })
    }

    @Test func handlersEvaluatePreconditions() throws {
        let router = try makeRouter()
        router.satisfyPrecondition("appStarted")
        router.satisfyPrecondition("signedIn")
        let isOpen = Recorder<Bool>()
        router.addDeeplinkPreconditionHandler(identifier: "storeSelected") { !isOpen.elements.isEmpty }
        #expect(router.open("walmart://all").outcome == .waiting(unmet: ["storeSelected"]))
        router.routeWaitingLinks()
        #expect(router.waitingLinks.count == 1)
        isOpen.append(true)
        router.routeWaitingLinks()
        #expect(outcomes.elements == ["walmart://all routed "])
    }

    @Test(.timeLimit(.minutes(1))) func preconditionSatisfiedDuringEvaluationIsNoticed() throws {
        let router = try makeRouter()
        router.addRoutes(["late"], waitForPreconditions: ["ready", "probe"]) { _, _ in true }
        // "ready" is read before the handler of "probe" is called, and satisfied before the link could be queued.
        router.addDeeplinkPreconditionHandler(identifier: "probe") { [weak router] in
            router?.satisfyPrecondition("ready")
            return true
        }
        router.resetPrecondition("ready")
        #expect(router.open("walmart://late").outcome == .routed)
        #expect(router.waitingLinks.isEmpty)
    }

    @Test func satisfyingManuallyOverridesHandlerUntilReset() throws {
        let router = try makeRouter()
        router.addDeeplinkPreconditionHandler(identifier: "signedIn") { false }
        router.satisfyPrecondition("signedIn")
        #expect(router.open("walmart://signed").outcome == .routed)
        router.resetPrecondition("signedIn")
        #expect(router.open("walmart://signed").outcome == .waiting(unmet: ["signedIn"]))
    }

    @Test func removingPreconditionReleasesLinksWaitingForAll() throws {
        let router = try makeRouter()
        router.satisfyPrecondition("appStarted")
        router.open("walmart://all")
        router.removeDeeplinkPreconditionHandler(identifier: "signedIn")
        #expect(outcomes.elements == ["walmart://all routed "])
        // A precondition that is named explicitly stays unmet, because nothing can satisfy it.
        #expect(router.open("walmart://signed").outcome == .waiting(unmet: ["signedIn"]))
    }

    @Test func sameLinkWaitsOnce() throws {
        let router = try makeRouter()
        router.open("walmart://signed/1")
        router.open("walmart://signed/2")
        clock.advance(by: .seconds(40))
        router.open("walmart://signed/1")
        #expect(router.waitingLinks.map(\.text) == ["walmart://signed/1", "walmart://signed/2"])
        // Opening the first link again renewed its time.
        clock.advance(by: .seconds(40))
        router.expireWaitingLinks()
        #expect(outcomes.elements == ["walmart://signed/2 unroutable expired"])
        router.satisfyPrecondition("signedIn")
        #expect(outcomes.elements.last == "walmart://signed/1 routed ")
        #expect(outcomes.elements.count == 2)
    }

    @Test func expiredLinkIsReportedAtNextCall() throws {
        let router = try makeRouter()
        router.open("walmart://signed/1")
        clock.advance(by: .seconds(59))
        router.open("walmart://none")
        #expect(outcomes.elements == ["walmart://none routed "])
        clock.advance(by: .seconds(1))
        router.open("walmart://none")
        #expect(
            outcomes.elements == [
                "walmart://none routed ", "walmart://signed/1 unroutable expired", "walmart://none routed ",
            ])
        router.satisfyPrecondition("signedIn")
        #expect(outcomes.elements.count == 3)
        #expect(loading.elements == [true, false])
    }

    @Test func reevaluationDoesNotRenewExpiration() throws {
        let router = try makeRouter()
        router.open("walmart://signed/1")
        clock.advance(by: .seconds(59))
        router.routeWaitingLinks()
        clock.advance(by: .seconds(1))
        router.expireWaitingLinks()
        #expect(outcomes.elements == ["walmart://signed/1 unroutable expired"])
    }

    @Test func onlyIdenticalLinksCountAsSame() throws {
        let router = try makeRouter()
        for link in [
            "walmart://signed/e\u{301}", "walmart://signed/\u{E9}", "walmart://signed/1", "walmart://signed/1?x",
        ] {
            router.open(link)
        }
        #expect(router.waitingLinks.count == 4)
        #expect(router.cancelWaitingLink("walmart://signed/\u{E9}"))
        #expect(
            outcomes.elements.map { $0.unicodeScalars.count } == ["walmart://signed/\u{E9} unroutable cancelled".count])
        router.satisfyPrecondition("signedIn")
        #expect(outcomes.elements.count == 4)
    }

    @Test func cancellingLastWaitingLinkEndsLoading() throws {
        let router = try makeRouter()
        router.open("walmart://signed/1")
        router.open("walmart://signed/2")
        router.cancelWaitingLink("walmart://signed/1")
        #expect(loading.elements == [true])
        router.cancelWaitingLink("walmart://signed/2")
        #expect(loading.elements == [true, false])
    }

    @Test func refusedLinkExpiresWaitingLinks() throws {
        let router = try makeRouter()
        router.open("walmart://signed/1")
        clock.advance(by: .seconds(60))
        router.open("nonsense")
        #expect(outcomes.elements == ["walmart://signed/1 unroutable expired", "nonsense refused malformed"])
    }

    @Test func fullQueueDropsOldestLink() throws {
        let router = try makeRouter(limit: 2)
        for number in 1...3 { router.open("walmart://signed/\(number)") }
        #expect(outcomes.elements == ["walmart://signed/1 unroutable displaced"])
        #expect(router.waitingLinks.map(\.text) == ["walmart://signed/2", "walmart://signed/3"])
    }

    @Test func cancelledLinksAreReported() throws {
        let router = try makeRouter()
        router.open("walmart://signed/1")
        router.cancelWaitingLinks()
        #expect(outcomes.elements == ["walmart://signed/1 unroutable cancelled"])
        #expect(loading.elements == [true, false])
    }

    @Test func releasedRouterReportsWaitingLinks() throws {
        var router: DeepLinkRouter? = try makeRouter()
        router?.open("walmart://signed/1")
        router = nil
        #expect(outcomes.elements == ["walmart://signed/1 unroutable cancelled"])
    }

    @Test func candidateThatDeclinedBeforeWaitIsNotRetried() throws {
        let router = DeepLinkRouter(configuration: .us)
        let asked = Recorder<String>()
        router.register(routables: [
            TestRoutable(id: "first", actionRoutes: ["a/b"]) { _, _ in
                asked.append("first")
                return false
            },
            TestRoutable(id: "second", actionRoutes: ["a/:x"], requiredPreconditions: ["signedIn"]) { _, _ in
                asked.append("second")
                return true
            },
        ])
        #expect(router.open("walmart://a/b").outcome == .waiting(unmet: ["signedIn"]))
        router.satisfyPrecondition("signedIn")
        #expect(asked.elements == ["first", "second"])
    }

    @Test func candidateThatDeclinedRepeatedLinkIsNotRetried() throws {
        let isAwake = Recorder<Bool>()
        let asked = Recorder<String>()
        let router = DeepLinkRouter(configuration: .us)
        router.preExecutionHandler = { asked.append("before \($0.text)") }
        router.register(routables: [
            TestRoutable(id: "first", actionRoutes: ["a/b"], requiredPreconditions: ["awake"]) { _, _ in
                asked.append("first")
                return false
            },
            TestRoutable(id: "second", actionRoutes: ["a/:x"], requiredPreconditions: ["signedIn"]) { _, _ in
                asked.append("second")
                return true
            },
        ])
        router.addDeeplinkPreconditionHandler(identifier: "awake") { !isAwake.elements.isEmpty }
        // Waits for the first routable's precondition.
        router.open("walmart://a/b")
        #expect(asked.elements.isEmpty)
        isAwake.append(true)
        // The same link: the first routable declines it, so now it waits for the second.
        router.open("walmart://a/b")
        #expect(router.waitingLinks.count == 1)
        router.satisfyPrecondition("signedIn")
        #expect(asked.elements == ["before walmart://a/b", "first", "second"])
    }

    @Test func linksExpiringTogetherAreAllReported() throws {
        let router = try makeRouter()
        router.open("walmart://signed/1")
        router.open("walmart://signed/2")
        clock.advance(by: .seconds(60))
        router.expireWaitingLinks()
        #expect(
            outcomes.elements == ["walmart://signed/1 unroutable expired", "walmart://signed/2 unroutable expired"])
    }

    @Test func waitingLinkUsesNewTable() throws {
        let router = try makeRouter()
        router.open("walmart://signed/1")
        router.open("walmart://signed/2")
        try router.replaceRoutables([TestRoutable(id: "other", actionRoutes: ["signed/1"])])
        #expect(outcomes.elements == ["walmart://signed/1 routed ", "walmart://signed/2 unroutable noRoute"])
    }

    @Test(.timeLimit(.minutes(1))) func handlerMaySatisfyAndOpenDuringDrain() throws {
        let reference = Recorder<DeepLinkRouter>()
        let router = try makeRouter { link, _ in
            if link.text == "walmart://signed/1" {
                reference.elements.first?.satisfyPrecondition("appStarted")
                reference.elements.first?.open("walmart://none")
            }
            return true
        }
        reference.append(router)
        router.open("walmart://all")
        router.open("walmart://signed/1")
        router.satisfyPrecondition("signedIn")
        #expect(
            outcomes.elements == ["walmart://none routed ", "walmart://signed/1 routed ", "walmart://all routed "])
    }

    @Test func failureAfterWaitingIsReported() throws {
        let router = try makeRouter { _, _ in throw TestError(description: "no disk") }
        router.open("walmart://signed")
        router.satisfyPrecondition("signedIn")
        #expect(outcomes.elements == ["walmart://signed failed no disk"])
        #expect(router.waitingLinks.isEmpty)
    }

    @Test func requirementIsWrittenAsInMarketFile() {
        #expect((true as PreconditionRequirement) == .all)
        #expect((false as PreconditionRequirement) == PreconditionRequirement.none)
        #expect((["signedIn"] as PreconditionRequirement) == .named(["signedIn"]))
        #expect(([] as PreconditionRequirement) == PreconditionRequirement.none)
        #expect(StandardPrecondition.allCases.map(\.rawValue) == ["appStarted", "signedIn", "storeSelected"])
    }
}
