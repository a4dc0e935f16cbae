import TestSupport
import Testing

@testable import GlassContainer

extension Container {
    fileprivate var plain: Factory<any Networking> { self { LiveNetworking() } }
    fileprivate var kept: Factory<any Networking> { self { LiveNetworking() }.cached }
    fileprivate var only: Factory<any Networking> { self { LiveNetworking() }.singleton }
}

private final class Prepared: SharedContainer, AutoRegistering {
    static let shared = Prepared()
    let manager = ContainerManager()
    let counter = Counter()

    var service: Factory<any Networking> { self { LiveNetworking() } }
    var only: Factory<any Networking> { self { LiveNetworking() }.singleton }

    func autoRegister() {
        counter.increment()
        service.register { OtherNetworking() }
        only.register { OtherNetworking() }
    }
}

/// Resolves from another container during registration.
private final class Linked: ManagedContainer, AutoRegistering {
    final class Reference: @unchecked Sendable {
        // Only set before and read after the threads run.

        private(set) var container: Linked?

        func store(_ container: Linked?) { self.container = container }
    }

    let manager = ContainerManager()
    let other = Reference()
    private let gate: Gate
    private let seen: Lines

    init(_ gate: Gate, _ seen: Lines) {
        self.gate = gate
        self.seen = seen
    }

    var service: Factory<any Networking> { self { LiveNetworking() } }

    func autoRegister() {
        gate.arrive()
        do {
            _ = try other.container?.service.resolveOrThrow()
        } catch {
            seen.add("\(error)")
        }
    }
}

private final class Log: Sendable {
    let seen = Lines()
}

private final class Opened: Disposable, AsyncDisposable, Sendable {
    let name: String
    let log: Log

    init(_ name: String, _ log: Log) {
        self.name = name
        self.log = log
    }

    func dispose() { log.seen.add(name) }
    func dispose() async { log.seen.add("\(name) async") }
}

private final class Closing: Disposable, Sendable {
    let name: String
    let log: Log

    init(_ name: String, _ log: Log) {
        self.name = name
        self.log = log
    }

    func dispose() { log.seen.add(name) }
}

extension Container {
    fileprivate var optionalClosing: Factory<Closing?> { self { self.get(Closing.self) }.cached }
}

@Suite struct StateTests {
    let container = Container()

    private func inOwnSingletons(_ body: () -> Void) {
        Scope.$singleton.withValue(Scope.Singleton(), operation: body)
    }

    // MARK: - Push and pop

    @Test func popRestoresRegistrationsInstancesAndSingletons() {
        inOwnSingletons {
            container.register((any Networking).self) { LiveNetworking() }
            let byType = container.get((any Networking).self).id
            let kept = container.kept().id
            let only = container.only().id
            container.manager.push()
            container.register((any Networking).self) { OtherNetworking() }
            container.kept.register { OtherNetworking() }
            container.only.register { OtherNetworking() }
            container.plain.register { OtherNetworking() }
            #expect(container.get((any Networking).self) is OtherNetworking)
            #expect(container.kept() is OtherNetworking)
            #expect(container.only() is OtherNetworking)
            container.manager.pop()
            #expect(container.get((any Networking).self).id == byType)
            #expect(container.kept().id == kept)
            #expect(container.only().id == only)
            #expect(container.plain() is LiveNetworking)
            #expect(container.validate().findings.isEmpty)
        }
    }

    @Test func popKeepsSingletonsOfOtherContainers() {
        inOwnSingletons {
            container.manager.push()
            let only = Prepared().only()
            container.manager.pop()
            #expect(!areDistinct(Prepared().only(), only))
        }
    }

    @Test func popRestoresDecoratorAndDefaultScope() {
        let seen = Lines()
        container.decorator { _ in seen.add("before") }
        container.manager.defaultScope = .cached
        container.manager.push()
        container.decorator { _ in seen.add("after") }
        container.manager.defaultScope = nil
        container.manager.pop()
        #expect(!areDistinct(container.plain(), container.plain()))
        #expect(seen.lines == ["before", "before"])
    }

    @Test func popWithoutPushChangesNothing() {
        let id = container.kept().id
        container.manager.pop()
        #expect(container.kept().id == id)
    }

    // MARK: - Reset

    @Test(arguments: [
        FactoryResetOptions.all, .none, .registration, .context, .scope,
    ])
    func eachOptionResetsOnlyItsPart(_ option: FactoryResetOptions) {
        container.kept.register { LiveNetworking() }.onArg("never") { LiveNetworking() }
        _ = container.kept()
        container.reset(options: option)
        #expect(container.manager.isEmpty(.registration) == (option == .all || option == .registration))
        #expect(container.manager.isEmpty(.context) == (option == .all || option == .context))
        #expect(container.manager.isEmpty(.scope) == (option == .all || option == .scope))
        #expect(container.manager.isEmpty(.all) == (option == .all))
        #expect(container.manager.isEmpty(.none))
    }

    @Test func resettingRegistrationsKeepsInstances() {
        container.kept.register { OtherNetworking() }
        let id = container.kept().id
        container.kept.reset(.registration)
        #expect(container.kept().id == id)
        container.kept.reset(.scope)
        #expect(container.kept() is LiveNetworking)
    }

    @Test func resolutionDuringResetIsReturnedButNotCached() {
        container.register((any Networking).self) { container in
            container.reset(options: .scope)
            return LiveNetworking()
        }
        let first: any Networking = container.get()
        #expect(areDistinct(container.get((any Networking).self), first))
    }

    // MARK: - Preparation

    @Test func autoRegisterRunsOnceBeforeFirstResolution() {
        let container = Prepared()
        #expect(container.counter.madeCount == 0)
        #expect(container.service() is OtherNetworking)
        _ = container.service()
        #expect(container.counter.madeCount == 1)
        container.manager.reset(options: .scope)
        _ = container.service()
        #expect(container.counter.madeCount == 1)
        container.manager.reset(options: .registration)
        #expect(container.service() is OtherNetworking)
        #expect(container.counter.madeCount == 2)
    }

    @Test func autoRegisterKeepsSingletons() {
        inOwnSingletons {
            let only = Prepared().only()
            #expect(!areDistinct(Prepared().only(), only))
        }
    }

    @Test func popToBeforeFirstResolutionRunsAutoRegisterAgain() {
        let container = Prepared()
        container.manager.push()
        #expect(container.service() is OtherNetworking)
        container.manager.pop()
        #expect(container.service() is OtherNetworking)
        #expect(container.counter.madeCount == 2)
    }

    @Test(.timeLimit(.minutes(1))) func eightThreadsSeePreparedContainer() {
        for _ in 0..<100 {
            let container = Prepared()
            onThreads(8) { _ in
                if !(container.service() is OtherNetworking) { Issue.record("resolved before it was prepared") }
            }
            #expect(container.counter.madeCount == 1)
        }
    }

    @Test(.timeLimit(.minutes(1))) func containersPreparingEachOtherOnTwoThreadsReportCycle() {
        let gate = Gate(2)
        let seen = Lines()
        let containers = (Linked(gate, seen), Linked(gate, seen))
        containers.0.other.store(containers.1)
        containers.1.other.store(containers.0)
        onThreads(2) { index in
            _ = (index == 0 ? containers.0 : containers.1).service()
        }
        #expect(
            seen.lines.first == """
                containers wait for each other: on two threads, each one's autoRegister() resolves from the other
                  hint: only register in autoRegister(), and resolve in factories
                """)
        containers.0.other.store(nil)
    }

    // MARK: - Shutdown

    @Test func shutdownDisposesInReverseOrderOfConstruction() async {
        let log = Log()
        container.register(Opened.self) { Opened("base", log) }
        container.register(Closing.self, name: "middle") { container in
            _ = container.get(Opened.self)
            return Closing("middle", log)
        }
        container.register(Closing.self, name: "top") { container in
            _ = container.get(Closing.self, name: "middle")
            return Closing("top", log)
        }
        container.register(Closing.self, name: "alias") { $0.get(Closing.self, name: "top") }
        _ = container.get(Closing.self, name: "alias")
        await container.shutdown()
        await container.shutdown()
        #expect(log.seen.lines == ["top", "middle", "base async"])
    }

    @Test func aliasedServiceIsDisposedOfOnce() async {
        for isAwaited in [true, false] {
            let log = Log()
            container.register(Closing.self) { Closing("it", log) }
            container.register((any Disposable).self) { $0.get(Closing.self) }
            container.register(Any.self) { $0.get(Closing.self) }
            _ = container.get((any Disposable).self)
            _ = container.get(Any.self)
            _ = container.optionalClosing()
            if isAwaited { await container.shutdown() } else { container.shutdownNow() }
            #expect(log.seen.lines == ["it"])
            container.reset()
        }
    }

    @Test func resolvingAfterShutdownIsReported() throws {
        container.register(A.self, file: "App/Setup.swift", line: 3) { A() }
        _ = container.get(A.self)
        container.shutdownNow(file: "App/Main.swift", line: 9)
        #expect {
            try container.require(A.self)
        } throws: { error in
            "\(error)" == """
                A cannot be resolved because its container was shut down at App/Main.swift:9
                  A is registered at App/Setup.swift:3
                  hint: resolve it before shutdown(), or call reset() to use the container again
                """
        }
        container.reset()
        container.register(A.self) { A() }
        _ = try container.require(A.self)
    }

    @Test func containerMayBeReleasedDuringResolution() {
        let counter = Counter()
        weak var gone: Container?
        var container: Container? = Container()
        gone = container
        let release = { container = nil }
        container?.register((any Networking).self) { _ in
            release()
            return LiveNetworking(counter)
        }
        let networking = container?.get((any Networking).self)
        #expect(networking != nil)
        #expect(container == nil)
        #expect(gone == nil)
        #expect(counter.liveCount == 1)
    }

    // MARK: - Lookup and graph

    @Test func allOfTypeAreInOrderOfRegistration() {
        container.register(Int.self, name: "b") { 1 }
        container.register(Int.self) { 2 }
        container.register(Int.self, name: "a") { 3 }
        #expect(container.all(of: Int.self) == [1, 2, 3])
        let child = Container(parent: container)
        child.register(Int.self, name: "c") { 4 }
        child.register(Int.self, name: "a") { 5 }
        #expect(child.all(of: Int.self) == [1, 2, 5, 4])
        #expect(container.all(of: String.self).isEmpty)
    }

    @Test func serviceIsFoundByTypeName() throws {
        container.register((any Networking).self, file: "App/Setup.swift", line: 3) { LiveNetworking() }
        let networking = try container.require(named: "Networking", as: (any Networking).self)
        #expect(networking.id == container.get((any Networking).self).id)
        #expect {
            try container.require(named: "Networking", as: A.self)
        } throws: { error in
            "\(error)" == """
                Networking is not of type A
                  Networking is registered at App/Setup.swift:3
                  hint: resolve (any Networking).self instead
                """
        }
        #expect {
            try container.require(named: "Networkin", as: A.self)
        } throws: { error in
            "\(error)" == "no registered service has a type named \"Networkin\"\n  nearest: Networking"
        }
    }

    @Test func serviceResolvingItselfIsACycle() {
        container.register(A.self, file: "App/Setup.swift", line: 3) { try $0.require(A.self) }
        #expect {
            try container.require(A.self)
        } throws: { error in
            "\(error)" == """
                the factory of A resolves A itself
                  A is registered at App/Setup.swift:3
                  hint: pass the dependency as an argument, or resolve it when it is used
                """
        }
    }

    @Test func graphRecordsBothStyles() {
        container.register((any Networking).self, file: "App/Setup.swift", line: 1) { $0.kept() }
        container.register((any Analytics).self, file: "App/Setup.swift", line: 2, LiveAnalytics.init)
        container.manager.countsHits = true
        _ = container.get((any Analytics).self)
        _ = container.get((any Analytics).self)
        let graph = container.graph
        #expect(graph.nodes.map(\.id.description) == ["Networking", "Analytics", "Networking (kept)"])
        #expect(graph.nodes.map { $0.creator?.description } == ["Analytics", nil, "Networking"])
        #expect(graph.nodes.map(\.hits) == [0, 1, 0])
        #expect(graph.nodes.map(\.builds) == [1, 1, 1])
        #expect(graph.nodes.allSatisfy { $0.buildTime != nil && $0.isKept })
        #expect(
            graph.dot == """
                digraph services {
                  n0 [label="Networking\\ncached"];
                  n1 [label="Analytics\\ncached"];
                  n2 [label="Networking (kept)\\ncached"];
                  n0 -> n2;
                  n1 -> n0;
                }
                """)
        #expect(
            graph.mermaid == """
                graph TD
                  n0["Networking · cached"]
                  n1["Analytics · cached"]
                  n2["Networking (kept) · cached"]
                  n0 --> n2
                  n1 --> n0
                """)
        let json = graph.json
        #expect(
            json.hasPrefix(
                "{\"edges\":[{\"from\":\"Networking\",\"to\":\"Networking (kept)\"},"
                    + "{\"from\":\"Analytics\",\"to\":\"Networking\"}],\"nodes\":[{\"buildTime\":"))
        #expect(json.hasSuffix("GlassContainerTests/StateTests.swift:8\"}],\"schema\":1}"))
    }

    // MARK: - Strict mode

    @Test func strictModeReportsLiveServices() {
        let seen = Lines()
        container.register(A.self, file: "App/Setup.swift", line: 3) { A() }
        container.register(B.self) { B() }
        container.register(Int.self) { 1 }
        container.manager.strict(allowing: [Int.self]) { seen.add("\($0.id)") }
        container.register(B.self) { B() }
        container.kept.register { OtherNetworking() }
        _ = container.get(A.self)
        _ = container.get(A.self)
        _ = container.get(B.self)
        _ = container.get(Int.self)
        _ = container.kept()
        _ = container.plain()
        #expect(seen.lines == ["A", "Networking (plain)"])
    }

    @Test func strictModeTrapsWithServiceName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = Container()
            container.register(A.self, file: "App/Setup.swift", line: 3) { A() }
            container.manager.strict()
            _ = container.get(A.self)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                """
                Fatal error: A is live (App/Setup.swift:3), but this container is strict
                  hint: register a mock for it, or allow it with strict(allowing: [A.self])
                """))
    }
}
