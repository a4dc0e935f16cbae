import GlassBase
@testable import GlassDeepLinking
import Testing

@Suite struct NearMatchTests {
    private static let routes = [
        "account", "ip/:itemID(int)", "ip/:slug/:itemID(int)", "help/*topic", "gift-cards/:id(int)/details",
        "orders/:id?", ":page/:part/:more",
    ]

    @Test(arguments: [
        ("walmart://acount", "account", NearMatch.Difference.slip(written: "acount", suggestion: "account")),
        ("walmart://acount/a", nil, nil),
        ("walmart://account/a", "account", .additional), ("walmart://a/account", "account", .additional),
        ("walmart://ip", "ip/:itemID(int)", .missing(":itemID(int)")),
        ("walmart://ip/a", "ip/:slug/:itemID(int)", .missing(":itemID(int)")),
        ("walmart://gift-cards/details", "gift-cards/:id(int)/details", .missing(":id(int)")),
        ("walmart://7/details", "gift-cards/:id(int)/details", .missing("gift-cards")),
        ("walmart://orders/7/8", "orders/:id?", .additional),
        ("walmart://help", "help/*topic", .missing("*topic")),
        // Nothing is near a route of parameters only, and two slips are too many.
        ("walmart://a/b", nil, nil), ("walmart://gift-card/7/detals", nil, nil),
    ])
    func oneSegmentDiffers(link: String, pattern: String?, difference: NearMatch.Difference?) throws {
        let table = try RouteTable(Self.routes.map { RouteDeclaration(pattern: $0, routableID: "feature") })
        let match = try table.nearMatch(for: try DeepLink(link), budget: .unlimited)
        #expect(match?.declaration.pattern == pattern)
        #expect(match?.difference == difference)
    }
}
