import GlassContainer
import GlassDeepLinking
public import GlassMarkets
import GlassPlatform
import Loyalty
import Search

extension MarketModule {
    /// The app: the platform, two features from other teams, and the app's own parts.
    public static let shop = platform.including(loyalty, search, ownShop).overriding(routables: [
        AccountRoutable.self, WithPoints<CartParameters>.self, WithPoints<CheckoutParameters>.self,
        WithPoints<DealsParameters>.self, WithPoints<GiftCardsParameters>.self, WithPoints<HelpParameters>.self,
        WithPoints<HomeParameters>.self, WithPoints<ItemParameters>.self, WithPoints<MembershipParameters>.self,
        WithPoints<OrdersParameters>.self,
    ]).showing(tabs: ["deals", "health"])

    private static let ownShop = MarketModule(
        "shop", secretPrefixes: ["SHOP_"], sections: [StoresConfiguration.self],
        routables: departmentRoutables + [
            FlyersRoutable.self, PageRoutable<Coupons>.self, PageRoutable<Recipes>.self, PageRoutable<Pickup>.self,
            PageRoutable<Wine>.self, PageRoutable<Careers>.self, PageRoutable<Recalls>.self,
        ],
        asyncRoutables: [TrackRoutable.self],
        services: Service.departments,
        preconditions: [
            Precondition("ageVerified", "The shopper is of age."),
            Precondition(
                "hasFlagship", requires: [StoresConfiguration.self], "The market has a store that is shown first."
            ) { container in
                !container.get(StoresConfiguration.self).flagships.isEmpty
            },
        ],
        handlers: [
            LinkHandler(
                "openStores", requires: [StoresConfiguration.self], "Shows the stores that come first."
            ) { _, state, container in
                let flagships = container.get(StoresConfiguration.self).flagships
                state.show("stores", parameters: ["numbers": flagships.map { "\($0.number)" }.joined(separator: " ")])
                return true
            }
        ])
}
