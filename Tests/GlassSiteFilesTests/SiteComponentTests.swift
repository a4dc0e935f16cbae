import Testing

@testable import GlassSiteFiles

@Suite struct SiteComponentTests {
    @Test(arguments: [
        ("/a", "/a", true), ("/a", "/A", true), ("/a", "/a/", false), ("/a/?*", "/a/", false),
        ("/a/?*", "/a/x/y", true),
        ("/a/*", "/a/", true), ("/a?c", "/a/c", true), ("*//*", "/a//", true), ("*//*", "/a/b/", false),
        ("/", "", true), ("a", "/a", false), ("/*z", "/azbz", true), ("/*z", "/azb", false),
        ("/$(digit)$(xdigit)", "/9f", true), ("/$(digit)", "/a", false), ("/$(alpha)$(alnum)", "/a1", true),
        ("/$(list)", "/fr", true), ("/$(list)", "/FR", true), ("/$(list)/x", "/wild123/x", true),
        ("/$(list)", "/de", false), ("/$(unknown)", "/x", false), ("/a$b", "/a$b", true), ("/$(open", "/$(open", true),
    ])
    func pathIsMatched(_ pattern: String, path: String, matches: Bool) {
        let variables = ["list": ["en", "fr", "wild*"]]
        #expect(SiteComponent(path: pattern).matches(path: path, variables: variables) == matches)
    }

    @Test(
        arguments: [
            ("q=1", true), ("a=1&q=x", true), ("q=", false), ("q", false), (nil, false), ("Q=1", true),
            ("q=&q=2", true),
            ("xq=1", false),
        ] as [(String?, Bool)])
    func queryItemIsRequired(_ query: String?, matches: Bool) {
        #expect(SiteComponent(path: "/s", query: ["q": "?*"]).matches(path: "/s", query: query) == matches)
    }

    @Test func caseMattersWhereTheFileSaysSo() {
        let component = SiteComponent(path: "/a/$(upper)$(lower)", query: ["q": "?*"])
        #expect(component.matches(path: "/a/Xy", query: "q=1", isCaseSensitive: true))
        #expect(!component.matches(path: "/a/xy", query: "q=1", isCaseSensitive: true))
        #expect(!component.matches(path: "/A/Xy", query: "q=1", isCaseSensitive: true))
        #expect(!component.matches(path: "/a/Xy", query: "Q=1", isCaseSensitive: true))
    }

    @Test(.timeLimit(.minutes(1))) func hostilePatternIsNotExponential() {
        let pattern = String(repeating: "*a", count: 200)
        #expect(!SiteComponent(path: pattern).matches(path: String(repeating: "a", count: 1_000) + "b"))
    }

    @Test func textsAreEscaped() {
        #expect(SiteText.manifest("/v1\\.0&") == "/v1\\\\.0&amp;")
        #expect(SiteText.pathSegment("50 off+é/?#") == "50%20off+%C3%A9%2F%3F%23")
        #expect(SiteText.decoded("/caf%C3%A9/10%25%") == "/café/10%%")
    }
}
