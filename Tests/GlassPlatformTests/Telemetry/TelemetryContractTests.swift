import Foundation
import GlassContainer
import GlassPlatformMocks
import GlassSchema
import Testing

@testable import GlassMarkets
@testable import GlassPlatform

/// Requirements for every implementation of a telemetry service, live and mock alike.
@Suite(.timeLimit(.minutes(1)))
struct TelemetryContractTests {
    @Test(arguments: ServiceKind.allCases)
    func trackingAndAnalyticsAreOneInstance(kind: ServiceKind) {
        let container = kind.container()
        #expect(container.get((any AnalyticsTracking).self) === container.get((any Analytics).self))
    }

    @Test(arguments: ServiceKind.allCases)
    func trackedEventsAreCountedAndFlushed(kind: ServiceKind) async throws {
        let analytics: any Analytics = kind.container().get()
        // The live one starts with the intent.
        let before = try analytics.counts().tracked
        try analytics.track(AnalyticsEvent("a"))
        try analytics.track(AnalyticsEvent("b", attributes: ["n": .integer(1)]))
        try await analytics.flush()
        let counts = try analytics.counts()
        #expect(counts.tracked == before + 2 && counts.isBalanced)
    }

    @Test(arguments: ServiceKind.allCases)
    func superAttributesAreSetAndRemoved(kind: ServiceKind) {
        let analytics: any Analytics = kind.container().get()
        let before = analytics.superAttributes
        analytics.setSuperAttribute("x", to: .boolean(true))
        #expect(analytics.superAttributes == before.merging(["x": .boolean(true)]) { $1 })
        analytics.setSuperAttribute("x", to: nil)
        #expect(analytics.superAttributes == before)
    }

    @Test(arguments: ServiceKind.allCases)
    func sessionLastsUntilNewOneIsStarted(kind: ServiceKind) {
        let provider: any AnalyticsSessionProvider = kind.container().get()
        let first = provider.session
        #expect(provider.recordActivity() == first)
        let second = provider.startNewSession()
        #expect(second.id != first.id && second.number == first.number + 1)
        #expect(provider.session == second)
    }

    @Test(arguments: ServiceKind.allCases)
    func oneObjectProvidesAllFourKindsOfInformation(kind: ServiceKind) throws {
        let container = kind.container()
        let store: any AnalyticsStoreIDProviding = container.get()
        let membership: any AnalyticsMembershipProviding = container.get()
        let customer: any AnalyticsCustomerInfoProviding = container.get()
        let location: any AnalyticsLocationInfoProviding = container.get()
        #expect(store === membership && store === customer && store === location)
        let info = try #require(store as? any AnalyticsFeatureInfo)
        #expect(store.analyticsStoreID == nil && membership.analyticsMembership == nil)
        #expect(customer.analyticsCustomerInfo == nil && location.analyticsLocationInfo == nil)
        try info.setAnalyticsStoreID("100")
        try info.setAnalyticsMembership(AnalyticsMembership(tier: "plus", isActive: false))
        try info.setAnalyticsCustomerInfo(AnalyticsCustomerInfo(customerID: "c", isSignedIn: false))
        try info.setAnalyticsLocationInfo(AnalyticsLocationInfo(country: "MX", postalCode: "02770"))
        #expect(store.analyticsStoreID == "100")
        #expect(membership.analyticsMembership == AnalyticsMembership(tier: "plus", isActive: false))
        #expect(customer.analyticsCustomerInfo == AnalyticsCustomerInfo(customerID: "c", isSignedIn: false))
        #expect(location.analyticsLocationInfo == AnalyticsLocationInfo(country: "MX", postalCode: "02770"))
        try info.setAnalyticsStoreID(nil)
        #expect(store.analyticsStoreID == nil)
    }

    @Test(arguments: ServiceKind.allCases)
    func errorKeepsCauseAndGetsText(kind: ServiceKind) {
        let errors: any ErrorCoordinatorProducing = kind.container().get()
        let told = errors.coordinate(TestFailure(), feature: "cart") {}
        #expect(told.cause as? TestFailure == TestFailure())
        #expect(told.feature == "cart" && told.kind == .unknown && told.text == errors.text(for: .unknown))
        #expect(told.retry != nil && !told.reference.isEmpty)
        #expect(errors.coordinate(told, feature: "app").feature == "cart")
    }

    @Test(arguments: ServiceKind.allCases)
    func scriptCanUseAllServices(kind: ServiceKind) async throws {
        let container = kind.container()
        func call(_ name: String, _ method: String, _ arguments: ScriptValue...) async throws -> ScriptValue {
            let service = try #require(MarketModule.platform.service(named: name)?.scriptObject(in: container))
            let called = try #require(service.scriptMethods.first { $0.name == method }, "\(method)")
            return try await called(arguments)
        }
        #expect(try await call("AnalyticsTracking", "track", "a", ["n": 1, "b": true]) == .nil)
        #expect(try await call("Analytics", "setSuperAttribute", "x", 2.5) == .nil)
        guard case .map(let attributes) = try await call("Analytics", "superAttributes") else {
            Issue.record("no map")
            return
        }
        #expect(attributes["x"] == 2.5)
        #expect(try await call("Analytics", "flush") == .nil)
        guard case .map(let counts) = try await call("Analytics", "counts") else {
            Issue.record("no map")
            return
        }
        // The live one starts with the intent.
        #expect(counts["tracked"] == (kind == .live ? 2 : 1) && counts["balanced"] == true)
        await #expect(throws: ScriptArgumentError.self) { try await call("Analytics", "track", "a", ["n": [1]]) }
        await #expect(throws: ScriptArgumentError.self) { try await call("Analytics", "setSuperAttribute", "x", [1]) }
        #expect(try await call("AnalyticsStoreIDProviding", "setStoreID", "9") == .nil)
        #expect(try await call("AnalyticsStoreIDProviding", "storeID") == "9")
        #expect(try await call("AnalyticsMembershipProviding", "setMembership", "plus", false) == .nil)
        #expect(
            try await call("AnalyticsMembershipProviding", "membership") == ["tier": "plus", "isActive": false])
        #expect(try await call("AnalyticsCustomerInfoProviding", "setCustomer", "c") == .nil)
        #expect(
            try await call("AnalyticsCustomerInfoProviding", "customer") == ["customerID": "c", "isSignedIn": true])
        #expect(try await call("AnalyticsLocationInfoProviding", "setLocation", "CA", "ON") == .nil)
        #expect(
            try await call("AnalyticsLocationInfoProviding", "location") == ["country": "CA", "region": "ON"])
        guard case .map(let first) = try await call("AnalyticsSessionProvider", "session"),
            case .map(let second) = try await call("AnalyticsSessionProvider", "startNewSession")
        else {
            Issue.record("no map")
            return
        }
        #expect(first["id"] != second["id"] && second["number"] == 2)
        #expect(
            try await call("ErrorCoordinatorProducing", "text", "offline") == [
                "title": "You are offline", "message": "Check your connection and try again.",
                "recovery": "checkConnection",
            ])
        let error = await #expect(throws: ScriptArgumentError.self) {
            try await call("ErrorCoordinatorProducing", "text", "offlin")
        }
        #expect(error?.description == "text: expected one of kinds() for kind, got \"offlin\"")
        guard case .map(let told) = try await call("ErrorCoordinatorProducing", "report", "cart", "m", "timeout") else {
            Issue.record("no map")
            return
        }
        #expect(told["kind"] == "timeout" && told["recovery"] == "retry")
    }
}

/// The four kinds of information, set through the services that an app injects.
struct AnalyticsSettingTests {
    @Test(arguments: ServiceKind.allCases)
    func injectedServicesCanBeSet(kind: ServiceKind) throws {
        let container = kind.container()
        let store: any AnalyticsStoreIDProviding = container.get()
        let membership: any AnalyticsMembershipProviding = container.get()
        let customer: any AnalyticsCustomerInfoProviding = container.get()
        let location: any AnalyticsLocationInfoProviding = container.get()
        try store.setAnalyticsStoreID("100")
        try membership.setAnalyticsMembership(AnalyticsMembership(tier: "plus", isActive: true))
        try customer.setAnalyticsCustomerInfo(AnalyticsCustomerInfo(customerID: "p7", isSignedIn: true))
        try location.setAnalyticsLocationInfo(AnalyticsLocationInfo(country: "CA", region: "ON"))
        #expect(container.get((any AnalyticsStoreIDProviding).self).analyticsStoreID == "100")
        #expect(membership.analyticsMembership?.tier == "plus")
        #expect(customer.analyticsCustomerInfo?.customerID == "p7")
        #expect(location.analyticsLocationInfo?.region == "ON")
        try store.setAnalyticsStoreID(nil)
        #expect(store.analyticsStoreID == nil)
    }

    /// A provider of an app that computes what it provides needs no setter.
    @Test func computedProviderCannotBeSet() {
        final class Own: AnalyticsStoreIDProviding {
            let analyticsStoreID: String? = "7"
        }
        let error = #expect(throws: StorageError.self) { try Own().setAnalyticsStoreID("8") }
        #expect(
            error?.description == "storage: cannot set the store: this provider determines it itself")
    }
}
