import GlassContainer
import GlassDeepLinking
import GlassMarkets
import Loyalty
import Search
import ShopMarkets
import Testing

/// Two feature packages that contradict each other stop the program at its start, with both names and places.
@Suite(.timeLimit(.minutes(2)))
struct StopTests {
    private static func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func oneKey() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule.shop.including(MarketModule("copy", sections: [LoyaltyConfiguration.self], line: 7))
        }
        let text = Self.said(result)
        #expect(text.contains("both loyalty (Loyalty/LoyaltyModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the section loyalty;"), "\(text)")
    }

    @Test func oneRoutable() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule.shop.including(MarketModule("copy", routables: [Grocery.self], line: 7))
        }
        let text = Self.said(result)
        #expect(text.contains("both shop (ShopMarkets/ShopModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the routable grocery;"), "\(text)")
    }

    @Test func oneService() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let search = Service((any SearchAPI).self, "x", line: 7) { _ in throw Unavailable() }
            _ = MarketModule.shop.including(MarketModule("copy", services: [search]))
        }
        let text = Self.said(result)
        #expect(text.contains("both search (Search/SearchModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the service SearchAPI;"), "\(text)")
    }

    @Test func onePrecondition() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let ready = Precondition("indexReady", "x", line: 7)
            _ = MarketModule.shop.including(MarketModule("copy", preconditions: [ready]))
        }
        let text = Self.said(result)
        #expect(text.contains("both search (Search/SearchModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the precondition indexReady;"), "\(text)")
    }

    @Test func oneHandler() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let badge = LinkHandler("openBadge", "x", line: 7) { _, _, _ in true }
            _ = MarketModule.shop.including(MarketModule("copy", handlers: [badge]))
        }
        let text = Self.said(result)
        #expect(text.contains("both loyalty (Loyalty/LoyaltyModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the handler openBadge;"), "\(text)")
    }

    @Test func overridingNothing() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule.loyalty.overriding(routables: [Grocery.self], line: 7)
        }
        #expect(
            Self.said(result).contains(
                "ShopTests/StopTests.swift:7: Grocery overrides the routable grocery, which loyalty does not have"))
    }
}

private struct Unavailable: Error {}

/// A routable with an id that the app has.
private struct Grocery: MarketRoutable {
    static let feature = Feature(id: "grocery", paths: ["food"], "Food.")
    init(container: Container, configuration: NoConfiguration) {}
    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
}
