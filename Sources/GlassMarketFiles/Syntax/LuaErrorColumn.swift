import GlassSchema
import LuaSyntax

/// Finds the column of a run-time error, of which Lua knows only the line.
///
/// The column is known only if exactly one token on the line can have failed with the message.
enum LuaErrorColumn {
    static func find(_ message: String, line: Int, in tree: LuaTree, raisedBy native: String? = nil) -> Int? {
        let places = places(of: message, in: tree, tree.tokens(onLine: line), raisedBy: native)
        return places.count == 1 ? tree.position(of: places[0]).column : nil
    }

    private static func places(
        of message: String, in tree: LuaTree, _ tokens: Range<Int>, raisedBy native: String?
    ) -> [Int] {
        func uses(of name: String, where fits: (_ isMember: Bool) -> Bool) -> [Int] {
            tokens.filter { index in
                guard tree.tokens[index].kind == .name, tree.text(of: index) == name else { return false }
                let before = index > tokens.lowerBound ? tree.tokens[index - 1].kind : .endOfFile
                return fits(before == .dot || before == .colon)
            }
        }
        if let (kind, name) = variable(in: message) {
            let isMember = kind == "field" || kind == "method"
            let uses = uses(of: name) { $0 == isMember }
            guard let followers = followers.first(where: { message.hasPrefix($0.0) })?.1 else { return uses }
            return uses.filter { tokens.contains($0 + 1) && followers.contains(tree.tokens[$0 + 1].kind) }
        }
        for (start, symbols) in operators where message.hasPrefix(start) {
            return tokens.filter { symbols.contains(tree.tokens[$0].kind) }
        }
        if let name = message.firstMatch(of: /has no member '([^']+)'/)?.1 {
            return uses(of: String(name)) { $0 }
        }
        if let name = function(in: message) { return uses(of: name) { _ in true } }
        if let name = native?.split(separator: ".").last, name != "error", name != "assert" {
            return uses(of: String(name)) { _ in true }
        }
        return uses(of: "error") { !$0 } + uses(of: "assert") { !$0 }
    }

    /// The beginnings of messages, each with the tokens that can follow the value that fails.
    private static let followers: [(String, Set<LuaTokenKind>)] = [
        ("attempt to index", [.dot, .colon, .leftBracket]),
        ("attempt to call", [.leftParenthesis, .leftBrace, .string]),
    ]

    /// The beginnings of messages, each with the operators that fail.
    private static let operators: [(String, Set<LuaTokenKind>)] = [
        ("attempt to compare", [.less, .greater, .lessOrEqual, .greaterOrEqual]),
        ("attempt to concatenate", [.concatenate]),
        ("attempt to add a ", [.plus]), ("attempt to sub a ", [.minus]), ("attempt to mul a ", [.star]),
        ("attempt to div a ", [.slash]), ("attempt to mod a ", [.percent]), ("attempt to pow a ", [.caret]),
        ("attempt to perform arithmetic", [.plus, .minus, .star, .slash, .doubleSlash, .percent, .caret]),
        ("attempt to perform 'n//0'", [.doubleSlash]), ("attempt to perform 'n%%0'", [.percent]),
        ("attempt to get length", [.hash]),
    ]

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
