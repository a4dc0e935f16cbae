import GlassMarkets

let store: MarketStore = assumed()
