import GlassContainer
import GlassDeepLinking
public import GlassMarkets
import GlassPlatform
import GlassSchema

extension MarketModule {
    /// The loyalty feature's part of a market.
    public static let loyalty = MarketModule(
        "loyalty", secretPrefixes: ["LOYALTY_"], sections: [LoyaltyConfiguration.self],
        routables: [PointsRoutable.self],
        services: [
            Service(
                (any LoyaltyAPI).self, requires: [LoyaltyConfiguration.self, (any LoyaltyTransport).self],
                configuredBy: ["loyalty"], "Counts points."
            ) { c in ConfiguredLoyalty(configuration: c.get(), transport: c.get()) },
            Service(
                (any LoyaltyTransport).self, requires: [LoyaltyConfiguration.self, (any AppInfoAPI).self],
                isExternal: true, "Asks the partner that keeps the points."
            ) { c in PartnerTransport(key: c.get(LoyaltyConfiguration.self).partnerKey) },
        ],
        handlers: [
            LinkHandler(
                "openBadge", requires: [(any LoyaltyAPI).self], "Shows the badge with the points for a dollar."
            ) { _, state, container in
                state.show("badge", parameters: ["points": "\(container.loyalty().points(forCents: 100))"])
                return true
            }
        ])
}

/// Shows the member's points.
struct PointsRoutable: MarketRoutable {
    /// A market's settings for the routable.
    struct Configuration: ConfigurationSection {
        /// Whether to show the history of points.
        var showsHistory = false

        static let keys: [ConfigurationKey<Self>] = [
            .init("showsHistory", \.showsHistory, "Whether the history of the points is shown.")
        ]
    }

    static let feature = Feature(
        id: "points", tab: "account", screen: "points", paths: ["points", "points/:tier"], "The member's points.")
    static let requires: [Any.Type] = [(any LoyaltyAPI).self]
    private let configuration: Configuration
    private let loyalty: any LoyaltyAPI

    init(container: Container, configuration: Configuration) {
        self.configuration = configuration
        loyalty = container.get()
    }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.select(tab: "account")
        state.show(
            "points",
            parameters: ["perDollar": "\(loyalty.points(forCents: 100))", "history": "\(configuration.showsHistory)"])
        return true
    }
}

/// Counts points according to the market.
final class ConfiguredLoyalty: LoyaltyAPI {
    private let configuration: LoyaltyConfiguration
    private let transport: any LoyaltyTransport

    init(configuration: LoyaltyConfiguration, transport: any LoyaltyTransport) {
        self.configuration = configuration
        self.transport = transport
    }

    func points(forCents cents: Int) -> Int { cents * configuration.pointsPerDollar / 100 }
    func tier(forPoints points: Int) -> String? { configuration.tiers.last { $0.points <= points }?.name }
    func balance() async throws -> Int { try await transport.balance() }
}

/// Represents a client of the partner: it needs the key.
struct PartnerTransport: LoyaltyTransport {
    let key: Secret?

    func balance() async throws -> Int { try key?.reveal().count ?? 0 }
}
