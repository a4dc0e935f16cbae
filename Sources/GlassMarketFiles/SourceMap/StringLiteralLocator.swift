import GlassBase
import GlassMarkets
import GlassSchema
import LuaSyntax

/// Finds the positions of bytes in a market's strings, for findings about a part of a string.
struct StringLiteralLocator {
    private let sources: [String: MarketFile]
    private let trees: MarketTrees

    init(of sources: [MarketFile], _ trees: MarketTrees) {
        self.sources = Dictionary(sources.map { ($0.file, $0) }) { first, _ in first }
        self.trees = trees
    }

    /// The position of a byte in a string; nil if the string is computed, or the budget is exceeded.
    func position(ofByte offset: Int, in node: ConfigurationNode) -> SourcePosition? {
        guard case .string(let text) = node.value, let start = node.position, let source = sources[start.file] else {
            return nil
        }
        let tree: LuaTree
        do {
            tree = try trees.tree(of: source)
        } catch {
            return nil
        }
        guard let token = tree.token(at: start), tree.tokens[token].kind == .string,
            tree.value(ofString: token).elementsEqual(text.utf8)
        else { return nil }
        return StringLiteralOffsets(of: source.bytes[tree.tokens[token].range], at: start).position(of: offset)
    }
}
