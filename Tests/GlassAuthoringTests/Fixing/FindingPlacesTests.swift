@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting
@testable import GlassAuthoring

/// The end positions of findings, and the edits of their fixes.
@Suite(.timeLimit(.minutes(2)))
struct FindingPlacesTests {
    private static func findings(_ source: String) throws -> [Finding] {
        try MarketFixture(["xx.lua": source]).loader(limits: MarketFixture.patientLimits).check("xx").findings
            .filter { $0.code != .secretUnset }
    }

    private static func only(_ source: String) throws -> Finding {
        let findings = try findings(source)
        #expect(findings.count == 1, "\(findings)")
        return try #require(findings.first)
    }

    private static let start = "return { id = \"xx\", name = \"X\", extends = \"us\", "

    @Test(arguments: [
        // A key, a text, a number, a table, a position inside a text.
        ("locale = { \"en-US\" } }", "locale"), ("currency = \"usd\" }", "\"usd\""),
        ("platform = { networking = { retry = { maxRetries = 11 } } } }", "11"),
        ("platform = { networking = { tracking = {} } } }", "{"),
        ("routables = { home = { paths = { \"a/:\" } } } }", ":\""),
    ])
    func findingEndsAfterItsText(rest: String, pointed: String) throws {
        let finding = try Self.only(Self.start + rest)
        let (position, end) = (try #require(finding.position), try #require(finding.end))
        let line = Array((Self.start + rest).unicodeScalars)
        let column = try #require(position.column)
        #expect(end.line == 1 && end.file == position.file)
        #expect(String(String.UnicodeScalarView(line[(column - 1)..<((end.column ?? 0) - 1)])) == pointed)
    }

    @Test func findingForMissingTextIsEmpty() throws {
        let finding = try Self.only(Self.start + "currency = \"USD\" locales = { \"en-US\" } }")
        #expect(finding.end == finding.position)
        #expect(finding.fix?.edits.map(\.text) == [","])
        #expect(finding.fix?.edits.first?.start == finding.position)
    }

    @Test(arguments: [
        ("a line feed", "--\n", 2, 1), ("carriage return and line feed", "--\r\n", 2, 1),
        ("a carriage return", "--\r", 2, 1), ("two kinds of line end", "--\n\n--\r\n\r\n", 5, 1),
        ("a byte order mark", "\u{FEFF}", 1, 1), ("a tab", "\t", 1, 2),
        ("characters of several bytes", "--[[é😀]]", 1, 9),
    ])
    func editUsesSameColumnsAsFinding(name: String, before: String, line: Int, column: Int) throws {
        let text = "\(before)return { id = \"xx\", name = \"X\", extends = \"us\", localse = { \"en-US\" } }"
        let finding = try Self.only(text)
        let edit = try #require(finding.fix?.edits.first)
        #expect(edit.start == finding.position && edit.end == finding.end)
        #expect(edit.start.line == line && edit.start.column == column + Self.start.count)
        #expect(String(decoding: Array(text.utf8)[edit.bytes], as: UTF8.self) == "localse")
        #expect(edit.text == "locales")
    }

    @Test(arguments: [
        // The value is computed, so there is no text to replace.
        "local key = \"localse\" return { id = \"xx\", name = \"X\", extends = \"us\", [key] = { \"en-US\" } }",
        "local c = \"us\" return { id = \"xx\", name = \"X\", extends = \"us\", currency = c .. \"d\" }",
        start + "platform = { networking = { retry = { maxRetries = \"\" .. \"3\" } } } }",
        // Wrapping in a list would include only part of the value.
        start + "locales = \"en\" .. \"-US\" }",
        // A call may return a different value each time, and removing an entry would also remove its comment.
        "local function n() return 1 end " + start + "platform = { networking = { headers = { A = n(), A = n() } } } }",
        start + "currency = \"USD\", currency = --[[ of course ]] \"USD\" }",
        // An unknown escape next to a valid one: either may be a mistake.
        start + "currency = \"C:\\Users\\new\" }",
        // The unit of another key, and an operand that may be longer.
        start + "platform = { urlSession = { requestTimeoutSeconds = 500ms } } }",
        "local a = 1\na -= 1 - 2\nreturn {}", "local t = { a = 1 }\nt.a += 1\nreturn {}",
        // An apostrophe rather than the end of the text.
        start + "name = ‘it’s’ }", start + "name = “a \"b\" c” }", "/* not closed\nreturn {}",
        "/* a ]] b */\nreturn {}",
    ])
    func uncertainFindingHasNoUnambiguousFix(source: String) throws {
        let fixes = try Self.findings(source).compactMap(\.fix)
        #expect(fixes.filter(\.isUnambiguous).isEmpty, "\(fixes)")
    }

    @Test(arguments: [
        ("currency = \"CDA\"", "\"CAD\""),
        ("routables = { promo = { paths = { \"p\" }, handle = function(_, n) n.present() end } }", "reset"),
        ("platform = { urlSession = { requestTimeoutSeconds = 500ms } }", "500"),
    ])
    func ambiguousFixIsMarkedAsSuch(rest: String, text: String) throws {
        let fix = try #require(try Self.only("\(Self.start)\(rest) }").fix)
        #expect(!fix.isUnambiguous)
        #expect(fix.edits.map(\.text) == [text])
    }

    @Test func fileThatIsNotUTF8HasNoFixes() throws {
        let fixture = try MarketFixture()
        let text =
            Array("return { id = \"xx\", name = \"".utf8) + [0xE9] + Array("\", extends = \"us\", localse = 1 }".utf8)
        try fixture.write(.init(text), to: "xx.lua")
        let findings = try fixture.loader(limits: MarketFixture.patientLimits).check("xx").findings
        #expect(findings.contains { $0.code == .unknownKey })
        #expect(findings.allSatisfy { $0.fix == nil })
    }
}
