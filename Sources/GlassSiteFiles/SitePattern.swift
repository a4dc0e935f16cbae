import GlassDeepLinking

/// A compiled path or query pattern of an `apple-app-site-association` file.
///
/// It follows all readings at once, so that no pattern costs more than its length times the text's.
struct SitePattern: Sendable {
    private indirect enum Token: Sendable {
        case byte(UInt8)
        case anyOne
        case anyText
        case digit, hexDigit, letter, upper, lower, alphanumeric
        case oneOf([[Token]])
    }

    private let tokens: [Token]
    private let isCaseSensitive: Bool

    /// How many tokens it has, those of its variables too.
    let size: Int

    init(_ pattern: String, variables: [String: [String]], isCaseSensitive: Bool) {
        tokens = SitePattern.tokens(Array(pattern.utf8), variables: variables, isCaseSensitive: isCaseSensitive)
        self.isCaseSensitive = isCaseSensitive
        size = tokens.reduce(0) { size, token in
            guard case .oneOf(let values) = token else { return size + 1 }
            return values.reduce(size) { $0 + $1.count }
        }
    }

    func matches(_ text: String) -> Bool {
        let bytes = isCaseSensitive ? Array(text.utf8) : text.utf8.asciiFolded
        return advance([0], over: tokens, bytes).contains(bytes.count)
    }

    static func isEqual(_ left: String, _ right: String, isCaseSensitive: Bool) -> Bool {
        isCaseSensitive ? left.utf8.elementsEqual(right.utf8) : left.utf8.asciiFolded == right.utf8.asciiFolded
    }

    private static func tokens(
        _ bytes: [UInt8], variables: [String: [String]], isCaseSensitive: Bool
    ) -> [Token] {
        var result: [Token] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "*"): result.append(.anyText)
            case UInt8(ascii: "?"): result.append(.anyOne)
            case UInt8(ascii: "$") where index < bytes.count && bytes[index] == UInt8(ascii: "("):
                guard let close = bytes[index...].firstIndex(of: UInt8(ascii: ")")) else {
                    result.append(.byte(byte))
                    continue
                }
                let name = String(decoding: bytes[index + 1..<close], as: UTF8.self)
                // A value of a variable may hold wildcards, but no variable.
                let values = (variables[name] ?? []).map {
                    tokens(Array($0.utf8), variables: [:], isCaseSensitive: isCaseSensitive)
                }
                result.append(predefined[name] ?? .oneOf(values))
                index = close + 1
            default: result.append(.byte(isCaseSensitive ? byte : ASCII.lowercased(byte)))
            }
        }
        return result
    }

    private static let predefined: [String: Token] = [
        "digit": .digit, "xdigit": .hexDigit, "alpha": .letter, "upper": .upper, "lower": .lower,
        "alnum": .alphanumeric,
    ]

    /// The positions, ascending, that the tokens lead to from the given ones.
    private func advance(_ positions: [Int], over tokens: [Token], _ bytes: [UInt8]) -> [Int] {
        var current = positions
        for token in tokens {
            guard let first = current.first else { return [] }
            switch token {
            case .anyText: current = Array(first...bytes.count)
            case .oneOf(let values):
                current = Array(Set(values.flatMap { advance(current, over: $0, bytes) })).sorted()
            default: current = current.compactMap { $0 < bytes.count && accepts(token, bytes[$0]) ? $0 + 1 : nil }
            }
        }
        return current
    }

    private func accepts(_ token: Token, _ byte: UInt8) -> Bool {
        switch token {
        case .byte(let wanted): byte == wanted
        case .anyOne: true
        case .digit: ASCII.isDigit(byte)
        case .hexDigit: ASCII.isHexDigit(byte)
        case .letter: ASCII.isLetter(byte)
        case .upper: ASCII.isLetter(byte) && (!isCaseSensitive || byte & 0x20 == 0)
        case .lower: ASCII.isLetter(byte) && byte & 0x20 != 0
        case .alphanumeric: ASCII.isAlphanumeric(byte)
        case .anyText, .oneOf: false
        }
    }
}
