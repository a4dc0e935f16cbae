import GlassDeepLinking

/// Finds rules that may match a path by their literal leading segments, so that a path needn't be compared with every
/// rule.
///
/// Case-insensitive. May return false positives, but no false negatives.
struct LiteralPrefixIndex: Sendable {
    private var places: [[UInt8]: [Int]] = [:]

    /// Creates an index.
    init(_ prefixes: [[UInt8]]) {
        for (place, prefix) in prefixes.enumerated() { places[prefix, default: []].append(place) }
    }

    /// The rules that may match, in no particular order.
    func candidates(for path: String) -> [Int] {
        let bytes = path.utf8.asciiFolded
        var found = places[[]] ?? []
        for end in 1..<(bytes.count + 1) where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
            if let more = places[Array(bytes[..<end])] { found += more }
        }
        return found
    }

    /// The literal prefix of the paths that a component of Apple's file matches.
    static func prefix(ofComponent path: String) -> [UInt8] {
        prefix(of: path.utf8.asciiFolded, special: Set("*?$".utf8))
    }

    /// The literal prefix of the paths that an Android rule matches.
    static func prefix(of rule: AndroidPathRule) -> [UInt8] {
        switch rule {
        case .path(let text): text.utf8.asciiFolded
        case .prefix: []
        case .pattern(let text): prefix(of: text.utf8.asciiFolded, special: Set("*.\\".utf8))
        case .advancedPattern(let text):
            prefix(of: withoutSetsOfCase(text.utf8.asciiFolded), special: Set(".*+[]{}\\".utf8))
        }
    }

    /// The whole segments before the first special character.
    private static func prefix(of bytes: [UInt8], special: Set<UInt8>) -> [UInt8] {
        guard let first = bytes.firstIndex(where: special.contains) else { return bytes }
        let slash = bytes[..<first].lastIndex(of: UInt8(ascii: "/"))
        return Array(bytes[..<(slash ?? 0)])
    }

    /// A case-folded pattern in which each set of both cases of a letter, which folds to `[aa]`, is replaced by the
    /// letter.
    private static func withoutSetsOfCase(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if index + 3 < bytes.count, bytes[index] == UInt8(ascii: "["), ASCII.isLetter(bytes[index + 1]),
                bytes[index + 1] == bytes[index + 2], bytes[index + 3] == UInt8(ascii: "]")
            {
                result.append(bytes[index + 1])
                index += 4
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
