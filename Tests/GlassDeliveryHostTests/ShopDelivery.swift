@testable import GlassDeliveryHost
import GlassMarkets

/// An app's own program, as in the documentation.
struct ShopDelivery: DeliveryProgram {
    static let module = MarketModule("shop")
}
