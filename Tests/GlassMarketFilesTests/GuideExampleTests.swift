import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

// The Swift examples of the guides, line by line; a test of the guides compares them.

struct LoyaltyConfiguration: ConfigurationSection {
    var pointsPerDollar = 10
    var tiers = ["silver", "gold"]
    var partnerKey: Secret?

    static let summary = "The loyalty programme."
    static let keys: [ConfigurationKey<Self>] = [
        .init("pointsPerDollar", \.pointsPerDollar, .integer(1...1000), "Points for each dollar."),
        .init("tiers", \.tiers, .set(of: .string(.identifier), count: 1...5), "The tiers, the lowest first."),
        .init("partnerKey", \.partnerKey, "The key that the partner's server wants to see."),
    ]
}

struct BonusConfiguration: ConfigurationSection {
    var pointsPerEuro = 10

    static let summary = "Points in Europe."
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

/// What the guide's extension shows.
final class CartBadge: Sendable {
    let text: String

    init(preferences: any PreferencesStorage) {
        // A preference that cannot be read is shown as none.
        let store = try? preferences.value(Int.self, for: "storeID")  // as above
        text = "store \(store ?? 0)"
    }
}

struct GuideExampleTests {
    @Test(.timeLimit(.minutes(1))) func anAppAndItsExtensionShareWhatTheyKeep() throws {
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

    @Test func aMarketThatCannotBeLoadedSaysWhy() throws {
        let fixture = try MarketFixture(["xx.lua": "return { id = \"xx\", name = 1, extends = \"us\" }"])
        let app = GlassApp(markets: fixture.folder.path, sharedFolder: fixture.folder.appending(path: ".state"))
        let error = #expect(throws: MarketError.self) { try app.market("xx") }
        #expect("\(try #require(error))".contains("name: expected text that is not empty, got 1"))
    }

    @Test func aServerAnswersPromptsByAPolicy() throws {
        let fixture = try MarketFixture()
        let sharedFolder = fixture.folder.appending(path: ".state")
        var host = PlatformHost(stateFolder: sharedFolder)
        host.device = .unattended(permissions: .deny, urlOpener: .print { print($0) })
        #expect(host.device.permissionPrompt != nil)
        #if canImport(Darwin)
            let name = "group.com.walmart.canada"
            let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name)
            _ = group
        #endif
    }

    @Test func aDeclaredKeyIsChecked() {
        let value = ConfigurationNode(.map(values: ["pointsPerDollar": .integer(0), "tier": .string("gold")]))
        let findings = ConfigurationValidator.findings(in: value, section: LoyaltyConfiguration.declaration)
        let texts = findings.map { "\($0.path): \($0.message)" + ($0.hint.map { "; \($0)" } ?? "") }
        #expect(
            Set(texts) == [
                "pointsPerDollar: expected an integer from 1 to 1000, got 0",
                "tier: unknown key; did you mean \"tiers\"?",
            ])
        #expect(LoyaltyConfiguration(validated: .map(values: ["tiers": .list(values: [.string("x")])])).tiers == ["x"])
    }

    @Test func aRenamedKeyIsToldItsName() {
        let value = ConfigurationNode(.map(values: ["pointsPerDollar": .integer(3)]))
        let findings = ConfigurationValidator.findings(in: value, section: BonusConfiguration.declaration)
        #expect(findings.map(\.message) == ["this key was renamed to pointsPerEuro"])
    }

    @Test func aRoutableOfTheAppsOwnIsRegistered() throws {
        let market = try MarketFixture().loader().load("ca")
        try market.deepLinker.register(routables: [CircularsRoutable()])
        let result = market.open("walmart.ca://circulaires/12")
        #expect(result.routableID == "circulars")
        #expect(result.navigation.screens.last?.parameters == ["week": "12"])
    }
}
