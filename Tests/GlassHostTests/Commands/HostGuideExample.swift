@testable import GlassHost
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks

/// The host program from the guides; an app's own has `@main`.
struct ShopHost: HostProgram {
    static let module = MarketModule.shop
    static let mocks = Service.platformMocks + Service.shopMocks
}

extension MarketModule {
    static let shop = platform
}

extension Service {
    static let shopMocks: [Service] = []
}
