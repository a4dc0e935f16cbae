import GlassDelivery

let markets: DeliveredMarkets = assumed()
