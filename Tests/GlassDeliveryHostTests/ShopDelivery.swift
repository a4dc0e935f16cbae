@testable import GlassDeliveryHost
import GlassHost
import GlassMarkets
import GlassPlatformMocks

/// An app's own program, as in the documentation.
struct ShopDelivery: DeliveryProgram {
    static let module = MarketModule("shop")
}

/// An app's own program with both command lines, as in the guide.
struct ShopTools: HostProgram, DeliveryProgram {
    static let module = MarketModule.shop
    static let mocks = Service.platformMocks + Service.shopMocks
}

extension MarketModule {
    fileprivate static let shop = MarketModule("shop")
}

extension Service {
    fileprivate static let shopMocks: [Service] = []
}
