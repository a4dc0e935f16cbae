import Testing

@testable import GlassContainer

extension Container {
    fileprivate var only: Factory<any Networking> { self { LiveNetworking() }.singleton }
}

/// A custom singleton scope, which no task binds.
@Suite struct SingletonScopeTests {
    enum Declaration: CaseIterable {
        case property, type, resolving
    }

    private let container = Container()
    private let payments = Payments()
    private let scope = Scope.Singleton()

    private var property: Factory<any Networking> {
        container(key: "property") { LiveNetworking() }.scope(scope)
    }

    private func declare(_ declaration: Declaration) {
        switch declaration {
        case .property: break
        case .type: container.register((any Networking).self, scope: scope) { LiveNetworking() }
        case .resolving: payments.register((any Networking).self) { LiveNetworking() }.scope(scope)
        }
    }

    private func override(_ declaration: Declaration) {
        switch declaration {
        case .property: property.register { OtherNetworking() }
        case .type: container.register((any Networking).self, scope: scope) { OtherNetworking() }
        case .resolving: payments.register((any Networking).self) { OtherNetworking() }
        }
    }

    private func read(_ declaration: Declaration) -> any Networking {
        switch declaration {
        case .property: property()
        case .type: container.get()
        case .resolving: payments.resolve((any Networking).self) ?? OtherNetworking()
        }
    }

    private func manager(_ declaration: Declaration) -> ContainerManager {
        declaration == .resolving ? payments.manager : container.manager
    }

    @Test(arguments: Declaration.allCases) func overrideDropsSingleton(_ declaration: Declaration) {
        declare(declaration)
        #expect(read(declaration).id == read(declaration).id)
        override(declaration)
        #expect(read(declaration) is OtherNetworking)
    }

    @Test(arguments: [FactoryResetOptions.all, .scope]) func resettingPropertyDropsItsSingleton(
        _ options: FactoryResetOptions
    ) {
        let first = property()
        property.reset(options)
        #expect(areDistinct(first, property()))
    }

    @Test(arguments: Declaration.allCases) func popRestoresSingleton(_ declaration: Declaration) {
        declare(declaration)
        let first = read(declaration)
        manager(declaration).push()
        override(declaration)
        #expect(read(declaration) is OtherNetworking)
        manager(declaration).pop()
        #expect(read(declaration).id == first.id)
    }

    @Test func popForgetsInstanceCreatedInPreviouslyUnusedScope() {
        container.manager.push()
        property.register { OtherNetworking() }
        #expect(property() is OtherNetworking)
        container.manager.pop()
        #expect(property() is LiveNetworking)
    }

    @Test func popKeepsInstanceCreatedBeforePushInOtherContainer() {
        let other = Container()
        let made = other(key: "property") { LiveNetworking() as any Networking }.scope(scope)()
        container.manager.push()
        #expect(property().id == made.id)
        container.manager.pop()
        #expect(property().id == made.id)
    }

    @Test func reregisteringResolvedTypeDropsProcessSingleton() {
        Scope.$singleton.withValue(Scope.Singleton()) {
            payments.register((any Networking).self) { LiveNetworking() }.singleton.reset(.none)
            let first: (any Networking)? = payments.resolve()
            let other = Payments()
            other.register((any Networking).self) { OtherNetworking() }.scope(.singleton)
            #expect(other.resolve((any Networking).self)?.id == first?.id)
            payments.register((any Networking).self) { OtherNetworking() }
            #expect(payments.resolve((any Networking).self) is OtherNetworking)
        }
    }
}
