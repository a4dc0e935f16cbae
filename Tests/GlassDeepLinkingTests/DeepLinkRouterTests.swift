import GlassContainer
import Testing

@testable import GlassDeepLinking

@Suite struct DeepLinkRouterTests {
    private let router = DeepLinkRouter(configuration: .us)

    @Test func everyOutcomeHasNameReasonAndSentence() throws {
        router.register(routables: [
            TestRoutable(id: "account", actionRoutes: ["account"]),
            TestRoutable(id: "orders", actionRoutes: ["orders"], requiredPreconditions: ["signedIn", "storeSelected"]),
            TestRoutable(id: "shy", actionRoutes: ["shy"], handle: { _, _ in false }),
            TestRoutable(
                id: "broken", actionRoutes: ["broken"], handle: { _, _ in throw TestError(description: "no disk") }),
        ])
        func row(_ link: String) -> [String?] {
            let outcome = router.open(link).outcome
            return [outcome.name, outcome.reason, outcome.explanation]
        }
        #expect(row("walmart://account") == ["routed", nil, nil])
        #expect(
            row("walmart://orders") == [
                "waiting", "signedIn, storeSelected", "the link waits for signedIn, storeSelected",
            ])
        #expect(
            row("https://www.walmart.com/unknown") == [
                "external", nil, "no route matches the link; its domain may open outside the app",
            ])
        #expect(row("https://help.walmart.com/account")[0] == "external")
        #expect(row("walmart://unknown") == ["unroutable", "noRoute", "no route matches the link"])
        #expect(
            row("walmart://shy") == ["unroutable", "declined", "every routable that matches declined the link"])
        #expect(
            row("walmart.ca://account") == [
                "unroutable", "unknownScheme", "this market has no scheme \"walmart.ca\"",
            ])
        #expect(
            row("https://evil.com/account") == [
                "unroutable", "unknownHost", "the host \"evil.com\" is neither a universal link nor an allowed domain",
            ])
        #expect(
            row("http://help.walmart.com/") == [
                "refused", "cleartext", "\"http://help.walmart.com\" is not encrypted; write https",
            ])
        #expect(row("walmart://broken") == ["failed", "no disk", "no disk"])
        #expect(
            [UnroutableReason.expired, .displaced, .cancelled].map(\.description) == [
                "the link waited too long for its preconditions",
                "newer links displaced the link from the waiting queue", "the waiting link was cancelled",
            ])
    }

    @Test func resultHasEverythingTheCommandLinePrints() throws {
        router.addRoute("ip/:slug/:itemID(int)", waitForPreconditions: false) { link, state in
            state.select(tab: "shop")
            state.show("item", parameters: link.parameters.dictionary)
            return true
        }
        let result = router.open("https://www.walmart.com/ip/Milk/42?utm_source=mail&n")
        #expect(result.text == "https://www.walmart.com/ip/Milk/42?utm_source=mail&n")
        #expect(result.outcome == .routed)
        #expect(result.routableID == "ip/:slug/:itemID(int)")
        #expect(result.pattern == "ip/:slug/:itemID(int)")
        #expect(result.parameters == RouteParameters(["slug": "Milk", "itemID": "42"]))
        #expect(result.queryItems == [QueryItem(name: "utm_source", value: "mail"), QueryItem(name: "n", value: nil)])
        #expect(result.reason == nil)
        let screen = NavigationSnapshot.Screen(name: "item", parameters: ["slug": "Milk", "itemID": "42"])
        #expect(result.navigation == NavigationSnapshot(tab: "shop", screens: [screen]))
        #expect(router.navigationState.snapshot == result.navigation)
    }

    @Test func declinedLinkTriesNextCandidate() throws {
        let asked = Recorder<String>()
        func routable(_ id: String, _ pattern: String, takes: Bool) -> TestRoutable {
            TestRoutable(id: id, actionRoutes: [pattern]) { link, state in
                asked.append(id)
                state.show(id)
                return takes
            }
        }
        router.register(routables: [
            routable("catchAll", "*rest", takes: true), routable("literal", "ip/1", takes: false),
            routable("typed", "ip/:id(int)", takes: false), routable("plain", "ip/:id", takes: true),
        ])
        let result = router.open("walmart://ip/1")
        #expect(asked.elements == ["literal", "typed", "plain"])
        #expect(result.routableID == "plain")
        #expect(result.parameters == RouteParameters(["id": "1"]))
        // The changes of the handlers that declined are discarded.
        #expect(result.navigation.screens.map(\.name) == ["plain"])
    }

    @Test func failedLinkIsNotRetried() throws {
        let asked = Recorder<String>()
        router.register(routables: [
            TestRoutable(id: "broken", actionRoutes: ["a/b"]) { _, state in
                asked.append("broken")
                state.show("half")
                throw TestError(description: "no disk")
            },
            TestRoutable(id: "next", actionRoutes: ["a/:x"]) { _, _ in
                asked.append("next")
                return true
            },
        ])
        let result = router.open("walmart://a/b")
        #expect(result.outcome == .failed(RouteFailure(TestError(description: "no disk"))))
        #expect(result.routableID == "broken")
        #expect(asked.elements == ["broken"])
        #expect(result.navigation == NavigationSnapshot())
    }

    @Test func hooksReceiveTheirEvents() throws {
        let calls = Recorder<String>()
        router.preExecutionHandler = { calls.append("pre \($0.text) \($0.routableID ?? "-")") }
        router.successRouteHandler = { calls.append("success \($0.text)") }
        router.externalURLHandler = { calls.append("external \($0.text)") }
        router.unableToRouteHandler = { calls.append("unable \($0.text) \($1.name)") }
        router.preconditionLoadingStateUIHandler = { calls.append("loading \($0)") }
        router.outcomeHandler = { calls.append("outcome \($0.text) \($0.outcome.name)") }
        router.register(routables: [
            TestRoutable(id: "a", actionRoutes: ["a"]),
            TestRoutable(id: "w", actionRoutes: ["w"], requiredPreconditions: ["ready"]),
            TestRoutable(id: "no", actionRoutes: ["a/b"], handle: { _, _ in false }),
            TestRoutable(id: "nono", actionRoutes: ["a/:x"], handle: { _, _ in false }),
        ])
        for link in [
            "walmart://a", "https://walmart.com/", "walmart://x", "walmart://a b", "walmart://w", "walmart://a/b",
        ] {
            router.open(link)
        }
        router.satisfyPrecondition("ready")
        #expect(
            calls.elements == [
                "pre walmart://a a", "success walmart://a", "outcome walmart://a routed",
                "external https://walmart.com/", "outcome https://walmart.com/ external",
                "unable walmart://x noRoute", "outcome walmart://x unroutable",
                "outcome walmart://a b refused",
                "loading true",
                "pre walmart://a/b no", "unable walmart://a/b declined", "outcome walmart://a/b unroutable",
                "pre walmart://w w", "success walmart://w", "outcome walmart://w routed",
                "loading false",
            ])
    }

    @Test func trackedValuesBecomeEvents() throws {
        router.configuration.queryParameters = [
            .init(value: "email", eventName: "onClick", qualifiesTracking: true),
            .init(value: "sms", eventName: "onMessage", qualifiesTracking: false),
            .init(value: "push", eventName: "onPush", qualifiesTracking: true),
        ]
        let events = Recorder<String>()
        router.trackingHandler = { name, items in
            events.append(name + " " + items.map(\.description).joined(separator: " "))
        }
        router.register(routables: [TestRoutable(id: "a", actionRoutes: ["a"])])
        router.open("walmart://a?utm_medium=email&again=email&x=1")
        router.open("walmart://a?utm_medium=sms")
        router.open("walmart://a?email=1")
        router.open("walmart://a?m=EMAIL")
        router.open("walmart://unknown?m=email")
        router.open("walmart://a?m=push&n=email")
        #expect(
            events.elements == [
                "onClick utm_medium=email again=email x=1", "onClick m=push n=email", "onPush m=push n=email",
            ])
    }

    @Test func dryRunDoesNothing() throws {
        let calls = Recorder<String>()
        router.outcomeHandler = { _ in calls.append("outcome") }
        router.preExecutionHandler = { _ in calls.append("pre") }
        router.register(routables: [
            TestRoutable(id: "a", actionRoutes: ["a/:x"]) { _, state in
                calls.append("handled")
                state.show("a")
                return true
            },
            TestRoutable(id: "w", actionRoutes: ["w"], requiredPreconditions: ["ready"]),
        ])
        let links = [
            "walmart://a/1", "walmart://w", "https://walmart.com", "walmart://x", "x://a", "walmart://a b",
            "http://www.walmart.com/a/1",
        ]
        let results = links.map(router.dryRun)
        #expect(
            results.map(\.outcome.name) == [
                "routed", "waiting", "external", "unroutable", "unroutable", "refused", "refused",
            ])
        #expect(results[0].parameters["x"] == "1")
        #expect(results[0].navigation == NavigationSnapshot())
        #expect(calls.elements.isEmpty)
        #expect(router.waitingLinks.isEmpty)
        #expect(links.map { router.canRoute(deepLink: $0) } == [true, true, false, false, false, false, false])
        #expect(try router.canRoute(deepLink: DeepLink("walmart://a/1")))
    }

    @Test func routeReturnsWhetherLinkWasHandled() throws {
        router.register(routables: [
            TestRoutable(id: "a", actionRoutes: ["a"]),
            TestRoutable(id: "w", actionRoutes: ["w"], requiredPreconditions: ["ready"]),
            TestRoutable(id: "shy", actionRoutes: ["shy"], handle: { _, _ in false }),
        ])
        let links = ["walmart://a", "walmart://w", "https://walmart.com/x", "walmart://shy", "walmart://x", "://"]
        #expect(links.map { router.route(deepLink: $0) } == [true, true, true, false, false, false])
        #expect(try router.route(deepLink: DeepLink("walmart://a")))
    }

    @Test func disallowedUniversalHostIsUnroutable() {
        router.configuration.allowedDomains = []
        #expect(router.open("https://www.walmart.com/x").outcome == .unroutable(.noRoute))
    }

    @Test(arguments: [
        ("walmart.com", true), ("www.walmart.com", true), ("a.b.walmart.com", true), ("evilwalmart.com", false),
        ("walmart.com.evil.com", false), (".walmart.com", false), ("com", false), ("", false),
    ])
    func allowedDomainMatchesWholeLabels(host: String, isAllowed: Bool) {
        let domain = DeepLinkConfiguration.AllowedDomain(name: "Walmart.com", allowSubdomains: true)
        #expect(domain.contains(host: host) == isAllowed)
        let exact = DeepLinkConfiguration.AllowedDomain(name: "walmart.com")
        #expect(exact.contains(host: host) == (host == "walmart.com"))
    }

    @Test func configurationIsReadable() {
        #expect(router.urlSchemes == ["walmart"])
        #expect(router.universalLinks == ["www.walmart.com"])
        #expect(router.allowedDomains == [.init(name: "walmart.com", allowSubdomains: true)])
    }

    @Test func debugInfoShowsRoutesPreconditionsAndWaitingLinks() throws {
        router.register(routables: [
            TestRoutable(id: "orders", actionRoutes: ["orders", "orders/:id"], requiredPreconditions: ["signedIn"])
        ])
        router.declarePreconditions(["signedIn"])
        router.addDeeplinkPreconditionHandler(identifier: "appStarted") { true }
        router.open("walmart://orders/7")
        #expect(
            router.debugInfo == """
                schemes: walmart
                universal links: www.walmart.com
                allowed domains: *.walmart.com
                preconditions: signedIn (unmet), appStarted
                routes: 2, at most 3 visits
                  orders -> orders
                  orders/:id -> orders
                waiting links: 1
                  walmart://orders/7
                """)
    }

    // MARK: Registration

    @Test func conflictingRegistrationChangesNothing() throws {
        router.register(routables: [TestRoutable(id: "account", actionRoutes: ["account"])])
        let error = #expect(throws: RouteTableError.self) {
            try router.add(routables: [
                TestRoutable(id: "new", actionRoutes: ["new"]),
                TestRoutable(id: "mine", actionRoutes: ["x", "Account"]),
            ])
        }
        let first = RouteDeclaration(pattern: "account", routableID: "account", index: 0)
        let second = RouteDeclaration(pattern: "Account", routableID: "mine", index: 1)
        #expect(error?.issues == [.conflict(first, second, witness: "account")])
        #expect(router.routables.map(\.id) == ["account"])
        #expect(router.open("walmart://new").outcome == .unroutable(.noRoute))
        #expect(router.open("walmart://account").outcome == .routed)
        #expect(throws: RouteTableError.self) { try router.add(patterns: ["y", "account"]) { _, _ in true } }
        #expect(router.table.declarations.map(\.pattern) == ["account"])
    }

    @Test func registeringAddsAndSettingReplaces() throws {
        router.addRoute("own", waitForPreconditions: false) { _, _ in true }
        router.register(routables: [TestRoutable(id: "a", actionRoutes: ["a"])])
        router.register(routables: [TestRoutable(id: "b", actionRoutes: ["b"])])
        #expect(router.routables.map(\.id) == ["a", "b"])
        router.routables = [TestRoutable(id: "c", actionRoutes: ["c"])]
        #expect(router.routables.map(\.id) == ["c"])
        #expect(router.table.declarations.map(\.pattern) == ["own", "c"])
        #expect(router.open("walmart://own").outcome == .routed)
    }

    @Test func assigningConflictingRoutablesTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            DeepLinkRouter().routables = [
                TestRoutable(id: "a", actionRoutes: ["x"]), TestRoutable(id: "b", actionRoutes: ["x"]),
            ]
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("DeepLinkRouter.routables: b: pattern \"x\" conflicts with \"x\" of a"))
    }

    @Test func handlerMayRegisterAndOpen() throws {
        let router = router
        router.addRoute("outer", waitForPreconditions: false) { [weak router] _, _ in
            router?.addRoute("inner", waitForPreconditions: false) { _, _ in true }
            return router?.open("walmart://inner").outcome == .routed
        }
        #expect(router.open("walmart://outer").outcome == .routed)
    }

    @Test func routableOnlyNeedsItsRequiredMembers() throws {
        struct FeatureRoutable: Routable {
            var actionRoutes: [String] { ["path1", "path2"] }
            func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
        }
        let routable = FeatureRoutable()
        #expect(routable.id == "FeatureRoutable")
        #expect(routable.waitForPreconditions)
        #expect(routable.requiredPreconditions == .all)
        routable.registerRoutes()
        router.register(routables: [routable])
        #expect(router.open("walmart://path2").outcome == .routed)
    }
}
