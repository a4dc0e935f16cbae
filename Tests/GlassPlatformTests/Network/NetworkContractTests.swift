import GlassBase
import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarkets
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// Requirements for every implementation of a network service, live and mock alike.
@Suite(.timeLimit(.minutes(1)))
struct NetworkContractTests {
    /// A container of the family, with an in-memory storage if none is registered.
    private func container(_ kind: ServiceKind) -> Container {
        let container = kind.container()
        if !container.isRegistered((any StorageAPI).self) {
            container.register((any StorageAPI).self) { _ in StorageAPIMock() }
        }
        return container
    }

    @Test(arguments: ServiceKind.allCases)
    func unknownServiceIsReported(kind: ServiceKind) async throws {
        let networking: any Networking = container(kind).get()
        let error = await failure { () async throws(NetworkingError) in
            try await networking.send(NetworkRequest(.get, "a", service: "nowhere"))
        }
        guard case .environment(_, .unknownService("nowhere", _, _))? = error else { return #expect(Bool(false)) }
    }

    @Test(arguments: ServiceKind.allCases)
    func fieldWithLineBreakIsNotSent(kind: ServiceKind) async throws {
        let networking: any Networking = container(kind).get()
        let url = try #require(URL(string: "https://e.org/"))
        let error = await failure { () async throws(NetworkingError) in
            try await networking.send(NetworkRequest(.get, url: url, headers: ["X-A": "1\nX-B: 2"]))
        }
        guard case .invalidRequest? = error else { return #expect(Bool(false)) }
    }

    @Test(arguments: ServiceKind.allCases)
    func errorStatusAndCancellationAreThrown(kind: ServiceKind) async throws {
        let server = try RawServer { _, _ in answer(418, "teapot") }
        defer { server.stop() }
        let url = server.url
        let networking: any Networking =
            kind == .live
            ? LiveNetworking(url).networking
            : NetworkingMock { _ in NetworkResponse(status: 418, body: Data("teapot".utf8), url: url) }
        let error = await failure { () async throws(NetworkingError) in
            try await networking.send(NetworkRequest(.get, url: url))
        }
        #expect(error?.description == "GET \(url) returned 418")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure { () async throws(NetworkingError) in
                try await networking.send(NetworkRequest(.get, url: url))
            }
        }
        guard case .cancelled? = await task.value else { return #expect(Bool(false)) }
    }

    @Test(arguments: ServiceKind.allCases)
    func mediaIsLoadedFromNetworkFirst(kind: ServiceKind) async throws {
        let server = try RawServer { request, _ in
            request.path.hasSuffix("absent")
                ? answer(404) : answer(200, "x", ["Cache-Control": "max-age=60", "Content-Type": "image/png"])
        }
        defer { server.stop() }
        let resource = MediaResource(data: Data("x".utf8), mimeType: "image/png")
        let media: any MediaNetworking =
            kind == .live
            ? URLSessionMediaNetworking(configuration: NetworkingConfiguration(), sessions: sessions())
            : MediaNetworkingMock(resources: [server.url: resource])
        #expect(try await media.load(server.url) == resource)
        #expect(try await media.load(server.url).source == .memory)
        media.removeAll()
        #expect(try await media.load(server.url).source == .network)
        let absent = server.url.appending(path: "absent")
        #expect(await failure { () async throws(NetworkingError) in try await media.load(absent) }?.status == 404)
        #expect(
            try await call(media.scriptMethods, "load", [.string(server.url.absoluteString)]) == [
                "bytes": 1, "source": "memory", "type": "image/png",
            ])
        await #expect(throws: ScriptArgumentError.self) { try await call(media.scriptMethods, "load", ["x"]) }
    }

    @Test(arguments: ServiceKind.allCases)
    func networkHasStateAndStreamOfChanges(kind: ServiceKind) async throws {
        let provider: any NetworkInformationProvider = container(kind).get()
        var changes = provider.changes().makeAsyncIterator()
        #expect(await changes.next() != nil)
        #expect(Set(provider.current.interfaces.map(\.name)).count == provider.current.interfaces.count)
        #expect(provider.current.interfaces.map(\.name) == provider.current.interfaces.map(\.name).sorted())
    }

    @Test(arguments: ServiceKind.allCases)
    func notifierHasNameAndRunsOperations(kind: ServiceKind) async throws {
        let factory: any RetryNotifyingFactory = container(kind).get()
        let notifier = factory.makeNotifier(named: "checkout")
        #expect(notifier.name == "checkout")
        #expect(try await notifier.run { $0 } == 1)
        #expect(await notifier.policy == RetryPolicy())
    }

    @Test(arguments: ServiceKind.allCases)
    func backendIsSetReportedAndCleared(kind: ServiceKind) async throws {
        let reflector: any ReflectorManager = container(kind).get()
        try reflector.point(to: "canary", service: "api")
        #expect(reflector.backends["api"] == "canary")
        #expect(try await call(reflector.scriptMethods, "backends") == ["api": "canary"])
        #expect(throws: ReflectorError.malformedBackend("a;b")) { try reflector.point(to: "a;b", service: nil) }
        #expect(throws: ReflectorError.self) { try reflector.point(to: "a", service: "nowhere") }
        _ = try await call(reflector.scriptMethods, "clear")
        #expect(reflector.backends.isEmpty)
    }

    @Test(arguments: ServiceKind.allCases)
    func cookiesAreSetReadAndRemoved(kind: ServiceKind) async throws {
        let cookies: any CookieStorageAPI = container(kind).get()
        let url: ScriptValue = "https://shop.example.org/a"
        #expect(try await call(cookies.scriptMethods, "set", [url, "n", "v"]) == true)
        #expect(try await call(cookies.scriptMethods, "value", [url, "n"]) == "v")
        #expect(try await call(cookies.scriptMethods, "value", ["http://shop.example.org/a", "n"]) == nil)
        #expect(try await call(cookies.scriptMethods, "set", [url, "n", "a;b"]) == false)
        #expect(try await call(cookies.scriptMethods, "set", [url, "n m", "a"]) == false)
        _ = try await call(cookies.scriptMethods, "remove", [url, "n"])
        #expect(try await call(cookies.scriptMethods, "names", [url]) == [])
    }

    @Test func everyServiceIsFreedWithItsContainer() async throws {
        let server = try RawServer { _, _ in answer(200, "x", ["Cache-Control": "max-age=60"]) }
        defer { server.stop() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "freed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // the system empties the temporary folder
        let held = Lock<[(name: String, isAlive: @Sendable () -> Bool)]>([])
        do {
            let container = Container()
            container.setupPlatformDependencies(with: sampleConfig(), host: PlatformHost(stateFolder: folder))
            _ = try await container.get((any Networking).self).send(NetworkRequest(.get, url: server.url))
            _ = try await container.get((any MediaNetworking).self).load(server.url)
            var changes = container.get((any NetworkInformationProvider).self).changes().makeAsyncIterator()
            _ = await changes.next()
            _ = try await container.get((any RetryNotifyingFactory).self).makeNotifier(named: "a").run { $0 }
            let names: Set = [
                "CookieStorageAPI", "MediaNetworking", "NetworkInformationProvider", "Networking",
                "QuimbyAuthProviding",
                "QuimbyCartProviding", "ReflectorManager", "RetryNotifyingFactory", "URLSessionConfigurationAPI",
            ]
            for service in MarketModule.platform.services where names.contains(service.name) {
                nonisolated(unsafe) weak let weakly = try #require(service.resolve(in: container)) as AnyObject
                held.withLock { $0.append((service.name, { weakly != nil })) }
            }
            #expect(held.withLock { $0.count } == names.count)
        }
        try await eventually { held.withLock { $0 }.allSatisfy { !$0.isAlive() } }
    }

    @Test(arguments: ServiceKind.allCases)
    func identitiesAreStoredAndRemoved(kind: ServiceKind) async throws {
        let container = container(kind)
        let auth: any QuimbyAuthProviding = container.get()
        let cart: any QuimbyCartProviding = container.get()
        #expect(try auth.headers().isEmpty && cart.headers().isEmpty)
        _ = try await call(auth.scriptMethods, "signIn", ["token", "7"])
        _ = try await call(cart.scriptMethods, "setCartID", ["c1"])
        #expect(try auth.headers() == ["Authorization": "Bearer token", "WM-Customer-ID": "7"])
        #expect(try cart.headers() == ["WM-Cart-ID": "c1"])
        #expect(try await call(auth.scriptMethods, "headerNames") == ["Authorization", "WM-Customer-ID"])
        _ = try await call(auth.scriptMethods, "signOut")
        _ = try await call(cart.scriptMethods, "setCartID")
        #expect(try auth.headers().isEmpty && cart.headers().isEmpty)
    }

    @Test func setupNetworkingRegistersOnlyItsTwoServices() throws {
        let container = Container()
        container.setupNetworking(setupTracking: true, configuration: NetworkingConfiguration())
        #expect(container.registrations.map(\.displayName).sorted() == ["MediaNetworking", "Networking"])
    }

    @Test(arguments: [true, false])
    func setupNetworkingTracksIfEnabled(setupTracking: Bool) async throws {
        let server = try RawServer { _, _ in answer() }
        defer { server.stop() }
        let events = AnalyticsTrackingMock()
        let url = server.url
        let container = Container()
        container.register((any EnvironmentAPI).self) { _ in EnvironmentAPIMock(baseURLs: ["api": url]) }
        container.register((any URLSessionConfigurationAPI).self) { _ in sessions() }
        container.register((any AnalyticsTracking).self) { _ in events }
        container.setupNetworking(setupTracking: setupTracking, configuration: NetworkingConfiguration())
        let networking: any Networking = container.get()
        _ = try await networking.send(NetworkRequest(.get, "x", service: "api"))
        #expect(events.events.count == (setupTracking ? 1 : 0))
    }

    @Test func shutDownContainerEndsItsRequests() async throws {
        let server = try RawServer { _, _ in .hang("") }
        defer { server.stop() }
        let url = server.url
        let container = Container()
        container.setupPlatformDependencies(with: sampleConfig(), host: .inMemory)
        let networking: any Networking = container.get()
        let media: any MediaNetworking = container.get()
        let provider: any NetworkInformationProvider = container.get()
        let task = Task {
            await failure { () async throws(NetworkingError) in
                try await networking.send(NetworkRequest(.get, url: url))
            }
        }
        let download = Task { await failure { () async throws(NetworkingError) in try await media.load(url) } }
        try await eventually { server.requests.count == 2 }
        await container.shutdown()
        guard case .shutDown? = await task.value, case .shutDown? = await download.value else {
            return #expect(Bool(false))
        }
        var changes = provider.changes().makeAsyncIterator()
        _ = await changes.next()
        #expect(await changes.next() == nil)
    }
}
