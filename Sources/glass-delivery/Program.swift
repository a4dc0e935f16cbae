import GlassDeliveryHost
import GlassMarkets
import GlassPlatform

@main
struct Program: DeliveryProgram {
    static let module = MarketModule.platform
}
