import GlassMarkets

extension MarketModule {
    static let shop = MarketModule("shop")
}
