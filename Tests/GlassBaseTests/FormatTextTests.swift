import Foundation
@testable import GlassBase
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Each format round-trips through its parser and shows no invisible character.
struct FormatTextTests {
    static let texts =
        SafeTextTests.unsafe.map { "a\($0.scalar)b" } + [
            "", " ", "a|b", "`", "``a`", "<b>&amp;\"'", "]]>", "-->", "\\", "a\\|b", "é🛒", "\\u{1b}", "[x](y)",
            "\u{2028}",
            "https://example.com www.example.com", "*_~#!@", "\u{E0041}\u{10FFFF}", "a|\u{301}b", "`\u{301}a`\u{301}",
            "``\u{301}`\u{301}", "|\u{20E3}|", " \u{301} ", "\"\u{301}",
        ]

    @Test func jsonStringsAreEscaped() {
        #expect("a\"\\\n\r\t\u{1}\u{1f}é/".jsonLiteral == #""a\"\\\n\r\t\u0001\u001fé/""#)
    }

    @Test(arguments: texts)
    func jsonStringRoundTrips(text: String) throws {
        let literal = text.jsonLiteral
        #expect(!literal.unicodeScalars.contains { $0.needsEscape })
        let read = try JSONSerialization.jsonObject(with: Data("[\(literal)]".utf8)) as? [String]
        #expect(read.map { Array($0[0].unicodeScalars) } == Array(text.unicodeScalars))
    }

    @Test(arguments: texts)
    func encodedDocumentRoundTrips(text: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        let document = DisplayText(json: String(decoding: try encoder.encode([text: [text]]), as: UTF8.self))
        #expect(!document.plain.unicodeScalars.contains { $0.needsEscape && $0 != "\n" })
        let read = try JSONDecoder().decode([String: [String]].self, from: Data(document.plain.utf8))
        #expect(read.values.first.map { Array($0[0].unicodeScalars) } == Array(text.unicodeScalars))
    }

    @Test func whiteSpaceBetweenValuesIsKept() throws {
        let document = DisplayText(json: "{\"a\":\r\n\t[1]}").plain
        #expect(document == "{\"a\": \n [1]}")
    }

    @Test(arguments: texts)
    func xmlRoundTrips(text: String) throws {
        let escaped = text.xmlText
        #expect(!escaped.unicodeScalars.contains { $0.needsEscape })
        // Characters that XML does not allow are escaped; all others round-trip.
        let expected = text.unicodeScalars.reduce(into: "") { result, scalar in
            let isForbidden = scalar.value < 0x20 && !"\n\r\t".unicodeScalars.contains(scalar)
            if isForbidden { result += scalar.escape } else { result.unicodeScalars.append(scalar) }
        }
        let reader = Reader()
        let parser = XMLParser(data: Data("<a b=\"\(escaped)\" c='\(escaped)'>\(escaped)</a>".utf8))
        parser.delegate = reader
        #expect(parser.parse())
        for read in [reader.attributes["b"], reader.attributes["c"], reader.text] {
            #expect(read.map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars))
        }
    }

    @Test(arguments: [
        ("plain", "plain"), ("a|b", "a\\|b"), ("<b>", "\\<b\\>"), ("[a](b)", "\\[a\\](b)"), ("`a`", "\\`a\\`"),
        ("a\n# b", "a\\\\n\\# b"), ("a_b*c*", "a\\_b\\*c\\*"), ("https://a.b", "https:\\//a.b"),
        ("www.a.b", "www\\.a.b"),
        ("a@b.c", "a\\@b.c"), ("- a", "\\- a"), ("&lt;", "\\&lt;"), ("markets/ca.lua", "markets/ca.lua"),
    ])
    func markdownTextIsEscaped(text: String, shown: String) {
        #expect(Markdown.text(text) == shown)
    }

    @Test(arguments: [
        ("a", "`a`"), ("a|b", "`a\\|b`"), ("a`b", "`` a`b ``"), ("``", "``` `` ```"), ("", "`  `"), (" ", "`   `"),
        ("a\u{1B}\n", "`a\\u{1b}\\n`"), ("<b>", "`<b>`"), ("a|\u{301}", "`a\\|\u{301}`"),
        ("`\u{301}", "`` `\u{301} ``"), ("a``\u{301}", "``` a``\u{301} ```"),
    ])
    func markdownCodeIsVerbatim(text: String, shown: String) {
        #expect(Array(Markdown.code(text).unicodeScalars) == Array(shown.unicodeScalars))
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var attributes: [String: String] = [:]
        var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            self.attributes = attributes
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    }
}
