import GlassDeepLinking
import GlassMarkets
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

final class CircularsRoutable: Routable {
    let id = "circulars"
    let actionRoutes = ["circulaires/:week(int)?"]
    let waitForPreconditions = false

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.show("circulars", parameters: ["week": deepLink.value("week") ?? "1"])
        return true
    }
}

struct GuideExampleTests {
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

    @Test func aRoutableOfTheAppsOwnIsRegistered() throws {
        let market = try MarketFixture().loader().load("ca")
        try market.deepLinker.register(routables: [CircularsRoutable()])
        let result = market.open("walmart.ca://circulaires/12")
        #expect(result.routableID == "circulars")
        #expect(result.navigation.screens.last?.parameters == ["week": "12"])
    }
}
