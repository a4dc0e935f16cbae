import GlassBase
import GlassSchema
import LuaBridge

/// The probable cause of a syntax error, derived from the tokens around the position at which Lua stopped.
///
/// Lua reports what it expected; the author of the file needs to know what they wrote instead. Each rule examines a few
/// tokens and has no result if it is not certain. Then Lua's own message is used.
struct LuaSyntaxMistake: Equatable {
    /// The line of the mistake; nil to use the one that Lua reports.
    var line: Int?
    /// The column of the mistake.
    var column: Int?
    /// The message; nil to use Lua's own.
    var message: String?
    var hint: String?
    /// The hint as changes of the text; empty if the hint leaves a choice.
    var edits: [Correction.Edit] = []
    /// Whether the edits are the only ones that can have been meant.
    var isUnambiguous = true
    /// The position at which the mistake was noticed, if it is a different one.
    var noticed: Notice?

    /// The position at which a mistake was noticed.
    struct Notice: Equatable {
        let line: Int
        let column: Int
        let message: String
    }

    /// Analyzes a text that Lua rejected.
    static func find(
        in source: [UInt8], line: Int, column: Int?, message: String, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> LuaSyntaxMistake? {
        let text = try LuaTokenText(source, line: line, column: column, budget: budget)
        return text.mistakeOfCharacter ?? text.mistakeOfOperator(message) ?? text.mistakeOfKey(message)
            ?? text.missingReturn ?? text.missingValue ?? text.unclosed(message) ?? text.missingComma(message)
    }

    /// The token that opens what Lua expects to be closed, if Lua's message names its line.
    static func opening(
        named message: String, in source: [UInt8], budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> Notice? {
        guard let named = message.firstMatch(of: /\(to close '([^']+)' at line ([0-9]+)\)/), let line = Int(named.2)
        else { return nil }
        let text = try LuaTokenText(source, line: line, column: nil, budget: budget)
        let opener = text.tokens[text.index...].prefix { $0.line == line }.first { text.text(of: $0) == named.1 }
        return opener.map { Notice(line: line, column: $0.column, message: "\(named.1) is opened here") }
    }

    /// A mistake at a token.
    init(at token: LuaToken? = nil, _ message: String? = nil, hint: String? = nil, edits: [Correction.Edit] = []) {
        line = token?.line
        column = token?.column
        self.message = message
        self.hint = hint
        self.edits = edits
    }

    /// A mistake after a token, where something is missing.
    init(behind token: LuaToken, _ message: String, hint: String?, edits: [Correction.Edit]) {
        line = token.endLine
        column = token.endColumn
        self.message = message
        self.hint = hint
        self.edits = edits
    }
}

/// The tokens of a text, and the one at which Lua stopped.
struct LuaTokenText {
    let bytes: [UInt8]
    let tokens: [LuaToken]
    /// The index of the token at which Lua stopped; that of the end of the file if Lua stopped there.
    let index: Int

    private static let tokensOfAStep = 16

    init(
        _ bytes: [UInt8], line: Int, column: Int?, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        var tokenizer = LuaTokenizer(bytes)
        var tokens: [LuaToken] = []
        repeat {
            if tokens.count.isMultiple(of: Self.tokensOfAStep) { try budget.spend(on: .positions) }
            tokens.append(tokenizer.next())
        } while tokens.last?.kind != .endOfFile
        let found = tokens.firstIndex { token in
            token.line > line || (token.line == line && token.column >= (column ?? 1))
        }
        self.bytes = bytes
        self.tokens = tokens
        index = found ?? tokens.count - 1
    }

    /// The token at which Lua stopped.
    var token: LuaToken { tokens[index] }

    /// The token at an offset from that one; nil if there is none.
    func token(_ offset: Int) -> LuaToken? {
        tokens.indices.contains(index + offset) ? tokens[index + offset] : nil
    }

    func text(of token: LuaToken) -> String { String(decoding: bytes[token.range], as: UTF8.self) }

    /// Whether a token immediately follows another one.
    func touches(_ left: LuaToken?, _ right: LuaToken?) -> Bool {
        guard let left, let right else { return false }
        return left.range.upperBound == right.range.lowerBound
    }

    /// The first token of the line of a token.
    func first(onLineOf token: LuaToken) -> LuaToken? { tokens.first { $0.line == token.line } }
}

extension LuaToken {
    /// Whether a value can end with this token.
    var endsValue: Bool {
        switch kind {
        case .name, .string, .integer, .float, .keyword(.true), .keyword(.false), .keyword(.nil), .keyword(.end),
            .symbol(.rightBrace), .symbol(.rightParenthesis), .symbol(.rightBracket), .symbol(.ellipsis):
            true
        default: false
        }
    }

    /// Whether a value can begin with this token.
    var beginsValue: Bool {
        switch kind {
        case .name, .string, .integer, .float, .keyword(.true), .keyword(.false), .keyword(.nil), .keyword(.function),
            .symbol(.leftBrace), .symbol(.leftBracket), .symbol(.leftParenthesis):
            true
        default: false
        }
    }

    func `is`(_ symbol: Symbol) -> Bool { kind == .symbol(symbol) }

    var name: String? {
        if case .name(let name) = kind { name } else { nil }
    }

    var isString: Bool {
        if case .string = kind { true } else { false }
    }
}
