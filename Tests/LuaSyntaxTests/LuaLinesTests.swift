import CLuaTokens
import LuaSyntax
import TestSupport
import Testing

/// Lines and columns are those of the tokenizer.
struct LuaLinesTests {
    /// The start and end of each token, as the tokenizer counts them.
    private static func positions(in text: [UInt8]) -> [(byte: Int, position: LuaLines.Position)] {
        var found: [(byte: Int, position: LuaLines.Position)] = []
        text.withUnsafeBytes { buffer in
            let source = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var cursor = glua_first_token(source, buffer.count)
            var token = glua_token()
            repeat {
                token = glua_next_token(source, buffer.count, &cursor)
                found.append((token.start, .init(line: token.line, column: token.column)))
                found.append((token.end, .init(line: token.end_line, column: token.end_column)))
            } while token.kind != GLUA_TOKEN_END
        }
        return found
    }

    private static func check(_ text: [UInt8], _ comment: Comment) {
        let lines = LuaLines(text)
        for (byte, position) in positions(in: text) {
            guard lines.position(of: byte) == position, lines.byte(at: position) == byte else {
                Issue.record(
                    "\(comment): \(position) at \(byte) is \(lines.position(of: byte)), \(lines.byte(at: position))")
                return
            }
        }
    }

    @Test(arguments: [
        "", "a", "a\nb\r\nc\n\rd\r\re", "\n\n\na", "'a\\\r\nb' c", "[[\n\r\n]] a", "é = 'ü€😀' x", "--é\n--[[ü\r]] a",
        "#!é\rx\n\ra", "#", "\u{FEFF}a", "\u{FEFF}#!x\na", "#!x\r\na", "\u{FEFF}", "'a\nb", "--[[ x\n", "a\n",
    ])
    func positionsAreThoseOfTheTokenizer(text: String) {
        Self.check(Array(text.utf8), "\(text.debugDescription)")
    }

    @Test(arguments: [UInt64(3), UInt64.random(in: 0 ... .max)])
    func positionsInRandomTextAreThoseOfTheTokenizer(seed: UInt64) {
        print("line seed: \(seed)")
        var random = SplitMix64(state: seed)
        let pieces: [[UInt8]] =
            [
                "\n", "\r", "a", "ab ", "é", "€", "😀", "--", "[[", "]]", "'", "\\", "x = 1 ", "\t", "#", "\u{FEFF}",
            ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0x80]]
        for round in 0..<rounds(all: 2_000, few: 200) {
            let count = Int.random(in: 0..<600, using: &random)
            let text = (0..<count).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
            Self.check(text, "round \(round)")
        }
    }

    @Test func positionsOutsideTheTextAreClamped() {
        let lines = LuaLines(Array("ab\r\ncd".utf8))
        #expect(lines.count == 2)
        #expect(lines.byte(at: .init(line: 1, column: 99)) == 2)
        #expect(lines.byte(at: .init(line: 2, column: .max)) == 6)
        #expect(lines.byte(at: .init(line: 9, column: 1)) == 6)
        #expect(lines.byte(at: .init(line: 0, column: 0)) == 0)
        #expect(lines.position(of: 99) == .init(line: 2, column: 3))
    }

    @Test func byteWithinCharacterIsAtItsColumn() {
        let lines = LuaLines(Array("a€b".utf8))
        #expect((0...5).map { lines.position(of: $0).column } == [1, 2, 2, 2, 3, 4])
    }
}
