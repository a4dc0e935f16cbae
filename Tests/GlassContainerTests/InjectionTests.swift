import GlassContainer
import Testing

extension Container {
    fileprivate var service: Factory<LiveNetworking> { self { LiveNetworking() } }
    fileprivate var kept: Factory<LiveNetworking> { self { LiveNetworking() }.cached }
}

private final class Kept {
    @Injected(\.kept) var injected
    @LazyInjected(\.kept) var lazy
    @WeakLazyInjected(\.kept) var weakly

    func resolveAgain(reset options: FactoryResetOptions) {
        $injected.resolve(reset: options)
        $lazy.resolve(reset: options)
        $weakly.resolve(reset: options)
    }
}

private final class Model {
    @Injected(\.service) var injected
    @LazyInjected(\.service) var lazy
    @WeakLazyInjected(\.kept) var weakly
    @DynamicInjected(\.service) var dynamic
    @InjectedType var typed: A?
    @InjectedContainer var container
    @Injected(\Payments.ledger) var ledger

    func resolveAgain() {
        $injected.resolve()
        $lazy.resolve()
    }

    var lazyOrNil: LiveNetworking? { $lazy.resolvedOrNil() }
}

@Suite struct InjectionTests {
    private func inContainer(_ body: (Container) -> Void) {
        let container = Container()
        Container.$shared.withValue(container) { body(container) }
    }

    @Test func wrappersResolveFromTheSharedContainer() {
        inContainer { container in
            container.register(A.self) { A() }
            let kept = container.kept()
            let model = Model()
            let first = model.injected
            #expect(model.injected === first)
            #expect(model.lazyOrNil == nil)
            let lazy = model.lazy
            #expect(model.lazyOrNil === lazy)
            #expect(model.lazy === lazy)
            #expect(model.weakly === kept)
            #expect(model.dynamic !== model.dynamic)
            #expect(model.typed === container.get(A.self))
            #expect(model.container === container)
            #expect(model.ledger.id == Payments.shared.ledger().id)
            model.resolveAgain()
            #expect(model.injected !== first)
            #expect(model.lazy !== lazy)
        }
    }

    @Test func resolvingAgainResetsFactoryIfRequested() {
        inContainer { container in
            let model = Kept()
            let first = model.injected
            model.resolveAgain(reset: .none)
            #expect(model.injected === first)
            #expect(model.lazy === first)
            #expect(model.weakly === first)
            model.resolveAgain(reset: .scope)
            #expect(model.injected !== first)
            #expect(model.lazy !== model.injected)
            #expect(model.weakly === container.kept())
        }
    }

    @Test func valueThatIsSetIsNotResolved() {
        inContainer { _ in
            let model = Kept()
            let other = LiveNetworking()
            model.injected = other
            model.lazy = other
            model.weakly = other
            #expect(model.injected === other)
            #expect(model.lazy === other)
            #expect(model.weakly === other)
        }
    }

    @Test func weakPropertyReleasesItsService() {
        inContainer { container in
            let model = Model()
            #expect(model.weakly === container.kept())
            container.reset(options: .scope)
            #expect(model.weakly == nil)
        }
    }

    @Test func unregisteredTypeIsNil() {
        inContainer { _ in #expect(Model().typed == nil) }
    }

    @Test func functionsResolveFromTheSharedContainer() {
        inContainer { container in
            #expect(dependency(\.kept) === container.kept())
            #expect(resolve(\.kept) === container.kept())
            #expect(dependency(\Payments.ledger).id == Payments.shared.ledger().id)
            #expect(resolve(\Payments.ledger).id == Payments.shared.ledger().id)
        }
    }

    @Test func serviceIsResolvedOnActor() async {
        let container = Container()
        let kept = container.kept()
        #expect(await container.kept.resolveOnMainActor() === kept)
        #expect(await container.kept.resolveOnGlobalActor(MainActor.shared) === kept)
    }
}
