import GlassContainer
import GlassContainerTesting
import Testing

private protocol Thing: AnyObject, Sendable {}
private final class Real: Thing {}
private final class Mock: Thing {}

private final class Box: SharedContainer, AutoRegistering, Resolving {
    @TaskLocal static var shared = Box()
    let manager = ContainerManager()

    func autoRegister() { registered.register { Mock() } }

    var thing: Factory<any Thing> { self { Real() } }
    var kept: Factory<any Thing> { self { Real() }.cached }
    var registered: Factory<any Thing> { self { Real() } }
    var counted: ParameterFactory<Int, any Thing> { self { _ in Real() } }
    var alone: Factory<any Thing> { unique { Real() } }
    var explicit: Factory<any Thing> { Factory(self) { Real() } }
    var explicitCounted: ParameterFactory<Int, any Thing> { ParameterFactory(self) { _ in Real() } }
    var loader: Factory<(any Thing)?> { promised() }
    var countedLoader: ParameterFactory<Int, (any Thing)?> { promised() }
}

extension Container {
    fileprivate var thing: Factory<any Thing> { self { Real() }.cached }
    fileprivate var counted: ParameterFactory<Int, any Thing> { self { _ in Real() } }
}

@globalActor private actor Elsewhere {
    static let shared = Elsewhere()
}

/// A use of each name in Factory's public interface that the guide lists as the same, identified by its line in the
/// table.
@MainActor
enum FactorySymbolUses {
    /// Runs every use in its own containers.
    ///
    /// - Returns: The names.
    static func all() async -> [String] {
        await withContainer(shared: Container.$shared, container: Container()) {
            var names: [String] = []
            names += globals()
            names += await containers()
            names += manager()
            names += scopes()
            names += contexts()
            names += modifiers()
            names += await factories()
            names += resolving()
            names += wrappers()
            names += traits()
            return names
        }
    }

    private static func globals() -> [String] {
        let factory: VoidFactoryType<any Thing> = { Real() }
        let counted: ParameterFactoryType<Int, any Thing> = { _ in Real() }
        _ = (factory(), counted(1))
        #expect(dependency(\.thing) === resolve(\.thing))
        #expect(dependency(\Box.kept) !== resolve(\Container.thing))
        _ = (dependency(\.counted, parameter: 1), dependency(\Box.counted, parameter: 1))
        return [
            "global func dependency(_:)", "global func dependency(_:parameter:)", "global func resolve(_:)",
            "global typealias VoidFactoryType", "global typealias ParameterFactoryType",
        ]
    }

    private static func containers() async -> [String] {
        let container: Container = Container()
        let managed: any ManagedContainer = container
        #expect(managed.manager === container.manager)
        let shared: any SharedContainer.Type = Box.self
        #expect(shared.shared === Box.shared && Container.shared !== container)
        #expect(Box().registered() is Mock)
        let changed = container { $0.thing.register { Mock() } }
        #expect(changed === container && container.thing() is Mock)
        let later = await container { @MainActor container async in container.thing.register { Real() } }
        #expect(later === container && !(container.thing() is Mock))
        #expect(container.with { $0.thing.register { Mock() } }.thing() is Mock)
        #expect(await !(container.with { container async in container.thing.register { Real() } }.thing() is Mock))
        container.decorator { #expect($0 is any Thing) }
        _ = container.thing()
        container.reset(options: .all)
        let box = Box()
        box.manager.promiseTriggersError = false
        #expect(box.loader() == nil && box.countedLoader(1) == nil)
        return [
            "class Container class Container", "class Container init init()", "class Container let manager",
            "class Container static var shared", "protocol ManagedContainer protocol ManagedContainer",
            "protocol ManagedContainer var manager", "protocol SharedContainer protocol SharedContainer",
            "protocol SharedContainer static var shared", "protocol AutoRegistering protocol AutoRegistering",
            "protocol AutoRegistering func autoRegister()", "extension SharedContainer func callAsFunction(_:)",
            "extension SharedContainer func callAsFunction(_:) async",
            "extension ManagedContainer func callAsFunction()", "extension ManagedContainer func decorator(_:)",
            "extension ManagedContainer func promised(key:file:line:)",
            "extension ManagedContainer func reset(options:)", "extension ManagedContainer func with(_:)",
            "extension ManagedContainer func with(_:) async",
        ]
    }

    private static func manager() -> [String] {
        let manager: ContainerManager = ContainerManager()
        manager.circularDependencyTesting = manager.circularDependencyTesting
        manager.defaultScope = manager.defaultScope ?? .cached
        manager.logger = { _ in }
        manager.logger("")
        manager.promiseTriggersError = manager.promiseTriggersError
        manager.trace = manager.trace
        manager.push()
        manager.pop()
        manager.reset(options: FactoryResetOptions.context)
        for options in [FactoryResetOptions.all, .none, .registration, .scope] { manager.reset(options: options) }
        manager.reset(scope: .cached)
        return [
            "class ContainerManager class ContainerManager", "class ContainerManager init init()",
            "class ContainerManager var circularDependencyTesting", "class ContainerManager var defaultScope",
            "class ContainerManager var logger", "class ContainerManager var promiseTriggersError",
            "class ContainerManager var trace", "enum FactoryResetOptions enum FactoryResetOptions",
            "extension ContainerManager func pop()", "extension ContainerManager func push()",
            "extension ContainerManager func reset(options:)", "extension ContainerManager func reset(scope:)",
        ]
    }

    private static func scopes() -> [String] {
        let scopes: [Scope] = [
            Scope.cached, Scope.graph, Scope.shared, Scope.unique, Scope.singleton, Scope.Cached(), Scope.Shared(),
            Scope.Unique(),
        ]
        #expect(scopes.count == 8)
        let singletons: Scope.Singleton = Scope.singleton.clone()
        singletons.reset()
        let graph: Scope.Graph = Scope.graph
        _ = graph
        return [
            "class Scope class Scope", "extension Scope class Cached", "extension Scope class Graph",
            "extension Scope class Shared", "extension Scope class Singleton", "extension Scope class Unique",
            "extension Scope func clone()", "extension Scope func reset()", "extension Scope init init()",
            "extension Scope static let cached", "extension Scope static let graph",
            "extension Scope static let shared", "extension Scope static let unique",
            "extension Scope static var singleton",
        ]
    }

    private static func contexts() -> [String] {
        var context: FactoryContext = FactoryContext.current
        context.arguments += context.runtimeArguments.values
        context.isDebug = context.isDebug || context.isPreview || context.isSimulator || context.isTest
        FactoryContext.setArg("a", forKey: "FactorySymbolUses")
        FactoryContext.removeArg(forKey: "FactorySymbolUses")
        let types: [FactoryContextType] = [.arg("a"), .args(["a"]), .preview, .test, .debug, .simulator, .device]
        #expect(types.count == 7)
        return [
            "struct FactoryContext struct FactoryContext", "struct FactoryContext var arguments",
            "struct FactoryContext var isDebug", "struct FactoryContext var isPreview",
            "struct FactoryContext var isSimulator", "struct FactoryContext var isTest",
            "struct FactoryContext var runtimeArguments", "enum FactoryContextType enum FactoryContextType",
            "extension FactoryContext static func setArg(_:forKey:)",
            "extension FactoryContext static func removeArg(forKey:)",
        ]
    }

    private static func modifiers() -> [String] {
        func parts<F: FactoryModifying>(_ factory: F) -> (F.P.Type, F.T.Type, FactoryRegistration<F.P, F.T>) {
            (F.P.self, F.T.self, factory.registration)
        }
        let factory = Box().thing
        _ = parts(factory)
        factory.context(.arg("a"), .debug) { Real() }.onArg("a") { Real() }.onArgs(["a"]) { Real() }
            .onDebug { Real() }.onDevice { Real() }.onPreview { Real() }.onSimulator { Real() }
            .onTest { Real() }.decorator { _ in }.decorator { _, _ in }.once().scope(.cached).timeToLive(60)
            .reset(.context)
        let scoped = [factory.cached, factory.graph, factory.shared, factory.singleton, factory.unique]
        #expect(scoped.count == 5)
        _ = Box().counted.scopeOnParameters
        let names = [
            "context(_:factory:)", "decorator(_:)", "onArg(_:factory:)", "onArgs(_:factory:)", "onDebug(factory:)",
            "onDevice(factory:)", "onPreview(factory:)", "onSimulator(factory:)", "onTest(factory:)", "once()",
            "reset(_:)", "scope(_:)", "timeToLive(_:)",
        ].map { "extension FactoryModifying func \($0)" }
        let scopes = ["cached", "graph", "scopeOnParameters", "shared", "singleton", "unique"]
        return names + scopes.map { "extension FactoryModifying var \($0)" } + [
            "protocol FactoryModifying associatedtype P", "protocol FactoryModifying associatedtype T",
            "protocol FactoryModifying protocol FactoryModifying", "protocol FactoryModifying var registration",
            "struct FactoryRegistration struct FactoryRegistration",
        ]
    }

    private static func factories() async -> [String] {
        let box = Box()
        box.kept.register { Mock() }
        #expect(box.kept() is Mock && box.kept.resolve() is Mock)
        box.kept.callAsFunction { Real() }
        #expect(!(box.kept.resolveOnMainActor() is Mock))
        _ = (box.explicit.registration, box.explicit(), box.alone())
        box.counted.register { _ in Mock() }
        #expect(box.counted(1) is Mock && box.counted.resolve(1) is Mock)
        // Isolated to no actor, because it is resolved on two.
        box.counted.callAsFunction { @Sendable _ in Real() }
        #expect(!(box.counted.resolveOnMainActor(1) is Mock))
        _ = (box.explicitCounted.registration, box.explicitCounted(1))
        _ = await box.kept.resolveOnGlobalActor(Elsewhere.shared)
        _ = await box.counted.resolveOnGlobalActor(Elsewhere.shared, parameters: 1)
        let both = ["Factory", "ParameterFactory"].flatMap { type in
            ["func callAsFunction(factory:)", "func register(factory:)", "init init(_:key:_:)", "struct \(type)"]
                .map { "struct \(type) \($0)" } + ["struct \(type) var registration"]
        }
        return both + [
            "struct Factory func callAsFunction()", "struct Factory func resolve()",
            "struct ParameterFactory func callAsFunction(_:)", "struct ParameterFactory func resolve(_:)",
            "extension Factory func resolveOnMainActor()", "extension Factory func resolveOnGlobalActor(_:)",
            "extension ParameterFactory func resolveOnMainActor(_:)",
            "extension ParameterFactory func resolveOnGlobalActor(_:parameters:)",
        ]
    }

    private static func resolving() -> [String] {
        let box: any Resolving = Box()
        box.register((any Thing).self) { Mock() }
        let autoRegistering: any AutoRegistering.Type = Box.self
        _ = autoRegistering
        #expect(box.factory((any Thing).self) != nil && box.resolve((any Thing).self) is Mock)
        let names = ["func factory(_:)", "func register(_:factory:)", "func resolve(_:)"]
        return names.flatMap { ["protocol Resolving \($0)", "extension Resolving \($0)"] }
            + ["protocol Resolving protocol Resolving"]
    }

    private static func wrappers() -> [String] {
        var injected: Injected<any Thing> = Injected(\.thing)
        injected.resolve(reset: .none)
        _ = (injected.factory, injected.projectedValue, injected.wrappedValue, Injected(\Box.thing))
        var lazy: LazyInjected<any Thing> = LazyInjected(\.thing)
        #expect(lazy.resolvedOrNil() == nil)
        lazy.resolve(reset: .none)
        _ = (lazy.factory, lazy.projectedValue, lazy.wrappedValue, LazyInjected(\Box.thing))
        var weak: WeakLazyInjected<any Thing> = WeakLazyInjected(\.thing)
        #expect(weak.resolvedOrNil() == nil)
        weak.resolve(reset: .none)
        _ = (weak.factory, weak.projectedValue, weak.wrappedValue, WeakLazyInjected(\Box.thing))
        let dynamic: DynamicInjected<any Thing> = DynamicInjected(\.thing)
        _ = (dynamic.projectedValue, dynamic.wrappedValue, DynamicInjected(\Box.thing))
        var container: InjectedContainer<Container> = InjectedContainer()
        container.reset(options: .none)
        #expect(container.wrappedValue === Container.shared)
        #expect(InjectedContainer(Box.self).wrappedValue === Box.shared)
        let type: InjectedType<any Thing> = InjectedType()
        #expect(type.wrappedValue == nil && InjectedType<any Thing>(Box()).wrappedValue == nil)
        let resolved = ["Injected", "LazyInjected", "WeakLazyInjected"].flatMap { type in
            ["func resolve(reset:)", "var factory", "var projectedValue"].map { "struct \(type) \($0)" }
        }
        let all = [
            "Injected", "LazyInjected", "WeakLazyInjected", "DynamicInjected", "InjectedContainer", "InjectedType",
        ].flatMap { type in
            ["init init(_:)", "struct \(type)", "var wrappedValue"].map { "struct \(type) \($0)" }
        }
        return resolved + all + [
            "struct LazyInjected func resolvedOrNil()", "struct WeakLazyInjected func resolvedOrNil()",
            "struct DynamicInjected var projectedValue", "struct InjectedContainer func reset(options:)",
            "struct InjectedContainer init init()", "struct InjectedType init init()",
        ]
    }

    private static func traits() -> [String] {
        let trait: ContainerTrait<Container> = .container
        let transform: ContainerTrait<Container>.Transform = { $0.thing.register { Mock() } }
        _ = trait(transform: transform)
        #expect(ContainerTrait(shared: Box.$shared, container: Box()).isRecursive)
        let scope: @Sendable (Test, Test.Case?, @Sendable () async throws -> Void) async throws -> Void = {
            try await trait.provideScope(for: $0, testCase: $1, performing: $2)
        }
        _ = scope
        return [
            "extension Trait static var container", "struct ContainerTrait func callAsFunction(transform:)",
            "struct ContainerTrait func provideScope(for:testCase:performing:) async throws",
            "struct ContainerTrait init init(shared:container:)", "struct ContainerTrait let isRecursive",
            "struct ContainerTrait struct ContainerTrait", "struct ContainerTrait typealias Transform",
        ]
    }
}
