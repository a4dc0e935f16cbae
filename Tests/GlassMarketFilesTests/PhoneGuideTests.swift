import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassPlatform
import GlassSchema
import Testing

@testable import GlassMarkets
import MarketTesting

private protocol CartBadges: Sendable { var count: Int { get } }
private struct FixedBadges: CartBadges { let count: Int }

extension MarketModule {
    fileprivate static let phoneShop = platform.including(
        MarketModule(
            "phoneShop",
            services: [Service((any CartBadges).self, "The number on the cart.") { _ in FixedBadges(count: 3) }]))
}

private enum Keychain {
    static func value(of name: String) -> String? { name == "GLASS_CA_CONSUMER_KEY" ? "from the keychain" : nil }
}

enum ShopMarkets {
    static let store = MarketStore(CompiledMarkets(.phoneShop, in: .main, secrets: { Keychain.value(of: $0) }))
}

/// The Swift code in the guide for iOS apps, using the resources of a folder instead of the main bundle.
@Suite(.timeLimit(.minutes(2)))
struct PhoneGuideTests {
    private func resources() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "resources-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "4"), withIntermediateDirectories: true)
        let fixture = try MarketFixture()
        let lua = try MarketLoader(.phoneShop, folder: MarketFolder(path: fixture.folder.path)).load("ca")
        try Data(CompiledMarketWriter(lua).market).write(to: folder.appending(path: "4/ca.json"))
        return folder
    }

    @Test func appAndExtensionReadSameFile() throws {
        let folder = try resources()
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        let bundle = try #require(Bundle(path: folder.path))
        // The tests' own bundle contains no markets, which is reported.
        #expect(throws: CompiledMarketError.self) { try CompiledMarkets(.phoneShop, in: .main).load("ca") }
        #expect(ShopMarkets.store.markets.isEmpty)

        let store = MarketStore(CompiledMarkets(.phoneShop, in: bundle, secrets: { Keychain.value(of: $0) }))
        #expect(store.reload("ca") != nil)
        let canada = try #require(store.market("ca"))
        #expect(try canada.config.networking.consumerKey?.reveal() == "from the keychain")
        canada.preconditions.satisfyAll()
        #expect(canada.open("walmart.ca://myaccount").outcome == .routed)

        let module = MarketModule.phoneShop.keeping((any CartBadges).self)
        let market = try CompiledMarkets(module, in: bundle).load("ca")
        let count = market.withShared { Container.shared.get((any CartBadges).self).count }
        #expect(count == 3)
    }

    /// The guide's code for the active market; not run, because these tests activate none.
    private func activate(_ store: MarketStore) throws {
        try store.activate("ca")
        store.active?.open("walmart.ca://myaccount")
        try store.active?.preconditions.satisfy("appStarted")
    }
}
