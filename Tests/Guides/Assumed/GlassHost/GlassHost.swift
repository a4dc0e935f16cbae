import GlassMarkets
import GlassPlatform

extension MarketModule {
    static let shop = platform
}

extension Service {
    static let shopMocks: [Service] = []
}
