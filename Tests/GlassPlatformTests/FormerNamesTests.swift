import Foundation
import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassPlatformMocks
import GlassSchema
import Testing

@testable import GlassPlatform

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Services that take what they need from a container when they use it.
@Suite(.timeLimit(.minutes(1)))
struct FormerNamesTests {
    private let container = Container()

    /// A container whose services keep everything in memory.
    init() {
        container.register(PlatformHost.self) { _ in PlatformHost() }
    }

    private func register(_ config: PlatformConfig) { container.register(PlatformConfig.self) { _ in config } }

    // MARK: Storage

    @available(*, deprecated)
    @Test func providerWritesIntoStorageRegisteredLater() throws {
        let info = AnalyticsFeatureInfoProvider(container: container)
        #expect(info.analyticsStoreID == nil, "without a storage, the default one is used")
        try info.setAnalyticsStoreID("1")
        #expect(info.analyticsStoreID == "1")
        let storage = StorageAPIMock()
        container.register((any StorageAPI).self) { _ in storage }
        #expect(info.analyticsStoreID == nil)
        try info.setAnalyticsStoreID("3520")
        #expect(try storage.keys(in: "analytics") == ["storeID"])
        #expect(AnalyticsFeatureInfoProvider(storage: storage).analyticsStoreID == "3520")
    }

    @available(*, deprecated)
    @Test func storageOutlivesContainerAndDoesNotRetainIt() throws {
        let storage = StorageAPIMock()
        let cart: QuimbyCartProvider
        weak var kept: Container?
        do {
            let container = Container()
            container.register((any StorageAPI).self) { _ in storage }
            cart = QuimbyCartProvider(container: container)
            try cart.setCartID("c")
            kept = container
        }
        #expect(kept == nil)
        #expect(try cart.cartID() == "c")
        try cart.setCartID("d")
        #expect(try QuimbyCartProvider(storage: storage).cartID() == "d")
    }

    @available(*, deprecated)
    @Test func containerThatHasEndedHasNoStorage() async throws {
        let cart = QuimbyCartProvider(container: container)
        container.register((any StorageAPI).self) { _ in StorageAPIMock() }
        await container.shutdown()
        // A value would be in the folder of the program, and not in that of its market.
        #expect("\(try #require(throws: StorageError.self) { try cart.setCartID("c") })".contains("shut down"))
        let other = QuimbyCartProvider(container: Container())
        let error = try #require(throws: StorageError.self) { try other.cartID() }
        #expect("\(error)".contains("the container of the service was released"), "\(error)")
    }

    @available(*, deprecated)
    @Test func identityUsesStorageTokensAndHeadersOfContainer() throws {
        let folder = try TestFolder()
        var config = PlatformConfig()
        config.quimby.customerHeader = "X-Customer"
        config.quimby.cartHeader = "X-Cart"
        register(config)
        container.register(PlatformHost.self) { _ in PlatformHost(stateFolder: folder.url) }
        let (auth, cart) = (QuimbyAuthProvider(container: container), QuimbyCartProvider(container: container))
        try auth.setIdentity(QuimbyIdentity(accessToken: "t", customerID: "7"))
        try cart.setCartID("c")
        #expect(try auth.headers() == ["Authorization": "Bearer t", "X-Customer": "7"])
        #expect(try cart.headers() == ["X-Cart": "c"])
        let next = Container()
        next.register(PlatformHost.self) { _ in PlatformHost(stateFolder: folder.url) }
        #expect(
            try QuimbyAuthProvider(container: next).identity().customerID == "7", "the host's folder is the default")
        #expect(try QuimbyAuthProvider(container: next).identity().accessToken == "t")
    }

    @available(*, deprecated)
    @Test func headersOfConfigurationRegisteredLater() {
        let (identity, cart) = (QuimbyAuthProvider(container: container), QuimbyCartProvider(container: container))
        #expect(cart.cartHeader == QuimbyConfiguration().cartHeader)
        var config = PlatformConfig()
        config.quimby.cartHeader = "X-Cart"
        config.quimby.customerHeader = "X-Customer"
        register(config)
        #expect(cart.cartHeader == "X-Cart" && identity.customerHeader == "X-Customer")
    }

    @available(*, deprecated)
    @Test func tokenErrorsNameTheFile() throws {
        let folder = try StateFolder()
        let place = folder.url.appending(path: "state")
        try Data("mine".utf8).write(to: place)
        container.register(PlatformHost.self) { _ in PlatformHost(stateFolder: place) }
        let identity = QuimbyAuthProvider(container: container)
        let error = #expect(throws: StorageError.self) {
            try identity.setIdentity(QuimbyIdentity(accessToken: "t"))
        }
        #expect("\(try #require(error))".contains(place.path))
    }

    // MARK: Places

    @Test func printedStorageAndCookiesAreInTheFolderOfTheirContainer() throws {
        let folder = try StateFolder()
        container.register((any StorageAPI).self) { _ in StoragePlatformAPI() }
        container.register((any CookieStorageAPI).self) { _ in CookieStoragePlatformAPI(configuration: .init()) }
        let host = PlatformHost(stateFolder: folder.url)
        container.register(PlatformHost.self) { _ in host }
        try container.get((any StorageAPI).self).set(1, for: StorageKey("n", "a"))
        let cookies: any CookieStorageAPI = container.get()
        cookies.storage.setCookie(
            try #require(
                HTTPCookie(properties: [
                    .name: "n", .value: "v", .domain: "shop.example.org", .path: "/",
                    .expires: Date(timeIntervalSinceNow: 3600),
                ])))
        _ = cookies.storage
        let names = try folder.names()
        #expect(names.contains("storage.sqlite") && names.contains("cookies.json"), "\(names)")
    }

    /// As the seeds set up their containers, without a host: each app has a folder of its own.
    @Test func containerWithoutHostStoresBelowTheIdentifierOfItsApp() {
        let config = Container()
        config.register(PlatformConfig.self) { _ in PlatformConfig { $0.appInfo.bundleIdentifier = "com.example.us" } }
        let identity = Container()
        identity.register((any AppInfoAPI).self) { _ in
            AppInfoPlatformAPI(configuration: AppInfoConfiguration { $0.bundleIdentifier = "com.example.ca" })
        }
        let owners = [config, identity, Container()].map { LateContainer($0).host.place }
        #expect(owners == ["com.example.us", "com.example.ca", "_app"].map { .standard(owner: $0) })
        #expect(LateContainer(nil).host.place == .standard(owner: "_app"))
    }

    @available(*, deprecated)
    @Test func environmentIsStoredInStorageRegisteredLater() throws {
        let environment = EnvironmentPlatformAPI(
            container: container, configurations: sampleConfig().environment)
        let storage = StorageAPIMock()
        container.register((any StorageAPI).self) { _ in storage }
        container.register((any AppInfoAPI).self) { _ in AppInfoAPIMock() }
        #expect(environment.current == "production" && environment.startProblem == nil)
        try environment.switchTo("staging")
        let next = EnvironmentPlatformAPI(container: container, configurations: sampleConfig().environment)
        #expect(next.current == "staging")
        #expect(try storage.keys(in: "environment") == ["com.example.mock"], "as the platform's own service stores it")
    }

    @Test func preferencesAreInStorageOfTheirContainer() throws {
        container.register((any PreferencesStorage).self) { _ in Preferences(configuration: .sample) }
        let preferences: any PreferencesStorage = container.get()
        let storage = StorageAPIMock()
        container.register((any StorageAPI).self) { _ in storage }
        try preferences.set(.integer(7), for: "storeID")
        #expect(try Preferences(configuration: .sample, storage: storage).value(for: "storeID") == .integer(7))
    }

    @Test func preferencesWithoutStorageWork() throws {
        container.setupPreferencesStorage(configuration: .sample)
        #expect(container.validate(requiring: [(any PreferencesStorage).self]).isValid)
        let preferences: any PreferencesStorage = container.get()
        try preferences.set(.integer(7), for: "storeID")
        #expect(try preferences.value(for: "storeID") == .integer(7))
    }

    // MARK: The app

    @available(*, deprecated)
    @Test func userAgentNamesAppOfItsContainer() {
        container.register((any UserAgentProviding).self) { _ in GlassUserAgent() }
        let agent: any UserAgentProviding = container.get()
        register(sampleConfig())
        #expect(agent.userAgent.hasPrefix("WalmartMexico/1.2.3 ("))
        container.register((any AppInfoAPI).self) { _ in AppInfoAPIMock(name: "Walmart", version: "24.3") }
        #expect(agent.userAgent.hasPrefix("Walmart/24.3 ("))
        #expect(agent.userAgent.hasSuffix("; com.example.mock; build 1)"))
    }

    @available(*, deprecated)
    @Test func userAgentWithoutContainerNamesProgram() throws {
        let text = GlassUserAgent().userAgent
        let product = try #require(text.split(separator: " ").first)
        #expect(!product.hasPrefix("App/") && product.allSatisfy { $0.isASCII && !"();".contains($0) }, "\(text)")
        #expect(!text.contains("; ;"), "\(text)")
    }

    @Test(arguments: [
        (["CFBundleName": "Shop", "CFBundleShortVersionString": "1.2"] as [String: any Sendable], "Shop/1.2"),
        (["CFBundleDisplayName": "Mi Tienda", "CFBundleName": "Shop"], "MiTienda"),
    ])
    func userAgentOfBundleHasItsName(values: [String: any Sendable], product: String) {
        let info = AppInfoPlatformAPI(configuration: AppInfoConfiguration(program: AppBundle(values)))
        let agent = GlassUserAgent(appInfo: info, system: "iOS 18.1", device: "iPhone15,2")
        #expect(agent.userAgent == "\(product) (iPhone15,2; iOS 18.1; build 1)")
    }

    @Test func schemesOfBundleAreRead() {
        let types: [[String: any Sendable]] = [["CFBundleURLSchemes": ["Walmart", "wm"]], ["CFBundleURLName": "x"]]
        #expect(AppBundle(["CFBundleURLTypes": types]).urlSchemes == ["walmart", "wm"])
        #expect(AppBundle([:]).urlSchemes.isEmpty)
    }

    @available(*, deprecated)
    @Test func sessionsHaveAgentAndCookiesRegisteredLater() {
        let sessions = URLSessionConfigurationPlatformAPI(container: container, configuration: SessionConfiguration())
        func agent() -> String? { sessions.makeConfiguration().httpAdditionalHeaders?["User-Agent"] as? String }
        #expect(agent()?.isEmpty == false, "without a user agent, there is a plain one")
        container.register((any UserAgentProviding).self) { _ in UserAgentProvidingMock(userAgent: "Own/1") }
        let cookies = CookieStorageAPIMock()
        container.register((any CookieStorageAPI).self) { _ in cookies }
        #expect(agent() == "Own/1")
        #expect(sessions.makeConfiguration().httpCookieStorage === cookies.storage)
    }

    // MARK: Events

    /// A host whose events go to a sink.
    private func host(_ sink: TestSink, stateFolder: URL? = nil) -> PlatformHost {
        var host = PlatformHost(stateFolder: stateFolder)
        host.telemetry = eagerHost()
        host.telemetry.sinks = [AnalyticsSinkDefinition(name: sink.name) { _ in sink }]
        return host
    }

    private var canada: AniviaSuperAttributesConfiguration {
        var configuration = AniviaSuperAttributesConfiguration()
        configuration.tenant = "ca"
        configuration.writeKey = Secret(name: "KEY", value: "hunter2")
        return configuration
    }

    @available(*, deprecated)
    @Test func printedAnalyticsHaveSinksOutboxAndInfoOfContainer() async throws {
        let (folder, sink) = (try TestFolder(), TestSink())
        let info = AnalyticsFeatureInfoProvider(container: container)
        container.register((any Analytics).self) { [canada] container in
            let session: (any AnalyticsSessionProvider)? = container.getIfRegistered()
            let manager = AsyncAnalyticsManager(sessionProvider: session)
            manager.addAniviaIntent(container: container, configuration: canada)
            return manager
        }
        let analytics: any Analytics = container.get()
        // Registered later than the analytics were created.
        container.register(PlatformHost.self) { [host = host(sink, stateFolder: folder.url)] _ in host }
        container.register((any StorageAPI).self) { _ in StorageAPIMock() }
        container.register((any AnalyticsStoreIDProviding).self) { _ in info }
        container.register((any AnalyticsSessionProvider).self) { AnalyticsSession(container: $0) }
        container.register((any AppInfoAPI).self) { _ in AppInfoAPIMock(version: "9.1") }
        try info.setAnalyticsStoreID("3520")
        try analytics.track(AnalyticsEvent("pageView"))
        try await analytics.flush()
        #expect(sink.events.map(\.name) == ["aniviaIntent", "pageView"])
        #expect(sink.events.first?.attributes["appVersion"] == .string("9.1"))
        #expect(sink.events.last?.context["storeID"] == .string("3520"))
        #expect(sink.events.last?.context["tenant"] == .string("ca"))
        #expect(sink.events.last?.context["sessionID"] != nil)
        #expect(try analytics.counts().sentBySink == ["test": 2])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "analytics").path)
                .contains("ca.sqlite"))
        await container.shutdown()
        #expect(throws: AnalyticsError.self) { try analytics.track(AnalyticsEvent("too late")) }
    }

    @Test func intentAttachesManagerToContainer() async throws {
        let sink = TestSink()
        let manager = AsyncAnalyticsManager(sessionProvider: nil)
        container.register(PlatformHost.self) { [host = host(sink)] _ in host }
        manager.addAniviaIntent(container: container, configuration: canada)
        manager.addAniviaIntent(container: Container(), configuration: canada)
        try await manager.flush()
        #expect(sink.events.map(\.name) == ["aniviaIntent"])
        await manager.dispose()
    }

    @Test func marketDecidesAboutSinks() async throws {
        let sink = TestSink()
        var config = sampleConfig()
        config.analytics.sinks = [.log]
        register(config)
        container.register(PlatformHost.self) { [host = host(sink)] _ in host }
        container.register((any Analytics).self) { _ in AsyncAnalyticsManager(sessionProvider: nil) }
        let analytics: any Analytics = container.get()
        try analytics.track(AnalyticsEvent("e"))
        try await analytics.flush()
        #expect(try analytics.counts().sentBySink == ["log": 1])
        #expect(sink.calls == 0)
        await container.shutdown()
    }

    @available(*, deprecated)
    @Test func eventsWithoutMarketGoToLog() async throws {
        container.register((any Analytics).self, AnalyticsManager.init(container:))
        let analytics: any Analytics = container.get()
        try analytics.track(AnalyticsEvent("e"))
        try await analytics.flush()
        #expect(try analytics.counts().sentBySink == ["log": 1])
        await container.shutdown()
    }

    @Test func eventsWithoutContainerAreKept() async throws {
        let analytics = AsyncAnalyticsManager(sessionProvider: nil)
        try analytics.track(AnalyticsEvent("e"))
        #expect(try analytics.counts().kept == 1)
        await analytics.dispose()
        let unused = AsyncAnalyticsManager(sessionProvider: nil)
        await unused.dispose()
        #expect(throws: AnalyticsError.self) { try unused.track(AnalyticsEvent("e")) }
    }

    @Test func eventOfFactoryThatDeliveryNeedsIsKept() async throws {
        let sink = TestSink()
        let manager = AsyncAnalyticsManager(sessionProvider: nil)
        container.register(PlatformHost.self) { [host = host(sink)] _ in host }
        container.register((any AnalyticsStoreIDProviding).self) { _ in
            try manager.track(AnalyticsEvent("inner"))
            return AnalyticsFeatureInfoProvider()
        }
        manager.addAniviaIntent(container: container, configuration: canada)
        try manager.track(AnalyticsEvent("outer"))
        try await manager.flush()
        #expect(Set(sink.events.map(\.name)) == ["aniviaIntent", "inner", "outer"])
        await manager.dispose()
    }

    @Test func concurrentFirstEventsAreAllSent() async throws {
        let sink = TestSink()
        container.register(PlatformHost.self) { [host = host(sink)] _ in host }
        container.register((any Analytics).self) { _ in AsyncAnalyticsManager(sessionProvider: nil) }
        let analytics: any Analytics = container.get()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { #expect(throws: Never.self) { try analytics.track(AnalyticsEvent("\(number)")) } }
            }
        }
        try await analytics.flush()
        #expect(Set(sink.events.map(\.name)) == Set((0..<20).map(String.init)))
        #expect(try analytics.counts().tracked == 20)
        await container.shutdown()
    }

    @Test func analyticsDoNotRetainContainer() throws {
        weak var kept: Container?
        weak var manager: AsyncAnalyticsManager?
        do {
            let container = Container()
            container.register(PlatformHost.self) { _ in PlatformHost() }
            container.register((any Analytics).self) { [canada] container in
                let manager = AsyncAnalyticsManager(sessionProvider: nil)
                manager.addAniviaIntent(container: container, configuration: canada)
                return manager
            }
            manager = container.get((any Analytics).self) as? AsyncAnalyticsManager
            #expect(manager != nil)
            kept = container
        }
        #expect(kept == nil && manager == nil)
    }

    @available(*, deprecated)
    @Test func sessionEndsAfterTimeoutOfHost() {
        let clock = TestClock()
        var host = PlatformHost()
        host.telemetry.clock = clock.clock
        container.register(PlatformHost.self) { [host] _ in host }
        container.registerProvidingChild((any AnalyticsSessionProvider).self) { AnalyticsSession(container: $0) }
        let session: any AnalyticsSessionProvider = container.get()
        host.telemetry.sessionTimeout = .seconds(10)
        container.register(PlatformHost.self) { [host] _ in host }
        clock.advance(.seconds(11))
        #expect(session.session.number == 2)
    }

    // MARK: Errors

    @available(*, deprecated)
    @Test func coordinatorUsesTextsAndSecretsOfContainer() throws {
        let coordinator = ErrorCoordinatorManager(container: container)
        #expect(coordinator.text(for: .offline) == ErrorKind.offline.text)
        var config = PlatformConfig()
        config.errors[.offline].title = "Hors ligne"
        config.networking.consumerKey = Secret(name: "CONSUMER", value: "s3cret")
        config.urlSession.headers = ["X-Session": .secret(Secret(name: "SESSION", value: "jar"))]
        register(config)
        #expect(coordinator.text(for: .offline).title == "Hors ligne")
        var host = PlatformHost()
        host.telemetry.errorText = { $0 == .offline ? ErrorText("Program", "") : nil }
        container.register(PlatformHost.self) { [host] _ in host }
        #expect(coordinator.text(for: .offline).title == "Program")

        let tracking = AnalyticsTrackingMock()
        container.register((any AnalyticsTracking).self) { _ in tracking }
        struct Leak: Error, CustomStringConvertible { let description = "key s3cret, session jar" }
        #expect(
            coordinator.coordinate(Leak(), feature: "cart").details == [
                "key <secret CONSUMER>, session <secret SESSION>"
            ])
        let event = try #require(tracking.events.first)
        #expect(event.attributes["details"] == .string("key <secret CONSUMER>, session <secret SESSION>"))
    }

    @available(*, deprecated)
    @Test func coordinatorRedactsSecretsOfServices() {
        var session = SessionConfiguration()
        session.headers = ["X-Session": .secret(Secret(name: "SESSION", value: "jar"))]
        container.register((any URLSessionConfigurationAPI).self) { [session] container in
            URLSessionConfigurationPlatformAPI(container: container, configuration: session)
        }
        container.register((any Analytics).self) { [canada] container in
            let manager = AsyncAnalyticsManager(sessionProvider: nil)
            manager.addAniviaIntent(container: container, configuration: canada)
            return manager
        }
        struct Leak: Error, CustomStringConvertible { let description = "key hunter2, session jar" }
        let error = ErrorCoordinatorManager(container: container).coordinate(Leak(), feature: "cart")
        #expect(error.details == ["key <secret KEY>, session <secret SESSION>"])
        #expect(error.reportFailure == nil, "the container's analytics track it")
    }

    @available(*, deprecated)
    @Test func coordinatorWithoutAnalyticsSaysWhatToAdd() {
        let error = ErrorCoordinatorManager(container: container).coordinate(TestFailure(), feature: "cart")
        #expect(error.reportFailure.map { "\($0)" }?.contains("register((any Analytics).self) { … }") == true)
    }

    // MARK: Links

    private let links = DeepLinkConfiguration(schemes: ["walmart"])

    private func registerRouter(attaching: Bool) {
        container.registerProvidingChild((any DeepLinker).self) { child in
            let router = DeepLinkRouter()
            if attaching { child.setupDeepLinkerDependencies(deepLinker: router) }
            return router
        }
    }

    @Test(arguments: [true, false])
    func routerRoutesLinksOfContainer(attaching: Bool) {
        registerRouter(attaching: attaching)
        let router = container.deepLinker
        router.addRoute("account", waitForPreconditions: false) { _, _ in true }
        container.register(DeepLinkConfiguration.self) { [links] _ in links }
        #expect(router.urlSchemes == ["walmart"])
        #expect(router.open("walmart://account").outcome == .routed)
        #expect(router.dryRun("target://account").outcome.name == "unroutable")
    }

    @Test func attachedRouterRoutesLinksOfContainer() {
        let router = DeepLinkRouter()
        router.addRoute("account", waitForPreconditions: false) { _, _ in true }
        #expect(router.open("walmart://account").outcome.name == "unroutable")
        container.setupDeepLinkerDependencies(deepLinker: router)
        container.register(DeepLinkConfiguration.self) { [links] _ in links }
        #expect(router.dryRun("walmart://account").outcome == .routed)
        #expect(router.configuration == links)
    }

    @Test func givenConfigurationOfRouterIsKept() {
        let own = DeepLinkConfiguration(schemes: ["own"])
        container.register(DeepLinkConfiguration.self) { [links] _ in links }
        let (first, second) = (DeepLinkRouter(configuration: own), DeepLinkRouter())
        container.setupDeepLinkerDependencies(deepLinker: first)
        container.setupDeepLinkerDependencies(deepLinker: second)
        second.configuration = own
        #expect(first.configuration == own && second.configuration == own)
    }

    @Test func setUpContainerWithoutLinksAcceptsThoseOfTheProgram() {
        container.setupPlatformDependencies(with: PlatformConfig(), host: .inMemory)
        let router: any DeepLinker = container.get()
        router.addRoute("path1") { _, _ in true }
        #expect(router.open("walmart://path1").outcome == .routed)
        #expect(router.open("tel://path1").outcome != .routed)
        container.setupPlatformDependencies(
            with: PlatformConfig(), deepLinking: DeepLinkConfiguration(schemes: ["shop"]), host: .inMemory)
        #expect(container.get((any DeepLinker).self).open("walmart://path1").outcome != .routed)
    }

    @Test func routerOfProgramWithoutConfigurationAcceptsItsLinks() {
        registerRouter(attaching: true)
        let router = container.deepLinker
        router.declarePreconditions(["signedIn"])
        router.addRoute("account", waitForPreconditions: true) { _, _ in true }
        // This process has no bundle.
        let outcome = router.open("walmart://account").outcome
        #expect(outcome == .waiting(unmet: ["signedIn"]))
        for foreign in ["https://walmart.com/account", "tel://account", "javascript://account", "mailto://account"] {
            #expect(router.dryRun(foreign).outcome != .waiting(unmet: ["signedIn"]), "\(foreign)")
        }
        let outcomes = Lock<[String]>([])
        router.outcomeHandler = { result in outcomes.withLock { $0.append(result.outcome.name) } }
        router.satisfyPrecondition("signedIn")
        router.routeWaitingLinks()
        #expect(outcomes.withLock { $0 } == ["routed"])
        container.register(DeepLinkConfiguration.self) { _ in DeepLinkConfiguration(schemes: ["other"]) }
        #expect(router.open("walmart://account").outcome.name == "unroutable", "a market decides about its links")
    }

    // MARK: Network and device

    @Test func notifiersHavePolicyOfContainer() async throws {
        container.register((any RetryNotifyingFactory).self) { container in
            RetryNotifierFactory(ccmSource: container.get())
        }
        let factory: any RetryNotifyingFactory = container.get()
        var config = PlatformConfig()
        config.networking.retry.maxRetries = 7
        register(config)
        #expect(await factory.makeNotifier(named: "checkout").policy.maxRetries == 7)
        #expect(factory.remoteProblem == nil)
    }

    @Test func remoteConfigurationIsOptional() {
        let missing: (any RemoteConfigurationAPI)? = container.get()
        #expect(missing == nil)
        let mock = RemoteConfigurationAPIMock()
        container.register((any RemoteConfigurationAPI).self) { _ in mock }
        let found: (any RemoteConfigurationAPI)? = container.get()
        #expect(found === mock)
    }

    @Test func reflectorUsesCookieOfContainer() throws {
        var config = sampleConfig()
        config.reflector.cookie = "routing"
        register(config)
        container.register((any EnvironmentAPI).self) { _ in
            EnvironmentAPIMock(baseURLs: ["api": URL(string: "https://api.example.com")!])
        }
        container.register((any ReflectorManager).self, CookieReflectorManager.init(container:))
        let reflector: any ReflectorManager = container.get()
        let cookies = CookieStorageAPIMock()
        container.register((any CookieStorageAPI).self) { _ in cookies }
        try reflector.point(to: "blue", service: nil)
        #expect(cookies.storage.cookies?.map(\.name) == ["routing"])
    }

    @Test func networkingNeedsOnlyEnvironment() throws {
        container.setupNetworking(setupTracking: true, configuration: NetworkingConfiguration())
        #expect(container.get((any MediaNetworking).self) is URLSessionMediaNetworking)
        let report = container.validate(requiring: [(any Networking).self, (any MediaNetworking).self])
        #expect(report.findings.map(\.message) == ["Networking requires EnvironmentAPI, which is not registered"])
        #expect(report.findings.first?.hint?.hasPrefix("register((any EnvironmentAPI).self) { … }") == true)
        let error = #expect(throws: ContainerError.self) { try container.require((any Networking).self) }
        #expect(error?.description.contains("register((any EnvironmentAPI).self) { … }") == true)
        container.register((any EnvironmentAPI).self, requires: []) { _ in EnvironmentAPIMock() }
        #expect(container.validate(requiring: [(any Networking).self]).isValid)
        #expect(container.getIfRegistered((any Networking).self) != nil)
    }

    @Test func printedPermissionsHavePromptOfTheirContainer() async throws {
        var host = PlatformHost()
        host.device = .unattended(
            permissions: .allow, locations: [Location(latitude: 1, longitude: 2)], urlOpener: .print { _ in })
        container.register(PlatformHost.self) { [host] _ in host }
        container.register((any NotificationPermissionProvider).self) { _ in
            NotificationPermission(options: [.alert, .sound, .badge])
        }
        container.register((any LocationPermissionProvider).self) { _ in
            try LocationPermission(locationPermissionLevel: .whenInUse)
        }
        container.register((any VideoPermissionProvider).self) { _ in try VideoPermission() }
        container.register((any LocationUpdatesProvider).self) { _ in
            LocationUpdates(allowsBackgroundLocationUpdates: false)
        }
        #expect(try await container.get((any NotificationPermissionProvider).self).request() == .granted)
        #expect(try await container.get((any VideoPermissionProvider).self).request() == .granted)
        let locations = container.get((any LocationUpdatesProvider).self)
        await #expect(throws: LocationError.self) { for try await _ in locations.locations() {} }
        #expect(try await container.get((any LocationPermissionProvider).self).request() == .granted)
        var found = locations.locations().makeAsyncIterator()
        #expect(try await found.next()?.latitude == 1)
    }

    // MARK: Addresses

    @Test(arguments: [
        ("en_US", "US"), ("fr_CA", "CA"), ("es_MX", "MX"), ("de_DE", "DE"), ("ja_JP", "JP"), ("en_001", "US"),
        ("", "US"),
    ])
    func addressOfLocaleIsValid(locale: String, country: String) {
        let address = AddressConfiguration(locale: Locale(identifier: locale))
        #expect(address.country == country)
        var config = sampleConfig()
        config.address = address
        #expect(config.findings().filter { $0.path.description.contains("address") }.isEmpty, "\(config.findings())")
        let service = AddressConfigurationPlatformAPI(configuration: address)
        #expect(service.isPostalCode(service.postalCodeExample))
        let entered: [AddressField: String] = [
            .recipient: "A", .street: "B", .city: "C", .region: "Any Text", .postalCode: service.postalCodeExample,
        ]
        #expect(service.problems(in: entered).isEmpty)
        #expect(service.problems(in: [:]).map(\.field).prefix(3) == [.recipient, .street, .city])
    }
}
