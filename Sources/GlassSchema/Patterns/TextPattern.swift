/// A pattern that a market defines. It describes a whole text, in a language that can be matched in linear time.
///
/// The language is the part of regular expressions that needs no backtracking; ``grammar`` describes all of it.
/// Repetitions cannot be nested, but `x?` does not count as a repetition. A pattern has at most
/// ``maximumPatternLength`` bytes, at most ``maximumCharacters`` characters with its repetitions expanded, and matches
/// the whole of a text of at most ``maximumTextLength`` bytes. Matching is case-sensitive.
///
/// ```swift
/// let code = try TextPattern("[0-9]{5}(-[0-9]{4})?")
/// code.matches("72716-1234")  // true
/// code.matches("72716-")      // false
/// ```
package struct TextPattern: Sendable {
    /// The maximum size of a pattern, in bytes.
    package static let maximumPatternLength = 256
    /// The maximum size of a text that can match, in bytes.
    package static let maximumTextLength = 256
    /// The maximum number of characters of a pattern with its repetitions expanded.
    package static let maximumCharacters = 1_000
    /// The maximum count in braces.
    package static let maximumRepeatCount = 255

    /// The syntax, and its meaning.
    package static let grammar: [(written: String, meaning: String)] = [
        ("a", "the character itself, including a space"),
        ("\\.", "the character after the backslash, for any ASCII punctuation"),
        ("\\d", "a digit from 0 to 9"),
        ("[A-Z09]", "one of these characters; a backslash escapes here too"),
        ("[^A-Z]", "any other character"),
        ("(ab|c)", "one of the alternatives"),
        ("x?", "x or nothing"),
        ("x*, x+", "x any number of times; with +, at least once"),
        ("x{3}, x{2,4}, x{2,}", "x that many times; a count is at most \(maximumRepeatCount)"),
    ]

    /// The pattern as it was written.
    package let text: String
    private let program: [Instruction]
    /// A short text that matches, for hints; nil if its characters are unusual, or if it is long.
    package let example: String?

    /// An instruction of the matching machine.
    enum Instruction: Sendable, Equatable {
        /// Consumes a character of the set, and continues with the next instruction.
        case take(TextPatternSet)
        /// Continues with both instructions.
        case fork(Int, Int)
        /// Continues with that instruction.
        case jump(Int)
        /// The pattern ends.
        case end
    }

    /// Compiles a pattern.
    package init(_ text: String) throws(TextPatternError) {
        self.text = text
        var reader = TextPatternReader(text)
        var compiler = TextPatternCompiler()
        let node = try reader.read()
        program = try compiler.program(of: node)
        example = node.example(atMost: 40)
    }

    /// Whether a text matches from its first to its last character.
    package func matches(_ text: String) -> Bool {
        guard text.utf8.count <= Self.maximumTextLength else { return false }
        // All instructions that the machine is at simultaneously. Each is there only once, so no text causes
        // backtracking.
        var places = Places(program)
        var next = places
        places.add(0)
        for scalar in text.unicodeScalars {
            next.removeAll()
            for place in places.list {
                if case .take(let set) = program[place], set.contains(scalar) { next.add(place + 1) }
            }
            if next.list.isEmpty { return false }
            swap(&places, &next)
        }
        return places.list.contains { program[$0] == .end }
    }

    /// The current instructions of the machine, with jumps and forks followed.
    private struct Places {
        let program: [Instruction]
        var list: [Int] = []
        private var isIn: [Bool]
        private var pending: [Int] = []

        init(_ program: [Instruction]) {
            self.program = program
            isIn = Array(repeating: false, count: program.count)
        }

        mutating func removeAll() {
            list.removeAll(keepingCapacity: true)
            for index in isIn.indices { isIn[index] = false }
        }

        mutating func add(_ start: Int) {
            pending.append(start)
            while let place = pending.popLast() {
                guard !isIn[place] else { continue }
                isIn[place] = true
                switch program[place] {
                case .fork(let first, let second): pending += [second, first]
                case .jump(let target): pending.append(target)
                case .take, .end: list.append(place)
                }
            }
        }
    }
}

extension TextPattern: Equatable {
    /// Two patterns are equal if their texts are.
    package static func == (left: TextPattern, right: TextPattern) -> Bool { left.text == right.text }
}

/// A syntax error of a ``TextPattern``, and its position.
package struct TextPatternError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The offset in the pattern, in bytes.
    package let offset: Int
    /// The problem.
    package let message: String
    /// The suggested solution.
    package let hint: String?

    /// The problem and its byte, counted from 1.
    package var description: String { "byte \(offset + 1) of the pattern: \(message)" }
}

/// A set of characters.
struct TextPatternSet: Sendable, Equatable {
    /// An inclusive range of scalars. It is not a `ClosedRange`, whose first use makes the runtime search every
    /// conformance.
    struct Scalars: Sendable, Equatable {
        let first: UInt32
        let last: UInt32
    }

    var ranges: [Scalars] = []
    var isNegated = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.first <= scalar.value && scalar.value <= $0.last } != isNegated
    }
}

extension TextPatternNode {
    /// A text that matches, with as few characters as possible: digits are 0, and letters are A; nil if it is longer.
    fileprivate func example(atMost limit: Int) -> String? {
        switch self {
        case .set(let set):
            let usual = ["0", "A", "a", " ", "-"] as [Unicode.Scalar]
            let first = set.isNegated ? nil : set.ranges.first.flatMap { Unicode.Scalar($0.first) }
            guard limit > 0, let scalar = usual.first(where: set.contains) ?? first, scalar.value >= 0x20 else {
                return nil
            }
            return String(scalar)
        case .sequence(let nodes):
            var text = ""
            for node in nodes {
                guard let part = node.example(atMost: limit - text.count) else { return nil }
                text += part
            }
            return text
        case .choice(let nodes): return nodes.first?.example(atMost: limit)
        case .times(let node, let least, _, _):
            guard least > 0 else { return "" }
            guard let part = node.example(atMost: limit / least) else { return nil }
            return String(repeating: part, count: least)
        }
    }
}
