import GlassDeepLinking
import GlassMarkets
import GlassPlatform

let markets: String = assumed()
let market: Market = assumed()

protocol CouponBook: Sendable {}
protocol ReceiptArchive: Sendable {}

struct LiveCouponBook: CouponBook {
    let limit: Int
    let preferences: any PreferencesStorage
}

struct LiveReceiptArchive: ReceiptArchive {
    let coupons: any CouponBook
    let storage: any StorageAPI
}

struct CouponBookMock: CouponBook {}

struct ReceiptsRoutable: Routable {
    let actionRoutes = ["receipts/:receiptID(slug)"]

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
}

extension MarketModule {
    static let shop = platform
}

extension Service {
    static let shopMocks: [Service] = []
}
