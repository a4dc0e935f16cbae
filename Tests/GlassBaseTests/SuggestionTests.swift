import GlassBase
import Testing

struct SuggestionTests {
    @Test(
        arguments: [
            ("myacount", ["myaccount", "cart"], "myaccount"),
            ("maxAttemtps", ["maxAttempts", "multiplier"], "maxAttempts"),
            ("AppInfoApi", ["AppInfoAPI", "AppProcessInfo"], "AppInfoAPI"),
            ("cq", ["ca", "mx", "us"], "ca"),
            ("xyz", ["abc"], nil),
            ("", ["a", "abc"], "a"),
            ("same", ["same"], nil),
            ("ab", ["ac", "aa"], "aa"),
        ] as [(String, [String], String?)])
    func theNearestNameIsFound(written: String, candidates: [String], expected: String?) {
        #expect(Suggestion.nearest(to: written, in: candidates) == expected)
    }
}
