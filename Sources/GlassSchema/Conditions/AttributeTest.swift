/// A test of one attribute. A missing attribute passes only `missing`, and the negation of what it does not pass.
package indirect enum AttributeTest: Sendable, Hashable {
    /// The value is one of these.
    case oneOf([ContextValue])
    /// The text is one of these, or continues one after a hyphen: `CA` covers `CA-QC`.
    case within([String])
    /// The set contains one of these names.
    case has([String])
    /// The value is in one of these ranges.
    case ranges([ContextRange])
    /// The text has a part.
    case text(TextTest)
    /// The attribute is missing.
    case missing
    /// The attribute has a value.
    case present
    /// The test does not pass.
    case no(AttributeTest)
    /// One of the tests passes.
    case any([AttributeTest])
}

/// A range of numbers, versions or dates.
package struct ContextRange: Sendable, Hashable {
    /// An end of a range.
    package struct Bound: Sendable, Hashable {
        /// The value.
        package var value: ContextValue
        /// Whether the range contains the value.
        package var isInclusive: Bool

        /// Creates an end.
        package init(_ value: ContextValue, isInclusive: Bool) {
            self.value = value
            self.isInclusive = isInclusive
        }
    }

    /// The lower end, if there is one.
    package var lower: Bound?
    /// The upper end, if there is one.
    package var upper: Bound?

    /// Creates a range.
    package init(lower: Bound? = nil, upper: Bound? = nil) {
        self.lower = lower
        self.upper = upper
    }

    /// Creates the range of one value.
    package init(only value: ContextValue) {
        lower = Bound(value, isInclusive: true)
        upper = lower
    }

    /// Whether the range contains a value. False for a value of another kind.
    @inline(__always) func contains(_ value: ContextValue) -> Bool {
        if let lower, !(lower.value.precedes(value) || lower.isInclusive && lower.value == value) { return false }
        if let upper, !(value.precedes(upper.value) || upper.isInclusive && upper.value == value) { return false }
        return lower != nil || upper != nil
    }
}

extension ContextRange: CustomStringConvertible {
    /// The comparators: `>= 24.3 < 25`, `= 26`.
    package var description: String {
        if let lower, lower == upper, lower.isInclusive { return "= \(lower.value)" }
        return [
            lower.map { "\($0.isInclusive ? ">=" : ">") \($0.value)" },
            upper.map { "\($0.isInclusive ? "<=" : "<") \($0.value)" },
        ].compactMap(\.self).joined(separator: " ")
    }
}

/// A test of a part of a text.
package struct TextTest: Sendable, Hashable {
    /// Where the part is.
    package enum Place: String, Sendable, Hashable, CaseIterable {
        /// At the start.
        case prefix
        /// At the end.
        case suffix
        /// Anywhere.
        case contains
    }

    /// Where the part is.
    package var place: Place
    /// The parts, of which the text has one.
    package var parts: [String]
    /// Whether ASCII letters are equal to their other case.
    package var anyCase: Bool

    /// Creates a test.
    package init(_ place: Place, _ parts: [String], anyCase: Bool = false) {
        self.place = place
        self.parts = parts
        self.anyCase = anyCase
    }

    /// Whether a text passes. Linear in the sizes of the text and the part, multiplied for `contains`; allocates
    /// nothing.
    func passes(_ text: String) -> Bool {
        parts.contains { part in
            let (text, part) = (text.utf8, part.utf8)
            guard part.count <= text.count else { return false }
            switch place {
            case .prefix: return starts(text[...], with: part)
            case .suffix: return starts(text.suffix(part.count), with: part)
            case .contains:
                var rest = text[...]
                while rest.count >= part.count {
                    if starts(rest, with: part) { return true }
                    if rest.isEmpty { return false }
                    rest.removeFirst()
                }
                return false
            }
        }
    }

    @inline(__always)
    private func starts(_ text: Substring.UTF8View, with part: String.UTF8View) -> Bool {
        anyCase
            ? text.starts(with: part) { $0.lowercasedASCII == $1.lowercasedASCII }
            : text.starts(with: part)
    }
}

extension AttributeTest {
    /// Whether a value passes; nil is a missing attribute. Allocates nothing.
    package func passes(_ value: ContextValue?) -> Bool {
        switch self {
        case .missing: return value == nil
        case .present: return value != nil
        case .no(let test): return !test.passes(value)
        case .any(let tests): return tests.contains { $0.passes(value) }
        case .oneOf(let values):
            guard let value else { return false }
            return values.contains { $0.isSame(as: value) }
        case .within(let names):
            guard case .text(let text)? = value else { return false }
            return names.contains { $0.covers(text) }
        case .has(let names):
            guard case .set(let set)? = value else { return false }
            return names.contains { set.contains($0) }
        case .ranges(let ranges):
            guard let value else { return false }
            return ranges.contains { $0.contains(value) }
        case .text(let test):
            guard case .text(let text)? = value else { return false }
            return test.passes(text)
        }
    }
}

extension String {
    /// Whether another text is this one, or continues it after a hyphen.
    func covers(_ other: String) -> Bool {
        let (mine, other) = (utf8, other.utf8)
        guard other.count >= mine.count, other.starts(with: mine) else { return false }
        return other.count == mine.count || other.dropFirst(mine.count).first == UInt8(ascii: "-")
    }
}

extension AttributeTest {
    /// The negation of a test.
    package static func negating(_ test: AttributeTest) -> AttributeTest {
        switch test {
        case .no(let inner): inner
        case .missing: .present
        case .present: .missing
        default: .no(test)
        }
    }

    /// The test that passes if one of some tests does, in canonical form: tests of the same kind are one, values are
    /// sorted and distinct. No tests pass nothing.
    package static func anyOf(_ tests: [AttributeTest]) -> AttributeTest {
        var (values, names, members, ranges) = ([ContextValue](), [String](), [String](), [ContextRange]())
        var others: [AttributeTest] = []
        func collect(_ tests: [AttributeTest]) {
            for test in tests {
                switch test {
                case .any(let inner): collect(inner)
                case .oneOf(let more): values += more
                case .within(let more): names += more
                case .has(let more): members += more
                case .ranges(let more): ranges += more
                case .text(let test):
                    others.append(.text(test.canonical))
                default:
                    others.append(test)
                }
            }
        }
        collect(tests)
        var merged: [AttributeTest] = []
        if !values.isEmpty { merged.append(.oneOf(values.distinct { $0.isSortedBefore($1) })) }
        if !names.isEmpty { merged.append(.within(names.distinct())) }
        if !members.isEmpty { merged.append(.has(members.distinct())) }
        if !ranges.isEmpty { merged.append(.ranges(ranges.distinct { "\($0)" < "\($1)" })) }
        merged += others.map { (key: $0.sortKey, test: $0) }
            .distinct { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.test)
        if merged.isEmpty { return .oneOf([]) }
        return merged.count == 1 ? merged[0] : .any(merged)
    }

    /// An equal test in canonical form.
    var canonical: AttributeTest {
        switch self {
        case .no(let test): .negating(test.canonical)
        case .any(let tests): .anyOf(tests.map(\.canonical))
        default: .anyOf([self])
        }
    }

    /// A text that differs for tests that differ.
    var sortKey: String { dataForm.sortKey }

    /// The number of values and texts that a test compares with.
    var weight: Int {
        switch self {
        case .missing, .present: 1
        case .oneOf(let values): 1 + values.count
        case .within(let names), .has(let names): 1 + names.count
        case .ranges(let ranges): 1 + ranges.count
        case .text(let test): 1 + test.parts.count
        case .no(let test): 1 + test.weight
        case .any(let tests): tests.reduce(1) { $0 + $1.weight }
        }
    }
}

extension TextTest {
    /// An equal test whose parts are sorted, distinct and, if case does not matter, in lowercase.
    var canonical: TextTest {
        let folded = parts.map { anyCase ? $0.lowercasedASCII : $0 }
        return TextTest(place, folded.distinct(), anyCase: anyCase)
    }
}

extension String {
    /// The text with its ASCII letters in lowercase.
    var lowercasedASCII: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }
}

extension Array {
    /// The elements in order, one of each that are neither before nor after one another.
    func distinct(by isBefore: (Element, Element) -> Bool) -> [Element] {
        var result: [Element] = []
        for element in sorted(by: isBefore) {
            if let last = result.last, !isBefore(last, element) { continue }
            result.append(element)
        }
        return result
    }
}

extension Array<String> {
    /// The texts by their bytes, each once.
    func distinct() -> [String] { distinct { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}
