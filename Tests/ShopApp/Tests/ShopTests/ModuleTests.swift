import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassPlatform
import GlassSchema
import Loyalty
import Search
import ShopMarkets
import ShopMocks
import Testing

/// The app as a module: all of its parts exist, and can be created.
@Suite(.timeLimit(.minutes(2)))
struct ModuleTests {
    @Test func appHasSixtyRoutablesAndTwoHundredServices() {
        let (shop, platform) = (MarketModule.shop, MarketModule.platform)
        // Ten of the platform's are overridden, so the app's sixty add fifty.
        #expect(shop.routables.count + shop.asyncRoutables.count == platform.routables.count + 50)
        #expect(shop.asyncRoutables.count == 2)
        #expect(shop.services.count == platform.services.count + 203)
        #expect(shop.sections.map { $0.key } == ["platform", "loyalty", "searching", "stores"])
        #expect(shop.secretPrefixes == ["GLASS_", "LOYALTY_", "SHOP_"])
        #expect(shop.handlers.map(\.name) == ["openBadge", "openStores"])
        #expect(
            shop.preconditions.map(\.name) == [
                "appStarted", "signedIn", "storeSelected", "indexReady", "ageVerified", "hasFlagship",
            ])
    }

    @Test(arguments: ["us", "ca"]) func everyServiceIsCreatedInEachMarket(id: String) throws {
        let market = try Markets().loader.load(id)
        for service in market.module.services {
            #expect(service.resolve(in: market.container) != nil, "\(service.name)")
        }
    }

    @Test func everyRoutableIsCreatedAndRegistered() throws {
        let ids =
            (MarketModule.shop.routables.map { $0.feature.id } + MarketModule.shop.asyncRoutables.map { $0.feature.id })
        let all = ids.map { "\($0) = true" }.joined(separator: ", ")
        let markets = try Markets([
            "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\", routables = { \(all) } }"
        ])
        let market = try markets.loader.load("xx")
        market.preconditions.satisfyAll()
        #expect(market.open("shop://departments/garden").routableID == "garden")
        #expect(market.open("shop://departments/pets/7").routableID == "petsItem")
        #expect(market.open("shop://recalls/2026").routableID == "recalls")
    }

    @Test func containerWithoutMarketHasAllServices() {
        let container = Container(module: .shop.overriding(services: Service.allMocks))
        #expect(container.validate(requiring: MarketModule.shop.serviceTypes).findings.isEmpty)
        #expect(container.loyalty().points(forCents: 1000) == 10)
        #expect(container.search().index.isEmpty)
    }

    /// An app extension loads the app's markets, without links to routables whose services it left out.
    @Test func marketWithFewerServicesHasLinksThatItCanOpen() throws {
        let market = try Markets(module: Markets.module.keeping((any AppInfoAPI).self)).loader.load("ca")
        market.preconditions.satisfyAll()
        #expect(market.open("shop.ca://flyers/22").outcome == .routed)
        #expect(market.open("shop.ca://cart").outcome == .unroutable(.noRoute))
        #expect(market.open("shop.ca://badge").outcome == .unroutable(.noRoute))
        #expect(market.module.services.map(\.name) == ["AppInfoAPI"])
    }

    @Test func sectionIsTypedInMarketAndContainer() throws {
        let market = try Markets().loader.load("ca")
        #expect(market[LoyaltyConfiguration.self].pointsPerDollar == 3)
        #expect(market[LoyaltyConfiguration.self].tiers.map(\.name) == ["member", "gold"])
        #expect(market.container.get(SearchConfiguration.self).suggestions.hidden == ["eggs"])
        #expect(market[StoresConfiguration.self].flagships.map(\.number) == [1003, 1042])
        #expect(try market[LoyaltyConfiguration.self].partnerKey?.reveal() == "s3cret")
        #expect(market.config.appInfo.name == "Shop")
    }

    @Test func linksOpenAccordingToMarket() throws {
        let market = try Markets().loader.load("ca")
        market.preconditions.satisfyAll()
        let account = market.open("shop.ca://compte")
        #expect(account.outcome == .routed)
        #expect(account.navigation.screens == [.init(name: "shopAccount", parameters: ["opens": "orders"])])
        #expect(market.open("shop.ca://cart").navigation.screens.last?.name == "pointsBanner")
        #expect(market.open("shop.ca://flyers/22").outcome == .routed)
        #expect(market.open("shop.ca://flyers/21").outcome == .unroutable(.declined))
        #expect(market.open("shop.ca://points").navigation.screens.last?.parameters["history"] == "true")
        #expect(
            market.open("shop.ca://pharmacie/7?lang=en").navigation.screens.last?.parameters == [
                "store": "7", "lang": "en",
            ])
        #expect(market.open("shop.ca://magasins").navigation.screens.last?.parameters == ["numbers": "1003 1042"])
        #expect(market.open("shop.ca://badge").navigation.screens.last?.parameters == ["points": "3"])
    }

    @Test func linkWaitsForPreconditionsOfApp() throws {
        let market = try Markets([
            "xx.lua": """
            return { id = "xx", name = "X", extends = "us",
              routables = { wine = { waitForPreconditions = { "ageVerified", "hasFlagship" } } } }
            """
        ]).loader.load("xx")
        #expect(market.open("shop://wine/7").outcome == .waiting(unmet: ["ageVerified", "hasFlagship"]))
        try market.preconditions.satisfy("ageVerified")
        // The market has no flagship store, and `holds:` reads that from its section.
        #expect(market.open("shop://wine/7").outcome == .waiting(unmet: ["hasFlagship"]))
        let canada = try Markets().loader.load("ca")
        #expect(!canada.preconditions.unmet.contains("hasFlagship"))
    }

    @Test func asyncRoutableReportsOutcomeThroughHook() async throws {
        let market = try Markets().loader.load("ca")
        market.preconditions.satisfyAll()
        let (results, continuation) = AsyncStream.makeStream(of: DispatchResult.self)
        market.deepLinker.updateHooks { $0.outcomeHandler = { continuation.yield($0) } }
        #expect(market.open("shop.ca://suggest/milk").outcome == .running)
        var iterator = results.makeAsyncIterator()
        let result = try #require(await iterator.next())
        #expect(result.outcome == .routed)
        #expect(result.navigation.screens.last?.parameters == ["first": "milk (mock)", "count": "1"])
    }
}
