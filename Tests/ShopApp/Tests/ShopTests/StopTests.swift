import GlassContainer
import GlassDeepLinking
import GlassMarkets
import Loyalty
import Search
import ShopMarkets
import Testing

/// Two feature packages that declare the same name, which a test of the app finds, and an override without anything to
/// override, which traps at launch.
@Suite(.timeLimit(.minutes(2)))
struct StopTests {
    private static func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func namesAreUnique() throws { try MarketModule.shop.validate() }

    @Test func duplicateKeyIsReported() throws {
        let module = MarketModule.shop.including(MarketModule("copy", sections: [LoyaltyConfiguration.self], line: 7))
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        let text = error.description
        #expect(text.contains("both loyalty (Loyalty/LoyaltyModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the section loyalty;"), "\(text)")
    }

    @Test func duplicateRoutableIsReported() throws {
        let module = MarketModule.shop.including(MarketModule("copy", routables: [Grocery.self], line: 7))
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        let text = error.description
        #expect(text.contains("both shop (ShopMarkets/ShopModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the routable grocery;"), "\(text)")
    }

    @Test func duplicateServiceIsReported() throws {
        let search = Service((any SearchAPI).self, "x", line: 7) { _ in throw Unavailable() }
        let module = MarketModule.shop.including(MarketModule("copy", services: [search]))
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        let text = error.description
        #expect(text.contains("both search (Search/SearchModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the service SearchAPI;"), "\(text)")
    }

    @Test func duplicatePreconditionIsReported() throws {
        let ready = Precondition("indexReady", "x", line: 7)
        let module = MarketModule.shop.including(MarketModule("copy", preconditions: [ready]))
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        let text = error.description
        #expect(text.contains("both search (Search/SearchModule.swift:"), "\(text)")
        #expect(text.contains("and copy (ShopTests/StopTests.swift:7) declare the precondition indexReady;"), "\(text)")
    }

    @Test func duplicateHandlerIsReported() throws {
        let badge = LinkHandler("openBadge", "x", line: 7) { _, _, _ in true }
        let module = MarketModule.shop.including(MarketModule("copy", handlers: [badge]))
        let error = try #require(#expect(throws: MarketModule.NameClashes.self) { try module.validate() })
        let text = error.description
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
