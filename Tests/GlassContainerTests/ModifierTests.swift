import GlassBase
import Synchronization
import Testing

@testable import GlassContainer

extension Scope {
    fileprivate static let session = Cached()
}

final class Payments: SharedContainer, Resolving {
    @TaskLocal static var shared = Payments()
    let manager = ContainerManager()
}

extension Payments {
    var ledger: Factory<any Networking> { self { LiveNetworking() }.cached }
}

extension SharedContainer {
    fileprivate var common: Factory<any Networking> { self { LiveNetworking() }.cached }
}

extension Container {
    fileprivate var plain: Factory<any Networking> { self { LiveNetworking() } }
    fileprivate var kept: Factory<any Networking> { self { LiveNetworking() }.cached }
    fileprivate var weakly: Factory<LiveNetworking> { self { LiveNetworking() }.shared }
    fileprivate var weakValue: Factory<Int> { self { 1 }.shared }
    fileprivate var session: Factory<any Networking> { self { LiveNetworking() }.scope(.session) }
    fileprivate var leaf: Factory<LiveNetworking> { self { LiveNetworking() }.graph }
    fileprivate var pair: Factory<[LiveNetworking]> { self { [self.leaf(), self.leaf()] } }
    fileprivate var onTest: Factory<any Networking> { self { LiveNetworking() }.onTest { OtherNetworking() } }
    fileprivate var once: Factory<any Networking> { self { LiveNetworking() }.onArg("a") { LiveNetworking() }.once() }
    fileprivate var user: ParameterFactory<Int, User> { self { User($0) } }
    fileprivate var keptUser: ParameterFactory<Int, User> { self { User($0) }.cached }
    fileprivate var userByID: ParameterFactory<Int, User> { self { User($0) }.scopeOnParameters.cached }
    fileprivate var userByKey: ParameterFactory<Colliding, User> { self { User($0.value) }.scopeOnParameters.cached }
    fileprivate var count: ParameterFactory<Int, Int> { self { $0 == 0 ? 0 : 1 + self.count($0 - 1) } }
    fileprivate var promise: Factory<(any Networking)?> { promised() }
    fileprivate var promiseOf: ParameterFactory<Int, User?> { promised() }
    fileprivate var maybe: Factory<(any Networking)?> { self { nil }.cached }
    fileprivate var alone: Factory<any Networking> { unique { LiveNetworking() } }
    fileprivate var aloneBy: ParameterFactory<Int, User> { unique { User($0) } }
}

private final class User: Sendable {
    let id: Int

    init(_ id: Int) {
        self.id = id
    }
}

/// Parameters whose hashes are all equal.
private struct Colliding: Hashable {
    let value: Int

    func hash(into hasher: inout Hasher) {}
}

private final class Time: Sendable {
    private let seconds = Atomic<Int>(0)

    func advance(_ count: Int) {
        seconds.add(count, ordering: .relaxed)
    }

    var now: Double { Double(seconds.load(ordering: .relaxed)) }
}

@Suite struct ModifierTests {
    let container = Container()

    // MARK: - Scopes

    @Test func modifierOutsidePropertyApplies() {
        container.plain.scope(.cached)
        #expect(container.plain().id == container.plain().id)
        container.plain.scope(nil)
        #expect(areDistinct(container.plain(), container.plain()))
    }

    @Test func modifierInPropertyAppliesAgainWhenRead() {
        let first = container.kept().id
        #expect(container.kept().id == first)
        container.kept.scope(.unique)
        #expect(container.kept().id == container.kept().id)
    }

    @Test func sharedInstanceLivesWhileReferenced() {
        var first: LiveNetworking? = container.weakly()
        #expect(container.weakly() === first)
        weak let gone = first
        first = nil
        #expect(gone == nil)
        #expect(container.weakValue() == 1)
    }

    @Test func customScopeIsResetSeparately() {
        let session = container.session()
        let kept = container.kept().id
        container.manager.reset(scope: .session)
        #expect(areDistinct(container.session(), session))
        #expect(container.kept().id == kept)
    }

    @Test func graphScopeSharesInstanceWithinOneResolution() {
        let first = container.pair()
        #expect(first[0] === first[1])
        #expect(container.pair()[0] !== first[0])
        #expect(container.leaf() !== container.leaf())
    }

    @Test func graphScopeReturnsNothingFromReleasedContainer() {
        container.register([any Networking].self, scope: .unique) { container in
            (0..<50).map { _ in
                let child = Container(parent: container)
                child.register((any Networking).self, scope: .graph) { LiveNetworking() }
                return child.get((any Networking).self)
            }
        }
        for _ in 0..<3 {
            #expect(Set(container.get([any Networking].self).map(\.id)).count == 50)
        }
    }

    @Test func defaultScopeAppliesToPropertiesWithoutScope() {
        container.manager.defaultScope = .cached
        #expect(container.plain().id == container.plain().id)
        container.manager.defaultScope = nil
        #expect(areDistinct(container.plain(), container.plain()))
    }

    @Test(arguments: [false, true]) func newDefaultScopeHidesEarlierInstances(_ isChild: Bool) {
        let container = isChild ? Container(parent: container) : container
        container.plain.register { OtherNetworking() }
        container.manager.defaultScope = .cached
        weak let kept = container.plain() as? OtherNetworking
        #expect(container.plain().id == kept?.id)
        container.manager.defaultScope = .unique
        #expect(areDistinct(container.plain(), container.plain()))
        container.manager.defaultScope = .shared
        _ = container.plain()
        #expect(kept == nil)
    }

    @Test func timeToLiveStartsAtConstruction() {
        let time = Time()
        container.manager.setClock { time.now }
        let first = container.kept.timeToLive(10)()
        time.advance(6)
        #expect(container.kept().id == first.id)
        time.advance(6)
        #expect(areDistinct(container.kept(), first))
    }

    @Test func clonedSingletonScopeIsSeparate() {
        let original = Scope.Singleton()
        let id = Scope.$singleton.withValue(original) { container.plain.singleton().id }
        let clone = original.clone()
        #expect(Scope.$singleton.withValue(clone) { container.plain.singleton().id } == id)
        clone.reset()
        #expect(Scope.$singleton.withValue(clone) { container.plain.singleton().id } != id)
        #expect(Scope.$singleton.withValue(original) { container.plain.singleton().id } == id)
    }

    @Test func nilIsNotCached() {
        #expect(container.maybe() == nil)
        #expect(container.manager.isEmpty(.scope))
    }

    // MARK: - Parameters

    @Test func parametersReachTheFactory() {
        #expect(container.user(7).id == 7)
        container.user.register { User($0 + 1) }
        #expect(container.user.resolve(7).id == 8)
        #expect(dependency(\Container.user, parameter: 1).id == 1)
    }

    @Test func cachedInstanceIsForFirstParameters() {
        #expect(container.keptUser(1) === container.keptUser(2))
    }

    @Test func scopeOnParametersSeparatesCollidingHashes() {
        #expect(container.userByID(1) === container.userByID(1))
        #expect(container.userByID(1) !== container.userByID(2))
        #expect(container.userByKey(Colliding(value: 1)).id == 1)
        #expect(container.userByKey(Colliding(value: 2)).id == 2)
    }

    @Test func factoryMayResolveItselfWithOtherParameters() {
        #expect(container.count(100) == 100)
    }

    // MARK: - Contexts

    #if DEBUG
        @Test func testContextAppliesInTests() {
            #expect(container.onTest() is OtherNetworking)
            container.onTest.reset(.context)
            #expect(container.plain() is LiveNetworking)
        }
    #else
        @Test func developmentContextsAreIgnoredInRelease() {
            #expect(container.onTest() is LiveNetworking)
            container.plain.onDebug { OtherNetworking() }.onPreview { OtherNetworking() }
            #expect(container.plain() is LiveNetworking)
            #expect(container.manager.isEmpty(.context))
        }
    #endif

    /// Each list is in order of precedence.
    @Test(arguments: [false, true]) func narrowerContextTakesPrecedence(_ isSimulator: Bool) {
        var context = FactoryContext()
        context.arguments = ["app", "given"]
        context.runtimeArguments = ["key": "set"]
        context.isPreview = true
        context.isTest = true
        context.isSimulator = isSimulator
        context.isDebug = true
        func registration(_ line: UInt) -> ContextRegistration {
            ContextRegistration(
                TypedRegistration(
                    site: RegistrationSite("App/Setup.swift", line), scope: nil, isOverride: true, isolation: nil,
                    factory: .plain { 1 }), replacing: nil, followsContext: false)
        }
        let simulator = (isSimulator ? FactoryContextType.Plain.simulator : .device, registration(5))
        let other = (isSimulator ? FactoryContextType.Plain.device : .simulator, registration(7))
        let plain = [
            (.preview, registration(3)), (.test, registration(4)), simulator, (.debug, registration(6)), other,
        ]
        var options = EntryOptions()
        options.contexts = Dictionary(uniqueKeysWithValues: plain)
        options.arguments = ["given": registration(1), "set": registration(2), "never": registration(8)]
        var order: [Int] = []
        while let next = options.registration(in: context) {
            order.append(next.registration.site.line)
            options.contexts = options.contexts.filter { $0.value.registration !== next.registration }
            options.arguments = options.arguments.filter { $0.value.registration !== next.registration }
        }
        #expect(order == [1, 2, 3, 4, 5, 6])
        #expect(options.contexts.count == 1)
        #expect(options.arguments.count == 1)
    }

    @Test func newScopeOfSameKindDropsCachedInstance() {
        let first = container.plain.scope(.cached)()
        #expect(!areDistinct(container.plain.scope(.cached)(), first))
        #expect(areDistinct(container.plain.scope(.session)(), first))
    }

    @Test func argumentAppliesWhileSet() {
        container.plain.onArg("context-test") { OtherNetworking() }
        #expect(container.plain() is LiveNetworking)
        FactoryContext.setArg("context-test", forKey: "ModifierTests")
        #expect(container.plain() is OtherNetworking)
        FactoryContext.removeArg(forKey: "ModifierTests")
        #expect(container.plain() is LiveNetworking)
    }

    @Test func onceAllowsLaterModifiers() {
        container.once.onDevice { OtherNetworking() }
        #expect(container.once() is OtherNetworking)
    }

    // MARK: - Decorators

    @Test func decoratorsSeeNewAndCachedInstances() {
        let seen = Lines()
        container.kept.decorator { instance, isNew in seen.add("\(isNew)") }
        container.decorator { _ in seen.add("any") }
        _ = container.kept()
        _ = container.kept()
        #expect(seen.lines == ["true", "any", "false", "any"])
    }

    // MARK: - Promises

    @Test func decoratorSeesInstancesCachedBefore() {
        let seen = Lines()
        _ = container.kept()
        container.decorator { _ in seen.add("seen") }
        _ = container.kept()
        container.decorator(nil)
        _ = container.kept()
        #expect(seen.lines == ["seen"])
    }

    @Test func fulfilledPromiseReturnsService() {
        container.promise.register { LiveNetworking() }
        container.promiseOf.register { User($0) }
        #expect(container.promise() is LiveNetworking)
        #expect(container.promiseOf(3)?.id == 3)
    }

    @Test func brokenPromiseIsNilIfErrorsAreDisabled() {
        container.manager.promiseTriggersError = false
        #expect(container.promise() == nil)
        #expect(container.promiseOf(1) == nil)
    }

    @Test func brokenPromiseTrapsIfErrorsAreEnabled() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = Container()
            container.manager.promiseTriggersError = true
            _ = container.promise()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("Networking (promise) was promised at GlassContainerTests/ModifierTests.swift:39 but never")
        )
    }

    // MARK: - Custom containers

    @Test func customContainerHasItsOwnInstances() {
        let payments = Payments()
        #expect(payments.ledger().id == payments.ledger().id)
        #expect(areDistinct(payments.ledger(), Payments.shared.ledger()))
        #expect(areDistinct(payments.common(), container.common()))
    }

    @Test func resolveFindsServicesByType() {
        let payments = Payments()
        #expect(payments.resolve(LiveNetworking.self) == nil)
        payments.register(LiveNetworking.self) { LiveNetworking() }
        #expect(payments.resolve(LiveNetworking.self) !== payments.resolve(LiveNetworking.self))
        payments.register { LiveNetworking() }.cached.decorator { _ in }
        #expect(payments.resolve(LiveNetworking.self) === payments.resolve(LiveNetworking.self))
        #expect(payments.factory(LiveNetworking.self)?.scope === Scope.cached)
    }

    @Test func withChangesContainerAtCreation() async {
        let made = Container().with { $0.plain.register { OtherNetworking() } }
        #expect(made.plain() is OtherNetworking)
        let later = await Container().with { container async in container.plain.register { OtherNetworking() } }
        #expect(later.plain() is OtherNetworking)
    }

    @Test func callingContainerAppliesChangeImmediately() async {
        let result = container { $0.plain.register { OtherNetworking() } }
        #expect(result === container)
        #expect(container.plain() is OtherNetworking)
        // In an asynchronous function, a closure that does not suspend needs no `await`.
        container {
            $0.plain.register { LiveNetworking() }
            $0.manager.defaultScope = .cached
        }
        #expect(container.plain() is LiveNetworking)
        #expect(!areDistinct(container.plain(), container.plain()))
    }

    @Test func awaitedChangeRunsOnItsActor() async {
        let result = await container { @MainActor container async in
            MainActor.assertIsolated()
            // Without `@Sendable`, the factory would be isolated to the main actor, but the test runs elsewhere.
            container.plain.register { @Sendable in OtherNetworking() }
        }
        #expect(result === container)
        #expect(container.plain() is OtherNetworking)
        let later = await Payments.shared { container in
            await Task.yield()
            container.manager.defaultScope = nil
        }
        #expect(later === Payments.shared)
    }

    @Test func uniqueFactoryIgnoresDefaultScope() {
        container.manager.defaultScope = .cached
        #expect(!areDistinct(container.plain(), container.plain()))
        #expect(areDistinct(container.alone(), container.alone()))
        #expect(container.aloneBy(1) !== container.aloneBy(1))
        container.alone.register { OtherNetworking() }
        #expect(container.alone() is OtherNetworking)
    }

    // MARK: - Traces

    @Test func traceShowsDepthOriginAndType() {
        let seen = Lines()
        container.manager.logger = {
            seen.add(String($0.prefix { $0 != ":" && $0 != "=" }) + $0.drop { $0 != "=" }.prefix(3))
        }
        container.manager.trace = true
        _ = container.pair()
        container.manager.trace = false
        _ = container.pair()
        #expect(seen.lines == ["0= F", "1= F", "1= C"])
    }
}

/// Lines from any thread, in order.
final class Lines: Sendable {
    private let storage = Storage()

    private final class Storage: @unchecked Sendable {
        // The lock guards the lines.

        let lock = Lock()
        var lines: [String] = []
    }

    func add(_ line: String) {
        storage.lock.withLock { storage.lines.append(line) }
    }

    var lines: [String] { storage.lock.withLock { storage.lines } }
}
