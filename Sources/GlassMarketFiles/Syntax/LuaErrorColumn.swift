import GlassSchema
import LuaBridge

/// Finds the column of a run-time error, of which Lua knows only the line.
///
/// The column is known only if exactly one token on the line can have failed with the message.
enum LuaErrorColumn {
    static func find(_ message: String, line: Int, in source: [UInt8], raisedBy native: String? = nil) -> Int? {
        let places = places(of: message, in: tokens(of: line, in: source), raisedBy: native)
        return places.count == 1 ? places[0].column : nil
    }

    private static func tokens(of line: Int, in source: [UInt8]) -> [LuaToken] {
        var tokenizer = LuaTokenizer(source)
        var tokens: [LuaToken] = []
        while true {
            let token = tokenizer.next()
            if token.kind == .endOfFile || token.line > line { return tokens }
            if token.line == line { tokens.append(token) }
        }
    }

    private static func places(
        of message: String, in tokens: [LuaToken], raisedBy native: String?
    ) -> [LuaToken] {
        if let (kind, name) = variable(in: message) {
            let isMember = kind == "field" || kind == "method"
            let uses = uses(of: name, in: tokens) { $0 == isMember }
            guard let next = followers.first(where: { message.hasPrefix($0.0) })?.1 else { return uses }
            return uses.filter { use in tokens.first { $0.range.lowerBound >= use.range.upperBound }.map(next) == true }
        }
        for (start, symbols) in operators where message.hasPrefix(start) {
            return tokens.filter { if case .symbol(let symbol) = $0.kind { symbols.contains(symbol) } else { false } }
        }
        if let name = message.firstMatch(of: /has no member '([^']+)'/)?.1 {
            return uses(of: String(name), in: tokens) { $0 }
        }
        if let name = function(in: message) { return uses(of: name, in: tokens) { _ in true } }
        if let name = native?.split(separator: ".").last, name != "error", name != "assert" {
            return uses(of: String(name), in: tokens) { _ in true }
        }
        return uses(of: "error", in: tokens) { !$0 } + uses(of: "assert", in: tokens) { !$0 }
    }

    /// The beginnings of messages, each with a test for the token after the value that fails.
    private static let followers: [(String, @Sendable (LuaToken) -> Bool)] = [
        ("attempt to index", { $0.is(.dot) || $0.is(.colon) || $0.is(.leftBracket) }),
        ("attempt to call", { $0.is(.leftParenthesis) || $0.is(.leftBrace) || $0.isString }),
    ]

    /// The beginnings of messages, each with the operators that fail.
    private static let operators: [(String, Set<LuaToken.Symbol>)] = [
        ("attempt to compare", [.less, .greater, .lessOrEqual, .greaterOrEqual]),
        ("attempt to concatenate", [.concatenate]),
        ("attempt to perform arithmetic", [.plus, .minus, .star, .slash, .doubleSlash, .percent, .caret]),
        ("attempt to perform 'n//0'", [.doubleSlash]), ("attempt to perform 'n%%0'", [.percent]),
        ("attempt to get length", [.hash]),
    ]

    /// The tokens of a line that use a name, either as a member or on its own.
    private static func uses(
        of name: String, in tokens: [LuaToken], where fits: (_ isMember: Bool) -> Bool
    ) -> [LuaToken] {
        tokens.indices.filter { index in
            guard case .name(name) = tokens[index].kind else { return false }
            let before = index > 0 ? tokens[index - 1].kind : .endOfFile
            return fits(before == .symbol(.dot) || before == .symbol(.colon))
        }.map { tokens[$0] }
    }

    /// The variable at the end of the message: `… (local 'limit')`.
    private static func variable(in message: String) -> (kind: Substring, name: String)? {
        guard message.hasSuffix("')"), let start = message.lastIndex(of: "(") else { return nil }
        let parts = message[start...].dropFirst().dropLast(2).split(separator: " '", maxSplits: 1)
        return parts.count == 2 ? (parts[0], String(parts[1])) : nil
    }

    /// The function that reports the error: `secret expects …`, `bad argument #1 to 'rep' …`.
    private static func function(in message: String) -> String? {
        let words = message.split(separator: " ", maxSplits: 5)
        if words.count > 4, message.hasPrefix("bad argument #"), words[3] == "to" {
            return String(words[4].filter { $0 != "'" })
        }
        guard words.count > 1, words[1] == "expects" || words[1] == "takes" else { return nil }
        return Finding.marketWords.contains(String(words[0])) ? String(words[0]) : nil
    }
}
