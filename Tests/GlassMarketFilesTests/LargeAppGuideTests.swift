import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing
import MarketTesting

// The Swift examples in the guide for large apps, line by line; a test of the guides compares them.

protocol CouponBook: Sendable {
    var limit: Int { get }
}

protocol ReceiptArchive: Sendable {
    var coupons: any CouponBook { get }
}

struct LiveCouponBook: CouponBook {
    let limit: Int
    let preferences: any PreferencesStorage
}

struct LiveReceiptArchive: ReceiptArchive {
    let coupons: any CouponBook
    let storage: any StorageAPI
}

struct CouponBookMock: CouponBook {
    let limit = 3
}

/// A routable from before the migration, with its paths in Swift.
struct ReceiptsRoutable: Routable {
    let id = "receipts"
    let actionRoutes = ["receipts/:receiptID(slug)"]

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.show("receipt", parameters: deepLink.parameters.dictionary)
        return true
    }
}

func registerAppServices(in container: Container) {
    container.register((any CouponBook).self) { c in LiveCouponBook(limit: 20, preferences: c.get()) }
    container.register((any ReceiptArchive).self) { c in LiveReceiptArchive(coupons: c.get(), storage: c.get()) }
}

/// The same function after the coupons were moved.
func registerRemainingServices(in container: Container) {
    container.register((any ReceiptArchive).self) { c in LiveReceiptArchive(coupons: c.get(), storage: c.get()) }
}

struct CouponsConfiguration: MarketSection {
    var limit = 20

    static let key = "coupons"
    static let summary = "The shopper's coupons."
    static let keys: [ConfigurationKey<Self>] = [
        .init("limit", \.limit, .integer(1...100), "How many coupons a shopper may clip.")
    ]
}

extension MarketModule {
    static let coupons = MarketModule(
        "coupons", sections: [CouponsConfiguration.self],
        services: [
            Service(
                (any CouponBook).self, requires: [CouponsConfiguration.self, (any PreferencesStorage).self],
                "Clips coupons."
            ) { c in
                LiveCouponBook(limit: c.get(CouponsConfiguration.self).limit, preferences: c.get())
            }
        ])
    static let grocery = platform.including(coupons)
}

struct ReceiptLinks: MarketRoutable {
    static let feature = Feature(
        id: "receipts", paths: ["receipts/:receiptID(slug)"], requires: ["receiptID"], "One receipt.")
    private let old = ReceiptsRoutable()

    init(container: Container, configuration: NoConfiguration) {}

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        old.handleDeepLink(link, state: state)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct LargeAppGuideTests {
    @Test func moduleProvidesPlatformAndAppServicesRemain() throws {
        let fixture = try MarketFixture()
        let markets = fixture.folder.path
        let store = MarketStore(
            MarketLoader(.platform, folder: MarketFolder(path: markets)),
            prepare: { market, _ in registerAppServices(in: market.container) })
        store.reload("ca")
        let market = try #require(store.market("ca"))
        let archive: any ReceiptArchive = market.container.get()
        #expect(archive.coupons.limit == 20)
        withExtendedLifetime(fixture) {}
    }

    @Test func movedServiceIsVisibleToOthers() throws {
        let fixture = try MarketFixture([
            "xx.lua": "return { id = \"xx\", name = \"Test\", extends = \"ca\", coupons = { limit = 5 } }"
        ])
        let markets = fixture.folder.path
        let store = MarketStore(
            MarketLoader(.grocery, folder: MarketFolder(path: markets)),
            prepare: { market, _ in registerRemainingServices(in: market.container) })
        store.reload("xx")
        let market = try #require(store.market("xx"))
        let archive: any ReceiptArchive = market.container.get()
        #expect(archive.coupons.limit == 5)
        withExtendedLifetime(fixture) {}
    }

    @Test func noServiceIsRegisteredTwice() {
        let byHand = Container()
        registerRemainingServices(in: byHand)
        let moved = Set(MarketModule.grocery.services.map(\.name))
        #expect(byHand.registrations.allSatisfy { !moved.contains($0.displayName) })

        // Verifies that the check can fail.
        let before = Container()
        registerAppServices(in: before)
        #expect(!before.registrations.allSatisfy { !moved.contains($0.displayName) })
    }

    @Test func routableStaysWhileItsFeatureMoves() throws {
        let fixture = try MarketFixture([
            "xx.lua": "return { id = \"xx\", name = \"Test\", extends = \"us\", routables = { receipts = true } }"
        ])
        let byHand = try fixture.loader().load("us")
        try byHand.deepLinker.add(routables: [ReceiptsRoutable()])
        byHand.preconditions.satisfyAll()

        let module = MarketModule.platform.including(MarketModule("receipts", routables: [ReceiptLinks.self]))
        let moved = try MarketLoader(module, folder: MarketFolder(path: fixture.folder.path)).load("xx")
        moved.preconditions.satisfyAll()
        for market in [byHand, moved] {
            let result = market.open("walmart://receipts/r-1")
            #expect(result.routableID == "receipts")
            #expect(result.navigation.screens.last?.parameters == ["receiptID": "r-1"])
        }
        withExtendedLifetime(fixture) {}
    }

    @Test func extensionKeepsRequiredServices() throws {
        let widget = Container(module: .grocery.keeping((any CouponBook).self))
        let coupons: any CouponBook = widget.get()
        #expect(coupons.limit == 20)
        #expect(widget.getIfRegistered((any Networking).self) == nil)
    }

    @Test func testUsesMocksWithoutMarket() {
        let mock = Service((any CouponBook).self, "A book of three coupons.") { _ in CouponBookMock() }
        let container = Container(module: .grocery.overriding(services: [mock]))
        #expect(container.get((any CouponBook).self).limit == 3)
    }

    @Test func remainingServicesAreCounted() throws {
        let market = try MarketFixture().loader().load("ca")
        let report = market.container.validate(requiring: MarketModule.platform.serviceTypes)
        #expect(report.isValid && report.notChecked.isEmpty)
        registerAppServices(in: market.container)
        #expect(market.container.validate(requiring: []).notChecked.count == 2)
    }
}
