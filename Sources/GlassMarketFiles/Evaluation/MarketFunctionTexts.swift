import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

/// The texts by which the functions of two markets are compared: their tokens, without comments and layout.
///
/// If a function uses a name that its file declares before the `return`, that part of the file is compared too. A
/// function that is not defined at its key is compared by its whole file. Each file is tokenized once, regardless of
/// the number of its functions.
final class MarketFunctionTexts: FunctionSources {
    private let sources: [MarketFile]
    private var files: [String: File] = [:]

    /// A file, indexed once for all its functions.
    private struct File {
        let bytes: [UInt8]
        let tokens: [LuaToken]
        /// The index of each function's first token, by position.
        let starts: [ExecutionContext: Int]
        /// The index after the `end` of the function or block that starts at an index.
        let ends: [Int: Int]
        /// The tokens before the `return` that ends the file, and the names in them.
        let prelude: ArraySlice<LuaToken>
        let known: Set<String>
        /// The text that precedes a function that uses the prelude, and the text for a function that is defined
        /// elsewhere.
        let preludeText: String
        let wholeText: String

        /// The tokens of the function that begins at a position, if any.
        func body(at position: SourcePosition) -> ArraySlice<LuaToken>? {
            starts[ExecutionContext(line: position.line, column: position.column)].map {
                tokens[$0..<(ends[$0] ?? tokens.count)]
            }
        }

        /// Whether a function uses a name that occurs before the `return`.
        func usesPrelude(_ body: ArraySlice<LuaToken>) -> Bool {
            body.contains { $0.name.map(known.contains) ?? false }
        }
    }

    private struct ExecutionContext: Hashable {
        let line: Int
        let column: Int?
    }

    /// Prepares a market; a file is tokenized when one of its functions is first needed.
    init(of sources: [MarketFile]) {
        self.sources = sources
    }

    /// The text of a function.
    func text(at position: SourcePosition, budget: WorkBudget) throws(WorkBudget.Exceeded) -> String {
        guard let file = try file(position.file, budget) else { return "" }
        guard let body = file.body(at: position) else {
            try budget.spend(file.tokens.count / Self.tokensOfAStep, on: .comparing)
            return file.wholeText
        }
        try budget.spend(body.count, on: .comparing)
        let usesPrelude = file.usesPrelude(body)
        if usesPrelude { try budget.spend(file.prelude.count / Self.tokensOfAStep, on: .comparing) }
        return (usesPrelude ? file.preludeText + "\n\n" : "") + Self.text(of: body, in: file.bytes)
    }

    /// The tokens of ``text(at:budget:)`` with their positions.
    func parts(
        at position: SourcePosition, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [(text: String, position: SourcePosition)] {
        guard let file = try file(position.file, budget) else { return [] }
        let body = file.body(at: position)
        let tokens = body.map { (file.usesPrelude($0) ? Array(file.prelude) : []) + $0 } ?? file.tokens
        try budget.spend(tokens.count, on: .comparing)
        return tokens.map { token in
            (
                String(decoding: file.bytes[token.range], as: UTF8.self),
                SourcePosition(file: position.file, line: token.line, column: token.column)
            )
        }
    }

    /// The number of tokens per step for text that already exists, because copying and comparing it is fast.
    private static let tokensOfAStep = 64

    private func file(_ name: String, _ budget: WorkBudget) throws(WorkBudget.Exceeded) -> File? {
        if let known = files[name] { return known }
        guard let source = sources.first(where: { $0.file == name }) else { return nil }
        let file = try Self.file(source.bytes, budget)
        files[name] = file
        return file
    }

    private static func file(_ bytes: [UInt8], _ budget: WorkBudget) throws(WorkBudget.Exceeded) -> File {
        var tokenizer = LuaTokenizer(bytes)
        var tokens: [LuaToken] = []
        var starts: [ExecutionContext: Int] = [:]
        var ends: [Int: Int] = [:]
        var open: [Int] = []
        var lastReturn = 0
        while true {
            try budget.spend(2, on: .comparing)
            let token = tokenizer.next()
            if token.kind == .endOfFile { break }
            let index = tokens.count
            tokens.append(token)
            if open.isEmpty, token.kind == .keyword(.return) { lastReturn = index }
            if token.kind == .keyword(.function) {
                starts[ExecutionContext(line: token.line, column: token.column)] = index
            }
            switch token.nesting {
            case 1: open.append(index)
            case -1: if let start = open.popLast() { ends[start] = index + 1 }
            default: break
            }
        }
        let prelude = tokens[..<lastReturn]
        return File(
            bytes: bytes, tokens: tokens, starts: starts, ends: ends, prelude: prelude,
            known: Set(prelude.compactMap(\.name)), preludeText: text(of: prelude, in: bytes),
            wholeText: text(of: tokens[...], in: bytes))
    }

    private static func text(of tokens: ArraySlice<LuaToken>, in bytes: [UInt8]) -> String {
        tokens.map { String(decoding: bytes[$0.range], as: UTF8.self) }.joined(separator: "\n")
    }
}

extension LuaToken {
    /// The change of the block depth at the token.
    fileprivate var nesting: Int {
        switch kind {
        case .keyword(.function), .keyword(.do), .keyword(.if), .keyword(.repeat): 1
        case .keyword(.end), .keyword(.until): -1
        default: 0
        }
    }
}
