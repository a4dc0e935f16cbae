/// The path patterns of delegations. They work like those of the shell, and no character of a pattern matches a `/`
/// (specification 1.0, section 4.5).
enum PathPattern {
    /// Whether a path matches a pattern.
    ///
    /// `*` matches any characters and `?` matches one. `[abc]` matches one of the characters, `[a-c]` one in the range,
    /// and `[!abc]` any other character. As in python-tuf, an unclosed `[` matches itself.
    static func matches(_ path: String, _ pattern: String) -> Bool {
        let parts = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        let patterns = pattern.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == patterns.count else { return false }
        return zip(parts, patterns).allSatisfy { matches(part: Array($0), tokens(of: Array($1))) }
    }

    private enum Token {
        case one(Unicode.Scalar)
        case any
        case anything
        case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)

        func matches(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .one(let own): own == scalar
            case .any, .anything: true
            case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
            }
        }
    }

    private static func tokens(of pattern: [Unicode.Scalar]) -> [Token] {
        var tokens: [Token] = []
        var index = 0
        while index < pattern.count {
            switch pattern[index] {
            case "*": tokens.append(.anything)
            case "?": tokens.append(.any)
            case "[":
                if let (set, end) = set(of: pattern, after: index) {
                    tokens.append(set)
                    index = end
                } else {
                    tokens.append(.one("["))
                }
            case let scalar: tokens.append(.one(scalar))
            }
            index += 1
        }
        return tokens
    }

    /// The set that starts at a bracket, and the index of its closing bracket.
    private static func set(of pattern: [Unicode.Scalar], after start: Int) -> (Token, Int)? {
        var index = start + 1
        let isNegated = index < pattern.count && pattern[index] == "!"
        if isNegated { index += 1 }
        let first = index
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while index < pattern.count {
            // A closing bracket in first position is a member of the set.
            if pattern[index] == "]", index > first { return (.set(ranges, isNegated: isNegated), index) }
            if index + 2 < pattern.count, pattern[index + 1] == "-", pattern[index + 2] != "]" {
                // A reversed range has no members.
                if pattern[index] <= pattern[index + 2] { ranges.append(pattern[index]...pattern[index + 2]) }
                index += 3
            } else {
                ranges.append(pattern[index]...pattern[index])
                index += 1
            }
        }
        return nil
    }

    /// Whether a part matches. After a mismatch, only the last `*` is extended by one character, which bounds the work.
    private static func matches(part: [Unicode.Scalar], _ tokens: [Token]) -> Bool {
        var (at, token) = (0, 0)
        var retry: (at: Int, token: Int)?
        while at < part.count {
            if token < tokens.count, case .anything = tokens[token] {
                retry = (at, token)
                token += 1
            } else if token < tokens.count, tokens[token].matches(part[at]) {
                at += 1
                token += 1
            } else if let last = retry {
                retry = (last.at + 1, last.token)
                at = last.at + 1
                token = last.token + 1
            } else {
                return false
            }
        }
        while token < tokens.count, case .anything = tokens[token] { token += 1 }
        return token == tokens.count
    }
}
