import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

@testable import GlassMarketFiles
import MarketTesting

/// Values that an app takes once keep the situation of the start.
struct HeldValueTests {
    private static let text = """
        return { id = "xx", name = "X", extends = "us",
          overlays = {
            {
              name = "old", when = { osVersion = "< 18" },
              platform = { urlSession = { waitsForConnectivity = false }, networking = { retry = { maxRetries = 1 } } },
            },
          },
          platform = {
            urlSession = { setsCookies = vary { { when = { deviceClass = "tablet" }, value = false }, default = true } },
            networking = { retry = { jitter = vary { { when = { deviceClass = "tablet" }, value = 0.5 }, default = 0.1 } } },
          },
        }
        """

    @Test func keysTakenAtStartAreHeld() throws {
        func context(_ version: String, _ device: String) throws -> MarketContext {
            let version = try #require(ContextVersion(version))
            return MarketContext(["osVersion": .version(version), "deviceClass": .text(device)])
        }
        func values(_ market: Market?) throws -> [String] {
            let config = try #require(market).config
            return [
                "\(config.urlSession.waitsForConnectivity) \(config.urlSession.setsCookies)",
                "\(config.networking.retry.maxRetries) \(config.networking.retry.jitter)",
            ]
        }
        let fixture = try MarketFixture(["xx.lua": Self.text])
        let store = MarketStore(fixture.loader(), context: try context("17.6", "phone"))
        store.reload("xx")
        #expect(try values(store.market("xx")) == ["false true", "1 0.1"])
        // The first line is taken at start; the second follows.
        try store.update(context: try context("18.2", "tablet"))
        #expect(try values(store.market("xx")) == ["false true", "3 0.5"])
        // A reload of changed files does not start the app again.
        store.reload("xx", force: true)
        #expect(try values(store.market("xx")) == ["false true", "3 0.5"])
        // The next start does.
        let next = MarketStore(fixture.loader(), context: try context("18.2", "tablet"))
        next.reload("xx")
        #expect(try values(next.market("xx")) == ["true false", "3 0.5"])
    }
}
