import GlassContainer
import Testing

/// The container that a service finds while a factory creates it.
@Suite(.timeLimit(.minutes(1)))
struct BuildingTests {
    /// A service whose initializer takes no container.
    private final class Seeing: Sendable {
        let container = WeakContainer(Container.building)
    }

    private final class Outer: Sendable {
        let before: Seeing
        let inner: Seeing
        let after = Seeing()

        init(_ inner: Seeing, before: Seeing) {
            self.before = before
            self.inner = inner
        }
    }

    private final class Custom: SharedContainer {
        @TaskLocal static var shared = Custom()
        let manager = ContainerManager()

        var seeing: Factory<Seeing> { self { Seeing() } }
    }

    @Test func noContainerIsBuildingOutsideFactories() {
        #expect(Container.building == nil)
        #expect(Seeing().container.container == nil)
    }

    @Test(arguments: [Scope.cached, Scope.unique, Scope.shared, Scope.graph, Scope.singleton] as [Scope])
    func factoryFindsItsContainer(scope: Scope) {
        let container = Container()
        container.register(Seeing.self, scope: scope) { _ in Seeing() }
        let seeing = Scope.$singleton.withValue(Scope.Singleton()) { container.get(Seeing.self) }
        #expect(seeing.container.container === container)
        #expect(Container.building == nil)
    }

    @Test func factoryWithoutParameterFindsItsContainer() {
        let container = Container()
        container.register(Seeing.self, scope: .unique) { Seeing() }
        #expect(container.get(Seeing.self).container.container === container)
    }

    @Test func factoryOfParentFindsParent() {
        let parent = Container()
        parent.register(Seeing.self) { _ in Seeing() }
        let child = Container(parent: parent)
        #expect(child.get(Seeing.self).container.container === parent)
    }

    @Test func factoryWithChildFindsHolderOfRegistration() {
        let container = Container()
        container.registerProvidingChild(Seeing.self) { _ in Seeing() }
        #expect(container.get(Seeing.self).container.container === container)
    }

    @Test func nestedFactoryFindsItsOwnContainer() {
        let (first, second) = (Container(), Container())
        second.register(Seeing.self) { _ in Seeing() }
        first.register(Outer.self) { _ in
            let before = Seeing()
            return Outer(second.get(), before: before)
        }
        let outer = first.get(Outer.self)
        #expect(outer.before.container.container === first)
        #expect(outer.inner.container.container === second)
        #expect(outer.after.container.container === first)
    }

    @Test func factoryOfOtherContainerTypeIsSkipped() {
        let container = Container()
        let custom = Custom()
        #expect(custom.seeing().container.container == nil)
        container.register(Seeing.self) { _ in custom.seeing() }
        #expect(container.get(Seeing.self).container.container === container)
    }

    @Test func throwingFactoryEndsItsBuild() {
        struct Failure: Error {}
        let container = Container()
        container.register(Seeing.self) { _ in throw Failure() }
        #expect(throws: ContainerError.self) { try container.require(Seeing.self) }
        #expect(Container.building == nil)
    }

    @Test func weakContainerFallsBackToParent() {
        let parent = Container()
        var child: Container? = Container(parent: parent)
        let reference = WeakContainer(child)
        #expect(reference.container === child)
        child = nil
        #expect(reference.container === parent)
        weak var kept: Container?
        let released: WeakContainer
        do {
            let container = Container()
            kept = container
            released = WeakContainer(container)
        }
        #expect(kept == nil && released.container == nil)
        #expect(WeakContainer(nil).container == nil)
    }
}
