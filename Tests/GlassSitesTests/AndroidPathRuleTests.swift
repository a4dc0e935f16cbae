import Foundation
@testable import GlassSites
import Testing

@Suite struct AndroidPathRuleTests {
    struct Vector: Sendable, Decodable, CustomTestStringConvertible {
        let kind: String
        let pattern: String
        let path: String
        let match: Bool
        var testDescription: String { "\(kind) \(pattern) \(path) -> \(match)" }

        var rule: AndroidPathRule {
            kind == "pathPattern" ? .pattern(pattern) : .advancedPattern(pattern)
        }
    }

    static let vectors: [Vector] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/android_pattern_vectors.json")
        return try! JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
    }()

    @Test func vectorsAreComplete() {
        #expect(Self.vectors.count == 27)
        #expect(Set(Self.vectors.map(\.kind)) == ["pathPattern", "pathAdvancedPattern"])
    }

    @Test(arguments: vectors) func vectorHasExpectedResult(_ vector: Vector) {
        #expect(vector.rule.matches(path: vector.path) == vector.match)
    }

    @Test(
        arguments: [
            (AndroidPathRule.path("/a"), "/a", true), (.path("/a"), "/A", false), (.path("/a"), "/a/", false),
            (.prefix("/a"), "/ab", true), (.prefix("/a"), "/b", false),
            // Only `.*` supports an escaped dot.
            (.pattern("/v1\\.0"), "/v1a0", true), (.pattern("/v.*\\.0"), "/v1.0", true),
            (.pattern("/v.*\\.0"), "/v1a0", false),
            (.pattern("/a*b"), "/aaab", true), (.pattern("/a*b"), "/b", true), (.pattern("/a*"), "/", false),
            (.pattern(""), "", true), (.pattern(""), "/", false), (.pattern("/.*"), "/", true),
            (.advancedPattern("/a/{0,1}"), "/a", true), (.advancedPattern("/a/{0,1}"), "/a/", true),
            (.advancedPattern("/a/{0,1}"), "/a//", false), (.advancedPattern("/[^/]{2}"), "/ab", true),
            (.advancedPattern("/[^/]{2}"), "/abc", false), (.advancedPattern("/a{2,}"), "/aaaa", true),
            (.advancedPattern("/a{2,}"), "/a", false), (.advancedPattern("/v1\\.0"), "/v1a0", false),
            (.advancedPattern("/[a\\-z]"), "/-", true), (.advancedPattern("/[a\\-z]"), "/m", false),
            (.advancedPattern("/[0-9_-]+"), "/1-_", true), (.advancedPattern("/é."), "/éx", true),
            (.advancedPattern("/\\[\\*"), "/[*", true), (.advancedPattern("/."), "/😀", false),
            // Greedy without backtracking.
            (.advancedPattern("/a*a"), "/aa", false),
        ] as [(AndroidPathRule, String, Bool)])
    func quirksMatchAndroid(_ rule: AndroidPathRule, path: String, matches: Bool) {
        #expect(rule.matches(path: path) == matches)
    }

    @Test(arguments: ["*a", "/a**", "/[", "/[]", "/[^]", "/a{", "/a{x}", "/a{1,2,3}", "/a\\", "/[a\\"])
    func invalidPatternMatchesNothing(_ pattern: String) {
        #expect(!AndroidPathRule.advancedPattern(pattern).matches(path: "/a"))
        #expect(!AndroidPathRule.advancedPattern(pattern).matches(path: pattern))
    }

    @Test func onlyAdvancedPatternRequiresAPI31() {
        #expect(!AndroidPathRule.advancedPattern("/").isKnownBelowAPI31)
        #expect(AndroidPathRule.path("/").isKnownBelowAPI31 && AndroidPathRule.pattern("/").isKnownBelowAPI31)
        #expect(AndroidPathRule.prefix("/").isKnownBelowAPI31)
    }
}
