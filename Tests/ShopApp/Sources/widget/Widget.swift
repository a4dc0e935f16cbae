import Foundation
import GlassContainer
import GlassMarkets
import GlassPlatform
import Loyalty
import ShopMarkets

// An app extension that shows the badge of a market: no Lua, and only the services that the badge needs.
@main
enum Widget {
    static let module = MarketModule.shop
        .keeping((any LoyaltyAPI).self, (any AddressConfigurationAPI).self, (any UserAgentProviding).self)

    static func main() throws {
        print("services:", module.services.map(\.name).joined(separator: ", "))
        // A folder of compiled markets, as in the extension's bundle.
        guard let folder = CommandLine.arguments.dropFirst().first else {
            return show(Container(module: module), "no market")
        }
        let markets = CompiledMarkets(module, folder: URL(fileURLWithPath: folder))
        for id in ["us", "ca"] { show(try markets.load(id).container, id) }
    }

    private static func show(_ container: Container, _ market: String) {
        let badge = Container.$shared.withValue(container) { Badge() }
        print("\(market): points for a dollar:", badge.loyalty.points(forCents: 100))
        print("kept:", badge.loyalty === container.loyalty())
    }
}

final class Badge {
    @Injected(\.loyalty) var loyalty
}
