import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing
import MarketTesting

// The Swift examples in the guides, line by line; a test of the guides compares them.

struct LoyaltyConfiguration: MarketSection {
    var pointsPerDollar = 10
    var tiers = ["silver", "gold"]
    var partnerKey: Secret?

    static let key = "loyalty"
    static let summary = "The loyalty program."
    static let keys: [ConfigurationKey<Self>] = [
        .init("pointsPerDollar", \.pointsPerDollar, .integer(1...1000), "Points for each dollar."),
        .init("tiers", \.tiers, .set(of: .string(.identifier), count: 1...5), "The tiers, the lowest first."),
        .init("partnerKey", \.partnerKey, "The key that the partner's server wants to see."),
    ]
}

struct FlyersRoutable: MarketRoutable {
    struct Configuration: ConfigurationSection {
        var weeksBack = 4
        static let keys: [ConfigurationKey<Self>] = [
            .init("weeksBack", \.weeksBack, .integer(0...52), "How many past weeks a link may open.")
        ]
    }

    static let feature = Feature(
        id: "flyers", paths: ["flyers/:weeksAgo(int)"], requires: ["weeksAgo"], "One week's flyer.")
    let configuration: Configuration

    init(container: Container, configuration: Configuration) { self.configuration = configuration }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool {
        guard let weeks = link.integer("weeksAgo"), weeks <= configuration.weeksBack else { return false }
        state.show("flyers", parameters: ["weeksAgo": String(weeks)])
        return true
    }
}

extension MarketModule {
    static let loyalty = MarketModule(
        "loyalty", secretPrefixes: ["SHOP_"], sections: [LoyaltyConfiguration.self])
    static let shop = platform.including(loyalty, flyers)
}

extension MarketModule {
    static let flyers = MarketModule(
        "flyers", routables: [FlyersRoutable.self],
        preconditions: [Precondition("ageVerified", "The shopper is of age.")],
        handlers: [
            LinkHandler("openBadge", "Shows the badge.") { link, state, container in
                state.show("badge", parameters: link.parameters.dictionary)
                return true
            }
        ])
}

struct BonusConfiguration: ConfigurationSection {
    var pointsPerEuro = 10

    static let keys: [ConfigurationKey<Self>] = [
        .init(
            "pointsPerEuro", \.pointsPerEuro, .integer(1...1000), formerNames: ["pointsPerDollar"],
            "Points for each euro.")
    ]
}

final class CircularsRoutable: Routable {
    let id = "circulars"
    let actionRoutes = ["circulaires/:week(int)?"]
    let waitForPreconditions = false

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.show("circulars", parameters: ["week": deepLink.value("week") ?? "1"])
        return true
    }
}

struct GlassApp {
    let store: MarketStore

    init(markets: String, sharedFolder: URL) {
        let host = PlatformHost(stateFolder: sharedFolder)
        let module = MarketModule.platform.overriding(services: [.host(host)])
        store = MarketStore(MarketLoader(module, folder: MarketFolder(path: markets)))
    }

    func market(_ id: String) throws -> Market {
        if store.market(id) == nil { store.reload(id) }
        if let market = store.market(id) { return market }
        throw MarketError.invalid(id, findings: store.status(of: id)?.lastRejected?.findings ?? [])
    }
}

/// The badge that the guide's extension shows.
final class CartBadge: Sendable {
    let text: String

    init(preferences: any PreferencesStorage) {
        // A preference that cannot be read is shown as missing.
        let store = try? preferences.value(Int.self, for: "storeID")  // as above
        text = "store \(store ?? 0)"
    }
}

struct GuideExampleTests {
    @Test(.timeLimit(.minutes(1))) func appAndExtensionShareStoredValues() throws {
        let fixture = try MarketFixture()
        let markets = fixture.folder.path
        let sharedFolder = fixture.folder.appending(path: ".state")
        let app = GlassApp(markets: markets, sharedFolder: sharedFolder)
        let widget = GlassApp(markets: markets, sharedFolder: sharedFolder)
        let preferences: any PreferencesStorage = try app.market("ca").container.get()
        try preferences.set(1042, for: "storeID")
        let inTheWidget: any PreferencesStorage = try widget.market("ca").container.get()
        print(try inTheWidget.value(Int.self, for: "storeID") ?? 0)  // 1042
        #expect(try inTheWidget.value(Int.self, for: "storeID") == 1042)

        let watch = try app.store.watch(MarketFolder(path: markets), ["ca"])
        let market = try app.market("ca")
        market.deepLinker.externalURLHandler = { link in print("leaves the app: \(link)") }
        market.deepLinker.unableToRouteHandler = { link, reason in print("nowhere: \(link), \(reason)") }
        try market.preconditions.satisfy("appStarted")
        market.open("walmart.ca://flyers/12")
        #expect(market.open("walmart.ca://flyers/12").outcome == .routed)
        watch.stop()

        let request = Container(parent: market.container)
        request.register(CartBadge.self) { container in CartBadge(preferences: container.get()) }
        print(try request.require(CartBadge.self).text)  // store 1042
        #expect(try request.require(CartBadge.self).text == "store 1042")
        #expect(market.container.getIfRegistered(CartBadge.self) == nil)
        withExtendedLifetime(fixture) {}
    }

    @Test func storeFollowsSituationOfItsApp() throws {
        let text = """
            return { id = "xx", name = "US", extends = "us", locales = { "en-US", "es-US" }, routables = {
              deals = { show = { screen = perLocale { en = "Deals", es = "Ofertas" } } },
              help = vary { { when = { signedIn = true }, value = { customPaths = { "chat" } } }, default = {} },
            } }
            """
        let markets = try MarketFixture(["xx.lua": text]).loader()
        let store = MarketStore(markets, context: .process(build: "debug"))
        store.reload("us")
        store.reload("xx")
        #expect(store.market("xx")?.deepLinker.canRoute(deepLink: "walmart://chat") == false)

        var context = store.context
        context["signedIn"] = .boolean(true)
        try store.update(context: context)
        #expect(store.market("xx")?.deepLinker.canRoute(deepLink: "walmart://chat") == true)
        do {
            var context = store.context
            context.languages = Locale.preferredLanguages
            try store.update(context: context)
        }
        context.languages = ["es-MX"]
        try store.update(context: context)
        #expect(store.market("xx")?.context["locale"] == .text("es-US"))
        #expect(store.market("xx")?.deepLinker.canRoute(deepLink: "walmart://chat") == true)
    }

    @Test func marketThatCannotBeLoadedIsExplained() throws {
        let fixture = try MarketFixture(["xx.lua": "return { id = \"xx\", name = 1, extends = \"us\" }"])
        let app = GlassApp(markets: fixture.folder.path, sharedFolder: fixture.folder.appending(path: ".state"))
        let error = #expect(throws: MarketError.self) { try app.market("xx") }
        #expect("\(try #require(error))".contains("name: expected a non-empty string, got 1"))
    }

    @Test func serverAnswersPromptsByPolicy() throws {
        let fixture = try MarketFixture()
        let sharedFolder = fixture.folder.appending(path: ".state")
        var host = PlatformHost(stateFolder: sharedFolder)
        host.device = .unattended(permissions: .deny, urlOpener: .print { print($0) })
        #expect(host.device.permissionPrompt != nil)
        #if canImport(Darwin)
            // Only compiled: whether the test process has an app group depends on the system.
            _ = { () throws -> PlatformHost in
                let host = try PlatformHost(appGroup: "group.com.walmart.canada")
                return host
            }
        #endif
    }

    @Test func declaredKeyIsValidated() {
        let value = ConfigurationNode(.map(values: ["pointsPerDollar": .integer(0), "tier": .string("gold")]))
        let findings = LoyaltyConfiguration.findings(in: value)
        let texts = findings.map { "\($0.path): \($0.message)" + ($0.hint.map { "; \($0)" } ?? "") }
        #expect(
            Set(texts) == [
                "pointsPerDollar: expected an integer from 1 to 1000, got 0",
                "tier: unknown key; did you mean \"tiers\"?",
            ])
        #expect(LoyaltyConfiguration(validated: .map(values: ["tiers": .list(values: [.string("x")])])).tiers == ["x"])
    }

    /// The market in the guides about keys and routables.
    private static let shopMarket = """
        return { id = "xx", name = "Test", extends = "us",
          loyalty = { pointsPerDollar = 20, partnerKey = secret "SHOP_CA_PARTNER_KEY" },
          routables = {
            flyers = { weeksBack = 8 },                                              -- in this market, with its own key
            badge = { paths = { "badge/:level(int)" }, handler = "openBadge", waitForPreconditions = { "ageVerified" } },
          },
        }
        """

    @Test func marketOfCustomModuleHasSectionAndRoutables() throws {
        let fixture = try MarketFixture(["xx.lua": Self.shopMarket])
        let loader = MarketLoader(.shop, folder: MarketFolder(path: fixture.folder.path)) { name in
            name == "SHOP_CA_PARTNER_KEY" ? "s3cret" : nil
        }
        let market = try loader.load("xx")
        let loyalty = market[LoyaltyConfiguration.self]
        let injected: LoyaltyConfiguration = market.container.get()
        #expect(loyalty.pointsPerDollar == 20 && injected.pointsPerDollar == 20)
        #expect(loyalty.partnerKey != nil)

        #expect(market.open("walmart://badge/3").outcome == .waiting(unmet: ["ageVerified"]))
        market.preconditions.satisfyAll()
        #expect(market.open("walmart://badge/3").routableID == "badge")
        #expect(market.open("walmart://flyers/8").navigation.screens.last?.parameters == ["weeksAgo": "8"])
        #expect(market.open("walmart://flyers/9").outcome != .routed)
        withExtendedLifetime(fixture) {}
    }

    @Test func renamedKeyIsReportedWithNewName() {
        let value = ConfigurationNode(.map(values: ["pointsPerDollar": .integer(3)]))
        let findings = BonusConfiguration.findings(in: value)
        #expect(findings.map(\.message) == ["this key was renamed to pointsPerEuro"])
    }

    @Test func customRoutableIsRegistered() throws {
        let market = try MarketFixture().loader().load("ca")
        try market.deepLinker.add(routables: [CircularsRoutable()])
        let result = market.open("walmart.ca://circulaires/12")
        #expect(result.routableID == "circulars")
        #expect(result.navigation.screens.last?.parameters == ["week": "12"])
    }
}
