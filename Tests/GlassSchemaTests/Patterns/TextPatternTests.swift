import Foundation
@testable import GlassSchema
import Testing

@Suite struct TextPatternTests {
    @Test(
        arguments: [
            (
                "[0-9]{5}(-[0-9]{4})?", ["72716", "72716-1234"],
                ["7271", "72716-", "727161", "72716-123", " 72716", ""]
            ),
            ("(0[1-9]|[1-9][0-9])[0-9]{3}", ["01000", "11520"], ["00100", "1152", "115200"]),
            (
                "[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z] ?[0-9][ABCEGHJ-NPRSTV-Z][0-9]", ["L5N 1P9", "K1A0B1"],
                ["l5n 1p9", "D5N 1P9", "L5N  1P9"]
            ),
            ("a*", ["", "a", "aaaa"], ["b", "ab"]),
            ("a+b", ["ab", "aaab"], ["b", "a", "abb"]),
            ("(ab|c){2,3}", ["abab", "cc", "cabc"], ["ab", "ababcc", "ac"]),
            ("x{2,}", ["xx", "xxxxx"], ["x", ""]),
            ("(a?b)+", ["b", "abb", "bab"], ["a", "aab", ""]),
            ("((a|b)?c)?", ["", "c", "ac", "bc"], ["a", "abc"]),
            ("[^0-9\\-]", ["a", "é", "€"], ["5", "-", "ab", ""]),
            ("[-a]|[b-]", ["-", "a", "b"], ["c", "-a"]),
            ("\\d\\d\\.\\(\\)", ["12.()"], ["1a.()", "12x()"]),
            ("São|é+", ["São", "éé"], ["Sao", "e"]),
            ("A", ["A"], ["a"]),
        ] as [(String, [String], [String])])
    func patternMatchesWholeText(pattern: String, fitting: [String], others: [String]) throws {
        let pattern = try TextPattern(pattern)
        for text in fitting { #expect(pattern.matches(text), "\(pattern.text) \(text)") }
        for text in others { #expect(!pattern.matches(text), "\(pattern.text) \(text)") }
    }

    @Test(
        arguments: [
            ("", 0, "expected a character here"),
            ("a|", 2, "expected a character here"),
            ("()", 1, "expected a character here"),
            ("(a+)+$", 4, "nested repetition is not supported"),
            ("(a|b*){2}", 6, "nested repetition is not supported"),
            ("é(a{2}b)*", 9, "nested repetition is not supported"),
            ("a++", 2, "a repetition cannot be repeated"),
            ("a{2}?", 4, "a repetition cannot be repeated"),
            ("*a", 0, "there is nothing to repeat before \"*\""),
            ("a.b", 1, "patterns do not support \".\" for any character"),
            ("^a", 0, "a pattern always matches the whole text, so \"^\" is not needed"),
            ("a$", 1, "a pattern always matches the whole text, so \"$\" is not needed"),
            ("a)", 1, "this \")\" has no matching \"(\""),
            ("a]", 1, "this \"]\" has no matching opening bracket"),
            ("(ab", 0, "this group is not closed"),
            ("x[ab", 1, "this class is not closed"),
            ("[]", 0, "this class is empty"),
            ("[[a]]", 1, "\"[\" is not allowed here in a class"),
            ("[a&&b]", 2, "\"&\" is not allowed here in a class"),
            ("[z-a]", 1, "this range is reversed"),
            ("[\\d-a]", 1, "this range is reversed"),
            ("(?:a)", 1, "groups do not support (?…)"),
            ("a\\", 1, "a character is missing after \"\\\""),
            ("a\\w", 1, "patterns do not support \"\\w\""),
            ("\\1", 0, "patterns do not support \"\\1\""),
            ("a{", 2, "expected a count such as {3}, {2,4}, or {2,}"),
            ("a{2", 1, "expected a count such as {3}, {2,4}, or {2,}"),
            ("a{,2}", 2, "expected a count such as {3}, {2,4}, or {2,}"),
            ("a{3,2}", 1, "this count is reversed"),
            ("a{0}", 1, "this count is reversed"),
            ("a{256}", 2, "the maximum count is 255"),
            ("a{99999999999999999999}", 2, "the maximum count is 255"),
            (
                "a{200}b{200}c{200}d{200}e{201}", 25,
                "with its repetitions expanded, the pattern has more than 1000 characters"
            ),
            (String(repeating: "a", count: 257), 256, "the pattern has 257 bytes; the maximum is 256"),
        ])
    func unsupportedSyntaxIsReportedWithOffset(pattern: String, offset: Int, message: String) {
        let error = #expect(throws: TextPatternError.self) { try TextPattern(pattern) }
        #expect(error?.offset == offset, "\(pattern)")
        #expect(error?.message == message)
    }

    @Test func overlongTextDoesNotMatch() throws {
        let pattern = try TextPattern("a*")
        #expect(pattern.matches(String(repeating: "a", count: 256)))
        #expect(!pattern.matches(String(repeating: "a", count: 257)))
    }

    /// Nested groups, alternatives and maximum counts, against a text that nearly matches.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            String(repeating: "(", count: 127) + "a" + String(repeating: ")", count: 127),
            String(repeating: "(a?", count: 50) + String(repeating: ")?", count: 50),
            "(a|a|a|a){249}b", String(repeating: "a?", count: 60) + String(repeating: "a", count: 60),
            String(repeating: "a*", count: 127) + "b", "[^b]{250}[^b]{250}[^b]{250}[^b]{250}",
        ])
    func patternsDoNotBacktrack(pattern: String) throws {
        let pattern = try TextPattern(pattern)
        for _ in 0..<10 { _ = pattern.matches(String(repeating: "a", count: 256)) }
    }

    /// The patterns mean the same to `NSRegularExpression`.
    @Test func patternsMatchLikeRegularExpressions() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Generator(state: seed)
        for _ in 0..<600 {
            let text = Self.choice(&random, depth: 3, canRepeat: true)
            let pattern: TextPattern
            do {
                pattern = try TextPattern(text)
            } catch {
                // The generator's patterns can only be wrong by being too large.
                #expect(error.message.contains("more than") || error.message.contains("maximum is"), "\(text) \(seed)")
                continue
            }
            let expression = try NSRegularExpression(pattern: "\\A(?:\(text))\\z")
            for _ in 0..<12 {
                let length = Int.random(in: 0...8, using: &random)
                let input = String((0..<length).map { _ in "abc01-é€.".randomElement(using: &random) ?? "a" })
                let range = NSRange(input.startIndex..., in: input)
                let expected = expression.firstMatch(in: input, range: range) != nil
                #expect(pattern.matches(input) == expected, "\(text) on \(input), seed \(seed)")
            }
        }
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static func choice(_ random: inout Generator, depth: Int, canRepeat: Bool) -> String {
        (0..<Int.random(in: 1...3, using: &random)).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                item(&random, depth: depth, canRepeat: canRepeat)
            }
            .joined()
        }
        .joined(separator: "|")
    }

    private static func item(_ random: inout Generator, depth: Int, canRepeat: Bool) -> String {
        let suffixes = canRepeat ? ["", "", "?", "*", "+", "{2}", "{1,3}", "{2,}"] : ["", "", "?"]
        let suffix = suffixes.randomElement(using: &random) ?? ""
        // Nested repetition is not supported.
        let repeats = !suffix.isEmpty && suffix != "?"
        switch Int.random(in: 0...(depth > 0 ? 3 : 2), using: &random) {
        case 0: return ("abc01é€".randomElement(using: &random).map(String.init) ?? "a") + suffix
        case 1: return (["[ab]", "[^a0]", "[a-c0]", "[é-€]", "[0-9-]"].randomElement(using: &random) ?? "") + suffix
        case 2: return (["\\-", "\\.", "[\\-b]"].randomElement(using: &random) ?? "") + suffix
        default: return "(" + choice(&random, depth: depth - 1, canRepeat: canRepeat && !repeats) + ")" + suffix
        }
    }
}
