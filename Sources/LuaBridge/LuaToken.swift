/// A lexical element of Lua 5.4 source, with its position.
///
/// ```swift
/// var tokenizer = LuaTokenizer(Array("retry = 4".utf8))
/// let name = tokenizer.next()    // kind: .name("retry"), line 1, column 1
/// let equals = tokenizer.next()  // kind: .symbol(.assign), line 1, column 7
/// let four = tokenizer.next()    // kind: .integer(4), line 1, column 9
/// ```
package struct LuaToken: Sendable, Equatable {
    /// The kind, with its value.
    package var kind: Kind
    /// The bytes of the token in the source, from 0.
    package var range: Range<Int>
    /// The line of the token's first character, from 1, counted as Lua counts lines.
    package var line: Int
    /// The column of the token's first character, from 1.
    ///
    /// A column is one Unicode scalar. A byte that is not part of well-formed UTF-8 is a separate column.
    package var column: Int
    /// The line just past the token's last character.
    package var endLine: Int
    /// The column just past the token's last character.
    package var endColumn: Int

    /// Creates a token.
    package init(kind: Kind, range: Range<Int>, line: Int, column: Int, endLine: Int, endColumn: Int) {
        self.kind = kind
        self.range = range
        self.line = line
        self.column = column
        self.endLine = endLine
        self.endColumn = endColumn
    }

    /// The kind of a token, with its value.
    package enum Kind: Sendable, Equatable {
        /// An identifier that is not a reserved word.
        case name(String)
        /// A reserved word.
        case keyword(Keyword)
        /// A quoted string or a long bracket: the bytes of its value, escapes decoded. They need not be UTF-8.
        case string([UInt8])
        /// A numeral that Lua reads as an integer. Hexadecimal ones wrap around modulo 2⁶⁴.
        case integer(Int64)
        /// A numeral that Lua reads as a float, including a decimal integer that does not fit in 64 bits.
        case float(Double)
        /// An operator or a punctuation mark.
        case symbol(Symbol)
        /// The end of the source. It is returned for every further read.
        case endOfFile
        /// Bytes that Lua would reject: a stray character, a malformed number, a bad escape, an unfinished string.
        case invalid
    }

    /// The reserved words of Lua 5.4.
    package enum Keyword: String, Sendable, Equatable, CaseIterable {
        /// `and`
        case and
        /// `break`
        case `break`
        /// `do`
        case `do`
        /// `else`
        case `else`
        /// `elseif`
        case elseif
        /// `end`
        case end
        /// `false`
        case `false`
        /// `for`
        case `for`
        /// `function`
        case function
        /// `goto`
        case goto
        /// `if`
        case `if`
        /// `in`
        case `in`
        /// `local`
        case local
        /// `nil`
        case `nil`
        /// `not`
        case not
        /// `or`
        case or
        /// `repeat`
        case `repeat`
        /// `return`
        case `return`
        /// `then`
        case then
        /// `true`
        case `true`
        /// `until`
        case until
        /// `while`
        case `while`
    }

    /// The operators and punctuation marks of Lua 5.4.
    package enum Symbol: String, Sendable, Equatable, CaseIterable {
        /// `+`
        case plus = "+"
        /// `-`
        case minus = "-"
        /// `*`
        case star = "*"
        /// `/`
        case slash = "/"
        /// `//`
        case doubleSlash = "//"
        /// `%`
        case percent = "%"
        /// `^`
        case caret = "^"
        /// `#`
        case hash = "#"
        /// `&`
        case ampersand = "&"
        /// `~`
        case tilde = "~"
        /// `|`
        case pipe = "|"
        /// `<<`
        case shiftLeft = "<<"
        /// `>>`
        case shiftRight = ">>"
        /// `==`
        case equal = "=="
        /// `~=`
        case notEqual = "~="
        /// `<=`
        case lessOrEqual = "<="
        /// `>=`
        case greaterOrEqual = ">="
        /// `<`
        case less = "<"
        /// `>`
        case greater = ">"
        /// `=`
        case assign = "="
        /// `(`
        case leftParenthesis = "("
        /// `)`
        case rightParenthesis = ")"
        /// `{`
        case leftBrace = "{"
        /// `}`
        case rightBrace = "}"
        /// `[`
        case leftBracket = "["
        /// `]`
        case rightBracket = "]"
        /// `::`
        case doubleColon = "::"
        /// `;`
        case semicolon = ";"
        /// `:`
        case colon = ":"
        /// `,`
        case comma = ","
        /// `.`
        case dot = "."
        /// `..`
        case concatenate = ".."
        /// `...`
        case ellipsis = "..."
    }
}
