/// The syntax tree of a pattern.
indirect enum TextPatternNode {
    case set(TextPatternSet)
    case sequence([TextPatternNode])
    case choice([TextPatternNode])
    /// The node, repeated `least` to `most` times, or without a maximum if `most` is nil. The quantifier is at
    /// `offset`.
    case times(TextPatternNode, least: Int, most: Int?, offset: Int)

    /// Whether the node contains a repetition; an optional part is not one.
    var repeats: Bool {
        switch self {
        case .set: false
        case .sequence(let nodes), .choice(let nodes): nodes.contains(where: \.repeats)
        case .times(let node, _, let most, _): most != 1 || node.repeats
        }
    }
}

/// Parses the text of a ``TextPattern``, from left to right, and rejects unsupported syntax.
struct TextPatternReader {
    private let scalars: [(scalar: Unicode.Scalar, offset: Int)]
    private let end: Int
    private var index = 0

    init(_ text: String) {
        end = text.utf8.count
        // A pattern that is too long is rejected before it is parsed.
        guard end <= TextPattern.maximumPatternLength else {
            scalars = []
            return
        }
        var offset = 0
        scalars = text.unicodeScalars.map { scalar in
            defer { offset += UTF8.width(scalar) }
            return (scalar, offset)
        }
    }

    /// Reads the whole pattern.
    mutating func read() throws(TextPatternError) -> TextPatternNode {
        guard end <= TextPattern.maximumPatternLength else {
            throw TextPatternError(
                offset: TextPattern.maximumPatternLength,
                message: "the pattern has \(end) bytes; the maximum is \(TextPattern.maximumPatternLength)",
                hint: "shorten it")
        }
        let node = try choice()
        if index < scalars.count {
            throw error("this \")\" has no matching \"(\"", hint: "write \\) for the character")
        }
        return node
    }

    private var scalar: Unicode.Scalar? { index < scalars.count ? scalars[index].scalar : nil }
    private var offset: Int { index < scalars.count ? scalars[index].offset : end }

    private func error(_ message: String, hint: String? = nil, at place: Int? = nil) -> TextPatternError {
        TextPatternError(offset: place ?? offset, message: message, hint: hint)
    }

    /// Groups are nested at most half as deeply as the pattern has bytes, which limits the recursion.
    private mutating func choice() throws(TextPatternError) -> TextPatternNode {
        var alternatives = [try sequence()]
        while scalar == "|" {
            index += 1
            alternatives.append(try sequence())
        }
        return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
    }

    private mutating func sequence() throws(TextPatternError) -> TextPatternNode {
        var nodes: [TextPatternNode] = []
        while let scalar, scalar != "|", scalar != ")" {
            nodes.append(try repeated(try atom(scalar)))
        }
        if nodes.isEmpty { throw error("expected a character here", hint: "write (…)? for an optional part") }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func atom(_ first: Unicode.Scalar) throws(TextPatternError) -> TextPatternNode {
        switch first {
        case "(": return try group()
        case "[": return .set(try characterClass())
        case "\\": return .set(TextPatternSet(ranges: [try escape()]))
        case "?", "*", "+", "{":
            throw error("there is nothing to repeat before \"\(first)\"", hint: "write \\\(first) for the character")
        case ".":
            throw error(
                "patterns do not support \".\" for any character", hint: "write a class such as [A-Z0-9], or \\.")
        case "^", "$":
            throw error("a pattern always matches the whole text, so \"\(first)\" is not needed", hint: "remove it")
        case "]", "}":
            throw error("this \"\(first)\" has no matching opening bracket", hint: "write \\\(first) for the character")
        default:
            index += 1
            return .set(TextPatternSet(ranges: [.init(first: first.value, last: first.value)]))
        }
    }

    private mutating func group() throws(TextPatternError) -> TextPatternNode {
        let start = offset
        index += 1
        if scalar == "?" { throw error("groups do not support (?…)", hint: "write (…) alone") }
        let node = try choice()
        guard scalar == ")" else { throw error("this group is not closed", hint: "add a closing )", at: start) }
        index += 1
        return node
    }

    /// Reads the character after a backslash.
    private mutating func escape() throws(TextPatternError) -> TextPatternSet.Scalars {
        let start = offset
        index += 1
        guard let scalar else { throw error("a character is missing after \"\\\"", at: start) }
        if scalar == "d" {
            index += 1
            return .init(first: 0x30, last: 0x39)
        }
        guard scalar.isPunctuation else {
            throw error(
                "patterns do not support \"\\\(scalar)\"", hint: "write a class such as [A-Z0-9], or \\d for a digit",
                at: start)
        }
        index += 1
        return .init(first: scalar.value, last: scalar.value)
    }

    // MARK: Classes

    private mutating func characterClass() throws(TextPatternError) -> TextPatternSet {
        let start = offset
        var set = TextPatternSet()
        index += 1
        if scalar == "^" {
            set.isNegated = true
            index += 1
        }
        while let scalar, scalar != "]" {
            let place = offset
            let low = try classCharacter(scalar)
            guard self.scalar == "-", index + 1 < scalars.count, scalars[index + 1].scalar != "]" else {
                set.ranges.append(low)
                continue
            }
            index += 1
            let high = try classCharacter(scalars[index].scalar)
            guard low.first == low.last, high.first == high.last, low.first <= high.first else {
                throw error("this range is reversed", at: place)
            }
            set.ranges.append(.init(first: low.first, last: high.first))
        }
        guard scalar == "]" else { throw error("this class is not closed", hint: "add a closing ]", at: start) }
        if set.ranges.isEmpty { throw error("this class is empty", at: start) }
        index += 1
        return set
    }

    private mutating func classCharacter(_ first: Unicode.Scalar) throws(TextPatternError) -> TextPatternSet.Scalars {
        if first == "\\" { return try escape() }
        // In other regular expressions, these begin a nested class or combine two classes.
        let isDoubled = index + 1 < scalars.count && scalars[index + 1].scalar == first
        if first == "[" || first == "^" || (isDoubled && "&-~|".unicodeScalars.contains(first)) {
            throw error("\"\(first)\" is not allowed here in a class", hint: "write \\\(first) for the character")
        }
        index += 1
        return .init(first: first.value, last: first.value)
    }

    // MARK: Repetitions

    private mutating func repeated(_ node: TextPatternNode) throws(TextPatternError) -> TextPatternNode {
        let start = offset
        let result: TextPatternNode
        switch scalar {
        case "?": result = .times(node, least: 0, most: 1, offset: start)
        case "*": result = .times(node, least: 0, most: nil, offset: start)
        case "+": result = .times(node, least: 1, most: nil, offset: start)
        case "{":
            let (least, most) = try counts()
            result = .times(node, least: least, most: most, offset: start)
        default: return node
        }
        index += 1
        if let scalar, "?*+{".unicodeScalars.contains(scalar) {
            throw error("a repetition cannot be repeated", hint: "remove the \"\(scalar)\"")
        }
        if case .times(_, _, let most, _) = result, most != 1, node.repeats {
            throw error(
                "nested repetition is not supported", hint: "expand the inner or the outer repetition", at: start)
        }
        return result
    }

    /// Reads `{3}`, `{2,4}` or `{2,}` up to the closing brace.
    private mutating func counts() throws(TextPatternError) -> (least: Int, most: Int?) {
        let start = offset
        index += 1
        let least = try number()
        var most: Int? = least
        if scalar == "," {
            index += 1
            most = scalar == "}" ? nil : try number()
        }
        guard scalar == "}" else {
            throw error("expected a count such as {3}, {2,4}, or {2,}", hint: "write \\{ for the character", at: start)
        }
        guard least <= most ?? least, most != 0 else {
            throw error("this count is reversed", hint: "write {2,4}", at: start)
        }
        return (least, most)
    }

    private mutating func number() throws(TextPatternError) -> Int {
        let start = offset
        var number: Int?
        while let scalar, (0x30...0x39).contains(scalar.value), number ?? 0 <= TextPattern.maximumRepeatCount {
            number = (number ?? 0) * 10 + Int(scalar.value - 0x30)
            index += 1
        }
        guard let number else {
            throw error("expected a count such as {3}, {2,4}, or {2,}", hint: "write \\{ for the character")
        }
        guard number <= TextPattern.maximumRepeatCount else {
            throw error("the maximum count is \(TextPattern.maximumRepeatCount)", at: start)
        }
        return number
    }
}

extension Unicode.Scalar {
    /// Whether the character is ASCII and neither a letter, a digit, a space nor a control character.
    fileprivate var isPunctuation: Bool {
        (0x21...0x7E).contains(value) && !properties.isAlphabetic && !(0x30...0x39).contains(value)
    }
}
