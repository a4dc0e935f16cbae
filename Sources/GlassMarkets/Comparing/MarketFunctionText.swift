import GlassSchema
import LuaBridge

/// The text by which a function of a market is compared with that of another: its tokens, so that comments and layout
/// do not count.
///
/// Where the function uses a name that its file declares before the `return`, that part of the file counts too. A
/// function that stands elsewhere than at its key is compared by its whole file.
struct MarketFunctionText {
    /// The tokens, each on a line.
    let text: String

    /// Reads the text of a function.
    ///
    /// - Parameters:
    ///   - path: The key that holds it.
    ///   - market: The market.
    init(at path: ConfigurationPath, in market: Market) {
        let position = market.source.node(at: path)?.position
        guard let position, let source = market.origin.sources.first(where: { $0.file == position.file }) else {
            text = ""
            return
        }
        let tokens = Self.tokens(of: source.bytes)
        let start = tokens.firstIndex { $0.line == position.line && $0.column == position.column }
        guard let start, tokens[start].kind == .keyword(.function) else {
            text = Self.text(of: tokens[...], in: source.bytes)
            return
        }
        let body = tokens[start..<Self.end(of: start, in: tokens)]
        let prelude = tokens[..<Self.lastReturn(in: tokens)]
        let known = Set(prelude.compactMap(\.name))
        let usesPrelude = body.contains { $0.name.map(known.contains) ?? false }
        text =
            (usesPrelude ? Self.text(of: prelude, in: source.bytes) + "\n\n" : "")
            + Self.text(of: body, in: source.bytes)
    }

    private static func tokens(of bytes: [UInt8]) -> [LuaToken] {
        var tokenizer = LuaTokenizer(bytes)
        var tokens: [LuaToken] = []
        while true {
            let token = tokenizer.next()
            if token.kind == .endOfFile { return tokens }
            tokens.append(token)
        }
    }

    private static func text(of tokens: ArraySlice<LuaToken>, in bytes: [UInt8]) -> String {
        tokens.map { String(decoding: bytes[$0.range], as: UTF8.self) }.joined(separator: "\n")
    }

    /// The index behind the `end` of the function that starts at an index.
    private static func end(of start: Int, in tokens: [LuaToken]) -> Int {
        var depth = 0
        for index in start..<tokens.count {
            depth += tokens[index].nesting
            if depth == 0 { return index + 1 }
        }
        return tokens.count
    }

    /// The index of the `return` that ends the file.
    private static func lastReturn(in tokens: [LuaToken]) -> Int {
        var depth = 0
        var found = 0
        for (index, token) in tokens.enumerated() {
            if depth == 0, token.kind == .keyword(.return) { found = index }
            depth += token.nesting
        }
        return found
    }
}

extension LuaToken {
    fileprivate var name: String? {
        if case .name(let name) = kind { name } else { nil }
    }

    /// How the token changes the depth of blocks.
    fileprivate var nesting: Int {
        switch kind {
        case .keyword(.function), .keyword(.do), .keyword(.if), .keyword(.repeat): 1
        case .keyword(.end), .keyword(.until): -1
        default: 0
        }
    }
}
