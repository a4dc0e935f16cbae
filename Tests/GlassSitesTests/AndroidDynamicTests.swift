import Testing

@testable import GlassSites

@Suite struct AndroidDynamicTests {
    @Test(arguments: [
        ("/products/*", "/products/1", true), ("/products/*", "/products/", true), ("/products/*", "/products", false),
        ("*", "", true), ("*", "/a/b", true), ("/a?c", "/abc", true), ("/a?c", "/ac", false),
        ("/ip/?*", "/ip/", false), ("/ip/?*", "/ip/1/x", true), ("/ip/?*/z", "/ip/1/z", true),
        // A star stops at the first occurrence of the character after it, without backtracking.
        ("/*a/z", "/xa/z", true), ("/*a/z", "/xaya/z", false), ("/A", "/a", false), ("/a*?", "/ab", true),
        ("/a**b", "/axb", true), ("", "", true), ("", "/", false),
    ])
    func pathMatchesLikeOnAndroid(pattern: String, path: String, matches: Bool) {
        #expect(AndroidDynamicRule(path: pattern).matches(path: path, query: nil) == matches)
    }

    @Test(arguments: [
        ("in_app=true&dl=abc", true), ("lang=en&in_app=true&tz=pst&dl=abc", true), ("lang=en&dl=abc", false),
        ("in_app=false&dl=abc", false), ("dl=&in_app=true", true), ("", false),
    ])
    func everyQueryItemIsRequired(query: String, matches: Bool) {
        let rule = AndroidDynamicRule(query: ["dl": "*", "in_app": "true"])
        #expect(rule.matches(path: "/x", query: query) == matches)
    }

    @Test func firstMatchDecidesAndUnmatchedLinkIsExcluded() {
        let rules = [AndroidDynamicRule(path: "/a"), AndroidDynamicRule(path: "/a*", isExcluded: true)]
        #expect(AndroidDynamicRule.allow(rules, path: "/a", query: nil))
        #expect(!AndroidDynamicRule.allow(rules, path: "/ab", query: nil))
        #expect(!AndroidDynamicRule.allow(rules, path: "/b", query: nil))
        #expect(AndroidDynamicRule.allow([], path: "/b", query: nil))
    }

    @Test func onlyRequiredQueryIsAddedToDynamicRules() throws {
        let files = try SiteFiles.make("cart", "search?q", "help/*topic")
        let text = try files.assetLinks(host: "example.com")
        #expect(
            text.contains(
                """
                        "dynamic_app_link_components": [
                          { "/": "/search", "?": { "q": "?*" } },
                          { "/": "/search/", "?": { "q": "?*" } },
                          { "/": "/search", "exclude": true },
                          { "/": "/search/", "exclude": true },
                          { "/": "*" }
                        ]
                """))
        let audit = files.audit()
        #expect(audit.contradictions == [])
        #expect(audit.claim("search?q", .android)?.reasons.map(\.label).contains(.over) == true)
        #expect(audit.claim("search?q", .androidDynamic)?.label == .under)  // letter case, as for any other path
    }

    @Test func nothingIsAddedWithoutRequiredQuery() throws {
        let text = try SiteFiles.make("cart", "ip/:id", "help/*topic").assetLinks(host: "example.com")
        #expect(!text.contains("relation_extensions"))
    }

    /// A path that another route accepts without the query is never excluded; the audit checks each link.
    @Test(arguments: [
        ["x/:id?q", "x/help"], ["x/:id?q", "x/:id/more"], ["x/:id?q", "x/*rest"], ["a/:b/c?q", ":x/y/c"],
        ["search?q", "search"], ["search?q", ":name"], ["search?q&r", "search?s"], ["/?q", "home"],
        [":a/:b?q", "x/:l(en|fr)", ":z"], ["café?q", "cart"], ["x/:l(en|fr)?q", "x/:id(int)"],
        ["x/:id(uuid)?q", "x/:id(int)"], ["x/:id?", "x/y?q"],
    ])
    func linksOfOtherRoutesAreNotLost(patterns: [String]) throws {
        for options in [SiteFiles.Options(), SiteFiles.Options(androidMatchesAnyCase: true)] {
            #expect(try SiteFiles.make(patterns, options: options).audit().contradictions == [])
        }
    }
}
