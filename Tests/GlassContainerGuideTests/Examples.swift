import GlassContainer
import Testing

extension Container {
    var clock: Factory<any Clock> { self { SystemClock() } }
    var session: Factory<Session> { self { Session(clock: self.clock()) }.cached }
    var greeting: Factory<any Greeting> { registered() }
}

extension Scope {
    static let visit = Cached()
}

extension Container {
    var visit: Factory<Visit> { self { Visit() }.scope(.visit) }
}

extension Container {
    var account: ParameterFactory<Int, Account> { self { Account(id: $0) }.scopeOnParameters.cached }
}

final class PaymentContainer: SharedContainer {
    @TaskLocal static var shared = PaymentContainer()
    let manager = ContainerManager()
}

extension PaymentContainer {
    var ledger: Factory<Session> { self { Session(clock: FixedClock()) }.cached }
}

extension PaymentContainer: Resolving {}

@Suite struct ExampleTests {
    let container = Container()

    @Test func serviceIsReadByType() {
        let container = Container()
        container.register((any Greeting).self) { _ in EnglishGreeting() }
        let greeting: any Greeting = container.get()
        #expect(greeting.greet("Ada") == container.greeting().greet("Ada"))
    }

    @Test func servicesAreRegisteredByInitializerAndAlias() {
        container.register((any Networking).self) { c in LiveNetworking(container: c) }
        container.register((any Networking).self, LiveNetworking.init)
        container.register((any Clock).self) { SystemClock() }
        container.register((any Analytics).self) { LiveAnalytics() }
        container.register((any Tracking).self) { $0.get((any Analytics).self) }
        #expect(container.get((any Tracking).self) is LiveAnalytics)
        #expect(container.get((any Clock).self).now == 1)
    }

    @Test func sessionIsCached() {
        let session = container.session()
        #expect(session === container.session())
    }

    @Test func visitIsReset() {
        let visit = container.visit()
        container.manager.reset(scope: .visit)
        #expect(visit !== container.visit())
    }

    @Test func accountIsCreatedFromNumber() {
        let first = container.account(1)
        #expect(first.id == 1)
    }

    @Test func pluginsAreOrdered() {
        container.register((any Plugin).self, name: "search") { SearchPlugin() }
        container.register((any Plugin).self, name: "cart") { CartPlugin() }
        for plugin in container.all(of: (any Plugin).self) { plugin.start() }
        #expect(container.all(of: (any Plugin).self).first is SearchPlugin)
    }

    @Test func missingServicesAreReportedAsError() {
        func check() throws {
            let report = container.validate(requiring: [(any Networking).self, (any Analytics).self])
            guard report.isValid else { throw SetupError(report.description) }
        }
        #expect(throws: SetupError.self) { try check() }
        var printed = ""
        func print(_ item: some Any) { printed += "\(item)" }
        do {
            try container.require((any Networking).self).connect()
        } catch {
            print(error)  // What is missing, on which path, and how to fix it
        }
        #expect(printed.hasPrefix("Networking is not registered"))
    }

    @Test func graphIsPrinted() {
        var printed = ""
        func print(_ item: some Any) { printed += "\(item)" }
        _ = container.session()
        print(container.graph.mermaid)
        #expect(printed.contains("Session (session) · cached"))
    }

    @Test func serviceIDPrintsItsType() {
        var printed = ""
        func print(_ item: some Any) { printed += "\(item)" }
        let id = ServiceID((any Networking).self)
        print(id)  // Networking
        #expect(printed == "Networking")
    }

    @Test func stateIsPushedAndPopped() {
        container.manager.push()
        container.clock.register { FixedClock() }
        #expect(container.clock().now == 0)
        container.manager.pop()
        #expect(container.clock().now == 1)
    }

    @Test func argumentIsSet() {
        FactoryContext.setArg("demo", forKey: "mode")
        #expect(FactoryContext.current.runtimeArguments["mode"] == "demo")
        FactoryContext.removeArg(forKey: "mode")
    }

    @Test func customContainerResolvesByType() {
        PaymentContainer.$shared.withValue(PaymentContainer()) {
            PaymentContainer.shared.register((any Clock).self) { SystemClock() }.scope(.cached)
            let clock = PaymentContainer.shared.resolve((any Clock).self)
            #expect(clock?.now == 1)
        }
    }

    @Test func wrappersReadSharedContainers() {
        final class ViewModel {
            @Injected(\.clock) var clock
            @Injected(\PaymentContainer.ledger) var ledger
        }
        #expect(ViewModel().clock.now == 1)
        #expect(ViewModel().ledger.begin == 0)
    }

    @Test func lazyWrapperResolvesOnRead() {
        final class ViewModel {
            @LazyInjected(\.clock) var clock
        }
        let model = ViewModel()
        #expect(model.$clock.resolvedOrNil() == nil)
        #expect(model.clock.now == 1)
    }

    @Test func containersCanBeInjected() {
        final class ViewModel {
            @InjectedContainer var container
            @InjectedContainer(PaymentContainer.self) var payments
        }
        #expect(ViewModel().container === Container.shared)
        #expect(ViewModel().payments === PaymentContainer.shared)
    }

    @Test func requestHasItsOwnServices() {
        let app = Container()
        let token = "t"
        app.register((any Networking).self, LiveNetworking.init)
        let request = Container(parent: app)
        request.register((any User).self) { SignedInUser(token) }
        request.register(Cart.self, Cart.init)  // sees the request's user
        let networking: any Networking = request.get()  // the app's
        networking.connect()
        #expect(request.get(Cart.self).user.token == "t")
        #expect(!app.isRegistered(Cart.self))
    }

    @Test func pluginServicesArePrivate() {
        let app = Container()
        app.registerProvidingChild((any Shop).self) { child in
            child.register(Credentials.self) { Credentials() }
            return LiveShop(container: child)
        }
        #expect(app.get((any Shop).self).hasCredentials)
        #expect(!app.isRegistered(Credentials.self))
    }
}
