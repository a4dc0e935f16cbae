import GlassContainer
import GlassMarkets
import GlassPlatform
import Loyalty

// An extension of the app shows the badge: no market, no Lua, and of the platform's services what the badge needs.
@main
enum Widget {
    static let module = MarketModule.platform.including(.loyalty)
        .keeping((any LoyaltyAPI).self, (any AddressConfigurationAPI).self, (any UserAgentProviding).self)

    static func main() {
        let container = Container(module: module)
        let badge = Container.$shared.withValue(container) { Badge() }
        print("services:", module.services.map(\.name).joined(separator: ", "))
        print("points for a dollar:", badge.loyalty.points(forCents: 100))
        print("kept:", badge.loyalty === container.loyalty())
    }
}

final class Badge {
    @Injected(\.loyalty) var loyalty
}
