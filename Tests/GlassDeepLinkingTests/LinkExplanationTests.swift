import GlassDeepLinking
import Testing

@Suite struct LinkExplanationTests {
    @Test func missSuggestsTheLiteral() throws {
        let router = DeepLinkRouter(configuration: .us)
        let canada = DeepLinkRouter(configuration: .us)
        try router.register(routables: [
            TestRoutable(id: "account", actionRoutes: ["myaccount"]),
            TestRoutable(id: "item", actionRoutes: ["ip/:id(int)", "ip/new", "ip/:slug/:id(int)"]),
        ])
        try canada.register(routables: [TestRoutable(id: "account", actionRoutes: ["myacount"])])
        let explanation = router.explain("walmart://myacount", others: [("ca", canada)])
        #expect(explanation.takers == ["ca"])
        #expect(
            explanation.description == """
                walmart://myacount: unroutable
                gate: passed
                scheme: walmart
                segments: myacount
                did you mean myacount → myaccount? (account)
                taken by: ca
                """)
        #expect(
            router.explain("https://www.walmart.com/ip/x").description == """
                https://www.walmart.com/ip/x: external
                gate: passed
                scheme: https
                host: www.walmart.com (universal link)
                segments: ip | x
                - ip/:slug/:id(int) (item): the link ends before ":id(int)"
                - ip/:id(int) (item): "x" is no int for "id"
                - ip/new (item): "x" is not "new"
                """)
        #expect(router.explain("walmart://ip/7").candidates[0].reason == "matches, most specific")
    }

    @Test func refusalAndUnknownPlacesAreNamed() throws {
        let router = DeepLinkRouter(configuration: .us)
        #expect(router.explain("https://a@b/").refusal?.rule == .userinfo)
        #expect(router.explain("other://x").scheme == "other (unknown)")
        #expect(router.explain("https://evil.com/x").host == "evil.com (unknown)")
    }

    @Test func losersSayWhy() throws {
        let router = DeepLinkRouter(configuration: .us)
        try router.register(routables: [
            TestRoutable(id: "s", actionRoutes: ["search?q", "search", "search/:page(int)"])
        ])
        let reasons = router.explain("walmart://search?q=").candidates.map(\.reason)
        #expect(
            reasons == [
                "matches, most specific", "the query lacks \"q\"", "the link ends before \":page(int)\"",
            ])
    }
}
