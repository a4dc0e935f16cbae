import GlassBase
import GlassSchema
import TestSupport
import Testing

@testable import GlassAuthoring

struct TextDocumentTests {
    /// A client's representation of a text: scalars in an array, with lines computed each time.
    private struct ClientText {
        let encoding: PositionEncoding
        var scalars: [Unicode.Scalar]

        func units(_ scalar: Unicode.Scalar) -> Int {
            encoding == .utf8 ? String(scalar).utf8.count : String(scalar).utf16.count
        }

        func position(of index: Int) -> ClientPosition {
            var (line, character) = (0, 0)
            for place in 0..<index {
                let scalar = scalars[place]
                let isPair = scalar == "\r" && place + 1 < scalars.count && scalars[place + 1] == "\n"
                if scalar == "\n" || scalar == "\r" && !isPair {
                    (line, character) = (line + 1, 0)
                } else {
                    character += units(scalar)
                }
            }
            return ClientPosition(line: line, character: character)
        }

        /// Whether a position is valid: not between the two characters of a line break.
        func isPlace(_ index: Int) -> Bool {
            !(index > 0 && index < scalars.count && scalars[index - 1] == "\r" && scalars[index] == "\n")
        }

        var text: String {
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            return text
        }
    }

    @Test(arguments: [PositionEncoding.utf8, .utf16])
    func randomEditsKeepBothSidesEqual(encoding: PositionEncoding) throws {
        let seed: UInt64 = 17
        var random = SplitMix64(state: seed)
        let alphabet: [Unicode.Scalar] = ["a", "=", "é", "字", "😀", "𝒳", "\n", "\r", "\t", "{", "\u{FEFF}"]
        func piece(_ most: Int) -> [Unicode.Scalar] {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a" }
        }
        var client = ClientText(encoding: encoding, scalars: piece(30))
        var document = TextDocument(uri: "x", version: 0, text: client.text)
        for round in 1...10_000 {
            var changes: [StrictJSON] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let places = (0...client.scalars.count).filter(client.isPlace)
                let one = places.randomElement(using: &random) ?? 0
                // Usually nearby, as in typing; occasionally across lines.
                let other = places.filter { abs($0 - one) < 8 }.randomElement(using: &random) ?? one
                var new = piece(client.scalars.count > 60 ? 1 : 5)
                if round % 997 == 0 {
                    client.scalars = piece(40)
                    changes.append(.record(["text": .string(client.text)]))
                    continue
                }
                let (start, end) = (min(one, other), max(one, other))
                if round % 5 == 0 { new = [] }
                changes.append(
                    .record([
                        "range": ClientRange(client.position(of: start), client.position(of: end)).json,
                        "text": .string(ClientText(encoding: encoding, scalars: new).text),
                    ]))
                client.scalars.replaceSubrange(start..<end, with: new)
            }
            try document.apply(changes, version: round, encoding)
            guard document.lines.bytes == Array(client.text.utf8) else {
                Issue.record(
                    "seed \(seed), edit \(round): \(document.lines.bytes) is not \(client.text.debugDescription)")
                return
            }
        }
        #expect(document.version == 10_000)
    }

    @Test(arguments: [
        ("ab\ncd", 9, 0, 5), ("ab\ncd", 0, 99, 2), ("ab\r\ncd", 0, 99, 2), ("ab\rcd", 1, 1, 4), ("", 3, 3, 0),
        ("a😀b", 0, 2, 1), ("a😀b", 0, 3, 5), ("\u{FEFF}a", 0, 1, 3), ("a\n", 1, 0, 2), ("a\n\rb", 2, 0, 3),
    ])
    func positionsBeyondTextAreClamped(text: String, line: Int, character: Int, offset: Int) {
        let lines = TextLines(Array(text.utf8))
        #expect(lines.offset(of: ClientPosition(line: line, character: character), .utf16) == offset)
    }

    @Test(arguments: [
        ("a = 1\nb", 2, 1, 6), ("a\r\nb", 2, 1, 3), ("a\n\rb", 2, 1, 3), ("a\rb", 2, 1, 2),
        ("😀 x", 1, 3, 5), ("\u{FEFF}return", 1, 1, 3), ("a", 9, 1, 1), ("a", 1, 9, 1),
    ])
    func luaPositionsAreConverted(text: String, line: Int, column: Int, offset: Int) {
        #expect(TextLines(Array(text.utf8)).offset(of: SourcePosition(file: "x", line: line, column: column)) == offset)
    }

    @Test(arguments: [
        ("file:///markets/ca.lua", "/markets/ca.lua"), ("file:///a%20b/%C3%A9%25/x.lua", "/a b/é%/x.lua"),
        ("FILE://localhost/x", "/x"), ("file:///a/../b/./c", "/b/c"), ("file:///%F0%9F%98%80", "/😀"),
    ])
    func filesAreIdentifiedByURI(uri: String, path: String) {
        #expect(DocumentURI.path(of: uri) == path)
        #expect(DocumentURI.path(of: DocumentURI.uri(of: path)) == path)
    }

    @Test(arguments: [
        "untitled:Untitled-1", "git:/x", "file://host/x", "", "x", "file:///%ZZ", "file:///%00", "file:x",
    ])
    func nonFileURIHasNoPath(uri: String) {
        #expect(DocumentURI.path(of: uri) == nil)
    }
}
