import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassSchema
import Loyalty

/// Shows the flyer of a week.
struct FlyersRoutable: MarketRoutable {
    /// A market's settings for the routable.
    struct Configuration: ConfigurationSection {
        /// How many past weeks can be opened.
        var weeksBack = 4
        /// The printers of the flyer, by region.
        var printers: [String: String] = [:]
        /// The key of the printer's server.
        var printerKey: Secret?

        static let keys: [ConfigurationKey<Self>] = [
            .init("weeksBack", \.weeksBack, .integer(0...52), "How many past weeks may be opened."),
            .init(
                "printers", \.printers, .map(of: .string(.nonEmpty), keys: .identifier),
                "Who prints the flyer, by region."),
            .init("printerKey", \.printerKey, "The key of the printer's server."),
        ]
    }

    static let feature = Feature(
        id: "flyers", tab: "deals", screen: "flyer", paths: ["flyers/:week(int)"], requires: ["week"],
        "One week's flyer.")
    private let configuration: Configuration

    init(container: Container, configuration: Configuration) { self.configuration = configuration }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool {
        guard let week = link.integer("week"), 30 - week <= configuration.weeksBack else { return false }
        state.select(tab: "deals")
        state.show("flyer", parameters: ["week": "\(week)"])
        return true
    }
}

/// Shows the position of an order, after a query.
struct TrackRoutable: AsyncMarketRoutable {
    static let feature = Feature(
        id: "track", tab: "account", screen: "tracking", paths: ["track/:order"], requires: ["order"],
        "Where an order is.")

    init(container: Container, configuration: NoConfiguration) {}

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) async throws -> Bool {
        guard let order = link.value("order") else { return false }
        state.select(tab: "account")
        state.show("tracking", parameters: ["order": order])
        return true
    }
}

/// A page of the app that shows the values in its link.
protocol Page: SendableMetatype {
    static var feature: Feature { get }
}

/// Shows a page.
struct PageRoutable<P: Page>: MarketRoutable {
    static var feature: Feature { P.feature }

    init(container: Container, configuration: NoConfiguration) {}

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool {
        if let tab = P.feature.tab { state.select(tab: tab) }
        state.show(P.feature.id, parameters: link.parameters.dictionary)
        return true
    }
}

enum Coupons: Page {
    static let feature = Feature(id: "coupons", tab: "deals", paths: ["coupons", "coupons/:code"], "Coupons.")
}
enum Recipes: Page {
    static let feature = Feature(id: "recipes", tab: "shop", paths: ["recipes/:recipe"], "A recipe.")
}
enum Pickup: Page {
    static let feature = Feature(id: "pickup", tab: "cart", paths: ["pickup/:order"], "An order to pick up.")
}
enum Wine: Page {
    static let feature = Feature(id: "wine", tab: "shop", paths: ["wine/:bottle"], "A wine.")
}
enum Careers: Page {
    static let feature = Feature(id: "careers", paths: ["careers"], "Jobs.")
}
enum Recalls: Page {
    static let feature = Feature(id: "recalls", paths: ["recalls/:year(int)"], "What was recalled.")
}

/// A standard feature that also shows the points per dollar.
struct WithPoints<Parameters: FeatureParameters>: MarketRoutable {
    static var feature: Feature { Parameters.feature }
    static var requires: [Any.Type] { [(any LoyaltyAPI).self] }
    private let routable: StandardRoutable<Parameters>
    private let loyalty: any LoyaltyAPI

    init(container: Container, configuration: NoConfiguration) {
        routable = StandardRoutable(container: container)
        loyalty = container.get()
    }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard try routable.handleDeepLink(link, state: state) else { return false }
        state.show("pointsBanner", parameters: ["perDollar": "\(loyalty.points(forCents: 100))"])
        return true
    }
}

/// This shop's account: replaces the standard one, with its own key.
struct AccountRoutable: MarketRoutable {
    /// A market's settings for the routable.
    struct Configuration: ConfigurationSection {
        /// The screens shown first.
        var opens = ["points", "orders"]

        static let keys: [ConfigurationKey<Self>] = [
            .init(
                "opens", \.opens, .set(of: .choice(["points", "orders", "settings"]), count: 1...3),
                "What is shown first.")
        ]
    }

    static let feature = Feature(id: "account", tab: "account", paths: ["account"], "The account, with points.")
    private let configuration: Configuration

    init(container: Container, configuration: Configuration) { self.configuration = configuration }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.select(tab: "account")
        state.show("shopAccount", parameters: ["opens": configuration.opens.joined(separator: " ")])
        return true
    }
}
