@testable import GlassSchema
import Testing

struct SourceLineTests {
    private func line(_ text: String, _ line: Int, _ column: Int?) -> SourceLine? {
        SourceLine(of: SourcePosition(file: "f", line: line, column: column), in: Array(text.utf8))
    }

    @Test(
        arguments: [
            ("a\nbc\nd", 2, 2, "bc", 2), ("a\r\nb\r\n", 1, 2, "a", 2), ("añb", 1, 3, "añb", 3), ("a\n", 2, 1, "", 1),
            ("", 1, 1, "", 1), ("ab", 1, 3, "ab", 3), ("ab", 1, 4, "ab", nil), ("ab", 1, nil, "ab", nil),
        ] as [(String, Int, Int?, String, Int?)])
    func lineHasTextAndColumn(_ text: String, _ number: Int, _ column: Int?, _ shown: String, _ place: Int?) {
        #expect(line(text, number, column)?.text == shown)
        #expect(line(text, number, column)?.column == place)
    }

    @Test(arguments: [0, -1, 3, 1000])
    func lineOutOfRangeIsNil(_ number: Int) {
        #expect(line("a\nb", number, 1) == nil)
    }

    @Test func longLineKeepsPartAroundColumn() throws {
        let text = String(repeating: "ñ", count: 100_000) + "!" + String(repeating: "x", count: 100_000)
        let line = try #require(self.line("first\n" + text, 2, 100_001))
        #expect(line.text.count <= 1001)
        let scalars = Array(line.text.unicodeScalars)
        #expect(scalars[try #require(line.column) - 1] == "!")
    }
}
