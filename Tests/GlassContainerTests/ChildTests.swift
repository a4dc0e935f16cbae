import GlassContainer
import Testing

private final class Session: Sendable {
    let networking: any Networking
    let number: Int

    init(container: Container) {
        container.register(Int.self) { 42 }
        networking = container.get()
        number = container.get()
    }
}

@Suite struct ChildTests {
    let parent = Container()
    let counter = Counter()

    @Test func childSharesParentsRegistrations() {
        parent.register((any Networking).self) { [counter] in LiveNetworking(counter) }
        let child = Container(parent: Container(parent: parent))
        #expect(child.get((any Networking).self).id == parent.get((any Networking).self).id)
        #expect(child.isRegistered((any Networking).self))
        #expect(counter.madeCount == 1)
    }

    @Test func parentDoesNotSeeChildsRegistrations() {
        let child = Container(parent: parent)
        child.register((any Networking).self) { LiveNetworking() }
        #expect(parent.getIfRegistered((any Networking).self) == nil)
    }

    @Test func overrideInChildOnlyAffectsChild() {
        parent.register((any Networking).self) { LiveNetworking() }
        parent.register((any Analytics).self, LiveAnalytics.init)
        let child = Container(parent: parent)
        child.register((any Networking).self) { OtherNetworking() }
        #expect(child.get((any Networking).self) is OtherNetworking)
        #expect(parent.get((any Networking).self) is LiveNetworking)
        let inherited = child.get((any Analytics).self) as? LiveAnalytics
        #expect(inherited?.networking is LiveNetworking)
        child.register((any Analytics).self, LiveAnalytics.init)
        let own = child.get((any Analytics).self) as? LiveAnalytics
        #expect(own?.networking is OtherNetworking)
    }

    @Test func overrideInChildHidesParentsCachedInstance() {
        parent.register((any Networking).self) { LiveNetworking() }
        _ = parent.get((any Networking).self)
        let child = Container(parent: parent)
        child.register((any Networking).self) { OtherNetworking() }
        #expect(child.get((any Networking).self) is OtherNetworking)
    }

    @Test func factoryReceivesContainerThatRegisteredIt() {
        parent.register(ObjectIdentifier.self) { ObjectIdentifier($0) }
        parent.register(ObjectIdentifier.self, name: "unique", scope: .unique) { ObjectIdentifier($0) }
        let child = Container(parent: parent)
        #expect(child.get(ObjectIdentifier.self) == ObjectIdentifier(parent))
        #expect(child.get(ObjectIdentifier.self, name: "unique") == ObjectIdentifier(parent))
    }

    @Test func decoratorInChildMayUseParentsService() {
        parent.register(String.self) { "plain" }
        let child = Container(parent: parent)
        child.register(String.self) { "<" + ($0.parent?.get(String.self) ?? "") + ">" }
        #expect(child.get(String.self) == "<plain>")
    }

    @Test func decoratorOfChildSeesParentsServices() throws {
        let seen = Lines()
        parent.register(A.self) { A() }
        parent.register(B.self) { B() }
        parent.decorator { seen.add("parent: \(type(of: $0))") }
        let child = Container(parent: Container(parent: parent))
        child.decorator { seen.add("child: \(type(of: $0))") }
        child.manager.logger = { seen.add(String($0.prefix { $0 != "=" })) }
        child.manager.trace = true
        _ = child.get(A.self)
        _ = child.get(B.self)
        #expect(
            seen.lines == [
                "0: Container.get<A> ", "parent: A", "child: A", "0: Container.get<B> ", "parent: B", "child: B",
            ])
        _ = parent.get(A.self)
        #expect(seen.lines.count == 7)
        // If the parent traces as well, its own logger receives the line.
        parent.manager.logger = { _ in seen.add("traced") }
        parent.manager.trace = true
        _ = child.get(A.self)
        #expect(seen.lines.suffix(3) == ["traced", "parent: A", "child: A"])
    }

    @Test func providedChildIsPrivateToService() {
        parent.register((any Networking).self) { LiveNetworking() }
        parent.registerProvidingChild(Session.self, Session.init)
        let session: Session = parent.get()
        #expect(session.number == 42)
        #expect(session.networking.id == parent.get((any Networking).self).id)
        #expect(session === parent.get(Session.self))
        #expect(!parent.isRegistered(Int.self))
    }

    @Test func providedChildIsNewForEachInstance() {
        parent.registerProvidingChild(Container.self, scope: .unique) { $0 }
        let first: Container = parent.get()
        #expect(first !== parent.get(Container.self))
        #expect(first.parent === parent)
    }

    @Test func unreferencedContainerIsFreedWithItsInstances() {
        weak var released: Container?
        do {
            let container = Container()
            released = container
            container.register((any Networking).self) { [counter] in LiveNetworking(counter) }
            container.register((any Analytics).self, LiveAnalytics.init)
            container.registerProvidingChild(Session.self, Session.init)
            _ = container.get((any Analytics).self)
            _ = container.get(Session.self)
            #expect(counter.liveCount == 1)
        }
        #expect(released == nil)
        #expect(counter.liveCount == 0)
    }

    @Test func referencedInstanceOutlivesItsContainer() {
        var networking: (any Networking)?
        do {
            let container = Container()
            container.register((any Networking).self) { [counter] in LiveNetworking(counter) }
            networking = container.get()
        }
        #expect(networking != nil)
        #expect(counter.liveCount == 1)
        networking = nil
        #expect(counter.liveCount == 0)
    }

    @Test func childKeepsParentAlive() {
        let child = Container(parent: Container())
        #expect(child.parent != nil)
    }
}
