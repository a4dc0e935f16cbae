/// A path pattern of an Android intent filter, with an evaluator of its documented semantics.
///
/// The simple kind looks no further than the first occurrence of what follows `.*`; the advanced kind is greedy. Neither
/// goes back, and that is what makes them differ from regular expressions.
public struct AndroidPattern: Sendable, Equatable {
    /// The attribute that holds the pattern.
    public enum Kind: String, Sendable {
        /// `.`, `x*`, `.*` and `\`.
        case pathPattern
        /// Sets, `+` and `{m,n}` too; API level 31.
        case pathAdvancedPattern
    }

    private enum Unit {
        case any
        case character(Unicode.Scalar)
        case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)

        func accepts(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .any: true
            case .character(let own): own == scalar
            case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
            }
        }
    }

    private struct Token {
        var unit: Unit
        var count: ClosedRange<Int>
    }

    /// Which rules apply.
    public let kind: Kind
    /// The pattern, with single backslashes.
    public let text: String

    /// Creates a pattern.
    ///
    /// - Parameters:
    ///   - kind: Which rules apply.
    ///   - text: The pattern, with single backslashes.
    public init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// Whether a decoded path matches.
    ///
    /// - Parameter path: The path with its leading slash.
    /// - Returns: Whether the whole path matches.
    public func matches(_ path: String) -> Bool {
        let path = Array(path.unicodeScalars)
        return kind == .pathPattern ? matchesSimply(path) : matchesGreedily(path)
    }

    private func matchesSimply(_ path: [Unicode.Scalar]) -> Bool {
        let tokens = tokens()
        var index = 0
        var place = 0
        while place < tokens.count {
            let token = tokens[place]
            let isLast = place == tokens.count - 1
            let isStar = token.count.upperBound > 1
            if case .any = token.unit, isStar {
                if isLast { return true }
                // Up to the first occurrence of the next character, which is taken along.
                let next = tokens[place + 1].unit
                while index < path.count, !next.accepts(path[index]) { index += 1 }
                if index == path.count { return false }
                index += 1
                place += 2
                continue
            }
            if isStar {
                // At the end of the path only a closing `.*` may be left.
                if index == path.count { return false }
                while index < path.count, token.unit.accepts(path[index]) { index += 1 }
            } else {
                guard index < path.count, token.unit.accepts(path[index]) else { return false }
                index += 1
            }
            place += 1
        }
        return index == path.count
    }

    private func matchesGreedily(_ path: [Unicode.Scalar]) -> Bool {
        var index = 0
        for token in tokens() {
            var count = 0
            while index < path.count, count < token.count.upperBound, token.unit.accepts(path[index]) {
                index += 1
                count += 1
            }
            if count < token.count.lowerBound { return false }
        }
        return index == path.count
    }

    private func tokens() -> [Token] {
        let scalars = Array(text.unicodeScalars)
        var result: [Token] = []
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            let isAdvanced = kind == .pathAdvancedPattern
            if scalar == "\\", index < scalars.count {
                result.append(Token(unit: .character(scalars[index]), count: 1...1))
                index += 1
            } else if scalar == "." {
                result.append(Token(unit: .any, count: 1...1))
            } else if scalar == "*", !result.isEmpty {
                result[result.count - 1].count = 0...Int.max
            } else if isAdvanced, scalar == "+", !result.isEmpty {
                result[result.count - 1].count = 1...Int.max
            } else if isAdvanced, scalar == "[", let end = scalars[index...].firstIndex(of: "]") {
                result.append(Token(unit: AndroidPattern.set(scalars[index..<end]), count: 1...1))
                index = end + 1
            } else if isAdvanced, scalar == "{", !result.isEmpty, let end = scalars[index...].firstIndex(of: "}") {
                let inner = String(String.UnicodeScalarView(scalars[index..<end]))
                let bounds = inner.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
                let low = (bounds.first ?? nil) ?? 0
                let high = bounds.count > 1 ? bounds[1] ?? Int.max : low
                result[result.count - 1].count = low...max(low, high)
                index = end + 1
            } else {
                result.append(Token(unit: .character(scalar), count: 1...1))
            }
        }
        return result
    }

    private static func set(_ scalars: ArraySlice<Unicode.Scalar>) -> Unit {
        let isNegated = scalars.first == "^"
        let members = Array(isNegated ? scalars.dropFirst() : scalars)
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        var index = 0
        while index < members.count {
            if index + 2 < members.count, members[index + 1] == "-", members[index] <= members[index + 2] {
                ranges.append(members[index]...members[index + 2])
                index += 3
            } else {
                ranges.append(members[index]...members[index])
                index += 1
            }
        }
        return .set(ranges, isNegated: isNegated)
    }
}
