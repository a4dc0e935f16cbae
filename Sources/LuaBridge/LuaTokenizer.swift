/// Splits a Lua 5.4 source into tokens with positions, as Lua's own lexer would
/// ([manual §3.1](https://www.lua.org/manual/5.4/manual.html#3.1)).
///
/// Any bytes are accepted: what Lua would reject becomes a token of kind ``LuaToken/Kind/invalid`` and reading goes on
/// after it. Comments and white space are skipped, and so are a byte order mark and a first line that starts with `#`,
/// as `luaL_loadfilex` skips them. Reading all tokens takes time linear in the size of the source.
///
/// ```swift
/// var tokenizer = LuaTokenizer(Array("return { 0x10 } -- sixteen".utf8))
/// var token = tokenizer.next()
/// while token.kind != .endOfFile {
///     print(token.line, token.column, token.kind)
///     token = tokenizer.next()
/// }
/// ```
public struct LuaTokenizer: Sendable {
    let bytes: [UInt8]
    /// The next byte to read.
    var offset = 0
    private var line = 1
    private var column = 1
    /// Whether the source ended inside a long comment, which Lua reports at the end of the file.
    private var isInUnfinishedComment = false

    /// Creates a tokenizer that stands before the first token.
    ///
    /// - Parameter bytes: The source text. It need not be UTF-8, nor Lua.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            offset = 3  // no column: an editor does not show a byte order mark
        }
        if peek() == UInt8(ascii: "#") {
            skipToEndOfLine()
        }
    }

    /// Reads the next token.
    ///
    /// - Returns: The token; after the last one, a token of kind ``LuaToken/Kind/endOfFile``, each time.
    /// - Complexity: Linear in the length of the token and of the white space and comments before it.
    public mutating func next() -> LuaToken {
        skipBlanks()
        var token = LuaToken(
            kind: .endOfFile, range: offset..<offset, line: line, column: column, endLine: line, endColumn: column)
        token.kind = scan()
        token.range = token.range.lowerBound..<offset
        token.endLine = line
        token.endColumn = column
        return token
    }

    // MARK: Reading bytes

    /// The byte `distance` places ahead, nil beyond the end.
    func peek(_ distance: Int = 0) -> UInt8? {
        let index = offset + distance
        return index < bytes.count ? bytes[index] : nil
    }

    /// Steps over `count` bytes of ASCII that are no line ends.
    mutating func step(_ count: Int = 1) {
        offset += count
        column += count
    }

    /// Steps over one character, which may be a line end or not be UTF-8.
    mutating func stepOverCharacter() {
        guard let byte = peek() else { return }
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
            stepOverLineEnd()
        } else {
            offset += byte < 0x80 ? 1 : scalarLength(byte)
            column += 1
        }
    }

    /// Steps over a line end; `\r\n` and `\n\r` are one, as in Lua.
    mutating func stepOverLineEnd() {
        let first = bytes[offset]
        offset += 1
        if let second = peek(), second != first, second == UInt8(ascii: "\n") || second == UInt8(ascii: "\r") {
            offset += 1
        }
        line += 1
        column = 1
    }

    /// The number of bytes of the scalar that starts here with a byte above 0x7F: 1 if it is not well-formed UTF-8.
    private func scalarLength(_ lead: UInt8) -> Int {
        // The ranges of the second byte rule out overlong forms, surrogates and values above U+10FFFF.
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 1
        }
        for distance in 1..<length {
            guard let byte = peek(distance), (distance == 1 ? second : 0x80...0xBF).contains(byte) else { return 1 }
        }
        return length
    }

    // MARK: White space and comments

    private mutating func skipBlanks() {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                stepOverLineEnd()
            case UInt8(ascii: " "), 0x09, 0x0B, 0x0C:
                step()
            case UInt8(ascii: "-"):
                guard peek(1) == UInt8(ascii: "-") else { return }
                step(2)
                skipComment()
            default:
                return
            }
        }
    }

    /// Skips what follows the `--` of a comment.
    private mutating func skipComment() {
        guard peek() == UInt8(ascii: "["), let level = longBracketLevel() else {
            skipToEndOfLine()
            return
        }
        step(level + 2)
        while let byte = peek() {
            if byte == UInt8(ascii: "]"), stepOverClosingBracket(level) { return }
            if byte != UInt8(ascii: "]") { stepOverCharacter() }
        }
        isInUnfinishedComment = true
    }

    private mutating func skipToEndOfLine() {
        while let byte = peek(), byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
            stepOverCharacter()
        }
    }

    // MARK: Tokens

    private mutating func scan() -> LuaToken.Kind {
        guard let byte = peek() else {
            defer { isInUnfinishedComment = false }
            return isInUnfinishedComment ? .invalid : .endOfFile
        }
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
            return scanName()
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return scanNumeral()
        case UInt8(ascii: "."):
            if let digit = peek(1), isASCIIDigit(digit) { return scanNumeral() }
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return scanQuotedString(quote: byte)
        case UInt8(ascii: "["):
            if let level = longBracketLevel() { return scanLongString(level: level) }
            if peek(1) == UInt8(ascii: "=") { return scanBrokenLongBracket() }
        default:
            break
        }
        guard let symbol = symbol(startingWith: byte) else {
            stepOverCharacter()
            return .invalid
        }
        step(symbol.rawValue.utf8.count)
        return .symbol(symbol)
    }

    private mutating func scanName() -> LuaToken.Kind {
        let start = offset
        while let byte = peek(), isNameCharacter(byte) {
            step()
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        return LuaToken.Keyword(rawValue: text).map { .keyword($0) } ?? .name(text)
    }

    /// Reads `[=` without a second bracket: Lua's "invalid long string delimiter".
    private mutating func scanBrokenLongBracket() -> LuaToken.Kind {
        step()
        while peek() == UInt8(ascii: "=") {
            step()
        }
        return .invalid
    }

    /// The longest symbol that starts here.
    private func symbol(startingWith byte: UInt8) -> LuaToken.Symbol? {
        let second = peek(1)
        func either(_ pairs: (UInt8, LuaToken.Symbol)..., otherwise single: LuaToken.Symbol) -> LuaToken.Symbol {
            for pair in pairs where pair.0 == second { return pair.1 }
            return single
        }
        switch byte {
        case UInt8(ascii: "+"): return .plus
        case UInt8(ascii: "-"): return .minus
        case UInt8(ascii: "*"): return .star
        case UInt8(ascii: "/"): return either((UInt8(ascii: "/"), .doubleSlash), otherwise: .slash)
        case UInt8(ascii: "%"): return .percent
        case UInt8(ascii: "^"): return .caret
        case UInt8(ascii: "#"): return .hash
        case UInt8(ascii: "&"): return .ampersand
        case UInt8(ascii: "~"): return either((UInt8(ascii: "="), .notEqual), otherwise: .tilde)
        case UInt8(ascii: "|"): return .pipe
        case UInt8(ascii: "<"):
            return either((UInt8(ascii: "<"), .shiftLeft), (UInt8(ascii: "="), .lessOrEqual), otherwise: .less)
        case UInt8(ascii: ">"):
            return either((UInt8(ascii: ">"), .shiftRight), (UInt8(ascii: "="), .greaterOrEqual), otherwise: .greater)
        case UInt8(ascii: "="): return either((UInt8(ascii: "="), .equal), otherwise: .assign)
        case UInt8(ascii: "("): return .leftParenthesis
        case UInt8(ascii: ")"): return .rightParenthesis
        case UInt8(ascii: "{"): return .leftBrace
        case UInt8(ascii: "}"): return .rightBrace
        case UInt8(ascii: "["): return .leftBracket
        case UInt8(ascii: "]"): return .rightBracket
        case UInt8(ascii: ":"): return either((UInt8(ascii: ":"), .doubleColon), otherwise: .colon)
        case UInt8(ascii: ";"): return .semicolon
        case UInt8(ascii: ","): return .comma
        case UInt8(ascii: "."):
            guard second == UInt8(ascii: ".") else { return .dot }
            return peek(2) == UInt8(ascii: ".") ? .ellipsis : .concatenate
        default: return nil
        }
    }
}

/// Whether `byte` is one of 0 to 9.
func isASCIIDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

/// Whether `byte` may stand in a Lua name after its first character.
func isNameCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    default: isASCIIDigit(byte)
    }
}

/// The value of a hexadecimal digit, nil for any other byte.
func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
