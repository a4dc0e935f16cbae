/// The kind of a token. Keywords and symbols are in the order of the C enumerations.
package enum LuaTokenKind: UInt8, Sendable {
    case and, `break`, `do`, `else`, elseif, end, `false`, `for`, function, goto, `if`, `in`, local, `nil`, not, or
    case `repeat`, `return`, then, `true`, until, `while`
    case plus, minus, star, slash, doubleSlash, percent, caret, hash, ampersand, tilde, pipe, shiftLeft, shiftRight
    case equal, notEqual, lessOrEqual, greaterOrEqual, less, greater, assign, leftParenthesis, rightParenthesis
    case leftBrace, rightBrace, leftBracket, rightBracket, doubleColon, semicolon, colon, comma, dot, concatenate
    case ellipsis
    case name, string, integer, float
    /// What Lua rejects: a stray character, a malformed number, a bad escape, an unfinished string or comment.
    case invalid
    case endOfFile

    package var isKeyword: Bool { rawValue <= Self.while.rawValue }

    /// The text of a keyword or symbol; nil for all other kinds.
    package var spelling: String? {
        if isKeyword { return "\(self)" }
        let index = Int(rawValue - Self.plus.rawValue)
        return index < Self.symbols.count ? Self.symbols[index] : nil
    }

    /// Whether the token opens a bracket or block, which another token closes. `while` and `for` open with their `do`.
    package var isOpener: Bool { Self.openers.contains(self) }
    package var isCloser: Bool { Self.closers.contains(self) }

    /// The kind that closes an opener.
    package var closer: LuaTokenKind {
        switch self {
        case .leftParenthesis: .rightParenthesis
        case .leftBrace: .rightBrace
        case .leftBracket: .rightBracket
        case .repeat: .until
        default: .end
        }
    }

    var startsValue: Bool { Self.values.contains(self) }
    var startsStatement: Bool { Self.statements.contains(self) }
    var isUnaryOperator: Bool { self == .minus || self == .not || self == .hash || self == .tilde }
    var isBinaryOperator: Bool { Self.binaryOperators.contains(self) }

    /// One bit for each kind: in an unoptimized build, a `switch` over many kinds is slow.
    private struct Kinds: ExpressibleByArrayLiteral {
        private let bits: UInt64

        init(arrayLiteral kinds: LuaTokenKind...) { bits = kinds.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }

        func contains(_ kind: LuaTokenKind) -> Bool { bits >> UInt64(kind.rawValue) & 1 == 1 }
    }

    private static let openers: Kinds = [
        .leftBrace, .leftParenthesis, .leftBracket, .function, .do, .if, .repeat,
    ]
    private static let closers: Kinds = [.rightBrace, .rightParenthesis, .rightBracket, .end, .until]
    private static let values: Kinds = [
        .name, .string, .integer, .float, .invalid, .true, .false, .nil, .function, .leftBrace, .leftParenthesis,
        .leftBracket, .ellipsis, .minus, .not, .hash, .tilde,
    ]
    private static let statements: Kinds = [
        .local, .if, .while, .for, .repeat, .do, .return, .break, .goto, .doubleColon, .function,
    ]
    private static let binaryOperators: Kinds = [
        .and, .or, .plus, .minus, .star, .slash, .doubleSlash, .percent, .caret, .ampersand, .tilde, .pipe, .shiftLeft,
        .shiftRight, .equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less, .greater, .concatenate,
    ]
    private static let symbols = [
        "+", "-", "*", "/", "//", "%", "^", "#", "&", "~", "|", "<<", ">>", "==", "~=", "<=", ">=", "<", ">", "=", "(",
        ")", "{", "}", "[", "]", "::", ";", ":", ",", ".", "..", "...",
    ]
}
