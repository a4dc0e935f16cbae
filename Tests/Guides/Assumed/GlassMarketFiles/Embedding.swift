import Foundation
import GlassMarkets
import GlassPlatform

let markets: String = assumed()
let sharedFolder: URL = assumed()
let app: GlassApp = assumed()
let market: Market = assumed()

final class CartBadge: Sendable {
    let text = ""

    init(preferences: any PreferencesStorage) {}
}
