import GlassContainer
import Testing

@testable import GlassDeepLinking

/// One configuration, one table and one set of hooks decide about a link from the start to its outcome.
@Suite(.timeLimit(.minutes(1))) struct SnapshotTests {
    @Test func linkIsReportedToHooksFromItsStart() throws {
        let router = DeepLinkRouter(configuration: .us)
        let heard = Recorder<String>()
        router.hooks.outcomeHandler = { heard.append("first \($0.text)") }
        router.hooks.preExecutionHandler = { [weak router] _ in
            router?.outcomeHandler = { heard.append("second \($0.text)") }
        }
        router.register(routables: [TestRoutable(id: "a", actionRoutes: ["a/:n"])])
        router.open("walmart://a/1")
        router.open("walmart://a/2")
        #expect(heard.elements == ["first walmart://a/1", "second walmart://a/2"])
    }

    @Test func linkIsTrackedByConfigurationFromItsStart() throws {
        let tracked = DeepLinkConfiguration.TrackedQueryParameter(
            value: "email", eventName: "onClick", qualifiesTracking: true)
        var configuration = DeepLinkConfiguration.us
        configuration.queryParameters = [tracked]
        let router = DeepLinkRouter(configuration: configuration)
        let events = Recorder<String>()
        router.trackingHandler = { name, _ in events.append(name) }
        router.addRoute("a", waitForPreconditions: false) { [weak router] _, _ in
            router?.configuration = .us
            return true
        }
        for _ in 0..<2 { router.open("walmart://a?source=email") }
        #expect(events.elements == ["onClick"])
    }

    /// The second candidate comes from the table with which the link started.
    @Test func tableChangedDuringHandlingAppliesToNextLink() throws {
        let router = DeepLinkRouter(configuration: .us)
        let second = TestRoutable(id: "second", actionRoutes: [":any"])
        let first = TestRoutable(id: "first", actionRoutes: ["a"]) { [weak router] _, _ in
            try router?.replaceRoutables([])
            return false
        }
        router.register(routables: [first, second])
        #expect(router.open("walmart://a").routableID == "second")
        #expect(router.open("walmart://a").outcome == .unroutable(.noRoute))
    }

    /// A link never starts to wait for a route that has been replaced: nothing would tell it that the new one is ready.
    @Test func linkWaitsForRoutesThatAreInUse() throws {
        let router = DeepLinkRouter(configuration: .us)
        let second = TestRoutable(id: "second", actionRoutes: [":any"], requiredPreconditions: ["ready"])
        let first = TestRoutable(id: "first", actionRoutes: ["a"]) { [weak router] _, _ in
            try router?.replaceRoutables([TestRoutable(id: "third", actionRoutes: [":any"])])
            return false
        }
        router.register(routables: [first, second])
        let result = router.open("walmart://a")
        #expect("\(result.routableID ?? "-") \(result.outcome.name)" == "third routed")
        #expect(router.waitingLinks.isEmpty)
    }

    /// The same if the routes change while the preconditions of a link are checked.
    @Test func routesChangedByPreconditionApplyToLinkThatWouldWait() throws {
        let router = DeepLinkRouter(configuration: .us)
        let calls = Recorder<String>()
        router.register(routables: [
            TestRoutable(id: "old", actionRoutes: ["a"], requiredPreconditions: ["ready"])
        ])
        router.addDeeplinkPreconditionHandler(identifier: "ready") { [weak router] in
            calls.append("asked")
            guard calls.elements.count == 1 else { return false }
            // A table of one valid pattern is always valid.
            try? router?.replaceRoutables([
                TestRoutable(id: "new", actionRoutes: ["a"], requiredPreconditions: ["other"])
            ])
            return false
        }
        #expect(router.open("walmart://a").outcome == .waiting(unmet: ["other"]))
        #expect(calls.elements == ["asked"])
        router.satisfyPrecondition("other")
        #expect(router.waitingLinks.isEmpty)
    }

    /// A precondition whose handler replaces the routes whenever it is called can't keep a link from waiting.
    @Test func linkWaitsThoughItsRoutesKeepChanging() throws {
        let router = DeepLinkRouter(configuration: .us)
        let calls = Recorder<String>()
        let routable = TestRoutable(id: "a", actionRoutes: ["a"], requiredPreconditions: ["ready"])
        router.register(routables: [routable])
        let isOver = Recorder<Bool>()
        router.addDeeplinkPreconditionHandler(identifier: "ready") { [weak router] in
            guard isOver.elements.isEmpty else { return true }
            calls.append("asked")
            try? router?.replaceRoutables([routable])  // its pattern is valid
            return false
        }
        #expect(router.open("walmart://a").outcome == .waiting(unmet: ["ready"]))
        #expect(calls.elements.count == 1 + DeepLinkRouter.maximumRepeats)
        isOver.append(true)
        router.routeWaitingLinks()
        #expect(router.waitingLinks.isEmpty)
    }

    /// A link that continues after waiting starts over: the current configuration handles all of it.
    @Test func waitingLinkIsCheckedByCurrentConfiguration() throws {
        let router = DeepLinkRouter(configuration: .us)
        let outcomes = Recorder<RouteOutcome>()
        router.outcomeHandler = { outcomes.append($0.outcome) }
        router.register(routables: [
            TestRoutable(id: "a", actionRoutes: ["a"], requiredPreconditions: ["ready"])
        ])
        router.open("walmart://a")
        router.configuration = DeepLinkConfiguration(schemes: ["other"])
        router.satisfyPrecondition("ready")
        #expect(outcomes.elements == [.unroutable(.unknownScheme("walmart"))])
    }

    /// A waiting link is handled by the table in which its route was found ready.
    @Test func tableChangedByPreconditionAppliesToNextLink() throws {
        let router = DeepLinkRouter(configuration: .us)
        let outcomes = Recorder<String>()
        router.outcomeHandler = { outcomes.append("\($0.routableID ?? "-") \($0.outcome.name)") }
        router.register(routables: [
            TestRoutable(id: "a", actionRoutes: ["a"], requiredPreconditions: ["ready"])
        ])
        router.open("walmart://a")
        router.addDeeplinkPreconditionHandler(identifier: "ready") { [weak router] in
            (try? router?.replaceRoutables([])) != nil  // no routables always form a valid table
        }
        #expect(outcomes.elements == ["a routed"])
        #expect(router.open("walmart://a").outcome == .unroutable(.noRoute))
    }

    /// Releasing an object that an app gave to a router may run app code, so no lock is held meanwhile.
    @Test func replacedObjectsAreReleasedOutsideLock() throws {
        final class Witness: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
            deinit { body() }
        }
        let router = DeepLinkRouter(configuration: .us)
        let released = Recorder<String>()
        func witness(_ name: String) -> Witness {
            Witness { [weak router] in released.append("\(name) \(router?.unmetPreconditions.count ?? -1)") }
        }
        do {
            let (hook, handler, route) = (witness("hook"), witness("precondition"), witness("route"))
            router.preExecutionHandler = { _ in _ = hook }
            router.addDeeplinkPreconditionHandler(identifier: "ready") {
                _ = handler
                return false
            }
            router.register(routables: [
                TestRoutable(id: "a", actionRoutes: ["a"]) { _, _ in
                    _ = route
                    return true
                }
            ])
        }
        router.preExecutionHandler = nil
        router.addDeeplinkPreconditionHandler(identifier: "ready") { false }
        try router.replaceRoutables([])
        #expect(released.elements == ["hook 1", "precondition 1", "route 1"])
    }
}
