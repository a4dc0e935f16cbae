import GlassContainer
import Testing

@Suite struct RegistrationTests {
    let container = Container()

    @Test func closureReceivesContainer() {
        container.register((any Networking).self) { _ in LiveNetworking() }
        container.register((any Analytics).self) { container in LiveAnalytics(container: container) }
        let analytics = container.get((any Analytics).self) as? LiveAnalytics
        #expect(analytics?.networking.id == container.get((any Networking).self).id)
    }

    @Test func initializerIsAFactory() {
        container.register((any Networking).self) { LiveNetworking() }
        container.register((any Analytics).self, LiveAnalytics.init)
        #expect(container.get((any Analytics).self) is LiveAnalytics)
    }

    @Test func initializerTakingContainerIsPreferred() {
        container.register((any Networking).self, OtherNetworking.init)
        #expect(container.get((any Networking).self) is OtherNetworking)
    }

    @Test func closureWithoutParametersIsAFactory() {
        container.register(
            (any Networking).self,
            {
                LiveNetworking()
            })
        #expect(container.get((any Networking).self) is LiveNetworking)
    }

    @Test func storedFactoryIsAFactory() {
        let factory: (Container) -> any Networking = { _ in LiveNetworking() }
        container.register((any Networking).self, factory)
        container.registerProvidingChild((any MediaNetworking).self, { _ in LiveNetworking() })
        #expect(container.get((any Networking).self) is LiveNetworking)
        #expect(container.get((any MediaNetworking).self) is LiveNetworking)
    }

    @Test func aliasReturnsSameInstance() {
        container.register((any Networking).self) { LiveNetworking() }
        container.register((any Analytics).self, LiveAnalytics.init)
        container.register((any Tracking).self) { $0.get(LiveAnalytics.self) }
        container.register(LiveAnalytics.self, LiveAnalytics.init)
        let tracking = container.get((any Tracking).self) as? LiveAnalytics
        #expect(tracking === container.get(LiveAnalytics.self))
    }

    @Test func instanceIsCreatedOnFirstRead() {
        let counter = Counter()
        container.register((any Networking).self) { LiveNetworking(counter) }
        #expect(counter.madeCount == 0)
        let first: any Networking = container.get()
        let second: any Networking = container.get()
        #expect(first.id == second.id)
        #expect(counter.madeCount == 1)
    }

    @Test func uniqueRegistrationCreatesInstanceEachTime() {
        container.register((any Networking).self, scope: .unique) { LiveNetworking() }
        let first: any Networking = container.get()
        #expect(areDistinct(first, container.get((any Networking).self)))
    }

    @Test func namesDistinguishRegistrations() {
        container.register(Int.self) { 0 }
        for index in 1...40 { container.register(Int.self, name: "number \(index)") { index } }
        #expect(container.get(Int.self) == 0)
        #expect((1...40).allSatisfy { container.get(Int.self, name: "number \($0)") == $0 })
        #expect(container.getIfRegistered(Int.self, name: "number 41") == nil)
    }

    @Test func manyTypesResolveTheirOwnRegistrations() {
        func nest<Service>(_ type: Service.Type, _ depth: Int) {
            container.register([Service].self) { [] }
            container.register(Set<Int>.self, name: "\(depth)") { [depth] }
            if depth > 0 { nest([Service].self, depth - 1) }
        }
        nest(Int.self, 60)
        #expect((0...60).allSatisfy { container.get(Set<Int>.self, name: "\($0)") == [$0] })
        #expect(container.registrations.count == 122)
        #expect(container.get([[[Int]]].self).isEmpty)
    }

    @Test func optionalResultResolvesService() {
        container.register((any Networking).self) { LiveNetworking() }
        let networking: (any Networking)? = container.get()
        #expect(networking?.id == container.get((any Networking).self).id)
        let maybe: (any Networking)? = container.getIfRegistered()
        #expect(maybe?.id == networking?.id)
        func generic<Service>() -> Service { container.get() }
        let inGenericCode: (any Networking)? = generic()
        #expect(inGenericCode?.id == networking?.id)
    }

    @Test func getIfRegisteredReturnsNilForUnregisteredService() {
        let networking: (any Networking)? = container.getIfRegistered()
        #expect(networking == nil)
        #expect(!container.isRegistered((any Networking).self))
        #expect(!container.isRegistered((any Networking)?.self))
    }

    @Test func registeringAgainReplacesFactoryAndDropsInstance() {
        let counter = Counter()
        container.register((any Networking).self) { LiveNetworking(counter) }
        _ = container.get((any Networking).self)
        #expect(counter.liveCount == 1)
        container.register((any Networking).self) { OtherNetworking() }
        #expect(counter.liveCount == 0)
        #expect(container.get((any Networking).self) is OtherNetworking)
    }

    @Test func resetRemovesEverything() {
        let counter = Counter()
        container.register((any Networking).self) { LiveNetworking(counter) }
        _ = container.get((any Networking).self)
        container.reset()
        #expect(counter.liveCount == 0)
        #expect(!container.isRegistered((any Networking).self))
        #expect(container.registrations.isEmpty)
    }

    @Test func serviceMayBeRegisteredInsideFactory() {
        container.register((any Analytics).self) { container in
            container.register((any Networking).self) { LiveNetworking() }
            return LiveAnalytics(container: container)
        }
        #expect(container.get((any Analytics).self) is LiveAnalytics)
    }

    @Test func instanceOfReplacedRegistrationIsNotCached() {
        container.register((any Networking).self) { container in
            container.register((any Networking).self) { OtherNetworking() }
            return LiveNetworking()
        }
        #expect(container.get((any Networking).self) is LiveNetworking)
        #expect(container.get((any Networking).self) is OtherNetworking)
    }

    @Test func serviceIDPrintsTypeAndName() {
        #expect(ServiceID((any Networking).self).description == "Networking")
        #expect(ServiceID([Int].self, name: "limits").description == "Array<Int> named \"limits\"")
    }

    @Test func sharedContainerIsTaskLocal() {
        let outer = Container.shared
        Container.$shared.withValue(container) { #expect(Container.shared === container) }
        #expect(Container.shared === outer)
    }
}
