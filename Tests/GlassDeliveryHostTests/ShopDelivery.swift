import GlassDeliveryHost
import GlassMarkets

/// An app's own program, as the documentation shows it.
struct ShopDelivery: DeliveryProgram {
    static let module = MarketModule("shop")
}
