import GlassBase
import GlassMarkets
import GlassSchema
import LuaSyntax

/// Finds the positions of bytes in a market's strings, for findings about a part of a string.
///
/// A file is parsed once, when the first position in it is needed.
final class StringLiteralLocator {
    private let sources: [String: MarketFile]
    private let budget: WorkBudget
    private var trees: [String: LuaTree] = [:]

    init(of sources: [MarketFile], budget: WorkBudget) {
        self.sources = Dictionary(sources.map { ($0.file, $0) }) { first, _ in first }
        self.budget = budget
    }

    /// The position of a byte in a string; nil if the string is computed, or the budget is exceeded.
    func position(ofByte offset: Int, in node: ConfigurationNode) -> SourcePosition? {
        guard case .string(let text) = node.value, let start = node.position, let column = start.column,
            let source = sources[start.file]
        else { return nil }
        let tree: LuaTree
        do {
            tree = try self.tree(of: source)
        } catch {
            return nil
        }
        let byte = tree.lines.byte(at: LuaLines.Position(line: start.line, column: column))
        guard let token = tree.token(at: byte), tree.tokens[token].kind == .string,
            tree.value(ofString: token).elementsEqual(text.utf8)
        else { return nil }
        return StringLiteralOffsets(of: source.bytes[tree.tokens[token].range], at: start).position(of: offset)
    }

    private func tree(of source: MarketFile) throws(WorkBudget.Exceeded) -> LuaTree {
        if let known = trees[source.file] { return known }
        let tree = try LuaTree(source.bytes, budget: budget, phase: .positions)
        try budget.hold(bytes: tree.memory, for: .positions)
        trees[source.file] = tree
        return tree
    }
}
