import Foundation
import GlassDelivery
import GlassMarkets

let embedded: URL = assumed()
let builtAt: Date = assumed()
let folder: URL = assumed()
let server: URL = assumed()
let markets: DeliveredMarkets = assumed()
let store: MarketStore = assumed()
let delivery: MarketDelivery = assumed()

extension MarketModule {
    static let shop = MarketModule("shop")
}
