import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

/// Finds the positions of bytes in a market's strings, for findings about a part of a string.
///
/// A file is tokenized once, when the first position in it is needed.
final class StringLiteralLocator {
    private struct Token {
        let range: Range<Int>
        let value: [UInt8]
    }

    private struct Place: Hashable {
        let line: Int
        let column: Int
    }

    private let sources: [String: MarketFile]
    private let budget: WorkBudget
    private var strings: [String: [Place: Token]] = [:]

    init(of sources: [MarketFile], budget: WorkBudget) {
        self.sources = Dictionary(sources.map { ($0.file, $0) }) { first, _ in first }
        self.budget = budget
    }

    /// The position of a byte in a string.
    func position(ofByte offset: Int, in node: ConfigurationNode) -> SourcePosition? {
        guard case .string(let text) = node.value, let start = node.position, let column = start.column,
            let source = sources[start.file]
        else { return nil }
        let token = tokens(of: source)[Place(line: start.line, column: column)]
        guard let token, token.value.elementsEqual(text.utf8) else { return nil }
        return StringLiteralOffsets(of: source.bytes[token.range], at: start).position(of: offset)
    }

    private func tokens(of source: MarketFile) -> [Place: Token] {
        if let known = strings[source.file] { return known }
        var found: [Place: Token] = [:]
        do {
            try budget.spend(source.bytes.count, on: .positions)
            try budget.hold(bytes: 2 * source.bytes.count, for: .positions)
            var tokenizer = LuaTokenizer(source.bytes)
            var token = tokenizer.next()
            while token.kind != .endOfFile {
                if case .string(let value) = token.kind {
                    found[Place(line: token.line, column: token.column)] = Token(range: token.range, value: value)
                }
                token = tokenizer.next()
            }
        } catch {
            found = [:]  // treated like a computed string
        }
        strings[source.file] = found
        return found
    }
}
