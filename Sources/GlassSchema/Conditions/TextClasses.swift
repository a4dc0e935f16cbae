import GlassBase

/// A test of a text for one part, or for the whole.
struct TextAtom: Sendable, Hashable {
    /// What the text is compared with.
    enum Kind: Sendable, Hashable {
        /// The whole text.
        case whole
        /// A part of it.
        case part(TextTest.Place)
    }

    /// What is compared.
    let kind: Kind
    /// The bytes, with letters in lowercase if case does not matter.
    let bytes: [UInt8]
    /// Whether ASCII letters are equal to their other case.
    let anyCase: Bool

    init(whole text: String) {
        (kind, bytes, anyCase) = (.whole, Array(text.utf8), false)
    }

    init(_ place: TextTest.Place, _ text: String, anyCase: Bool) {
        kind = .part(place)
        bytes = anyCase ? text.utf8.map(\.lowercasedASCII) : Array(text.utf8)
        self.anyCase = anyCase
    }

    /// Whether a text passes.
    func passes(_ text: [UInt8]) -> Bool {
        switch kind {
        case .whole: return text == bytes
        case .part(.prefix): return matches(text, at: 0)
        case .part(.suffix): return matches(text, at: text.count - bytes.count)
        case .part(.contains):
            guard text.count >= bytes.count else { return false }
            return (0...text.count - bytes.count).contains { matches(text, at: $0) }
        }
    }

    private func matches(_ text: [UInt8], at start: Int) -> Bool {
        guard start >= 0, start + bytes.count <= text.count else { return false }
        return bytes.indices.allSatisfy { fold(text[start + $0]) == bytes[$0] }
    }

    /// A byte of a text as it is compared.
    func fold(_ byte: UInt8) -> UInt8 { anyCase ? byte.lowercasedASCII : byte }
}

/// Finds a text for each combination of results that some tests can have.
///
/// The tests pass on some text exactly if they pass on one that consists of the longest prefix, each part anywhere and
/// the longest suffix, with a fresh character between two of them: one that no test contains, so that no test that must
/// fail passes across a border. Where case does not matter, a piece has several spellings, of which one must avoid the
/// tests that must fail.
struct TextClasses {
    /// The largest number of states in the search for a spelling.
    private static let maximumStates = 1024

    private let atoms: [TextAtom]
    /// The fresh character.
    private let filler: [UInt8]
    private let budget: WorkBudget

    init(_ atoms: [TextAtom], budget: WorkBudget = .unlimited) {
        self.atoms = atoms
        self.budget = budget
        filler = Self.filler(for: atoms)
    }

    private static func filler(for atoms: [TextAtom]) -> [UInt8] {
        var used: Set<Unicode.Scalar> = []
        for atom in atoms {
            for scalar in String(decoding: atom.bytes, as: UTF8.self).unicodeScalars {
                used.insert(scalar)
                if let byte = UInt8(exactly: scalar.value), byte.isASCIILetter {
                    used.insert(Unicode.Scalar(byte ^ 0x20))
                }
            }
        }
        let usual = "xyzabcdefghijklmnopqrstuvw0123456789".unicodeScalars
        // The texts of a condition have at most a few thousand different characters, and there are more letters.
        let others = (0x4E00...0x9FFF as ClosedRange<UInt32>).lazy.compactMap { Unicode.Scalar($0) }
        let fresh = usual.first { !used.contains($0) } ?? others.first { !used.contains($0) } ?? "\u{FFFD}"
        return Array(String(fresh).utf8)
    }

    /// One text for each combination of results, at most the number of classes that a mask has; nil if there are more,
    /// or the budget is exhausted.
    func texts() -> [String]? {
        var found: [(results: [Bool], text: [UInt8])] = [([], filler)]
        for atom in atoms {
            var next: [(results: [Bool], text: [UInt8])] = []
            for (results, text) in found {
                let passes = atom.passes(text)
                next.append((results + [passes], text))
                switch self.text(for: results + [!passes]) {
                case .text(let other): next.append((results + [!passes], other))
                case .none: break
                case .tooMany: return nil
                }
                if next.count > ClassMask.capacity { return nil }
            }
            found = next
        }
        return found.map { String(decoding: $0.text, as: UTF8.self) }
    }

    /// Whether some text gives these results; nil if there are too many spellings to try.
    func isSatisfiable(_ results: [Bool]) -> Bool? {
        switch text(for: results) {
        case .text: true
        case .none: false
        case .tooMany: nil
        }
    }

    private enum Answer {
        case text([UInt8])
        case none
        case tooMany
    }

    /// A byte of a piece, in one or both cases.
    private struct Letter {
        var first: UInt8
        var second: UInt8

        init(_ byte: UInt8, of atom: TextAtom) {
            first = byte
            second = atom.anyCase && byte.isASCIILetter ? byte ^ 0x20 : byte
        }

        var isCertain: Bool { first == second }

        /// What both letters allow.
        func meet(_ other: Letter) -> Letter? {
            if isCertain { return first == other.first || first == other.second ? self : nil }
            if other.isCertain { return other.meet(self) }
            return first == other.first ? self : nil
        }
    }

    private func spend(_ steps: Int) -> Bool {
        (try? budget.spend(steps, on: .proving)) != nil  // the budget stays exhausted, so that the next job fails, too
    }

    /// The text for the first tests with these results.
    private func text(for results: [Bool]) -> Answer {
        guard spend(1 + results.count) else { return .tooMany }
        var (wanted, unwanted) = ([TextAtom](), [TextAtom]())
        for (atom, passes) in zip(atoms, results) {
            if passes { wanted.append(atom) } else { unwanted.append(atom) }
        }
        if let whole = wanted.first(where: { $0.kind == .whole }) {
            let passes = wanted.allSatisfy { $0.passes(whole.bytes) } && !unwanted.contains { $0.passes(whole.bytes) }
            return passes ? .text(whole.bytes) : .none
        }
        // Only the whole text can be empty.
        if unwanted.contains(where: { $0.bytes.isEmpty && $0.kind != .whole }) { return .none }
        guard let prefix = piece(of: wanted.filter { $0.kind == .part(.prefix) }, fromEnd: false),
            let suffix = piece(of: wanted.filter { $0.kind == .part(.suffix) }, fromEnd: true)
        else { return .none }
        let start: [UInt8]
        let end: [UInt8]
        switch spelling(of: prefix, avoiding: unwanted, isStart: true, isEnd: false) {
        case .text(let text): start = text
        case let answer: return answer
        }
        switch spelling(of: suffix, avoiding: unwanted, isStart: false, isEnd: true) {
        case .text(let text): end = text
        case let answer: return answer
        }
        var text = start + filler
        for atom in wanted where atom.kind == .part(.contains) && !atom.passes(text) && !atom.passes(end) {
            let letters = atom.bytes.map { Letter($0, of: atom) }
            switch spelling(of: letters, avoiding: unwanted, isStart: false, isEnd: false) {
            case .text(let part): text += part + filler
            case let answer: return answer
            }
        }
        return .text(text + end)
    }

    /// What several prefixes, or suffixes, require together; nil if they contradict each other.
    private func piece(of atoms: [TextAtom], fromEnd: Bool) -> [Letter]? {
        var letters: [Letter] = []
        for atom in atoms {
            let bytes = fromEnd ? atom.bytes.reversed() : atom.bytes
            for (index, byte) in bytes.enumerated() {
                let letter = Letter(byte, of: atom)
                if index == letters.count {
                    letters.append(letter)
                } else {
                    guard let both = letters[index].meet(letter) else { return nil }
                    letters[index] = both
                }
            }
        }
        return fromEnd ? letters.reversed() : letters
    }

    /// A spelling of a piece on which no unwanted test passes inside the piece.
    private func spelling(
        of piece: [Letter], avoiding unwanted: [TextAtom], isStart: Bool, isEnd: Bool
    ) -> Answer {
        let patterns = unwanted.compactMap { atom -> Pattern? in
            guard case .part(let place) = atom.kind, atom.bytes.count <= piece.count else { return nil }
            switch place {
            case .prefix: return isStart ? Pattern(atom, place) : nil
            case .suffix: return isEnd ? Pattern(atom, place) : nil
            case .contains: return Pattern(atom, place)
            }
        }
        // The spellings so far, one for each state of all patterns: what follows depends on nothing else.
        var spellings: [(states: [Int], text: [UInt8])] = [(patterns.map { _ in 0 }, [])]
        for letter in piece {
            guard spend(spellings.count * (1 + patterns.count)) else { return .tooMany }
            var next: [(states: [Int], text: [UInt8])] = []
            var known: Set<[Int]> = []
            for (states, text) in spellings {
                for byte in letter.isCertain ? [letter.first] : [letter.first, letter.second] {
                    var followers = states
                    var isAvoiding = true
                    for (index, pattern) in patterns.enumerated() {
                        followers[index] = pattern.state(after: states[index], byte)
                        if followers[index] == pattern.bytes.count, pattern.place != .suffix { isAvoiding = false }
                    }
                    if isAvoiding, known.insert(followers).inserted { next.append((followers, text + [byte])) }
                }
            }
            if next.count > Self.maximumStates { return .tooMany }
            spellings = next
        }
        let last = spellings.first { states, _ in
            !zip(states, patterns).contains { $1.place == .suffix && $0 == $1.bytes.count }
        }
        return last.map { .text($0.text) } ?? .none
    }

    /// A test that must not pass, as an automaton after Knuth, Morris and Pratt; a prefix has no way back.
    private struct Pattern {
        let place: TextTest.Place
        let bytes: [UInt8]
        private let atom: TextAtom
        private let fallbacks: [Int]

        init(_ atom: TextAtom, _ place: TextTest.Place) {
            self.atom = atom
            self.place = place
            bytes = atom.bytes
            var fallbacks = [0, 0]
            for index in bytes.indices.dropFirst() {
                var length = fallbacks[index]
                while length > 0, bytes[length] != bytes[index] { length = fallbacks[length] }
                fallbacks.append(bytes[length] == bytes[index] ? length + 1 : 0)
            }
            self.fallbacks = fallbacks
        }

        /// The number of bytes that match after one more; -1 if a prefix cannot match any more.
        func state(after state: Int, _ byte: UInt8) -> Int {
            let byte = atom.fold(byte)
            if place == .prefix {
                return state >= 0 && state < bytes.count && bytes[state] == byte ? state + 1 : -1
            }
            var length = state == bytes.count ? fallbacks[state] : state
            while length > 0, bytes[length] != byte { length = fallbacks[length] }
            return bytes[length] == byte ? length + 1 : 0
        }
    }
}

extension AttributeTest {
    /// Adds the parts that a test of a text compares with.
    func collectAtoms(into atoms: inout [TextAtom]) {
        switch self {
        case .oneOf(let values):
            for case .text(let text) in values { atoms.append(TextAtom(whole: text)) }
        case .text(let test):
            atoms += test.parts.map { TextAtom(test.place, $0, anyCase: test.anyCase) }
        case .no(let test): test.collectAtoms(into: &atoms)
        case .any(let tests): for test in tests { test.collectAtoms(into: &atoms) }
        case .within, .has, .ranges, .missing, .present: break
        }
    }
}
