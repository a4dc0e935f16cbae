import GlassContainer
import GlassDeepLinking
import GlassMarkets

protocol LoyaltyAPI: Sendable {}

struct FlyersRoutable: MarketRoutable {
    static let feature = Feature(id: "flyers", paths: ["flyers"], "One week's flyer.")

    init(container: Container, configuration: NoConfiguration) {}

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
}

extension MarketModule {
    static let loyalty = MarketModule("loyalty")
}
