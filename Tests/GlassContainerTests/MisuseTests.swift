import GlassBase
import TestSupport
import Testing

@testable import GlassContainer

extension Container {
    fileprivate var kept: Factory<LiveNetworking> { self { LiveNetworking() }.cached }
    fileprivate var only: Factory<any Networking> { self { LiveNetworking() }.singleton }
    fileprivate var nothing: ParameterFactory<Void, Int> { ParameterFactory(self) { _ in 1 } }
}

/// Resolves a service during its deinitialization.
private final class Leaving: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    deinit {
        body()
    }
}

private final class Closing: Disposable, Sendable {
    let log: Lines
    let name: String

    init(_ name: String, _ log: Lines) {
        self.name = name
        self.log = log
    }

    func dispose() { log.add(name) }
}

/// Holds one reference, which the owner of the box releases.
private final class Holder: @unchecked Sendable {
    // The lock guards the container.

    private let lock = Lock()
    private var container: Container?

    init(_ container: Container) {
        self.container = container
    }

    var current: Container? { lock.withLock { container } }
    func letGo() {
        let old = lock.withLock {
            defer { container = nil }
            return container
        }
        withExtendedLifetime(old) {}
    }
}

@Suite(.timeLimit(.minutes(1))) struct MisuseTests {
    let container = Container()

    // MARK: - Registering inside a factory

    @Test func singletonOverriddenByItsFactoryIsNotCached() {
        Scope.$singleton.withValue(Scope.Singleton()) {
            container.register((any Networking).self, scope: Scope.singleton) { container in
                container.register((any Networking).self, scope: Scope.singleton) { OtherNetworking() }
                return LiveNetworking()
            }
            #expect(container.get((any Networking).self) is LiveNetworking)
            #expect(container.get((any Networking).self) is OtherNetworking)
        }
    }

    @Test func factoryMayRegisterInParentAndChild() {
        let child = Container(parent: container)
        container.register(A.self) { container in
            container.register(B.self) { B() }
            child.register(C.self) { C() }
            return A()
        }
        _ = child.get(A.self)
        #expect(child.isRegistered(B.self))
        #expect(child.isRegistered(C.self))
        #expect(!container.isRegistered(C.self))
    }

    // MARK: - Resolving during a reset

    @Test func instanceDroppedByResetMayResolveInDeinit() {
        let seen = Lines()
        container.register(Leaving.self) { container in
            Leaving { [unowned container] in
                seen.add("\(container.getIfRegistered(Int.self) ?? 0)")
                _ = container.kept()
            }
        }
        container.register(Int.self) { 1 }
        _ = container.get(Leaving.self)
        container.reset(options: .scope)
        #expect(seen.lines == ["1"])
        _ = container.get(Leaving.self)
        container.reset()
        #expect(seen.lines == ["1", "0"])
    }

    @Test func threadsResolvingDuringResetsGetCompleteInstances() {
        let counter = Counter()
        onThreads(4) { index in
            for _ in 0..<300 {
                if index == 0 {
                    container.reset(options: .scope)
                } else {
                    container.kept.register { LiveNetworking(counter) }
                    #expect(container.kept().counter === counter)
                }
            }
        }
        container.reset()
        #expect(counter.liveCount == 0)
    }

    // MARK: - Releasing a container

    @Test func containerReleasedByOtherThreadLivesUntilResolutionEnds() {
        for _ in 0..<50 {
            let counter = Counter()
            let bothAreThere = Gate(2)
            weak var gone: Container?
            let holder: Holder
            do {
                let container = Container()
                gone = container
                container.kept.register {
                    bothAreThere.arrive()
                    return LiveNetworking(counter)
                }
                holder = Holder(container)
            }
            onThreads(2) { index in
                if index == 0 {
                    let service = holder.current?.kept()
                    #expect(service?.counter === counter)
                } else {
                    bothAreThere.arrive()
                    holder.letGo()
                }
            }
            #expect(gone == nil)
            #expect(counter.liveCount == 0)
        }
    }

    // MARK: - Wrong types

    @Test func factoryWithoutParametersAcceptsContextAndOverride() {
        #expect(container.nothing(()) == 1)
        container.nothing.onArg("misuse") { 2 }
        FactoryContext.setArg("misuse", forKey: "MisuseTests")
        defer { FactoryContext.removeArg(forKey: "MisuseTests") }
        #expect(container.nothing(()) == 2)
        container.nothing.reset()
        container.nothing.register { 3 }
        #expect(container.nothing(()) == 3)
    }

    // MARK: - After shutdown

    @Test func everyReadReportsShutdown() {
        container.register(A.self, file: "App/Setup.swift", line: 3) { A() }
        let child = Container(parent: container)
        child.register(C.self) { C() }
        container.shutdownNow(file: "App/Main.swift", line: 9)
        func text(_ name: String, _ line: Int) -> String {
            """
            \(name) cannot be resolved because its container was shut down at App/Main.swift:9
              \(name) is registered at App/Setup.swift:\(line)
              hint: resolve it before shutdown(), or call reset() to use the container again
            """
        }
        #expect { try child.require(A.self) } throws: { "\($0)" == text("A", 3) }
        #expect(throws: Never.self) { try child.require(C.self) }
    }

    @Test func childThatWasShutDownResolvesNothingFromParent() {
        container.register(A.self) { A() }
        _ = container.get(A.self)
        let child = Container(parent: container)
        let grandchild = Container(parent: child)
        child.shutdownNow(file: "App/Main.swift", line: 9)
        func isExpired(_ error: any Error) -> Bool {
            if case .expired(_, let end) = error as? ContainerError { end.line == 9 } else { false }
        }
        #expect { try child.require(A.self) } throws: { isExpired($0) }
        #expect { try child.require(named: "A", as: A.self) } throws: { isExpired($0) }
        #expect { try grandchild.require(A.self) } throws: { isExpired($0) }
        #expect(throws: Never.self) { try container.require(A.self) }
        child.reset()
        #expect(throws: Never.self) { try child.require(A.self) }
    }

    @Test func propertyOfContainerThatWasShutDownTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = Container()
            container.shutdownNow(file: "App/Main.swift", line: 9)
            _ = container.kept()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "Fatal error: LiveNetworking (kept) cannot be resolved because its container was shut down at "
                    + "App/Main.swift:9"))
    }

    @Test func instanceCreatedDuringShutdownIsOnlyReturnedToCaller() {
        let log = Lines()
        container.register(Closing.self, name: "before") { Closing("before", log) }
        container.register(Closing.self) { container in
            _ = container.get(Closing.self, name: "before")
            container.shutdownNow()
            return Closing("during", log)
        }
        #expect(container.get(Closing.self).name == "during")
        #expect(log.lines == ["before"])
    }

    // MARK: - Order, singletons, strict mode

    @Test func popRestoresOrderOfRegistration() {
        container.register(Int.self, name: "a") { 1 }
        container.register(Int.self, name: "b") { 2 }
        container.manager.push()
        container.register(Int.self, name: "a") { 3 }
        container.register(Int.self, name: "c") { 4 }
        #expect(container.all(of: Int.self) == [2, 3, 4])
        container.manager.pop()
        #expect(container.all(of: Int.self) == [1, 2])
    }

    @Test func popForgetsSingletonsCreatedSincePush() {
        Scope.$singleton.withValue(Scope.Singleton()) {
            container.register((any Networking).self, scope: Scope.singleton) { LiveNetworking() }
            container.manager.push()
            container.register((any Networking).self, scope: Scope.singleton) { OtherNetworking() }
            container.only.register { OtherNetworking() }
            #expect(container.get((any Networking).self) is OtherNetworking)
            #expect(container.only() is OtherNetworking)
            container.manager.pop()
            #expect(container.get((any Networking).self) is LiveNetworking)
            #expect(container.only() is LiveNetworking)
        }
    }

    @Test func strictModeInChildReportsServicesFoundByTypeName() throws {
        let seen = Lines()
        container.register(A.self) { A() }
        let child = Container(parent: container)
        child.manager.strict { seen.add("\($0.id)") }
        _ = try child.require(named: "A", as: A.self)
        #expect(seen.lines == ["A"])
    }

    @Test func strictModeReportsInstancesCachedEarlierAndByParent() {
        Scope.$singleton.withValue(Scope.Singleton()) {
            let seen = Lines()
            container.register(A.self) { A() }
            container.register(B.self) { B() }
            let child = Container(parent: container)
            _ = container.get(A.self)
            _ = Container().only()
            _ = child.kept()
            child.manager.strict { seen.add("\($0.id)") }
            _ = child.get(A.self)
            _ = child.get(A.self)
            _ = try? child.require(B.self)  // The service is registered, and reporting does not throw.
            _ = child.kept()
            _ = child.only()
            _ = container.get(A.self)
            #expect(seen.lines == ["A", "B", "LiveNetworking (kept)", "Networking (only)"])
        }
    }
}
