import GlassContainer
import Testing

@Suite struct ValidationTests {
    let container = Container()

    @Test func allFindingsAreReportedInOrderWithoutCreatingServices() {
        let counter = Counter()
        container.register(A.self, requires: [B.self], file: "App/Setup.swift", line: 4) { _ -> A in
            counter.increment()
            return A()
        }
        container.register(B.self, requires: [C.self, (any Networking).self], file: "App/Setup.swift", line: 2) { B() }
        container.register(C.self, requires: [A.self], file: "App/Setup.swift", line: 3) { C() }
        container.register(Int.self, requires: [], file: "App/Setup.swift", line: 1) { 1 }
        container.register(Int.self, requires: [], file: "App/Setup.swift", line: 9) { 2 }
        container.register(String.self, scope: Scope.singleton, requires: [Int.self], file: "App/Z.swift", line: 1) {
            ""
        }
        container.register((any MediaNetworking).self, file: "App/Setup.swift", line: 5) { LiveNetworking() }
        let report = container.validate(requiring: [(any Analytics).self, A.self], file: "App/Check.swift", line: 3)
        #expect(
            report.description == """
                App/Check.swift:3: error: Analytics is required but is not registered
                  hint: register((any Analytics).self) { … }
                App/Setup.swift:2: error: B requires Networking, which is not registered
                  hint: register((any Networking).self) { … }; nearest: MediaNetworking
                App/Setup.swift:2: error: B → C → A → B is a cycle (C at App/Setup.swift:3, A at App/Setup.swift:4)
                  hint: resolve one of them lazily, or move the shared part to a third service
                App/Setup.swift:9: error: Int is already registered at App/Setup.swift:1
                  hint: the last registration wins; remove one, or override it in a child container
                App/Z.swift:1: error: String lives as long as the process and would hold Int, which is released with its \
                container (registered at App/Setup.swift:9)
                  hint: give both the same scope, or have String resolve Int each time it uses it
                App/Setup.swift:5: note: MediaNetworking declares no requirements and was not checked
                """)
        #expect(!report.isValid)
        #expect(ValidationFinding.Kind.allCases.map { report.findings($0).count } == [2, 1, 1, 1, 0])
        #expect(report.notChecked.map(\.displayName) == ["MediaNetworking"])
        #expect(counter.madeCount == 0)
    }

    @Test func completeContainerIsValid() {
        container.register(A.self, requires: [B.self]) { A() }
        container.register(B.self, requires: []) { B() }
        let report = container.validate(requiring: [A.self, B.self])
        #expect(report.isValid)
        #expect(report.description == "valid")
    }

    @Test func serviceRequiringItselfIsACycle() {
        container.register(A.self, requires: [A.self], file: "App/Setup.swift", line: 1) { A() }
        #expect(
            container.validate().findings.map(\.message) == ["A → A is a cycle"])
    }

    @Test func childFindsParentsRegistrationsButNotViceVersa() {
        container.register(A.self, requires: [B.self], file: "App/Setup.swift", line: 1) { A() }
        let child = Container(parent: container)
        child.register(B.self, requires: [A.self], file: "App/Setup.swift", line: 2) { B() }
        // The parent builds A and does not see the child's B, so there is no cycle either.
        #expect(
            child.validate().findings.map(\.message) == ["A requires B, which is not registered"])
    }

    @Test func overrideInChildIsNotADuplicate() {
        container.register(A.self, requires: []) { A() }
        let child = Container(parent: container)
        child.register(A.self, requires: []) { A() }
        #expect(child.validate().isValid)
    }

    @Test func longChainIsValidatedWithoutDeepRecursion() {
        func nest<Service>(_ type: Service.Type, _ depth: Int) {
            container.register(type, requires: depth > 0 ? [[Service].self] : [Int.self]) {
                fatalError("never created")
            }
            if depth > 0 { nest([Service].self, depth - 1) }
        }
        nest([Int].self, 100)
        container.register(Int.self, requires: [[Int].self]) { 1 }
        let cycles = container.validate().findings(.cyclic)
        #expect(cycles.count == 1)
        #expect(cycles.first?.services.count == 103)
    }

    @Test func declaredRequirementsCanBeComparedWithRecordedEdges() {
        container.register((any Networking).self, requires: []) { LiveNetworking() }
        container.register((any Analytics).self, requires: [(any Networking).self], LiveAnalytics.init)
        container.register((any Tracking).self, scope: .unique, requires: [(any Networking).self]) {
            _ = $0.get((any Networking).self)
            return $0.get(LiveAnalytics.self)
        }
        container.register(LiveAnalytics.self, LiveAnalytics.init)
        #expect(container.recordedEdges.isEmpty)
        _ = container.get((any Networking).self)
        _ = container.get((any Analytics).self)
        _ = container.get((any Tracking).self)
        _ = container.get((any Tracking).self)
        #expect(
            container.recordedEdges.map(\.description) == [
                "Analytics → Networking", "Tracking → Networking", "Tracking → LiveAnalytics",
                "LiveAnalytics → Networking",
            ])
        let analytics = container.registrations.first { $0.displayName == "Analytics" }
        #expect(analytics?.dependencies == analytics?.requires)
    }

    @Test func registrationsDescribeThemselves() {
        container.register((any Networking).self, requires: [], file: "App/Setup.swift", line: 1) { LiveNetworking() }
        container.registerProvidingChild(A.self, name: "a", scope: .unique, file: "App/Setup.swift", line: 2) { A() }
        let child = Container(parent: container)
        child.register(A.self, name: "a", file: "App/Child.swift", line: 3) { A() }
        _ = child.get((any Networking).self)
        let rows = child.registrations.map {
            "\($0.id) \($0.scope) \($0.site) \($0.isProvidingChild) \($0.isResolved) \($0.isInherited)"
        }
        #expect(
            rows == [
                "A named \"a\" cached App/Child.swift:3 false false false",
                "Networking cached App/Setup.swift:1 false true true",
            ])
        #expect(container.registrations.map(\.isProvidingChild) == [false, true])
    }
}
