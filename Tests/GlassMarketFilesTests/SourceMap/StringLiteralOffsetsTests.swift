import GlassBase
import GlassSchema
import LuaBridge
import Testing

@testable import GlassMarketFiles
@testable import GlassMarkets

@Suite struct LuaStringPlacesTests {
    private static let start = SourcePosition(file: "a.lua", line: 1, column: 8)

    private func places(_ literal: String) throws -> (StringLiteralOffsets, value: [UInt8]) {
        let source = Array("return \(literal)".utf8)
        var tokenizer = LuaTokenizer(source)
        _ = tokenizer.next()
        let token = tokenizer.next()
        guard case .string(let bytes) = token.kind else { throw MergeDirectiveError(message: "no string") }
        return (StringLiteralOffsets(of: source[token.range], at: Self.start), bytes)
    }

    private func position(
        of text: String, line: Int = 1, column: Int?, in places: StringLiteralLocator
    ) -> SourcePosition? {
        places.position(
            ofByte: 1,
            in: ConfigurationNode(
                .string(text), position: SourcePosition(file: "a.lua", line: line, column: column)))
    }

    /// Truncating a literal at the offset of a byte in its value gives a literal for the value up to that byte.
    @Test(arguments: [
        "\"ab\"", "''", "\"\\x41b\\u{e9}\\u{20AC}\\u{1F600}c\"", "'\\97b\\0071\\10x'", "\"a\\z   b\\z\"",
        "'it\\'s\\\\'",
        "\"\\a\\b\\f\\n\\r\\t\\v\\\"\"", "\"\\z \\x41\"",
    ])
    func offsetsMatchTokenizer(literal: String) throws {
        let (places, value) = try places(literal)
        let text = Array(literal.utf8)
        var last = 0
        for count in 0...value.count {
            let position = places.position(of: count)
            #expect(position.line == 1)
            let end = (position.column ?? 0) - 8
            // The bytes of one escape share an offset.
            guard end != last else { continue }
            last = end
            var tokenizer = LuaTokenizer(Array(text[..<end]) + [text[0]])
            #expect(tokenizer.next().kind == .string(Array(value[..<count])), "\(literal) \(count)")
        }
        #expect(last == text.count - 1)
    }

    @Test(arguments: [
        ("[[ab]]", 1, 1, 11), ("[==[a]]b]==]", 3, 1, 15), ("[[\nab]]", 1, 2, 2), ("[[\r\na\r\nb]]", 2, 3, 1),
        ("[[é/x]]", 3, 1, 12), ("\"a\\\nb\"", 2, 2, 1), ("\"a\\z \n  b\"", 1, 2, 3), ("[[]]", 0, 1, 10),
    ])
    func linesAndColumnsMatchEditor(literal: String, byte: Int, line: Int, column: Int) throws {
        let position = try places(literal).0.position(of: byte)
        #expect(position == SourcePosition(file: "a.lua", line: line, column: column), "\(literal)")
    }

    @Test func computedStringHasNoOffsets() {
        let source = MarketFile(file: "a.lua", bytes: Array("return \"a\" .. b".utf8))
        let places = StringLiteralLocator(of: [source], MarketTrees(budget: .unlimited))
        #expect(position(of: "a", column: 8, in: places) == SourcePosition(file: "a.lua", line: 1, column: 10))
        #expect(position(of: "ab", column: 8, in: places) == nil)
        #expect(position(of: "b", column: 15, in: places) == nil)
        #expect(position(of: "a", column: nil, in: places) == nil)
        #expect(position(of: "a", line: 9, column: 1, in: places) == nil)
        #expect(position(of: "a", column: 8, in: StringLiteralLocator(of: [], MarketTrees(budget: .unlimited))) == nil)
    }

    @Test func fileIsTokenizedOnce() {
        let source = MarketFile(file: "a.lua", bytes: Array("return \"a\"".utf8))
        let budget = WorkBudget()
        let places = StringLiteralLocator(of: [source], MarketTrees(budget: budget))
        for _ in 0..<10 { #expect(position(of: "a", column: 8, in: places) != nil) }
        #expect(budget.steps(of: .positions) == 1 + source.bytes.count / 16)
    }
}
