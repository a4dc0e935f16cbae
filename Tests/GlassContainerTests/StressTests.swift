import GlassContainer
import Synchronization
import TestSupport
import Testing

/// Counts its instances, so that leaks and double releases are detected.
private final class Service: Sendable {
    let value: Int
    private let counter: Counter

    init(_ counter: Counter, _ value: Int = 0) {
        self.value = value
        self.counter = counter
        counter.increment()
    }

    deinit {
        counter.decrement()
    }
}

extension Scope {
    fileprivate static let visit = Cached()
}

/// One container for all threads, with a property in each scope.
private final class Stressed: SharedContainer, Resolving, AutoRegistering {
    @TaskLocal static var shared = Stressed(Counter())
    let manager = ContainerManager()
    let counter: Counter

    init(_ counter: Counter) {
        self.counter = counter
    }

    func autoRegister() {
        byArgument.onArg("stressed") { [counter] in Service(counter, 2) }
    }

    var fresh: Factory<Service> { self { [counter] in Service(counter) } }
    var kept: Factory<Service> { self { [counter] in Service(counter) }.cached }
    var weakly: Factory<Service> { self { [counter] in Service(counter) }.shared }
    var single: Factory<Service> { self { [counter] in Service(counter) }.singleton }
    var visited: Factory<Service> { self { [counter] in Service(counter) }.scope(.visit) }
    var expiring: Factory<Service> { self { [counter] in Service(counter) }.cached.timeToLive(0.000_1) }
    var node: Factory<Service> { self { [counter] in Service(counter) }.graph }
    var pair: Factory<[Service]> { self { [self.node(), self.node(), self.kept(), self.single()] } }
    var numbered: ParameterFactory<Int, Service> {
        self { [counter] in Service(counter, $0) }.scopeOnParameters.cached
    }
    var freshly: ParameterFactory<Int, Service> { self { [counter] in Service(counter, $0) } }
    var byArgument: Factory<Service> { self { [counter] in Service(counter) } }
    var promise: Factory<Service?> { promised() }
}

/// Every property wrapper. Threads only read it, which is safe concurrently.
private final class Everything: @unchecked Sendable {
    @Injected(\Stressed.kept) var injected
    @LazyInjected(\Stressed.fresh) var lazy
    @WeakLazyInjected(\Stressed.weakly) var weakly
    @DynamicInjected(\Stressed.single) var dynamic
    @InjectedType(Stressed.shared) var typed: Service?
    @InjectedContainer(Stressed.self) var container
}

/// Every operation on a container, by eight threads and eight tasks at once.
@Suite(.timeLimit(.minutes(30)), .serialized) struct StressTests {
    static let rounds = TestSupport.rounds(all: 10_000, few: 1_000, races: true)

    @Test func concurrentOperationsOnOneContainer() async throws {
        let counter = Counter()
        await Self.run(counter, Scope.Singleton())
        try await Self.waitUntilNothingLives(counter)
        #expect(counter.liveCount == 0)
    }

    /// If no task binds its own singletons, they are read on a different path.
    @Test func concurrentOperationsWithProcessSingletons() async {
        await #expect(processExitsWith: .success) {
            let counter = Counter()
            await StressTests.run(counter, nil)
            Scope.singleton.reset()
            try await StressTests.waitUntilNothingLives(counter)
            precondition(counter.liveCount == 0, "\(counter.liveCount) services are left")
        }
    }

    /// A finished task releases its references a moment later, on another thread. A leak remains.
    private static func waitUntilNothingLives(_ counter: Counter) async throws {
        for _ in 0..<1000 where counter.liveCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
    }

    private static func run(_ counter: Counter, _ singletons: Scope.Singleton?) async {
        let container = Stressed(counter)
        container.manager.promiseTriggersError = false
        FactoryContext.setArg("stressed", forKey: "StressTests")
        defer { FactoryContext.removeArg(forKey: "StressTests") }
        @Sendable func bound<Result>(_ body: () -> Result) -> Result {
            Stressed.$shared.withValue(container) {
                guard let singletons else { return body() }
                return Scope.$singleton.withValue(singletons) { body() }
            }
        }
        // Each is first read by all threads at once.
        let everything = bound { (0..<rounds / 10).map { _ in Everything() } }
        let lines = Counter()
        container.manager.logger = { _ in lines.increment() }
        async let threads: Void = awaitThreads(8) { thread in
            bound {
                for round in 0..<rounds {
                    change(container, singletons, (round + 3 * thread) % 23, lines)
                    read(container, round, thread)
                    use(everything[round / 10], container)
                }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<rounds {
                        await Stressed.$shared.withValue(container) {
                            guard let singletons else { return await readInTask(container) }
                            await Scope.$singleton.withValue(singletons) { await readInTask(container) }
                        }
                    }
                }
            }
        }
        await threads
        container.manager.trace = false
        singletons?.reset()
    }

    /// Reads in a task, which may resume on another thread between two reads.
    private static func readInTask(_ container: Stressed) async {
        _ = container.kept().value
        await Task.yield()
        _ = container.pair().count
    }

    private static func change(_ container: Stressed, _ singletons: Scope.Singleton?, _ kind: Int, _ lines: Counter) {
        let counter = container.counter
        switch kind {
        case 0: container.register { Service(counter, 3) }
        case 1: container.kept.register { Service(counter, 1) }
        case 2: container.kept.reset()
        case 3: container.reset(options: .scope)
        case 4:
            container.manager.push()
            container.single.register { Service(counter, 1) }
            container.visited.register { Service(counter, 1) }
            container.manager.pop()
        case 5: container.reset(options: .registration)
        case 6: container.manager.reset(scope: .visit)
        case 7: (singletons ?? Scope.singleton).reset()
        case 8: container.reset(options: .context)
        case 9: container.weakly.register { Service(counter, 1) }
        case 10: container.decorator { _ in }
        case 11: container.decorator(nil)
        case 12: container.fresh.decorator { _ in }
        case 13: container.manager.logger = { _ in lines.increment() }
        case 14: container.manager.trace = true
        case 15: container.manager.trace = false
        case 16: container.manager.defaultScope = .cached
        case 17: container.manager.defaultScope = nil
        case 18: container.numbered.register { Service(counter, $0) }
        case 19: container.byArgument.onArg("stressed") { Service(counter, 2) }
        case 20: container.fresh.once().scope(.unique)
        case 21: container.reset()
        default: container.promise.register { Service(counter) }
        }
    }

    private static func read(_ container: Stressed, _ round: Int, _ thread: Int) {
        _ = container.fresh().value
        _ = container.kept().value
        _ = container.weakly().value
        _ = container.single().value
        _ = container.visited().value
        _ = container.expiring().value
        _ = container.byArgument().value
        _ = container.promise()?.value
        _ = container.resolve(Service.self)?.value
        // Another thread may just have reset the modifiers.
        precondition(container.pair().count == 4)
        precondition((0..<4).contains(container.numbered(round % 4).value))
        precondition((0..<8).contains(container.freshly(thread).value))
    }

    private static func use(_ everything: Everything, _ container: Stressed) {
        let lazy = everything.lazy
        precondition(lazy === everything.lazy, "a lazy property is resolved once")
        _ = everything.injected.value
        _ = everything.weakly?.value
        _ = everything.dynamic.value
        _ = everything.typed?.value
        precondition(everything.container === container)
        // A copy is a value, with its own lifetime.
        var copy = everything.$lazy
        copy.resolve()
        _ = copy.wrappedValue.value
        precondition(lazy === everything.lazy, "a copy is a value")
        var weakCopy = everything.$weakly
        weakCopy.resolve()
        _ = weakCopy.wrappedValue
    }

    /// Like Factory's own multithreading test: a chain of services is registered and resolved concurrently, with a lazy
    /// property at its end.
    @Test func chainIsRegisteredAndResolvedConcurrently() {
        let (container, uses) = (Chain(), Counter())
        onThreads(8) { thread in
            Chain.$shared.withValue(container) {
                for _ in 0..<Self.rounds {
                    switch thread {
                    case 0: container.first.register { First(second: container.second()) }
                    case 1, 2: container.second.register { Second(third: container.third()) }
                    case 3: container.last.register { Last() }
                    case 4: container.first().second.third.fourth.use(uses)
                    case 5: container.second().third.fourth.use(uses)
                    case 6: container.fourth().use(uses)
                    default: container.last().fourth.use(uses)
                    }
                }
            }
        }
        #expect(uses.madeCount == 4 * Self.rounds)
    }

    @Test func concurrentlyRemovedRegistrationIsNil() {
        let container = Stressed(Counter())
        let plain = Container()
        onThreads(4) { thread in
            for _ in 0..<Self.rounds {
                switch thread {
                case 0:
                    plain.register(A.self) { A() }
                    plain.register(B.self, scope: .unique) { B() }
                    container.register { Service(container.counter) }
                case 1:
                    plain.reset()
                    container.reset()
                case 2:
                    _ = plain.getIfRegistered(A.self)
                    _ = plain.getIfRegistered(B.self)
                default:
                    precondition(plain.all(of: A.self).count <= 1)
                    _ = container.resolve(Service.self)?.value
                }
            }
        }
    }

    @Test func loggerIsCalledByOneThreadAtATime() {
        /// Not thread-safe, and a logger need not be.
        final class Lines: @unchecked Sendable {
            // The container calls the logger on one thread at a time, which this test verifies.
            var count = 0
        }
        let container = Container()
        let lines = Lines()
        container.manager.logger = { _ in lines.count += 1 }
        container.manager.trace = true
        container.register(A.self, scope: .unique) { A() }
        onThreads(8) { _ in
            for _ in 0..<1_000 { _ = container.get(A.self) }
        }
        #expect(lines.count == 8_000)
    }
}

/// A chain of services, each of which needs the next.
private final class Chain: SharedContainer {
    @TaskLocal static var shared = Chain()
    let manager = ContainerManager()

    var first: Factory<First> { self { First(second: self.second()) } }
    var second: Factory<Second> { self { Second(third: self.third()) } }
    var third: Factory<Third> { self { Third(fourth: self.fourth()) } }
    var fourth: Factory<Fourth> { self { Fourth() }.cached }
    var last: Factory<Last> { self { Last() }.cached }
}

private final class First: Sendable {
    let second: Second
    init(second: Second) { self.second = second }
}

private final class Second: Sendable {
    let third: Third
    init(third: Third) { self.third = third }
}

private final class Third: Sendable {
    let fourth: Fourth
    init(fourth: Fourth) { self.fourth = fourth }
}

private final class Fourth: Sendable {
    func use(_ uses: Counter) { uses.increment() }
}

private final class Last: @unchecked Sendable {
    // Threads only read the property.
    @LazyInjected(\Chain.fourth) var fourth
}
