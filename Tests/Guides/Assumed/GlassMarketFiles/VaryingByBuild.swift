import GlassMarketFiles

let markets: MarketLoader = assumed()
