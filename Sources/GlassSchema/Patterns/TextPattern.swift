/// A pattern of a market's own: what a whole text looks like, in a language that matches in linear time.
///
/// The language is that part of regular expressions which needs no backtracking; ``grammar`` is all of it. What repeats
/// contains nothing that repeats, where `x?` does not count as repeating. A pattern has at most ``maximumPatternLength`` bytes,
/// stands for at most ``maximumCharacters`` characters and matches the whole of a text of at most ``maximumTextLength`` bytes;
/// upper and lower case differ.
///
/// ```swift
/// let code = try TextPattern("[0-9]{5}(-[0-9]{4})?")
/// code.matches("72716-1234")  // true
/// code.matches("72716-")      // false
/// ```
package struct TextPattern: Sendable {
    /// The largest pattern, in bytes.
    package static let maximumPatternLength = 256
    /// The largest text that can match, in bytes.
    package static let maximumTextLength = 256
    /// How many characters a pattern can stand for, its repetitions written out.
    package static let maximumCharacters = 1_000
    /// The highest count in braces.
    package static let maximumRepeatCount = 255

    /// What can be written, and what it stands for.
    package static let grammar: [(written: String, meaning: String)] = [
        ("a", "the character itself, a space too"),
        ("\\.", "the character behind the backslash, for any ASCII punctuation"),
        ("\\d", "a digit from 0 to 9"),
        ("[A-Z09]", "one of these characters; a backslash escapes here too"),
        ("[^A-Z]", "one character that is none of these"),
        ("(ab|c)", "one of the alternatives"),
        ("x?", "x or nothing"),
        ("x*, x+", "x as often as it comes; with + at least once"),
        ("x{3}, x{2,4}, x{2,}", "x that often; a count is at most \(maximumRepeatCount)"),
    ]

    /// The pattern as it was written.
    package let text: String
    private let program: [Instruction]

    /// A step of the machine that matches.
    enum Instruction: Sendable, Equatable {
        /// Takes a character of the set, and goes on with the next instruction.
        case take(TextPatternSet)
        /// Goes on at both places.
        case fork(Int, Int)
        /// Goes on there.
        case jump(Int)
        /// The pattern is over.
        case end
    }

    /// Compiles a pattern.
    package init(_ text: String) throws(TextPatternError) {
        self.text = text
        var reader = TextPatternReader(text)
        var compiler = TextPatternCompiler()
        program = try compiler.program(of: try reader.read())
    }

    /// Whether a text matches from its first to its last character.
    package func matches(_ text: String) -> Bool {
        guard text.utf8.count <= Self.maximumTextLength else { return false }
        // All places where the machine can be at once; a place is there once, so no text makes it go back.
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

    /// The instructions at which the machine stands, jumps and forks followed.
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
    /// Two patterns are equal when they were written alike.
    package static func == (left: TextPattern, right: TextPattern) -> Bool { left.text == right.text }
}

/// What the language of ``TextPattern`` does not have, and where it stands.
package struct TextPatternError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The byte of the pattern, from 0.
    package let offset: Int
    /// What is wrong.
    package let message: String
    /// What to do.
    package let hint: String?

    /// What is wrong, and at which byte, counted from 1.
    package var description: String { "byte \(offset + 1) of the pattern: \(message)" }
}

/// A set of characters.
struct TextPatternSet: Sendable, Equatable {
    /// An inclusive range of scalars; the first `ClosedRange` makes the runtime search every conformance.
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
