import GlassBase
import GlassContainer
import TestSupport
import Testing

/// A service of the main actor: its factories access main actor state.
@MainActor private final class Session {
    var token = "t"
    static let shared = Session()
}

private final class API: Sendable {
    let token: String
    init(_ token: String) { self.token = token }
}

private struct User: Sendable { let api: API }

extension Container {
    @MainActor fileprivate var defined: Factory<API> { self { API(Session.shared.token) }.cached }
    @MainActor fileprivate var numbered: ParameterFactory<Int, API> { self { API("\(Session.shared.token) \($0)") } }
    fileprivate var plain: Factory<API> { self { API("plain") } }
    fileprivate var plainly: ParameterFactory<Int, API> { self { API("\($0)") } }
}

@globalActor private actor Elsewhere {
    static let shared = Elsewhere()
}

extension Container {
    @Elsewhere fileprivate var elsewhere: Factory<API> { self { API("elsewhere") } }
}

/// An actor that registers a service that only it may create.
private actor Owner {
    private var count = 0

    func register(in container: Container) {
        container.register(API.self, file: "App/Setup.swift", line: 7) {
            self.count += 1
            return API("\(self.count)")
        }
    }

    func token(from container: Container) -> String { container.get(API.self).token }
}

/// A factory that is created on an actor is isolated to it.
@Suite(.timeLimit(.minutes(1))) struct IsolationTests {
    /// A way to declare a factory on the main actor and use it elsewhere.
    enum Way: String, CaseIterable, Codable {
        case type, unique, name, withoutContainer, providingChild, providingUnusedChild, inChild, behindAnother
        case defined, parameters, override, parameterOverride, context, argument, parameterContext, unwrapped

        /// Declares the factory on the main actor and returns a closure that uses it.
        @MainActor fileprivate func declare(in container: Container) -> @Sendable () -> API {
            let token = Session.shared
            switch self {
            case .type:
                container.register(API.self, file: "App/Setup.swift", line: 7) { _ in API(token.token) }
                return { container.get() }
            case .unique:
                container.register(API.self, scope: .unique, file: "App/Setup.swift", line: 7) { _ in API(token.token) }
                return { container.get() }
            case .name:
                container.register(API.self, name: "n", file: "App/Setup.swift", line: 7) { _ in API(token.token) }
                return { container.get(name: "n") }
            case .withoutContainer:
                container.register(API.self, file: "App/Setup.swift", line: 7) { API(token.token) }
                return { container.get() }
            case .providingChild:
                container.registerProvidingChild(API.self, file: "App/Setup.swift", line: 7) { _ in API(token.token) }
                return { container.get() }
            case .providingUnusedChild:
                container.registerProvidingChild(API.self, file: "App/Setup.swift", line: 7) { API(token.token) }
                return { container.get() }
            case .inChild:
                container.register(API.self, scope: .unique, file: "App/Setup.swift", line: 7) { API(token.token) }
                let child = Container(parent: container)
                return { child.get() }
            case .behindAnother:
                container.register(API.self, file: "App/Setup.swift", line: 7) { API(token.token) }
                container.register(User.self) { @Sendable container in User(api: container.get()) }
                return { container.get(User.self).api }
            case .defined:
                let factory = Factory(container, key: "api", file: "App/Setup.swift", line: 7) { API(token.token) }
                return { factory() }
            case .parameters:
                let factory = ParameterFactory(container, key: "api", file: "App/Setup.swift", line: 7) {
                    (number: Int) in
                    API("\(token.token) \(number)")
                }
                return { factory(1) }
            case .override:
                container.plain.register(file: "App/Setup.swift", line: 7) { API(token.token) }
                return { container.plain() }
            case .parameterOverride:
                container.plainly.register(file: "App/Setup.swift", line: 7) { API("\(token.token) \($0)") }
                return { container.plainly(1) }
            case .context:
                container.plain.onDebug(file: "App/Setup.swift", line: 7) { API(token.token) }
                return { container.plain() }
            case .argument:
                container.plain.context(.arg("there"), .debug, file: "App/Setup.swift", line: 7) { API(token.token) }
                return { container.plain() }
            case .parameterContext:
                container.plainly.onDebug(file: "App/Setup.swift", line: 7) { API("\(token.token) \($0)") }
                return { container.plainly(1) }
            case .unwrapped:
                container.register(API.self, file: "App/Setup.swift", line: 7) { API(token.token) }
                return { container.getIfRegistered() ?? API("") }
            }
        }
    }

    /// The ways in which this build can create a service: the context `debug` has no effect in a release build.
    private static var usable: [Way] {
        #if DEBUG
            Way.allCases
        #else
            Way.allCases.filter { ![.context, .argument, .parameterContext].contains($0) }
        #endif
    }

    @Test(arguments: usable) func mainActorFactoryCreatesServiceThere(way: Way) async {
        let container = Container()
        let token = await MainActor.run { way.declare(in: container)().token }
        #expect(token.hasPrefix("t"))
        if way == .type {
            // A cached instance may be read anywhere, because the factory does not run.
            #expect(await Task.detached { container.get(API.self).token }.value == token)
        }
    }

    #if DEBUG
        /// As in Factory, it runs; one line says so, however often.
        @Test(arguments: Way.allCases) func mainActorFactoryIsLoggedElsewhere(way: Way) async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [way] in
                let container = Container()
                let use = await MainActor.run { way.declare(in: container) }
                onThreads(1) { _ in
                    for _ in 0..<3 {
                        precondition(use().token.hasPrefix("t"))
                        // Keeps registrations, so that a cached service is created again.
                        container.manager.reset(options: .scope)
                    }
                }
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("warning: the factory of API") }
            #expect(lines.count == 1, "\(text)")
            let line = String(lines.first ?? "")
            #expect(line.contains("is isolated to the main actor but runs outside it; "), "\(text)")
            #expect(line.contains("is registered at App/Setup.swift:7; hint: resolve it on the main actor"), "\(text)")
            #expect(line.contains("path: User → API") == (way == .behindAnother), "\(text)")
        }

        @Test(arguments: Way.allCases) func mainActorFactoryStopsElsewhereInStrictMode(way: Way) async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [way] in
                let container = Container()
                container.manager.strict(allowing: [API.self, User.self])
                let use = await MainActor.run { way.declare(in: container) }
                onThreads(1) { _ in _ = use() }
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("Fatal error: the factory of API"), "\(text)")
            #expect(text.contains("is isolated to the main actor but runs outside it"), "\(text)")
            #expect(text.contains("is registered at App/Setup.swift:7"), "\(text)")
            #expect(text.contains("path: User → API") == (way == .behindAnother), "\(text)")
        }

        @Test func factoryOfOtherActorIsReportedElsewhere() async {
            let container = Container()
            let owner = Owner()
            await owner.register(in: container)
            #expect(await owner.token(from: container) == "1")
            container.manager.reset(options: .scope)
            let reports = Lock([LiveDependency]())
            container.manager.strict(allowing: [API.self]) { report in reports.withLock { $0.append(report) } }
            #expect(container.get(API.self).token == "2")
            container.manager.reset(options: .scope)
            #expect(container.get(API.self).token == "3")
            #expect(
                reports.withLock { $0.map(\.description) } == [
                    """
                    the factory of API is isolated to the actor Owner but runs outside it
                      API is registered at App/Setup.swift:7
                      hint: resolve it on the actor Owner, or write { @Sendable … in … }, which is not isolated
                    """
                ], "once for each factory")
        }

        /// A property of one global actor is awaited on another, which Factory's own suite does.
        @Test @MainActor func propertyOfOtherGlobalActorIsResolvedOnMainActor() async {
            let container = Container()
            let reports = Lock([String]())
            container.manager.reportOverruled { report in reports.withLock { $0.append(report.description) } }
            #expect(await container.elsewhere().token == "elsewhere")
            let text = reports.withLock { $0.first } ?? ""
            #expect(text.contains("API (elsewhere) is isolated to the actor Elsewhere but runs outside it"), "\(text)")
        }
    #endif

    /// Nonisolated factories may be registered on an actor: the compiler checks what they access.
    @Test @MainActor func nonisolatedFactoryRunsAnywhere() async {
        let container = Container()
        container.register(API.self, scope: .unique) { @Sendable _ in API("closure") }
        container.register(LiveAnalytics.self, LiveAnalytics.init)
        let networking: @Sendable (Container) -> any Networking = { _ in LiveNetworking() }
        container.register((any Networking).self, networking)
        container.plain.register { @Sendable in API("override") }
        let tokens = await Task.detached {
            _ = container.get(LiveAnalytics.self)
            return [container.get(API.self).token, container.plain().token]
        }.value
        #expect(tokens == ["closure", "override"])
    }

    @Test @MainActor func mainActorFactoryIsResolvedOnMainActor() async {
        let container = Container()
        let token = await Task.detached { await container.defined.resolveOnMainActor().token }.value
        #expect(token == "t" && container.defined().token == "t")
        #expect(container.numbered(2).token == "t 2")
    }
}
