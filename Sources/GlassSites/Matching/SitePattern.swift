import GlassBase
import GlassDeepLinking

/// A compiled pattern of an `apple-app-site-association` file.
///
/// Follows all possible matches simultaneously, so the cost is at most the pattern's length times the text's. A
/// variable's values are not copied: a pattern that refers to it fifty times has fifty more tokens.
struct SitePattern: Sendable {
    enum Token: Sendable {
        case scalar(UInt32)
        case anyOne
        case anyText
        case digit, hexDigit, letter, upper, lower, alphanumeric
        /// One of the values at this index of ``SiteVariables/values``.
        case variable(UInt32)
    }

    private let tokens: [Token]
    private let values: [SiteVariables.Values]
    private let isCaseSensitive: Bool

    /// Compiles a pattern. An undefined variable matches nothing.
    init(
        _ text: some Sequence<Unicode.Scalar>, variables: SiteVariables, lists: SiteVariables.Lists,
        isCaseSensitive: Bool
    ) {
        tokens = Self.tokens(text) { name in
            // An index past the last value matches nothing.
            UInt32(variables.place(of: name, lists) ?? variables.values.count)
        }
        values = variables.values
        self.isCaseSensitive = isCaseSensitive
    }

    /// Whether the pattern matches the whole text.
    func matches(_ text: [UInt32], _ work: inout MatchingWork) throws(WorkBudget.Exceeded) -> Bool {
        var positions = Positions(count: text.count)
        try advance(&positions, over: tokens, text, &work)
        return positions.isAtEnd
    }

    /// The tokens of a pattern. `variable` returns the index for a name, or nil if the text is not a variable.
    static func tokens(
        _ text: some Sequence<Unicode.Scalar>, variable: (String) -> UInt32?
    ) -> [Token] {
        let scalars = Array(text)
        var result: [Token] = []
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            switch scalar {
            case "*": result.append(.anyText)
            case "?": result.append(.anyOne)
            case "$":
                guard let (name, end) = Self.name(in: scalars, at: index), let token = token(name, variable) else {
                    result.append(.scalar(scalar.value))
                    continue
                }
                result.append(token)
                index = end
            default: result.append(.scalar(scalar.value))
            }
        }
        return result
    }

    /// The names of the variables in a pattern.
    static func names(in text: some Sequence<Unicode.Scalar>) -> Set<String> {
        var names: Set<String> = []
        _ = tokens(text) { name in
            names.insert(name)
            return 0
        }
        return names
    }

    /// The name in the parentheses at an index, and the index after them.
    private static func name(in scalars: [Unicode.Scalar], at index: Int) -> (name: String, end: Int)? {
        guard index < scalars.count, scalars[index] == "(" else { return nil }
        var end = index + 1
        while end < scalars.count, scalars[end] != ")" {
            // These characters cannot occur in a name and may start a variable. Stopping here keeps a row of `$(`
            // linear.
            if scalars[end] == "(" || scalars[end] == "$" { return nil }
            end += 1
        }
        guard end < scalars.count else { return nil }
        return (String(String.UnicodeScalarView(scalars[index + 1..<end])), end + 1)
    }

    private static func token(_ name: String, _ variable: (String) -> UInt32?) -> Token? {
        switch name {
        case "digit": .digit
        case "xdigit": .hexDigit
        case "alpha": .letter
        case "upper": .upper
        case "lower": .lower
        case "alnum": .alphanumeric
        default: variable(name).map(Token.variable)
        }
    }

    private func advance(
        _ positions: inout Positions, over tokens: [Token], _ text: [UInt32], _ work: inout MatchingWork
    ) throws(WorkBudget.Exceeded) {
        for token in tokens {
            guard !positions.isEmpty else { return }
            try work.add(1 + positions.span)
            switch token {
            case .anyText: positions.fill()
            case .variable(let place): try advance(&positions, overValuesAt: Int(place), text, &work)
            default: positions.step { accepts(token, text[$0]) }
            }
        }
    }

    private func advance(
        _ positions: inout Positions, overValuesAt place: Int, _ text: [UInt32], _ work: inout MatchingWork
    ) throws(WorkBudget.Exceeded) {
        var all = Positions(count: text.count)
        all.removeAll()
        if place < values.count {
            for literals in values[place].literals {
                try work.add(1 + positions.span)
                for start in positions.reached where start + literals.count <= text.count {
                    try work.add(1 + literals.count)
                    let part = text[start..<start + literals.count]
                    let isValue =
                        isCaseSensitive
                        ? literals.exact.contains(Array(part)) : literals.folded.contains(part.map(Self.folded))
                    if isValue { all.insert(start + literals.count) }
                }
            }
            for value in values[place].others {
                try work.add(1 + positions.span)
                var own = positions
                try advance(&own, over: value, text, &work)
                all.formUnion(own)
            }
        }
        positions = all
    }

    private func accepts(_ token: Token, _ value: UInt32) -> Bool {
        guard let byte = UInt8(exactly: value), byte < 0x80 else {
            switch token {
            case .scalar(let wanted): return wanted == value
            case .anyOne: return true
            default: return false
            }
        }
        switch token {
        case .scalar(let wanted):
            return wanted == value || (!isCaseSensitive && Self.folded(wanted) == Self.folded(value))
        case .anyOne: return true
        case .digit: return ASCII.isDigit(byte)
        case .hexDigit: return ASCII.isHexDigit(byte)
        case .letter: return ASCII.isLetter(byte)
        case .upper: return ASCII.isLetter(byte) && (!isCaseSensitive || byte & 0x20 == 0)
        case .lower: return ASCII.isLetter(byte) && (!isCaseSensitive || byte & 0x20 != 0)
        case .alphanumeric: return ASCII.isAlphanumeric(byte)
        case .anyText, .variable: return false
        }
    }

    /// The scalar with ASCII letters in lowercase.
    static func folded(_ value: UInt32) -> UInt32 { value < 0x80 ? UInt32(ASCII.lowercased(UInt8(value))) : value }
}

/// The positions in a text that the tokens so far can reach.
private struct Positions {
    private var isReached: [Bool]
    // All reached positions are within these bounds, so a pattern without wildcards checks one position per token.
    private var low = 0
    private var high = 0

    /// Starts at the beginning of a text with the given number of scalars.
    init(count: Int) {
        isReached = Array(repeating: false, count: count + 1)
        isReached[0] = true
    }

    var isEmpty: Bool { low > high }
    var isAtEnd: Bool { isReached[isReached.count - 1] }
    /// The number of positions that a step checks.
    var span: Int { max(0, high - low) + 1 }

    mutating func removeAll() {
        for index in low..<high + 1 { isReached[index] = false }
        (low, high) = (isReached.count, -1)
    }

    /// The reached positions, ascending.
    var reached: [Int] { isEmpty ? [] : (low...high).filter { isReached[$0] } }

    mutating func insert(_ position: Int) {
        isReached[position] = true
        (low, high) = (min(low, position), max(high, position))
    }

    /// Adds all positions after the first.
    mutating func fill() {
        for index in low..<isReached.count { isReached[index] = true }
        high = isReached.count - 1
    }

    /// Advances by one accepted scalar.
    mutating func step(_ accepts: (Int) -> Bool) {
        var index = min(high, isReached.count - 2)
        // No scalar follows the end.
        if high == isReached.count - 1 { isReached[high] = false }
        while index >= low {
            isReached[index + 1] = isReached[index] && accepts(index)
            index -= 1
        }
        isReached[low] = false
        (low, high) = (low + 1, min(high + 1, isReached.count - 1))
        while low <= high, !isReached[low] { low += 1 }
        while high >= low, !isReached[high] { high -= 1 }
    }

    mutating func formUnion(_ other: Positions) {
        guard !other.isEmpty else { return }
        for index in other.low...other.high where other.isReached[index] { isReached[index] = true }
        (low, high) = (min(low, other.low), max(high, other.high))
    }
}
