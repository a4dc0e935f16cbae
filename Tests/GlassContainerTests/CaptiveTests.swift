import GlassContainer
import Testing

extension Scope {
    fileprivate static let session = Cached()
    fileprivate static let visit = Cached()
}

extension Container {
    fileprivate var kept: Factory<A> { self { A() }.cached }
    fileprivate var only: Factory<B> {
        self {
            _ = self.kept()
            return B()
        }.singleton
    }
    fileprivate var brief: Factory<A> { self { A() }.cached.timeToLive(60) }
    fileprivate var long: Factory<B> {
        self {
            _ = self.brief()
            return B()
        }.cached
    }
}

@Suite struct CaptiveTests {
    let container = Container()

    private var captives: [String] { container.validate().findings(.captive).map(\.message) }

    private func register(_ holder: Scope, _ target: Scope) {
        container.register(A.self, scope: holder, requires: [B.self], file: "App/Setup.swift", line: 1) { A() }
        container.register(B.self, scope: target, requires: [], file: "App/Setup.swift", line: 2) { B() }
    }

    @Test(arguments: [
        (
            Scope.Singleton() as Scope, .cached as Scope, "lives as long as the process",
            "is released with its container"
        ),
        (Scope.Singleton(), .shared, "lives as long as the process", "is released when nothing else holds it"),
        (Scope.Singleton(), .graph, "lives as long as the process", "lasts for one resolution"),
        (.cached, .shared, "lives as long as its container", "is released when nothing else holds it"),
        (.cached, .graph, "lives as long as its container", "lasts for one resolution"),
        (.cached, .session, "lives as long as its container", "is discarded when its scope is reset"),
        (.shared, .graph, "lives as long as something holds it", "lasts for one resolution"),
    ]) func cachedServiceHoldingShorterLivedOneIsReported(
        _ holder: Scope, _ target: Scope, _ life: String, _ end: String
    ) {
        register(holder, target)
        #expect(
            container.validate().description == """
                App/Setup.swift:1: error: A \(life) and would hold B, which \(end) (registered at App/Setup.swift:2)
                  hint: give both the same scope, or have A resolve B each time it uses it
                """)
    }

    @Test(arguments: [
        (.cached as Scope, .cached as Scope), (.cached, .unique), (.cached, Scope.singleton), (.session, .cached),
        (.session, .visit), (.session, .session), (.shared, .cached), (.shared, .shared), (.graph, .graph),
        (.graph, .unique), (.unique, .cached), (.unique, .graph), (Scope.singleton, .unique),
    ]) func serviceMayHoldOneThatLivesAsLong(_ holder: Scope, _ target: Scope) {
        register(holder, target)
        #expect(captives.isEmpty)
    }

    @Test func uniqueServicePassesOnWhatItHolds() {
        container.register(A.self, scope: Scope.singleton, requires: [B.self], file: "App/Setup.swift", line: 1) { A() }
        container.register(B.self, scope: .unique, requires: [C.self]) { B() }
        container.register(C.self, scope: .unique, requires: [Int.self]) { C() }
        container.register(Int.self, requires: [], file: "App/Setup.swift", line: 2) { 1 }
        #expect(
            captives == [
                "A lives as long as the process and would hold Int through B → C, which is released with its container "
                    + "(registered at App/Setup.swift:2)"
            ])
    }

    @Test func recordedResolutionsCountAsRequirements() {
        Scope.$singleton.withValue(Scope.Singleton()) {
            #expect(captives.isEmpty)
            _ = container.only()
            #expect(
                captives == [
                    "B (only) lives as long as the process and would hold A (kept), which is released with its container "
                        + "(registered at GlassContainerTests/CaptiveTests.swift:10)"
                ])
        }
    }

    @Test func serviceWithShorterTimeToLiveIsCaptive() {
        _ = container.long()
        #expect(
            captives == [
                "B (long) lives as long as its container and would hold A (brief), which expires after 60.0 seconds "
                    + "(registered at GlassContainerTests/CaptiveTests.swift:17)"
            ])
        container.long.timeToLive(30)
        #expect(captives.isEmpty)
    }

    @Test func parentHoldingChildsCachedServiceIsReportedInChild() {
        let child = Container(parent: container)
        container.register(A.self, file: "App/Setup.swift", line: 1) { _ in
            _ = child.get(B.self)
            return A()
        }
        container.register(B.self) { B() }
        child.register(B.self, file: "App/Child.swift", line: 2) { B() }
        _ = child.get(A.self)
        #expect(captives.isEmpty)
        #expect(
            child.validate().findings(.captive).map(\.message) == [
                "A lives as long as its container and would hold B, which is released with its container, a child "
                    + "(registered at App/Child.swift:2)"
            ])
    }

    @Test func childMayHoldParentsCachedServices() {
        let child = Container(parent: container)
        container.register(B.self, requires: []) { B() }
        child.register(A.self, requires: [B.self]) { A() }
        container.registerProvidingChild(C.self) { own in
            own.register(Int.self) { 1 }
            _ = own.get(Int.self)
            return C()
        }
        _ = child.get(C.self)
        #expect(child.validate().isValid)
    }

    @Test func requirementIsNearestRegistration() {
        let child = Container(parent: container)
        container.register(B.self, requires: []) { B() }
        child.register(B.self, scope: .shared, requires: [], file: "App/Child.swift", line: 2) { B() }
        child.register(A.self, requires: [B.self], file: "App/Child.swift", line: 3) { A() }
        container.register(C.self, requires: [B.self]) { C() }
        #expect(child.validate().findings.map(\.site.description) == ["App/Child.swift:3"])
    }

    @Test func childSingletonHoldingParentsServiceIsReported() {
        container.register(B.self, requires: [], file: "App/Setup.swift", line: 2) { B() }
        let child = Container(parent: container)
        child.register(A.self, scope: Scope.singleton, requires: [B.self], file: "App/Child.swift", line: 1) { A() }
        #expect(
            child.validate().findings(.captive).map(\.message) == [
                "A lives as long as the process and would hold B, which is released with its container "
                    + "(registered at App/Setup.swift:2)"
            ])
    }
}
