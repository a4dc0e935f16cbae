import GlassSchema

/// The words, strings and symbols of an expression that are not yet read.
struct FirebaseExpression {
    private enum Token: Equatable {
        case word(String)
        case string(String)
        case symbol(String)
    }

    private let text: String
    private var tokens: [(token: Token, start: String.Index)] = []
    private var position = 0

    init(_ text: String) throws(ImportedCondition.Mismatch) {
        self.text = text
        var rest = text[...]
        while let first = rest.first {
            let start = rest.startIndex
            if first.isWhitespace {
                rest.removeFirst()
            } else if first == "'" || first == "\"" {
                let content = rest.dropFirst()
                guard let end = content.firstIndex(of: first) else { throw Self.mismatch(rest) }
                tokens.append((.string(String(content[..<end])), start))
                rest = content[content.index(after: end)...]
            } else if let symbol = Self.symbols.first(where: { rest.hasPrefix($0) }) {
                tokens.append((.symbol(symbol), start))
                rest = rest.dropFirst(symbol.count)
            } else {
                let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) || "._-".contains($0) }
                guard !word.isEmpty else { throw Self.mismatch(rest) }
                tokens.append((.word(String(word)), start))
                rest = rest[word.endIndex...]
            }
        }
    }

    private static let symbols = [
        "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "(", ")", "[", "]", ",",
    ]

    private static func mismatch(_ rest: Substring) -> ImportedCondition.Mismatch {
        ImportedCondition.Mismatch(
            message: rest.isEmpty
                ? "the expression ends too early" : "cannot read \(String(rest).quotedForMessage) in the expression")
    }

    private var next: Token? { position < tokens.count ? tokens[position].token : nil }

    var isEmpty: Bool { position == tokens.count }
    /// Why the rest is not what it should be.
    var mismatch: ImportedCondition.Mismatch {
        Self.mismatch(isEmpty ? "" : text[tokens[position].start...])
    }
    /// The next word.
    var word: String? { if case .word(let word)? = next { word } else { nil } }
    /// The next symbol, if it compares.
    var comparator: String? {
        guard case .symbol(let symbol)? = next, ["<", "<=", ">", ">="].contains(symbol) else { return nil }
        return symbol
    }

    func isAt(_ symbol: String) -> Bool { next == .symbol(symbol) }

    mutating func advance() { position = min(position + 1, tokens.count) }

    mutating func skip(_ symbol: String) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: String) throws(ImportedCondition.Mismatch) {
        guard skip(symbol) else { throw mismatch }
    }

    /// A string, or a number.
    mutating func value() throws(ImportedCondition.Mismatch) -> String {
        switch next {
        case .string(let text)?:
            advance()
            return text
        case .word(let word)? where Double(word) != nil:
            advance()
            return word
        default: throw mismatch
        }
    }

    /// A value, or a list in brackets.
    mutating func values() throws(ImportedCondition.Mismatch) -> [String] {
        guard skip("[") else { return [try value()] }
        var values: [String] = []
        if skip("]") { return values }
        repeat { values.append(try value()) } while skip(",")
        try expect("]")
        return values
    }

    /// What follows a name that is compared with values: `== 'a'`, `!= 'a'`, `in ['a']`, or `not in ['a']`.
    mutating func equality() throws(ImportedCondition.Mismatch) -> (values: [String], isNegated: Bool) {
        if skip("==") { return ([try value()], false) }
        if skip("!=") { return ([try value()], true) }
        var isNegated = false
        if word == "not" {
            isNegated = true
            advance()
        }
        guard word == "in", isAfterWord("[") else { throw mismatch }
        advance()
        return (try values(), isNegated)
    }

    private func isAfterWord(_ symbol: String) -> Bool {
        position + 1 < tokens.count && tokens[position + 1].token == .symbol(symbol)
    }

    /// An operation with its values, as in `.contains(['a'])`, `.>=(['1.0'])` and `> 5`.
    mutating func operation(
        _ suffix: Substring
    ) throws(ImportedCondition.Mismatch) -> (name: String, values: [String]) {
        var name = String(suffix)
        if name.isEmpty {
            guard case .symbol(let symbol)? = next, ["==", "!=", "<", "<=", ">", ">="].contains(symbol) else {
                throw mismatch
            }
            name = symbol
            advance()
        }
        guard skip("(") else { return (name, try values()) }
        let values = try values()
        try expect(")")
        return (name, values)
    }
}
