@testable import GlassDelivery
import Testing

@Suite struct PathPatternTests {
    @Test(arguments: [
        ("markets/mx.json", "markets/mx.json", true), ("markets/mx.json", "markets/*", true),
        ("markets/mx.json", "*", false), ("markets/mx.json", "*/*", true), ("markets/a/b", "markets/*", false),
        ("mx.json", "*.json", true), ("mx.json", "m?.json", true), ("mx.json", "m??.json", false), ("", "", true),
        ("", "*", true), ("a", "", false), ("a", "a*", true), ("ab", "a*b", true), ("aXbXb", "a*b", true),
        ("aXbXc", "a*b", false), ("mx", "[mn]x", true), ("mx", "[!mn]x", false), ("mx", "[a-m]x", true),
        ("mx", "[n-z]x", false), ("mx", "[m-a]x", false), ("]x", "[]]x", true), ("ax", "[!]]x", true),
        ("[x", "[x", true), ("a-x", "a[-]x", true), ("a/x", "a?x", false), ("a/x", "a[/]x", false), ("é", "?", true),
        ("MX", "mx", false), ("a.b", "a.b", true), ("aXb", "a.b", false), ("/a", "/a", true), ("/a", "a", false),
        ("a//b", "a/*/b", true), ("\u{e9}", "e\u{301}", false),
    ])
    func patternsMatchLikeShellGlobs(_ path: String, _ pattern: String, _ matches: Bool) {
        #expect(PathPattern.matches(path, pattern) == matches)
    }

    @Test(.timeLimit(.minutes(1))) func manyStarsMatchQuickly() {
        let pattern = String(repeating: "*a", count: 2000) + "b"
        #expect(!PathPattern.matches(String(repeating: "a", count: 4000), pattern))
    }
}
