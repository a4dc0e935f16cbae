import GlassBase
import Synchronization
import Testing

@testable import GlassContainer

extension Container {
    fileprivate var made: AsyncFactory<LiveNetworking> { asynchronous { await construct() } }
    fileprivate var fresh: AsyncFactory<LiveNetworking> { asynchronous { await construct() }.unique }
    fileprivate var weakly: AsyncFactory<LiveNetworking> { asynchronous { await construct() }.shared }
    fileprivate var only: AsyncFactory<LiveNetworking> { asynchronous { await construct() }.singleton }
    fileprivate var expiring: AsyncFactory<LiveNetworking> { asynchronous { await construct() }.timeToLive(10) }
    fileprivate var inCustomScope: AsyncFactory<LiveNetworking> { asynchronous { await construct() }.scope(.session) }
    fileprivate var inGraph: AsyncFactory<LiveNetworking> { asynchronous { await construct() }.graph }
    fileprivate var syncInGraph: Factory<LiveNetworking> { self { LiveNetworking() }.graph }
    fileprivate var pair: AsyncFactory<[LiveNetworking]> {
        asynchronous {
            async let first = self.inGraph()
            async let second = self.inGraph()
            return try await [first, second] + [self.syncInGraph(), self.syncInGraph()]
        }.unique
    }
    fileprivate var missing: AsyncFactory<LiveNetworking?> { asynchronous { nil } }
}

extension Scope {
    fileprivate static let session = Cached()
}

@Sendable private func construct() async -> LiveNetworking {
    await Task.yield()
    return LiveNetworking()
}

/// The time that a test sets.
private final class Time: Sendable {
    let seconds = Atomic<Int>(0)
}

@Suite(.timeLimit(.minutes(5))) struct AsyncScopeTests {
    let container = Container()

    private func areSame(_ first: LiveNetworking, _ second: LiveNetworking) -> Bool { first === second }

    // MARK: - Scopes

    @Test func anAsynchronousPropertyIsCachedByDefaultAndUniqueIfItSaysSo() async throws {
        #expect(try await container.made() === container.made())
        #expect(try await container.fresh() !== container.fresh())
    }

    @Test func aSharedInstanceGoesWhenNobodyHoldsIt() async throws {
        weak var gone: LiveNetworking?
        do {
            let held = try await container.weakly()
            gone = held
            #expect(try await container.weakly() === held)
        }
        #expect(gone == nil)
        _ = try await container.weakly()
    }

    @Test func aSingletonIsOneForAllContainersAndPopBringsItBack() async throws {
        try await Scope.$singleton.withValue(Scope.Singleton()) {
            let first = try await container.only()
            #expect(try await Container().only() === first)
            container.manager.push()
            container.only.register { LiveNetworking() }
            #expect(try await container.only() !== first)
            container.manager.pop()
            #expect(try await container.only() === first)
        }
    }

    @Test func timeToLiveCountsFromConstruction() async throws {
        let time = Time()
        container.manager.setClock { Double(time.seconds.load(ordering: .relaxed)) }
        let first = try await container.expiring()
        time.seconds.store(9, ordering: .relaxed)
        #expect(try await container.expiring() === first)
        time.seconds.store(10, ordering: .relaxed)
        #expect(try await container.expiring() !== first)
    }

    @Test func aCustomScopeIsResetAlone() async throws {
        let custom = try await container.inCustomScope()
        let cached = try await container.made()
        container.manager.reset(scope: .session)
        #expect(try await container.inCustomScope() !== custom)
        #expect(try await container.made() === cached)
    }

    @Test func aGraphIsOneResolutionWithItsChildTasksAndSynchronousParts() async throws {
        let first = try await container.pair()
        let second = try await container.pair()
        #expect(first[0] === first[1])
        #expect(first[2] === first[3])
        // Both are held, so that their addresses tell them apart.
        #expect(Set(first.map(ObjectIdentifier.init)).isDisjoint(with: second.map(ObjectIdentifier.init)))
        #expect(try await container.inGraph() !== container.inGraph())
    }

    @Test func aGraphKeepsTheInstancesOfEachContainerApart() async throws {
        let other = Container()
        container.register((any Networking).self, scope: .graph) { LiveNetworking() }
        other.register((any Networking).self, scope: .graph) { OtherNetworking() }
        container.registerAsync(A.self) { container in
            #expect(container.get((any Networking).self) is LiveNetworking)
            #expect(other.get((any Networking).self) is OtherNetworking)
            #expect(container.syncInGraph() !== other.syncInGraph())
            let (first, second) = (try await container.inGraph(), try await other.inGraph())
            #expect(first !== second)
            let again = try await other.inGraph()
            #expect(second === again)
            return A()
        }
        _ = try await container.resolveAsync(A.self)
    }

    @Test func aTypeHasAScopeToo() async throws {
        container.registerAsync(A.self, scope: .unique) { _ in A() }
        #expect(try await container.resolveAsync(A.self) !== container.resolveAsync(A.self))
        // The factory ran and its dependencies are known; reading without awaiting must not take it for another's.
        #expect(throws: ContainerError.self) { try container.require(A.self) }
    }

    @Test func everyoneWhoWaitsGetsWhatIsNotKept() async throws {
        #expect(try await container.missing() == nil)
        #expect(container.manager.isEmpty(.scope))
    }

    // MARK: - Modifiers, traces, strict mode

    @Test func decoratorsSeeNewAndKeptInstances() async throws {
        let seen = Lines()
        container.made.decorator { _, isNew in seen.add(isNew ? "new" : "kept") }
        container.decorator { seen.add("container \(type(of: $0))") }
        _ = try await container.made()
        _ = try await container.made()
        #expect(seen.lines == ["new", "container LiveNetworking", "kept", "container LiveNetworking"])
    }

    @Test func anArgumentMakesItAnotherWay() async throws {
        let special = LiveNetworking()
        container.made.onArg("async-special") { special }
        FactoryContext.setArg("async-special", forKey: "AsyncScopeTests")
        defer { FactoryContext.removeArg(forKey: "AsyncScopeTests") }
        #expect(try await container.made() === special)
    }

    @Test func theOverrideOfAParentHoldsInItsChildren() async throws {
        let special = LiveNetworking()
        container.fresh.register { special }
        #expect(try await Container(parent: container).fresh() === special)
    }

    @Test func aTraceHasALineForEachResolution() async throws {
        let seen = Lines()
        container.manager.logger = { seen.add(String($0.prefix { $0 != "=" && $0 != "!" })) }
        container.manager.trace = true
        _ = try await container.pair()
        #expect(Set(seen.lines).contains("1:     Container.inGraph<LiveNetworking> "))
        #expect(seen.lines.last == "0: Container.pair<Array<LiveNetworking>> ")
    }

    @Test func strictModeNamesWhatIsLive() async throws {
        let seen = Lines()
        container.manager.strict { seen.add("\($0.id)") }
        container.fresh.register { LiveNetworking() }
        _ = try await container.fresh()
        _ = try await container.made()
        #expect(seen.lines == ["LiveNetworking (made)"])
    }

    @Test func strictModeIsSilentWhenARegistrationIsNewer() async throws {
        let seen = Lines()
        container.manager.strict { seen.add("\($0.id)") }
        container.registerAsync(A.self) { _ in A() }
        _ = try await container.resolveAsync(A.self)
        #expect(seen.lines.isEmpty)
    }

    @Test func whatIsRegisteredForATypeMayBeReadOtherWaysOnlyWhenItIsThere() async throws {
        container.registerAsync(A.self, file: "App/Setup.swift", line: 3) { _ in A() }
        #expect {
            try container.require(named: "A", as: A.self)
        } throws: { error in
            "\(error)".hasPrefix(
                "A is made asynchronously and is not there yet\n  A is registered at App/Setup.swift:3")
        }
        let instance = try await container.resolveAsync(A.self)
        #expect(try container.require(named: "A", as: A.self) === instance)
        #expect(container.all(of: A.self).first === instance)
    }

    // MARK: - Cycles

    @Test func aTaskThatNobodyAwaitsMayWaitForTheFactoryThatStartedIt() async throws {
        let task = TaskBox()
        container.registerAsync(A.self) { container in
            task.set(Task { ObjectIdentifier(try await container.resolveAsync(A.self)) })
            // Until the task has come and waits, or would have failed.
            for _ in 0..<100 { await Task.yield() }
            return A()
        }
        let instance = try await container.resolveAsync(A.self)
        #expect(try await task.value() == ObjectIdentifier(instance))
        #expect(container.recordedEdges.isEmpty)
    }

    @Test func aTaskThatNobodyAwaitsMayWaitOverOthers() async throws {
        let task = TaskBox()
        container.registerAsync(B.self) { container in
            _ = try await container.resolveAsync(A.self)
            return B()
        }
        container.registerAsync(A.self) { container in
            task.set(Task { ObjectIdentifier(try await container.resolveAsync(B.self)) })
            for _ in 0..<100 { await Task.yield() }
            return A()
        }
        _ = try await container.resolveAsync(A.self)
        _ = try await task.value()
        #expect(container.recordedEdges.map(\.description) == ["B → A"])
    }

    enum Child: CaseIterable {
        case asyncLet, group
    }

    @Test(arguments: Child.allCases) func aChildTaskThatNeedsItsParentIsACycle(_ child: Child) async {
        container.registerAsync(A.self) { container in
            switch child {
            case .asyncLet:
                async let other = container.resolveAsync(B.self)
                _ = try await other
            case .group:
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { _ = try await container.resolveAsync(B.self) }
                    try await group.waitForAll()
                }
            }
            return A()
        }
        container.registerAsync(B.self) { container in
            _ = try await container.resolveAsync(A.self)
            return B()
        }
        await #expect {
            try await container.resolveAsync(A.self)
        } throws: { error in
            guard case .cyclic(let path) = error as? ContainerError else { return false }
            return path.map(\.description) == ["A", "B", "A"]
        }
    }

    /// Child tasks are known by the executor that they prefer, which may be the caller's own.
    @Test(.timeLimit(.minutes(1)), arguments: Child.allCases)
    func aChildTaskIsKnownWhereTheCallerPrefersAnExecutor(_ child: Child) async {
        let executor = OwnExecutor()
        await withTaskExecutorPreference(executor) { await aChildTaskThatNeedsItsParentIsACycle(child) }
    }

    /// What a factory started without waiting for it may wait for the factory, also over a child task of its own.
    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func theChildOfATaskThatNobodyAwaitsIsNoPartOfTheFactory(prefersExecutor: Bool) async throws {
        let task = TaskBox()
        container.registerAsync(A.self) { container in
            task.set(
                Task {
                    async let instance = container.resolveAsync(A.self)
                    return ObjectIdentifier(try await instance)
                })
            for _ in 0..<100 { await Task.yield() }
            return A()
        }
        let executor = prefersExecutor ? OwnExecutor() : nil
        let instance = try await withTaskExecutorPreference(executor) { try await container.resolveAsync(A.self) }
        #expect(try await task.value() == ObjectIdentifier(instance))
        #expect(container.recordedEdges.isEmpty)
    }

    @Test func aFactoryOfTheMainActorHasChildTasksToo() async throws {
        container.register(B.self) { B() }
        container.registerAsync(A.self) { @MainActor container in
            async let first = Task.yield()
            async let second = container.resolveAsync(B.self)
            await first
            _ = try await second
            MainActor.assertIsolated()
            return A()
        }
        _ = try await container.resolveAsync(A.self)
        #expect(container.recordedEdges.map(\.description) == ["A → B"])
    }

    /// One task builds A and in it B, which waits for C; the other builds C, which waits for A: the wait is not the
    /// innermost factory's alone.
    @Test func aCycleThatClosesOverAnOuterFactoryIsFound() async {
        for _ in 0..<50 {
            let container = Container()
            let bothBuild = Arrivals(2)
            container.registerAsync(A.self) { container in
                _ = try await container.resolveAsync(B.self)
                return A()
            }
            container.registerAsync(B.self) { container in
                await bothBuild.arrive()
                _ = try await container.resolveAsync(C.self)
                return B()
            }
            container.registerAsync(C.self) { container in
                await bothBuild.arrive()
                _ = try await container.resolveAsync(A.self)
                return C()
            }
            let first = Task { try await container.resolveAsync(A.self) }
            let second = Task { try await container.resolveAsync(C.self) }
            await #expect(throws: ContainerError.self) { try await first.value }
            await #expect {
                try await second.value
            } throws: { error in
                guard case .cyclic(let path) = error as? ContainerError else { return false }
                let text = path.map(\.description).joined(separator: " → ")
                return text == "A → B → C → A" || text == "C → A → B → C"
            }
        }
    }

    @Test func aUniqueServiceThatNeedsItselfIsToldSo() async {
        container.registerAsync(A.self, scope: .unique, file: "App/Setup.swift", line: 3) { container in
            try await container.resolveAsync(A.self)
        }
        await #expect {
            try await container.resolveAsync(A.self)
        } throws: { error in
            "\(error)" == """
                the factory of A resolves A itself
                  A is registered at App/Setup.swift:3
                  hint: let it take what it needs as an argument, or read it when it is used
                """
        }
    }

    // MARK: - Paths and the graph

    @Test func aSynchronousMissInAnAsynchronousFactoryHasTheWholePath() async {
        container.register(C.self, file: "App/Setup.swift", line: 5) { container in
            _ = try container.require((any Networking).self)
            return C()
        }
        container.registerAsync(B.self) { container in
            _ = try container.require(C.self)
            return B()
        }
        container.registerAsync(A.self) { container in
            _ = try await container.resolveAsync(B.self)
            return A()
        }
        await #expect {
            try await container.resolveAsync(A.self)
        } throws: { error in
            "\(error)" == """
                Networking is not registered
                  path: A → B → C → Networking
                  C is registered at App/Setup.swift:5
                  hint: register((any Networking).self) { … } before it is read, or read it with getIfRegistered()
                """
        }
    }

    @Test func whatAnAsynchronousFactoryReadsAtOnceIsRecordedNewOrKept() async throws {
        container.register(B.self) { B() }
        container.register(C.self) { C() }
        _ = container.get(C.self)
        container.registerAsync(A.self) { container in
            _ = container.get(B.self)
            await Task.yield()
            _ = container.get(C.self)
            return A()
        }
        _ = try await container.resolveAsync(A.self)
        #expect(container.recordedEdges.map(\.description) == ["A → B", "A → C"])
        #expect(container.graph.nodes.first { $0.id == ServiceID(B.self) }?.creator == ServiceID(A.self))
    }
}

/// A task that is set once and awaited later.
private final class TaskBox: @unchecked Sendable {
    // The task is guarded by the lock.

    private let lock = Lock()
    private var task: Task<ObjectIdentifier, any Error>?

    func set(_ new: Task<ObjectIdentifier, any Error>) { lock.withLock { task = new } }
    func value() async throws -> ObjectIdentifier? { try await lock.withLock { task }?.value }
}

/// An executor that somebody prefers for reasons of his own.
private final class OwnExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { globalConcurrentExecutor.enqueue(job) }
}

/// Holds tasks back until a number of them has arrived.
private actor Arrivals {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        missing = count
    }

    func arrive() async {
        missing -= 1
        if missing > 0 {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }
}
