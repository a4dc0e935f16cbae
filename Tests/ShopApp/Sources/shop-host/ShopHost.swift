import GlassHost
import GlassMarkets
import ShopMarkets
import ShopMocks

@main
struct ShopHost: HostProgram {
    static let module = MarketModule.shop
    static let mocks = Service.allMocks
}
