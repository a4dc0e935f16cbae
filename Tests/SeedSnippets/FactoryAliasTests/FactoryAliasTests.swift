// Compiled with the two module aliases of the migration guide: it contains no name of this library.
import FactoryKit
import FactoryTesting
import Testing

protocol Clock: AnyObject, Sendable {}
final class SystemClock: Clock {}
final class FixedClock: Clock {}

final class Session: Sendable {
    let clock: any Clock

    init(clock: any Clock) {
        self.clock = clock
    }
}

struct User: Equatable {
    let id: Int
}

protocol Payments: Sendable {}
struct CardPayments: Payments {}

extension Scope {
    static let visit = Cached()
}

extension Container {
    var clock: Factory<any Clock> { self { SystemClock() } }
    var session: Factory<Session> { self { Session(clock: self.clock()) }.cached }
    var visit: Factory<Session> { self { Session(clock: self.clock()) }.scope(.visit) }
    var explicit: Factory<any Clock> { Factory(self) { SystemClock() }.shared }
    var once: Factory<any Clock> { self { SystemClock() }.singleton.onTest { FixedClock() }.once() }
    var inGraph: Factory<any Clock> { self { SystemClock() }.graph }
    var brief: Factory<any Clock> { self { SystemClock() }.cached.timeToLive(60) }
    var user: ParameterFactory<Int, User> { self { User(id: $0) }.scopeOnParameters.cached }
    var payments: Factory<(any Payments)?> { promised() }
    var account: ParameterFactory<Int, (any Payments)?> { promised() }
    @MainActor var screen: Factory<Screen> { self { @MainActor in Screen() } }
}

@MainActor final class Screen {
    @Injected(\.clock) var clock
}

extension Container: @retroactive Resolving {}

final class PaymentContainer: SharedContainer, AutoRegistering, Resolving {
    @TaskLocal static var shared = PaymentContainer()
    let manager = ContainerManager()

    var ledger: Factory<Session> { self { Session(clock: FixedClock()) }.cached }

    func autoRegister() {
        manager.defaultScope = .cached
    }
}

extension Trait where Self == ContainerTrait<PaymentContainer> {
    static var payments: Self { .init(shared: PaymentContainer.$shared, container: PaymentContainer()) }
}

struct Model {
    @Injected(\.session) var session
    @LazyInjected(\.clock) var lazily
    @WeakLazyInjected(\.explicit) var weakly
    @DynamicInjected(\.clock) var dynamically
    @Injected(\PaymentContainer.ledger) var ledger
    @InjectedContainer var container
    @InjectedType var byType: (any Payments)?
}

@Suite(.container) struct FactoryAliasTests {
    @Test func propertiesAndWrappersResolve() {
        var model = Model()
        #expect(model.session === Container.shared.session())
        #expect(model.$lazily.resolvedOrNil() == nil)
        #expect(model.lazily === model.lazily)
        let held = Container.shared.explicit()
        #expect(model.weakly === held)
        #expect(model.dynamically !== model.dynamically)
        #expect(model.ledger === PaymentContainer.shared.ledger())
        #expect(model.container === Container.shared)
        #expect(model.byType == nil)
        model.$session.resolve(reset: .scope)
        #expect(model.session === dependency(\.session))
        #expect(model.$session.factory() === resolve(\Container.session))
    }

    @Test func registrationsContextsAndScopesAreChangedFromOutside() {
        let container = Container.shared
        container.clock.register { FixedClock() }
        #expect(container.clock() is FixedClock)
        container.clock.reset()
        container.clock.context(.arg("never"), .device) { FixedClock() }.onArgs(["a", "b"]) { FixedClock() }
        container.clock.onDebug { FixedClock() }.onPreview { FixedClock() }.onSimulator { FixedClock() }
        container.clock.reset(.context)
        #expect(container.clock.resolve() is SystemClock)
        container.once.scope(.unique)
        container.once.register { FixedClock() }
        #expect(container.user(1) == User(id: 1))
        container.user.register { User(id: -$0) }
        #expect(container.user.resolve(1) == User(id: -1))
        #expect(container.visit() === container.visit())
        container.manager.reset(scope: .visit)
        container.reset(options: .registration)
        container.manager.promiseTriggersError = false
        #expect(container.payments() == nil)
        #expect(container.account(1) == nil)
        container.payments.register { CardPayments() }
        #expect(container.payments() is CardPayments)
    }

    @Test func stateIsPushedAndPopped() {
        Container.shared.manager.push()
        Container.shared.clock.register { FixedClock() }
        Container.shared.manager.pop()
        #expect(Container.shared.clock() is SystemClock)
    }

    @Test func decoratorsAndTracesAreSet() {
        Container.shared.clock.decorator { _ in }.decorator { _, isNew in _ = isNew }
        Container.shared.decorator { _ in }
        Container.shared.manager.logger = { _ in }
        Container.shared.manager.trace = true
        Container.shared.manager.circularDependencyTesting = true
        _ = Container.shared.with { $0.clock.register { FixedClock() } }.clock()
        _ = Container.shared.inGraph()
        _ = Container.shared.brief()
        #expect(Scope.singleton.clone() !== Scope.singleton)
    }

    @Test(.payments { $0.ledger.register { Session(clock: SystemClock()) } })
    func customContainerRegistersByType() {
        let container = PaymentContainer.shared
        #expect(container.ledger().clock is SystemClock)
        container.register { CardPayments() as any Payments }
        #expect(container.resolve((any Payments).self) is CardPayments)
        #expect(container.factory((any Payments).self) != nil)
        let clock: (any Clock)? = container.resolve()
        #expect(clock == nil)
    }

    @Test(.container { $0.clock.register { FixedClock() } }) func traitPreparesContainer() {
        #expect(Container.shared.clock() is FixedClock)
        FactoryContext.setArg("alias", forKey: "alias")
        FactoryContext.removeArg(forKey: "alias")
    }

    @Test func defaultContainerResolvesByTypeInAsyncContext() async {
        let container = Container.shared
        container.register { FixedClock() as any Clock }.scope(.cached)
        let clock = container.resolve((any Clock).self)
        let inferred: (any Clock)? = container.resolve()
        #expect(clock is FixedClock && clock === inferred)
        #expect(container.factory((any Clock).self)?.resolve() === clock)
    }

    @Test func containerIsBoundForOtherFrameworks() async {
        await withContainer(shared: Container.$shared, container: Container()) {
            #expect(Container.shared.clock() is FixedClock)
        } transform: {
            $0.clock.register { FixedClock() }
        }
    }

    @Test func closureTypesHaveNames() {
        let make: VoidFactoryType<any Clock> = { FixedClock() }
        let negate: ParameterFactoryType<Int, User> = { User(id: -$0) }
        Container.shared.clock.register(factory: make)
        Container.shared.user.register(factory: negate)
        #expect(Container.shared.clock() is FixedClock)
        #expect(Container.shared.user(1) == User(id: -1))
    }

    @MainActor @Test func isolatedFactoryIsResolvedOnItsActor() {
        #expect(Container.shared.clock.resolveOnMainActor() is SystemClock)
        #expect(Container.shared.screen().clock is SystemClock)
    }
}
