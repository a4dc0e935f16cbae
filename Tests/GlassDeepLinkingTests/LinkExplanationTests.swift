@testable import GlassDeepLinking
import Testing

@Suite struct LinkExplanationTests {
    @Test func missSuggestsLiteral() throws {
        let router = DeepLinkRouter(configuration: .us)
        let canada = DeepLinkRouter(configuration: .us)
        router.register(routables: [
            TestRoutable(id: "account", actionRoutes: ["myaccount"]),
            TestRoutable(id: "item", actionRoutes: ["ip/:id(int)", "ip/new", "ip/:slug/:id(int)"]),
        ])
        canada.register(routables: [TestRoutable(id: "account", actionRoutes: ["myacount"])])
        let explanation = router.explain("walmart://myacount", others: [("ca", canada)])
        #expect(explanation.takers == ["ca"])
        #expect(
            explanation.description == """
                walmart://myacount: unroutable
                gate: passed
                scheme: walmart
                segments: myacount
                did you mean "myaccount"? ("myacount" → "myaccount", route of account)
                routed by: ca
                """)
        #expect(
            router.explain("https://www.walmart.com/ip/x").description == """
                https://www.walmart.com/ip/x: external
                gate: passed
                scheme: https
                host: www.walmart.com (universal link)
                segments: ip | x
                - ip/:slug/:id(int) (item): the link ends before ":id(int)"
                - ip/:id(int) (item): "x" does not match type int of "id"
                - ip/new (item): "x" is not "new"
                """)
        #expect(router.explain("walmart://ip/7").candidates[0].reason == "matches, most specific")
    }

    @Test(arguments: [
        ("walmart://acount", "did you mean \"account\"? (\"acount\" → \"account\", route of account)"),
        ("walmart://acount/me", "did you mean \"account\"? (\"acount\" → \"account\", route of account)"),
        ("walmart://helpp/a", "did you mean \"help\"? (\"helpp\" → \"help\", route of help)"),
        ("walmart://helpp/a/b", "did you mean \"help\"? (\"helpp\" → \"help\", route of help)"),
        (
            "walmart://gift-card/7/detals",
            "did you mean \"gift-cards/7/details\"? (\"gift-card/7/detals\" → \"gift-cards/7/details\", route of gift)"
        ),
        ("walmart://gift-card/x/detals", nil), ("walmart://helpp", nil), ("walmart://acount/a/b", nil),
        ("walmart://nothing", nil),
        // Two transposed letters count as one change.
        ("walmart://hlep/a", "did you mean \"help\"? (\"hlep\" → \"help\", route of help)"),
    ])
    func suggestedLinkCorrectsAllSegments(link: String, line: String?) throws {
        let router = DeepLinkRouter(configuration: .us)
        router.register(routables: [
            TestRoutable(id: "account", actionRoutes: ["account/:part?"]),
            TestRoutable(id: "help", actionRoutes: ["help/*topic"]),
            TestRoutable(id: "gift", actionRoutes: ["gift-cards/:id(int)/details"]),
        ])
        let lines = router.explain(link).description.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("did you mean") } == [line].compactMap(\.self))
    }

    /// Comparisons are bounded, however many routes there are and however long their words.
    @Test func onlyFirstThousandRoutesAndShortWordsAreCompared() throws {
        let router = DeepLinkRouter(configuration: .us)
        let longest = String(repeating: "a", count: 63)
        router.register(routables: [
            TestRoutable(id: "many", actionRoutes: (0..<997).map { "other\($0)" }),
            TestRoutable(id: "near", actionRoutes: ["account", longest, longest + "a", "deals"]),
        ])
        func suggestions(_ path: String) -> [String] {
            router.explain("walmart://\(path)").nearMisses.map(\.suggestion)
        }
        #expect(suggestions("acount") == ["account"])
        #expect(suggestions(longest.dropLast() + "b") == [longest])
        #expect(suggestions(longest + "b").isEmpty)
        #expect(suggestions("dels").isEmpty)
    }

    @Test func controlCharactersAreEscaped() {
        let explanation = DeepLinkRouter(configuration: .us).explain("walmart://a\u{1B}[2Jb")
        #expect(
            explanation.description.hasPrefix("walmart://a\\u{1b}[2Jb: refused\ngate: link refused (controlCharacter)"))
    }

    @Test func refusalAndUnknownSchemeAndHostAreNamed() throws {
        let router = DeepLinkRouter(configuration: .us)
        #expect(router.explain("https://a@b/").refusal?.rule == .userinfo)
        #expect(router.explain("other://x").scheme == "other (unknown)")
        #expect(router.explain("https://evil.com/x").host == "evil.com (unknown)")
    }

    @Test func candidatesThatLostHaveReasons() throws {
        let router = DeepLinkRouter(configuration: .us)
        router.register(routables: [
            TestRoutable(id: "s", actionRoutes: ["search?q", "search", "search/:page(int)"])
        ])
        let reasons = router.explain("walmart://search?q=").candidates.map(\.reason)
        #expect(
            reasons == [
                "matches, most specific", "the query lacks \"q\"", "the link ends before \":page(int)\"",
            ])
    }
}
