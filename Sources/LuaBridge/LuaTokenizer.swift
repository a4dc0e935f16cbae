import CLuaTokens

/// Splits a Lua 5.4 source into tokens with positions, as Lua's own lexer does
/// ([manual §3.1](https://www.lua.org/manual/5.4/manual.html#3.1)).
///
/// Accepts any bytes: input that Lua would reject becomes a token of kind ``LuaToken/Kind/invalid``, and reading
/// continues after it. Comments and white space are skipped, as are a byte order mark and a first line that starts with
/// `#`, like in `luaL_loadfilex`. Reading all tokens takes time linear in the size of the source. The guard against
/// expressions with too many names reads the same tokens from `token.c` itself.
///
/// ```swift
/// var tokenizer = LuaTokenizer(Array("return { 0x10 } -- sixteen".utf8))
/// var token = tokenizer.next()
/// while token.kind != .endOfFile {
///     print(token.line, token.column, token.kind)
///     token = tokenizer.next()
/// }
/// ```
package struct LuaTokenizer: Sendable {
    private let bytes: [UInt8]
    private var cursor: glua_cursor

    /// Creates a tokenizer before the first token.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        cursor = bytes.withUnsafeBytes { glua_first_token($0.chars, $0.count) }
    }

    /// Reads the next token.
    package mutating func next() -> LuaToken {
        let token = bytes.withUnsafeBytes { glua_next_token($0.chars, $0.count, &cursor) }
        return LuaToken(
            kind: kind(of: token), range: token.start..<token.end, line: token.line, column: token.column,
            endLine: token.end_line, endColumn: token.end_column)
    }

    /// In the order of the C enumerations.
    private static let keywords = LuaToken.Keyword.allCases
    private static let symbols = LuaToken.Symbol.allCases

    private func kind(of token: glua_token) -> LuaToken.Kind {
        switch token.kind {
        case GLUA_TOKEN_END: .endOfFile
        case GLUA_TOKEN_NAME: .name(text(of: token))
        case GLUA_TOKEN_KEYWORD: .keyword(Self.keywords[Int(token.which)])
        case GLUA_TOKEN_STRING: .string(value(of: token))
        case GLUA_TOKEN_INTEGER: .integer(token.integer)
        case GLUA_TOKEN_FLOAT: Self.float(text(of: token)).map { .float($0) } ?? .invalid
        case GLUA_TOKEN_SYMBOL: .symbol(Self.symbols[Int(token.which)])
        default: .invalid
        }
    }

    private func text(of token: glua_token) -> String {
        String(decoding: bytes[token.start..<token.end], as: UTF8.self)
    }

    private func value(of token: glua_token) -> [UInt8] {
        bytes.withUnsafeBytes { source in
            [UInt8](unsafeUninitializedCapacity: token.end - token.start) { value, count in
                count = withUnsafePointer(to: token) { glua_token_value(source.chars, $0, value.baseAddress) }
            }
        }
    }

    /// The value of a float, whose text is well-formed.
    private static func float(_ text: String) -> Double? {
        // Swift requires an exponent in a hexadecimal float, Lua does not.
        let isHexadecimal = text.utf8.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let hasExponent = text.utf8.contains { $0 | 0x20 == UInt8(ascii: "p") }
        return Double(isHexadecimal && !hasExponent ? text + "p0" : text)
    }
}

extension UnsafeRawBufferPointer {
    /// The bytes as C characters; nil if there are none.
    fileprivate var chars: UnsafePointer<CChar>? { baseAddress?.assumingMemoryBound(to: CChar.self) }
}
