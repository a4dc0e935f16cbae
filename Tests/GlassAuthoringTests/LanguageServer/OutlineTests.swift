import Foundation
import GlassBase
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaSyntax
import TestSupport
import Testing

@testable import GlassAuthoring

struct OutlineTests {
    private static func shipped(_ id: String) throws -> [UInt8] {
        Array(try Data(contentsOf: EditorFixture.repository.appending(path: "markets/\(id).lua")))
    }

    /// Compares the result at each position with that of the complete text.
    @Test(arguments: ["us", "ca", "mx"])
    func keyAtCursorIsFoundInTruncatedText(market: String) throws {
        let bytes = try Self.shipped(market)
        let whole = Outline(bytes)
        #expect(!whole.tree.isGuessed)
        var (asked, found) = (0, 0)
        var missed: [String] = []
        // At every byte, or at every fifth.
        let step = 5 / rounds(all: 5, few: 1)
        for cut in stride(from: 0, through: bytes.count, by: step) {
            guard let expected = whole.pathAndPrefix(at: cut) else { continue }
            asked += 1
            let outline = Outline(Array(bytes[..<cut]))
            if Self.isSame(outline.pathAndPrefix(at: cut), expected) {
                found += 1
            } else if missed.count < 10 {
                let text = String(decoding: bytes[max(0, cut - 30)..<cut], as: UTF8.self)
                missed.append("\(expected) is \(String(describing: outline.pathAndPrefix(at: cut))) behind \(text)")
            }
        }
        #expect(asked > bytes.count / step / 2)
        #expect(Double(found) >= 0.99 * Double(asked), "\(found) of \(asked): \(missed)")
    }

    /// In a truncated name, the beginning is found; in place of the following element, only its table.
    private static func isSame(
        _ cut: (path: ConfigurationPath, prefix: String?)?, _ whole: (path: ConfigurationPath, prefix: String?)
    ) -> Bool {
        guard let cut else { return false }
        if cut.path == whole.path { return true }
        guard cut.path.elements == Array(whole.path.elements.dropLast()) else { return false }
        switch whole.path.elements.last {
        case .key(let name): return name.hasPrefix(cut.prefix ?? "")
        case .index: return cut.prefix == nil
        case nil: return false
        }
    }

    /// With one brace too few or too many, almost all other keys stay where they were.
    @Test(arguments: ["us", "ca", "mx"], [true, false])
    func oneWrongBraceLosesFewKeys(market: String, isMissing: Bool) throws {
        let bytes = try Self.shipped(market)
        let whole = Outline(bytes)
        let paths = Set(whole.entries.indices.dropFirst().map { whole.path(of: $0) })
        var (asked, found) = (0, 0)
        for token in whole.tree.tokens where token.kind == .rightBrace {
            var changed = bytes
            if isMissing {
                changed.removeSubrange(token.range)
            } else {
                changed.insert(UInt8(ascii: "}"), at: token.range.upperBound)
            }
            let outline = Outline(changed)
            asked += paths.count
            found += paths.intersection(outline.entries.indices.map { outline.path(of: $0) }).count
        }
        #expect(Double(found) >= 0.97 * Double(asked), "\(found) of \(asked)")
    }

    @Test(arguments: [
        // A missing value does not swallow the next key.
        ("return { currency =\n platform = { networking = {} } }", "currency platform platform.networking"),
        ("return { currency = , name = 'x' }", "currency name"),
        ("return { name = 'x' currency = 'y' }", "name currency"),
        // An unclosed table ends at a key that its section does not have.
        (
            "return {\n  platform = {\n    networking = {\n      retry = {\n        maxRetries = 4,\n    appInfo = {},\n  },\n  routables = {},\n}",
            "platform platform.networking platform.networking.retry platform.networking.retry.maxRetries platform.appInfo routables"
        ),
        // One brace too many.
        (
            "return {\n  platform = {\n    networking = {},\n    },\n    appInfo = {},\n  },\n  routables = {},\n}",
            "platform platform.networking platform.appInfo routables"
        ),
        // A function without its end.
        (
            "return {\n  routables = {\n    a = {\n      handle = function(link)\n        if x then y = 1 end\n    },\n    b = {},\n  },\n  name = 'x',\n}",
            "routables routables.a routables.a.handle routables.b name"
        ),
        ("{ id = 'x', name = 'y' }", "id name"),
        ("local t = { id = 'x' }\nreturn t", "id"),
        ("return market { id = 'x' }", "id"),
        ("return { a = append { 1, 2 }, ['b c'] = { d = -1 } }", "a a[1] a[2] [\"b c\"] [\"b c\"].d"),
        ("return { name = \"x\ncurrency = 'CAD' }", "name currency"),
        ("", ""), ("print(1)", ""), ("}}}}", ""), ("return", ""), ("return {", ""), ("return { = }", ""),
    ])
    func recoveryFollowsRules(text: String, paths: String) {
        let outline = Outline(Array(text.utf8))
        let found = outline.entries.indices.dropFirst().map { "\(outline.path(of: $0))" }.joined(separator: " ")
        #expect(found == paths)
    }

    @Test func unfinishedKeyIsAPrefix() {
        let text = "return { platform = { networking = { ret } } }"
        let outline = Outline(Array(text.utf8))
        let place = outline.pathAndPrefix(at: 40)
        #expect(place?.path == "platform.networking")
        #expect(place?.prefix == "ret")
    }

    @Test(arguments: [
        ("return { -- ab\n a = 1 }", 13, true), ("return { --[[ x ]] a = 1 }", 14, true),
        ("return { --[[ x ]] a = 1 }", 19, false), ("return { -- ab\n a = 1 }", 16, false),
        ("return { a = '--', b = 1 }", 18, false),
    ])
    func commentsAreRecognized(text: String, offset: Int, isComment: Bool) {
        #expect(Outline(Array(text.utf8)).isInComment(offset) == isComment)
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["{", "}", "{a=", "[", "(", "function ", "return ", "--[[", "\"", "a=", "return{a={", "\n}"])
    func hostileTextTakesLinearTime(piece: String) {
        let text = Array(("return {" + String(repeating: piece, count: 200_000 / piece.utf8.count)).utf8)
        let clock = ContinuousClock()
        let time = clock.measure { _ = Outline(text).place(at: text.count) }
        #expect(time < .seconds(20), "\(time)")
    }

    /// Text that Lua cannot parse, with the findings about what it has, in overlays and flags as well.
    @Test(arguments: [
        (
            "overlays = { { name = \"a\", platfrom = {}, platform = { networking = { retry = { maxRetires = 1 } } } } }",
            ["overlays[1].platform.networking.retry.maxRetires: unknown key"]
        ),
        ("overlays = { { name = \"a\", platfrom = 1 } }", ["overlays[1].platfrom: unknown key"]),
        (
            "overlays = { { name = \"a b\", beats = { 5 } } }",
            ["overlays[1].beats[1]: expected", "overlays[1].name: expected"]
        ),
        ("overlays = { { name = \"a\", id = \"b\" } }", []),
        (
            "conditions = { a = { rollout = { percent = 200 } } }, flags = { f = { rules = { { rollout = { percent = 200 } } } } }",
            ["flags.f.rules[1].rollout.percent: expected a percentage"]
        ),
        (
            "flags = { a = { rules = { { name = \"r\", rollout = { percnt = 5, by = 3 } } } } }",
            ["flags.a.rules[1].rollout.by: expected", "flags.a.rules[1].rollout.percnt: unknown key"]
        ),
        ("abstract = 1, conditions = 5", ["abstract: expected", "conditions: expected"]),
        ("conditions = { [\"a b\"] = \"c\" }, attributes = { [\"a-b\"] = { type = \"text\" } }", []),
        ("overlays = { { name = \"a\", inherit = true, platform = { appInfo = { inherit = true } } } }", []),
        ("flags = { a = { rules = { { name = \"r\", when = any { \"x\" }, split = { weights = { } } } } } }", []),
    ])
    func unparsedTextHasFindings(keys: String, expected: [String]) {
        let text = "return { id = \"xx\", = 1, \(keys) }"
        let found = Outline(Array(text.utf8)).findings(
            against: MarketSchema(.platform).file, file: "xx.lua", budget: .unlimited
        ).map { "\($0.path): \($0.message)" }.sorted()
        #expect(found.count == expected.count && zip(found, expected).allSatisfy { $0.hasPrefix($1) }, "\(found)")
    }

    @Test func anyBytesAreAccepted() {
        var bytes: [UInt8] = []
        for round in 0..<2000 { bytes.append(UInt8(truncatingIfNeeded: round &* 97 ^ round >> 3)) }
        for start in stride(from: 0, to: 1900, by: 7) {
            let outline = Outline(Array("return {".utf8) + bytes[start..<start + 100])
            for offset in 0...108 { _ = outline.place(at: offset) }
        }
    }
}
