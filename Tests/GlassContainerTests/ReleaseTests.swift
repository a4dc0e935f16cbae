import GlassBase
import GlassContainer
import Synchronization
import TestSupport
import Testing

/// Records its disposal.
private final class Resource: Disposable, Sendable {
    let number: Int
    let uses = Atomic(0)
    private let log: Log

    init(_ log: Log, _ number: Int = 0) {
        self.log = log
        self.number = number
    }

    func dispose() { log.note(number) }
}

private final class SlowResource: AsyncDisposable, Sendable {
    private let log: Log

    init(_ log: Log) {
        self.log = log
    }

    func dispose() async {
        await Task.yield()
        log.note(-1)
    }
}

private final class Log: Sendable {
    private let notes = Lock<[Int]>([])

    var numbers: [Int] { notes.withLock { $0 } }

    func note(_ number: Int) { notes.withLock { $0.append(number) } }
}

@Suite(.timeLimit(.minutes(1))) struct ReleaseTests {
    private let log = Log()

    /// Creates a container that disposes of its services, among them a resource with the number 1.
    ///
    /// - Returns: The container, and a stream that ends when it has done so.
    private func made() -> (container: Container?, disposal: AsyncStream<Void>) {
        let container = Container()
        container.register(Resource.self) { [log] in Resource(log, 1) }
        _ = container.get(Resource.self)
        let (disposal, end) = AsyncStream<Void>.makeStream()
        container.disposeWhenReleased { end.finish() }
        return (container, disposal)
    }

    @Test func cachedServicesAreDisposedOfInOrder() async {
        var (container, disposal) = made()
        container?.register(SlowResource.self) { [log] in SlowResource(log) }
        container?.register(Resource.self, name: "weak", scope: .shared) { [log] in Resource(log, 2) }
        container?.register(Resource.self, name: "never made") { [log] in Resource(log, 3) }
        let weakly = container?.get(Resource.self, name: "weak")
        _ = container?.get(SlowResource.self)
        #expect(log.numbers == [])
        container = nil
        for await _ in disposal {}
        #expect(log.numbers == [-1, 1])
        #expect(weakly?.number == 2)
    }

    @Test func containerDoesNotDisposeByDefault() async {
        var container: Container? = Container()
        container?.register(Resource.self) { [log] in Resource(log) }
        _ = container?.get(Resource.self)
        container = nil
        for _ in 0..<100 { await Task.yield() }
        #expect(log.numbers == [])
    }

    @Test func followerKeepsContainerAlive() async {
        var (container, disposal) = made()
        let root = Container()
        root.follow(container)
        container = nil
        #expect(root.get(Resource.self).number == 1)
        #expect(log.numbers == [])
        root.follow(nil)
        for await _ in disposal {}
        #expect(log.numbers == [1])
    }

    @Test func childKeepsContainerAlive() async {
        var (container, disposal) = made()
        var child = container.map { Container(parent: $0) }
        container = nil
        #expect(child?.get(Resource.self).number == 1)
        #expect(log.numbers == [])
        child = nil
        for await _ in disposal {}
        #expect(log.numbers == [1])
    }

    @Test func boundTaskKeepsContainerAlive() async {
        var (container, disposal) = made()
        await Container.$shared.withValue(container ?? Container()) {
            container = nil
            await Task.yield()
            #expect(Container.shared.get(Resource.self).number == 1)
            #expect(log.numbers == [])
        }
        for await _ in disposal {}
        #expect(log.numbers == [1])
    }

    @Test func resolutionInProgressKeepsContainerAlive() async {
        var (container, disposal) = made()
        let root = Container()
        container?.register(Resource.self, name: "slow") { [log] c in
            root.follow(nil)
            #expect(c.get(Resource.self).number == 1)
            #expect(log.numbers == [])
            return Resource(log, 4)
        }
        container?.register(Resource.self, name: "unique", scope: .unique) { [log] c in
            root.follow(nil)
            return Resource(log, 5)
        }
        root.follow(container)
        #expect(root.get(Resource.self, name: "unique").number == 5)
        root.follow(container)
        container = nil
        #expect(root.get(Resource.self, name: "slow").number == 4)
        for await _ in disposal {}
        #expect(log.numbers == [4, 1])
    }

    @Test func propertyInProgressKeepsOverridingContainerAlive() async throws {
        var (container, disposal) = made()
        let root = Container()
        container?.resource.register {
            root.follow(nil)
            return 1
        }
        root.follow(container)
        container = nil
        #expect(root.resource() == 1)
        for await _ in disposal {}
        #expect(log.numbers == [1])
    }

    @Test func shutDownContainerIsNotDisposedOfAgain() async {
        var (container, disposal) = made()
        await container?.shutdown()
        #expect(log.numbers == [1])
        container = nil
        for await _ in disposal {}
        #expect(log.numbers == [1])
    }

    /// Readers see one market or another while markets come and go, and nothing of a market is disposed of while it is
    /// referenced.
    @Test func threadsReadThroughFollowerWhileContainersChange() async {
        let count = 200
        let root = Container()
        let held = Lock<[Container]>([])
        let isDone = Atomic(false)
        let (disposals, end) = AsyncStream<Int>.makeStream()
        await awaitThreads(5) { thread in
            guard thread == 0 else {
                while !isDone.load(ordering: .acquiring) { Self.read(root) }
                return
            }
            for number in 1...count {
                let container = Container()
                container.register(Resource.self) { [log] in Resource(log, number) }
                container.register(Pair.self, Pair.init)
                container.register(FreshPair.self, scope: .unique) { FreshPair(pair: Pair(container: $0)) }
                container.register(WeakPair.self, scope: .shared) { WeakPair(pair: $0.get()) }
                if number % 2 == 0 { container.resource.register { number } }
                container.disposeWhenReleased { end.yield(number) }
                _ = container.get(Resource.self)
                root.follow(container)
                // The first reads of each container overlap its builds, later ones find cached instances.
                while container.get(Pair.self).first.uses.load(ordering: .relaxed) < 8 {}
                if number % 50 == 0 { held.withLock { $0.append(container) } }
            }
            isDone.store(true, ordering: .releasing)
        }
        root.follow(nil)
        var gone: [Int] = []
        for await number in disposals {
            gone.append(number)
            if gone.count == count - 4 { break }
        }
        #expect(Set(gone) == Set((1...count).filter { $0 % 50 != 0 }))
        #expect(log.numbers.sorted() == gone.sorted())
        #expect(held.withLock { $0.map { $0.get(Pair.self).first.number } } == [50, 100, 150, 200])
    }

    private static func read(_ root: Container) {
        guard let pair = root.getIfRegistered(Pair.self) else { return }
        precondition(pair.first === pair.second)
        pair.first.uses.wrappingAdd(1, ordering: .relaxed)
        let fresh = root.get(FreshPair.self).pair
        precondition(fresh.first === fresh.second)
        let weakly = root.get(WeakPair.self).pair
        precondition(weakly.first === weakly.second)
        precondition(root.get(Resource.self).number > 0)
        // Either the definition, or the override of a market with an even number.
        precondition(root.resource() % 2 == 0)
        precondition(root.keptResource() > 0)
    }
}

/// Resolves one service twice: both come from the container that creates the pair.
private final class Pair: Sendable {
    let first: Resource
    let second: Resource

    init(container: Container) {
        first = container.get()
        second = container.get()
    }
}

private struct FreshPair: Sendable {
    let pair: Pair
}

private final class WeakPair: Sendable {
    let pair: Pair

    init(pair: Pair) {
        self.pair = pair
    }
}

extension Container {
    fileprivate var resource: Factory<Int> { self { 0 } }
    fileprivate var keptResource: Factory<Int> { self { self.get(Resource.self).number }.cached }
}
