import GlassContainer
import GlassContainerTesting
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Loyalty
import Search
import ShopMarkets
import ShopMocks
import Testing

/// A view with properties.
private final class PointsView {
    @Injected(\.loyalty) var loyalty
    @LazyInjected(\.search) var search
    @DynamicInjected(\.loyalty) var current
    @InjectedType var configuration: LoyaltyConfiguration?
}

/// A view that receives a container.
private final class PlainPointsView {
    let loyalty: any LoyaltyAPI
    let search: any SearchAPI

    init(container: Container = .shared) {
        loyalty = container.get()
        search = container.get()
    }
}

/// Both styles of injection, in views of a market, before and after its files change.
@Suite(.timeLimit(.minutes(2)))
struct InjectionTests {
    @Test func bothStylesUseMarketBeforeAndAfterReload() throws {
        let markets = try Markets()
        let store = MarketStore(markets.loader)
        #expect(store.reload("ca") != nil)
        let old = try #require(store.market("ca"))
        let (view, plain) = old.withShared { (PointsView(), PlainPointsView()) }
        #expect(view.loyalty.points(forCents: 1000) == 30)
        #expect(view.loyalty === plain.loyalty)
        #expect(view.configuration?.pointsPerDollar == 3)
        old.withShared { #expect(view.search === plain.search) }

        try markets.write(
            "return { id = \"ca\", name = \"Canada\", extends = \"us\", loyalty = { pointsPerDollar = 5 } }",
            to: "ca.lua")
        #expect(store.reload("ca") != nil)
        let new = try #require(store.market("ca"))
        // A view keeps the values it has; new reads come from the bound container.
        #expect(view.loyalty.points(forCents: 1000) == 30)
        new.withShared {
            #expect(view.current.points(forCents: 1000) == 50)
            #expect(PointsView().loyalty.points(forCents: 1000) == 50)
            #expect(PlainPointsView().loyalty.points(forCents: 1000) == 50)
            #expect(PlainPointsView(container: old.container).loyalty === plain.loyalty)
        }
    }

    @Test func rejectedFileChangesNothing() throws {
        let markets = try Markets()
        let store = MarketStore(markets.loader)
        store.reload("ca")
        try markets.write("return { id = \"ca\", loyalty = { pointsPerDollar = \"5\" } }", to: "ca.lua")
        guard case .rejected(let rejection)? = store.reload("ca") else {
            Issue.record("expected a rejection")
            return
        }
        #expect(rejection.findings.contains { $0.path.description == "loyalty.pointsPerDollar" })
        #expect(store.market("ca")?.container.loyalty().points(forCents: 1000) == 30)
    }

    /// In its own process, because the active market is a property of the process.
    @Test func sharedFollowsActiveMarketAndReloads() async {
        await #expect(processExitsWith: .success) {
            let markets = try Markets()
            let store = MarketStore(markets.loader)
            #expect(Container.shared.getIfRegistered((any LoyaltyAPI).self) == nil)
            try store.activate("ca")
            let (view, plain) = (PointsView(), PlainPointsView())
            #expect(view.loyalty.points(forCents: 1000) == 30)
            #expect(view.loyalty === plain.loyalty)

            try markets.write(
                "return { id = \"ca\", name = \"Canada\", extends = \"us\", loyalty = { pointsPerDollar = 5 } }",
                to: "ca.lua")
            store.reload("ca")
            #expect(view.loyalty.points(forCents: 1000) == 30)
            #expect(view.current.points(forCents: 1000) == 50)
            #expect(PlainPointsView().loyalty.points(forCents: 1000) == 50)
            #expect(await Task.detached { Container.shared.loyalty().points(forCents: 1000) }.value == 50)

            try markets.write("return {", to: "ca.lua")
            store.reload("ca")
            #expect(Container.shared.loyalty().points(forCents: 1000) == 50)
        }
    }

    @Test(.container(try Markets().loader.load("ca").container)) func testUsesContainerOfMarket() {
        #expect(PointsView().loyalty.points(forCents: 1000) == 30)
        #expect(PlainPointsView().search.index == "productsCA")
    }

    @Test(.container(Container(module: .shop.overriding(services: Service.allMocks))))
    func testUsesContainerOfModule() {
        #expect(PointsView().loyalty.points(forCents: 1000) == 10)
    }

    @Test(.container(.mock(.shop, mocks: Service.shopMocks))) func testUsesMocksOfModule() async throws {
        #expect(PointsView().loyalty.points(forCents: 1000) == 10)
        #expect(try await Container.shared.get((any LoyaltyTransport).self).balance() == 4200)
        #expect(Container.shared.get((any Analytics).self) is AnalyticsMock)

        // A module can do without the platform, and its mocks win over those of the platform.
        let notes = Service((any LoyaltyTransport).self, "No points.") { _ in NoPoints() }
        let alone = MarketModule("alone", services: [notes])
        #expect(Container.mock(alone, mocks: []).getIfRegistered((any Analytics).self) == nil)
        let quiet = Service((any StorageAPI).self, "Storage in memory.") { _ in StoragePlatformAPI() }
        let storage = Container.mock(.shop, mocks: [quiet]).get((any StorageAPI).self)
        #expect(storage is StoragePlatformAPI)
    }

    @Test(.container { $0.setupPlatformMocks() }) func testUsesItsOwnContainer() {
        Container.shared.register((any LoyaltyTransport).self) { _ in NoPoints() }
        #expect(Container.shared.getIfRegistered((any AppInfoAPI).self) != nil)
        #expect(Container.shared.get((any LoyaltyTransport).self) is NoPoints)
    }
}

private struct NoPoints: LoyaltyTransport {
    func balance() async throws -> Int { 0 }
}
