import GlassContainer
import GlassDeepLinking
import GlassMarkets
import Loyalty
import Search
import ShopMarkets
import Testing

/// Two feature packages that contradict each other trap at launch, with both names and positions.
@Suite(.timeLimit(.minutes(2)))
struct StopTests {
    private static func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func duplicateKeyTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule.shop.including(MarketModule("copy", sections: [LoyaltyConfiguration.self], line: 7))
        }
        let text = Self.said(result)
        #expect(text.contains("both loyalty (Loyalty/LoyaltyModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the section loyalty;"), "\(text)")
    }

    @Test func duplicateRoutableTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule.shop.including(MarketModule("copy", routables: [Grocery.self], line: 7))
        }
        let text = Self.said(result)
        #expect(text.contains("both shop (ShopMarkets/ShopModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the routable grocery;"), "\(text)")
    }

    @Test func duplicateServiceTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let search = Service((any SearchAPI).self, "x", line: 7) { _ in throw Unavailable() }
            _ = MarketModule.shop.including(MarketModule("copy", services: [search]))
        }
        let text = Self.said(result)
        #expect(text.contains("both search (Search/SearchModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the service SearchAPI;"), "\(text)")
    }

    @Test func duplicatePreconditionTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let ready = Precondition("indexReady", "x", line: 7)
            _ = MarketModule.shop.including(MarketModule("copy", preconditions: [ready]))
        }
        let text = Self.said(result)
        #expect(text.contains("both search (Search/SearchModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the precondition indexReady;"), "\(text)")
    }

    @Test func duplicateHandlerTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let badge = LinkHandler("openBadge", "x", line: 7) { _, _, _ in true }
            _ = MarketModule.shop.including(MarketModule("copy", handlers: [badge]))
        }
        let text = Self.said(result)
        #expect(text.contains("both loyalty (Loyalty/LoyaltyModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the handler openBadge;"), "\(text)")
    }

    @Test func overridingMissingRoutableTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MarketModule.loyalty.overriding(routables: [Grocery.self], line: 7)
        }
        #expect(
            Self.said(result).contains(
                "ShopTests/StopTests.swift:7: Grocery overrides the routable grocery, which loyalty does not have"))
    }
}

private struct Unavailable: Error {}

/// A routable with an ID that the app already uses.
private struct Grocery: MarketRoutable {
    static let feature = Feature(id: "grocery", paths: ["food"], "Food.")
    init(container: Container, configuration: NoConfiguration) {}
    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
}
