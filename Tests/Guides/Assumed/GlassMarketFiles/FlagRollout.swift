import GlassMarkets

let market: Market = assumed()
