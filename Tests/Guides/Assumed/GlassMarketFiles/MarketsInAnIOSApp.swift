import Foundation
import GlassContainer
import GlassMarkets
import GlassPlatform
import SwiftUI

let store = ShopMarkets.store
let bundle = Bundle.main

protocol CartBadges: Sendable { var count: Int { get } }

extension MarketModule {
    static let phoneShop = platform.including(
        MarketModule(
            "phoneShop", services: [Service((any CartBadges).self, "The number on the cart.") { _ in assumed() }]))
}

enum Keychain {
    static func value(of name: String) -> String? { nil }
}

struct RootView: View {
    var body: some View { EmptyView() }
}

struct TabRoot: View {
    let tab: String
    var body: some View { EmptyView() }
}

struct ScreenView: View {
    let name: String
    let parameters: [String: String]
    var body: some View { EmptyView() }
}

#if os(Linux)
    // GlassContainer has this modifier where there is SwiftUI.
    extension Scene {
        func container(_ container: Container) -> some Scene { self }
    }
#endif
