import GlassBase
import GlassContainer
import GlassDeepLinking
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// The market's `queryParameters`, from a link to the analytics event.
struct LinkTrackingTests {
    static let configuration = DeepLinkConfiguration(
        schemes: ["walmart"], universalLinks: ["www.walmart.com"],
        queryParameters: [
            .init(value: "email", eventName: "emailOpened", qualifiesTracking: true),
            .init(value: "newsletter", eventName: "emailOpened", qualifiesTracking: true),
            .init(value: "sms", eventName: "textMessageOpened", qualifiesTracking: true),
            .init(value: "organic", eventName: "organicVisit", qualifiesTracking: false),
        ])

    let analytics = AnalyticsTrackingMock()
    let container = Container()

    init() throws {
        container.register((any AnalyticsTracking).self) { [analytics] _ in analytics }
        container.setupPlatformDependencies(
            with: sampleConfig(), deepLinking: Self.configuration, host: .inMemory)
        // Registered again, because a platform with telemetry registers its own.
        container.register((any AnalyticsTracking).self) { [analytics] _ in analytics }
        container.deepLinker.addRoute("account", waitForPreconditions: false) { _, _ in true }
        container.deepLinker.addRoute("declined", waitForPreconditions: false) { _, _ in false }
        container.deepLinker.addRoutes(["later"], waitForPreconditions: true) { _, _ in true }
    }

    @Test(
        arguments: [
            ("walmart://account?utm_medium=email&id=7", ["emailOpened utm_medium=email id=7"]),
            ("https://www.walmart.com/account?a=email&b=email", ["emailOpened a=email b=email"]),
            ("walmart://account?a=email&a=x&flag", ["emailOpened a=email,x flag="]),
            ("walmart://account?a=email&b=sms", ["emailOpened a=email b=sms", "textMessageOpened a=email b=sms"]),
            ("walmart://account?a=email&b=newsletter", ["emailOpened a=email b=newsletter"]),
            ("walmart://account?a=organic", []), ("walmart://account?email=1", []), ("walmart://account?a=EMAIL", []),
            ("walmart://account", []), ("walmart://nowhere?a=email", []), ("walmart://declined?a=email", []),
            ("other://account?a=email", []), ("walmart://account/../x?a=email", []),
        ])
    func routedLinkIsTrackedOncePerEvent(link: String, events: [String]) {
        container.deepLinker.open(link)
        let seen = analytics.events.map { event in
            ([event.name]
                + event.attributes.sorted { $0.key < $1.key }
                .map { "\($0.key)=\(ScriptValue($0.value.configurationValue).text)" }).sorted().joined(separator: " ")
        }
        #expect(seen == events.map { $0.split(separator: " ").sorted().joined(separator: " ") })
    }

    @Test func waitingLinkIsTrackedWhenRouted() {
        let linker = container.deepLinker
        linker.declarePreconditions(["signedIn"])
        #expect(linker.open("walmart://later?a=email").outcome == .waiting(unmet: ["signedIn"]))
        #expect(linker.canRoute(deepLink: "walmart://later?a=email"))
        #expect(analytics.events.isEmpty)
        linker.satisfyPrecondition("signedIn")
        linker.routeWaitingLinks()
        #expect(analytics.events == [AnalyticsEvent("emailOpened", attributes: ["a": .string("email")])])
        linker.open("walmart://later?a=email")
        #expect(analytics.events.count == 2)
    }

    @Test func failedTrackingDoesNotPreventRouting() throws {
        final class Broken: AnalyticsTracking {
            struct DiskFull: Error {}
            func track(_ event: AnalyticsEvent) throws(AnalyticsError) { throw .notKept(cause: DiskFull()) }
        }
        let container = Container()
        container.register((any AnalyticsTracking).self) { _ in Broken() }
        let router = DeepLinkRouter(configuration: Self.configuration)
        container.setupDeepLinkerDependencies(deepLinker: router)
        router.addRoute("account", waitForPreconditions: false) { _, _ in true }
        #expect(router.open("walmart://account?a=email").outcome == .routed)
    }

    @Test func firstTrackedLinkCreatesAnalytics() throws {
        let made = Lock(0)
        let container = Container()
        container.register((any AnalyticsTracking).self, scope: .singleton) { [analytics] _ in
            made.withLock { $0 += 1 }
            return analytics
        }
        let router = DeepLinkRouter(configuration: Self.configuration)
        container.setupDeepLinkerDependencies(deepLinker: router)
        router.addRoute("account", waitForPreconditions: false) { _, _ in true }
        router.open("walmart://account")
        #expect(made.withLock { $0 } == 0)
        router.open("walmart://account?a=email")
        router.open("walmart://account?a=sms")
        #expect(made.withLock { $0 } == 1)
        #expect(analytics.events.map(\.name) == ["emailOpened", "textMessageOpened"])
    }

    @Test func linkerOutlivingChildStillTracks() throws {
        container.registerProvidingChild((any DeepLinker).self) { child in
            let router = DeepLinkRouter(configuration: Self.configuration)
            child.setupDeepLinkerDependencies(deepLinker: router)
            return router
        }
        container.deepLinker.addRoute("account", waitForPreconditions: false) { _, _ in true }
        container.deepLinker.open("walmart://account?a=email")
        #expect(analytics.events.map(\.name) == ["emailOpened"])
    }

    @Test func firstTrackedLinkOfMarketCreatesAnalytics() throws {
        let made = Lock(0)
        let container = Container()
        container.setupPlatformDependencies(
            with: sampleConfig(), deepLinking: Self.configuration, host: .inMemory)
        container.register((any AnalyticsTracking).self) { [analytics] _ in
            made.withLock { $0 += 1 }
            return analytics
        }
        container.deepLinker.addRoute("account", waitForPreconditions: false) { _, _ in true }
        #expect(made.withLock { $0 } == 0)
        container.deepLinker.open("walmart://account?a=email")
        #expect(made.withLock { $0 } == 1 && analytics.events.count == 1)
    }

    @Test func linkerOutlivingContainerStillRoutes() throws {
        let router = DeepLinkRouter(configuration: Self.configuration)
        weak var kept: Container?
        do {
            let container = Container()
            container.register((any AnalyticsTracking).self) { [analytics] _ in analytics }
            container.setupDeepLinkerDependencies(deepLinker: router)
            kept = container
        }
        #expect(kept == nil)
        router.addRoute("account", waitForPreconditions: false) { _, _ in true }
        #expect(router.open("walmart://account?a=email").outcome == .routed)
        #expect(analytics.events.isEmpty)
    }

    @Test func linkerWithoutAnalyticsIsUnchanged() {
        let router = DeepLinkRouter(configuration: Self.configuration)
        Container().setupDeepLinkerDependencies(deepLinker: router)
        #expect(router.trackingHandler == nil)
        container.setupDeepLinkerDependencies(deepLinker: router)
        #expect(router.trackingHandler != nil)
    }

    @Test func linksOfCustomDeepLinkerAreTracked() throws {
        var dependencies = PlatformDependencies()
        dependencies[(any DeepLinker).self] = { _ in
            DeepLinkerMock(configuration: Self.configuration, outcome: { _ in nil }).deepLinker
        }
        dependencies[(any AnalyticsTracking).self] = { [analytics] _ in analytics }
        let container = Container()
        container.setupPlatformDependencies(
            with: sampleConfig(), overriding: dependencies, deepLinking: Self.configuration, host: .inMemory)
        let linker = container.deepLinker
        #expect(!(linker is DeepLinkRouter))
        linker.addRoute("account", waitForPreconditions: false) { _, _ in true }
        #expect(linker.open("walmart://account?a=email").outcome == .routed)
        #expect(analytics.events == [AnalyticsEvent("emailOpened", attributes: ["a": .string("email")])])
    }

    @Test func customTrackingIsKept() throws {
        var dependencies = PlatformDependencies()
        let events = Lock<[String]>([])
        dependencies[(any DeepLinker).self] = { _ in
            let linker = DeepLinkerMock(configuration: Self.configuration, outcome: { _ in nil }).deepLinker
            linker.trackingHandler = { name, _ in events.withLock { $0.append(name) } }
            return linker
        }
        dependencies[(any AnalyticsTracking).self] = { [analytics] _ in analytics }
        let container = Container()
        container.setupPlatformDependencies(
            with: sampleConfig(), overriding: dependencies, deepLinking: Self.configuration, host: .inMemory)
        container.deepLinker.addRoute("account", waitForPreconditions: false) { _, _ in true }
        container.deepLinker.open("walmart://account?a=email")
        #expect(events.withLock { $0 } == ["emailOpened"] && analytics.events.isEmpty)
    }

    @Test func appContainerIsShared() {
        Container.$shared.withValue(container) {
            #expect(Container.walmartApp === container)
            #expect(Container.walmartApp.deepLinker === container.deepLinker)
        }
    }
}

extension ScriptValue {
    fileprivate var text: String {
        if case .string(let text) = self { return text }
        return found
    }
}
