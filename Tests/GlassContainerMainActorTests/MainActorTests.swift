import GlassContainer
import GlassContainerTesting
import Testing

// This module is isolated to the main actor by default, like a new app in Xcode, and so is every class and closure in
// it. Containers are Sendable, so their properties must declare it, as with Factory.

protocol Titled: AnyObject { var title: String { get } }

final class ScreenModel: Titled {
    let title: String
    init(_ title: String = "home") { self.title = title }
}

extension Container {
    @MainActor var screen: Factory<any Titled> { self { ScreenModel() }.cached }
    @MainActor var single: Factory<ScreenModel> { self { ScreenModel() }.singleton }
    @MainActor var fresh: Factory<ScreenModel> { self { ScreenModel() } }
    @MainActor var page: ParameterFactory<String, ScreenModel> { self { ScreenModel($0) } }
    @MainActor var mocked: Factory<any Titled> { self { ScreenModel() }.onTest { ScreenModel("test") } }
}

final class Pages: SharedContainer {
    @TaskLocal static var shared = Pages()
    let manager = ContainerManager()
    @MainActor var first: Factory<ScreenModel> { self { ScreenModel("first") }.cached }
}

/// Every wrapper, in a class of the main actor.
final class ScreenOwner {
    @Injected(\.screen) var injected
    @LazyInjected(\.screen) var lazy
    @WeakLazyInjected(\.screen) var weakly
    @DynamicInjected(\.fresh) var dynamic
    @InjectedType var typed: ScreenModel?
    @InjectedContainer var container
    @Injected(\Pages.first) var page
    @LazyInjected(\Pages.first) var lazyPage
    @WeakLazyInjected(\Pages.first) var weakPage
    @DynamicInjected(\Pages.first) var dynamicPage
    @InjectedContainer(Pages.self) var pages

    func resolveAgain() {
        $injected.resolve(reset: .scope)
        $lazy.resolve()
        $weakly.resolve()
    }
}

/// Runs a function off the main actor, in the task of the test.
@concurrent nonisolated func elsewhere(_ body: @Sendable () -> Void) async { body() }

@Suite(.container) struct MainActorTests {
    @Test func everyWrapperAcceptsMainActorFactory() {
        Container.shared.register(ScreenModel.self) { ScreenModel("typed") }
        let owner = ScreenOwner()
        let screen = Container.shared.screen()
        #expect(owner.injected === screen && owner.lazy === screen && owner.weakly === screen)
        #expect(owner.dynamic !== owner.dynamic && owner.dynamic.title == "home")
        #expect(owner.typed?.title == "typed" && owner.container === Container.shared)
        let page = Pages.shared.first()
        #expect(owner.page === page && owner.lazyPage === page && owner.weakPage === page)
        #expect(owner.dynamicPage === page && owner.pages === Pages.shared)
        owner.resolveAgain()
        #expect(owner.injected !== screen && owner.lazy === owner.injected && owner.weakly === owner.injected)
    }

    /// As with Factory, a key path stored in a variable need not be Sendable.
    @Test func everyWrapperAcceptsAnyKeyPath() {
        let path: KeyPath<Container, Factory<any Titled>> = \.screen
        let screen = Container.shared.screen()
        #expect(Injected(path).wrappedValue === screen && LazyInjected(path).wrappedValue === screen)
        #expect(WeakLazyInjected(path).wrappedValue === screen && DynamicInjected(path).wrappedValue === screen)
        #expect(dependency(path) === screen && dependency(\.page, parameter: "two").title == "two")
    }

    @Test func factoriesAreCalledAndOverridden() {
        #expect(Container.shared.fresh().title == "home" && Container.shared.page("three").title == "three")
        #expect(Container.shared.single() === Container.shared.single())
        Container.shared.fresh.register { ScreenModel("registered") }
        Container.shared.page.register { ScreenModel("registered \($0)") }
        #expect(Container.shared.fresh().title == "registered")
        #expect(Container.shared.page("four").title == "registered four")
        #if DEBUG
            #expect(Container.shared.mocked().title == "test")
        #endif
    }

    @Test(.container { @MainActor in $0.fresh.register { ScreenModel("prepared") } })
    func testPreparesItsContainerOnMainActor() {
        #expect(Container.shared.fresh().title == "prepared")
    }

    @Test func detachedTaskResolvesOnMainActor() async {
        let container = Container.shared
        let title = await Task.detached { await container.fresh.resolveOnMainActor().title }.value
        #expect(title == "home")
    }

    #if DEBUG
        /// The key path to a main actor property works from anywhere, and so does the factory.
        @Test func wrapperReadOffItsActorIsLoggedWithServiceName() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let lazy = await MainActor.run { LazyInjected(\Container.fresh) }
                await Task.detached { _ = lazy.wrappedValue }.value
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("ScreenModel (fresh) is isolated to the main actor but runs outside it"), "\(text)")
        }

        /// A warning, because Factory's own tests do this.
        @Test func factoryOffItsActorIsAWarningOfTheTest() async {
            await withKnownIssue {
                let lazy = LazyInjected(\Container.fresh)
                await elsewhere { _ = lazy.wrappedValue }
            } matching: { issue in
                issue.severity == .warning && issue.comments.contains { $0.rawValue.contains("(fresh) is isolated") }
            }
        }

        @Test(.container.strict(allowing: [ScreenModel.self])) func factoryOffItsActorIsAnErrorInStrictMode() async {
            await withKnownIssue {
                let lazy = LazyInjected(\Container.fresh)
                await elsewhere { _ = lazy.wrappedValue }
            } matching: { issue in
                issue.severity == .error && issue.comments.contains { $0.rawValue.contains("(fresh) is isolated") }
            }
        }
    #endif
}
