@testable import GlassBase
import Testing

struct SuggestionTests {
    @Test(
        arguments: [
            ("myacount", ["myaccount", "cart"], "myaccount"),
            ("maxRetires", ["maxRetries", "multiplier"], "maxRetries"),
            ("AppInfoApi", ["AppInfoAPI", "AppProcessInfo"], "AppInfoAPI"),
            ("cq", ["ca", "mx", "us"], "ca"),
            ("xyz", ["abc"], nil),
            ("", ["a", "abc"], "a"),
            ("same", ["same"], nil),
            ("ab", ["ac", "aa"], "aa"),
        ] as [(String, [String], String?)])
    func nearestNameIsFound(written: String, candidates: [String], expected: String?) {
        #expect(Suggestion.nearest(to: written, in: candidates) == expected)
    }

    @Test func longNameIsNotCompared() {
        let longest = String(repeating: "a", count: Suggestion.maximumNameLength)
        #expect(Suggestion.nearest(to: longest, in: [longest.dropLast() + "b"]) == longest.dropLast() + "b")
        #expect(Suggestion.nearest(to: longest + "a", in: [longest]) == nil)
        #expect(Suggestion.nearest(to: longest, in: [longest + "a"]) == nil)
        #expect(Suggestion.distance(Array(longest), Array(longest + "a"), limit: 5) == nil)
    }

    @Test func onlyFirstThousandCandidatesAreCompared() {
        let others = (1..<Suggestion.maximumCandidates).map { "other\($0)" }
        #expect(Suggestion.nearest(to: "accuont", in: others + ["account"]) == "account")
        #expect(Suggestion.nearest(to: "accuont", in: others + ["another", "account"]) == nil)
    }

    @Test(arguments: [
        ("ab", "ab", 0), ("ab", "ba", 1), ("ab", "", 2), ("", "ab", 2), ("abcd", "acbe", 2), ("a", "xyz", nil),
    ])
    func distanceCountsEditsAndTranspositions(left: String, right: String, expected: Int?) {
        #expect(Suggestion.distance(Array(left.utf8), Array(right.utf8), limit: 2) == expected)
    }
}
