import GlassContainer
import Testing

extension Container {
    fileprivate var fresh: Factory<any Networking> { self { LiveNetworking() } }
    fileprivate var kept: Factory<any Networking> { self { LiveNetworking() }.cached }
    fileprivate var single: Factory<any Networking> { self { LiveNetworking() }.singleton }
    fileprivate var other: Factory<any Networking> { self { OtherNetworking() }.cached }
    fileprivate var byType: Factory<any Networking> { registered() }
    fileprivate var loader: Factory<(any Networking)?> { self { nil } }
    fileprivate var dependent: Factory<any Analytics> {
        self {
            self.register((any Networking).self) { self.kept() }
            return LiveAnalytics(container: self)
        }
    }
}

@Suite struct FactoryTests {
    let container = Container()

    private func inOwnSingletons(_ body: () -> Void) {
        Scope.$singleton.withValue(Scope.Singleton(), operation: body)
    }

    @Test func propertyIsUniqueByDefault() {
        #expect(areDistinct(container.fresh(), container.fresh()))
        #expect(areDistinct(container.kept.unique(), container.kept.unique()))
    }

    @Test func cachedPropertyIsKeptByContainer() {
        let first = container.kept()
        #expect(first.id == container.kept.resolve().id)
        #expect(areDistinct(first, Container().kept()))
    }

    @Test func singletonIsKeptByProcess() {
        inOwnSingletons {
            let first = container.single()
            #expect(first.id == Container().single().id)
            Scope.singleton.reset()
            #expect(areDistinct(first, container.single()))
        }
    }

    @Test func boundSingletonsAreSeparate() {
        inOwnSingletons {
            let first = container.single()
            inOwnSingletons { #expect(areDistinct(first, container.single())) }
            #expect(first.id == container.single().id)
        }
    }

    @Test func propertiesOfOneTypeAreSeparateServices() {
        #expect(container.kept() is LiveNetworking)
        #expect(container.other() is OtherNetworking)
    }

    @Test func overrideReplacesAndResetRestores() {
        let first = container.kept()
        container.kept.register { OtherNetworking() }
        #expect(container.kept() is OtherNetworking)
        container.kept.reset()
        #expect(container.kept() is LiveNetworking)
        #expect(areDistinct(container.kept(), first))
        container.fresh.register { OtherNetworking() }
        #expect(container.fresh() is OtherNetworking)
        container.reset()
        #expect(container.fresh() is LiveNetworking)
    }

    @Test func overrideDropsSingleton() {
        inOwnSingletons {
            _ = container.single()
            container.single.register { OtherNetworking() }
            #expect(container.single() is OtherNetworking)
            container.single.reset()
            #expect(container.single() is LiveNetworking)
        }
    }

    @Test func optionalPropertyCanBeRegisteredLater() {
        #expect(container.loader() == nil)
        container.loader.register { LiveNetworking() }
        #expect(container.loader() is LiveNetworking)
    }

    @Test func registeredReadsRegistrationOfType() {
        container.register((any Networking).self) { LiveNetworking() }
        #expect(container.byType().id == container.get((any Networking).self).id)
        #expect(container.byType.scope.description == "cached")
    }

    @Test func overrideThroughPropertyAppliesByType() {
        container.register((any Networking).self) { LiveNetworking() }
        let first: any Networking = container.get()
        container.byType.register { OtherNetworking() }
        #expect(container.get((any Networking).self) is OtherNetworking)
        container.byType.reset()
        #expect(container.get((any Networking).self) is LiveNetworking)
        #expect(areDistinct(container.get((any Networking).self), first))
        #expect(container.validate().findings.isEmpty)
    }

    @Test func propertyAndTypeMayDependOnEachOther() {
        let analytics = container.dependent() as? LiveAnalytics
        #expect(analytics?.networking.id == container.kept().id)
    }

    @Test func parentOverrideAppliesInChildren() {
        container.kept.register { OtherNetworking() }
        let child = Container(parent: container)
        #expect(child.kept().id == container.kept().id)
        child.kept.register { LiveNetworking() }
        #expect(child.kept() is LiveNetworking)
        #expect(container.kept() is OtherNetworking)
    }

    @Test func childContextTakesPrecedenceOverParentOverride() {
        container.kept.register { OtherNetworking() }
        let child = Container(parent: container)
        child.kept.context(.device, .simulator) { LiveNetworking() }
        #expect(child.kept() is LiveNetworking)
        #expect(container.kept() is OtherNetworking)
    }

    @Test func definitionBelongsToContainerItIsReadFrom() {
        let child = Container(parent: container)
        #expect(areDistinct(child.kept(), container.kept()))
    }

    @Test func propertyIsListedOnceResolved() {
        #expect(container.registrations.isEmpty)
        _ = container.kept()
        let info = container.registrations.first
        #expect(info?.id.description == "Networking (kept)")
        #expect(info?.scope == "cached")
        #expect(info?.isResolved == true)
        #expect(info?.file == "GlassContainerTests/FactoryTests.swift")
        #expect(info?.line == 6)
    }
}
