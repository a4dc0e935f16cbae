import GlassBase
import GlassMarkets
import GlassSchema
import LuaSyntax

/// The texts by which the functions of two markets are compared: their tokens, without comments and layout.
///
/// If a function uses a name that its file declares before the `return`, that part of the file is compared too. A
/// function that is not defined at its key is compared by its whole file. Each file is parsed once, regardless of the
/// number of its functions.
final class MarketFunctionTexts: FunctionSources {
    private let sources: [MarketFile]
    private var files: [String: File] = [:]

    /// A file, indexed once for all its functions.
    private struct File {
        let tree: LuaTree
        /// The token after each function, by the token of its keyword.
        let functionEnds: [Int: Int]
        /// The tokens before the `return` that ends the file, and the names in them.
        let prelude: Range<Int>
        let preludeNames: Set<String>
        /// The text that precedes a function that uses the prelude, and the text for a function that is defined
        /// elsewhere.
        let preludeText: String
        let wholeText: String

        init(_ tree: LuaTree) {
            self.tree = tree
            var ends: [Int: Int] = [:]
            for node in tree.allNodes {
                guard let function = tree.function(node) else { continue }
                let tokens = tree.tokens(of: node)
                let keyword = function.isLocal ? tokens.lowerBound + 1 : tokens.lowerBound
                ends[keyword] = tokens.upperBound
            }
            functionEnds = ends
            let last = tree.children(of: tree.root).filter { tree.kind($0) == .return }.last
            prelude = 0..<(last.map { tree.tokens(of: $0).lowerBound } ?? 0)
            preludeNames = Set(prelude.lazy.filter { tree.tokens[$0].kind == .name }.map { tree.text(of: $0) })
            preludeText = Self.text(of: prelude, in: tree)
            wholeText = Self.text(of: 0..<tree.tokens.count - 1, in: tree)
        }

        /// The tokens of the function that begins at a position, if any.
        func body(at position: SourcePosition) -> Range<Int>? {
            guard let start = tree.token(at: position) else { return nil }
            return functionEnds[start].map { start..<$0 }
        }

        /// Whether a function uses a name that occurs before the `return`.
        func usesPrelude(_ body: Range<Int>) -> Bool {
            body.contains { tree.tokens[$0].kind == .name && preludeNames.contains(tree.text(of: $0)) }
        }

        func text(of tokens: Range<Int>) -> String { Self.text(of: tokens, in: tree) }

        private static func text(of tokens: Range<Int>, in tree: LuaTree) -> String {
            tokens.map { tree.text(of: $0) }.joined(separator: "\n")
        }
    }

    /// Prepares a market; a file is parsed when one of its functions is first needed.
    init(of sources: [MarketFile]) {
        self.sources = sources
    }

    /// The text of a function.
    func text(at position: SourcePosition, budget: WorkBudget) throws(WorkBudget.Exceeded) -> String {
        guard let file = try file(position.file, budget) else { return "" }
        guard let body = file.body(at: position) else {
            try budget.spend(file.tree.tokens.count / Self.tokensOfAStep, on: .comparing)
            return file.wholeText
        }
        try budget.spend(body.count, on: .comparing)
        let usesPrelude = file.usesPrelude(body)
        if usesPrelude { try budget.spend(file.prelude.count / Self.tokensOfAStep, on: .comparing) }
        return (usesPrelude ? file.preludeText + "\n\n" : "") + file.text(of: body)
    }

    /// The tokens of ``text(at:budget:)`` with their positions.
    func parts(
        at position: SourcePosition, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [(text: String, position: SourcePosition)] {
        guard let file = try file(position.file, budget) else { return [] }
        let tree = file.tree
        let body = file.body(at: position)
        let tokens =
            body.map { (file.usesPrelude($0) ? Array(file.prelude) : []) + $0 }
            ?? Array(0..<tree.tokens.count - 1)
        try budget.spend(tokens.count, on: .comparing)
        return tokens.map { token in
            (tree.text(of: token), tree.position(ofByte: tree.tokens[token].lowerBound, in: position.file))
        }
    }

    /// The number of tokens per step for text that already exists, because copying and comparing it is fast.
    private static let tokensOfAStep = 64

    private func file(_ name: String, _ budget: WorkBudget) throws(WorkBudget.Exceeded) -> File? {
        if let known = files[name] { return known }
        guard let source = sources.first(where: { $0.file == name }) else { return nil }
        let tree = try LuaTree(source.bytes, budget: budget, phase: .comparing)
        // For the texts of the tokens.
        try budget.spend(2 * tree.tokens.count, on: .comparing)
        let file = File(tree)
        files[name] = file
        return file
    }
}
