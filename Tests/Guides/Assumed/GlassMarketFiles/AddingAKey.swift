import GlassMarkets

let market: Market = assumed()

extension MarketModule {
    static let flyers = MarketModule("flyers")
}
