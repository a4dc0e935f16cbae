import GlassBase

/// The numbered texts of a table's patterns: each text and each list of words is hashed and compared once, and is then
/// represented by its number.
struct RouteVocabulary {
    /// A segment of a pattern.
    enum Place: Sendable {
        /// A text.
        case literal(Int)
        /// A value beside text; a number in `affixed`.
        case affixed(Int)
        /// One of several texts.
        case list(Int)
        /// A type with a name.
        case open(NamedParameterType)
        /// Any segment.
        case plain
        /// The rest.
        case catchAll
    }

    /// The text before and after a value, as numbers of texts.
    struct Affixes: Hashable, Sendable {
        let prefix: Int
        let suffix: Int
    }

    /// A value between a prefix and a suffix.
    struct Affixed: Hashable, Sendable {
        /// The kind of value; `nil` for any nonempty text.
        enum Value: Hashable, Sendable {
            case list(Int)
            case open(NamedParameterType)
        }

        /// The number of the affixes.
        let affixes: Int
        let value: Value?
    }

    /// A compiled pattern.
    struct Form {
        let ordinal: Int
        let places: [Place]
        let isLastOptional: Bool
        let queryCount: Int

        /// The variants of the pattern: with and, if the last segment is optional, without it.
        var variants: [ArraySlice<Place>] {
            isLastOptional ? [places[...], places.dropLast()] : [places[...]]
        }
    }

    private var numberedTexts = InternTable<[UInt8]>()
    private var numberedLists = InternTable<[Int]>()
    private var numberedAffixes = InternTable<Affixes>()
    private var numberedAffixed = InternTable<Affixed>()
    /// The texts in lowercase.
    var texts: [[UInt8]] { numberedTexts.values }
    /// The lists, each sorted.
    var lists: [[Int]] { numberedLists.values }
    /// The pairs of a prefix and a suffix, and the values between them.
    var affixes: [Affixes] { numberedAffixes.values }
    var affixed: [Affixed] { numberedAffixed.values }
    /// The open types that accept a text, and those that accept a word of a list; bits by raw value.
    private(set) var typesOfText: [UInt8] = []
    private(set) var typesOfList: [UInt8] = []

    /// Texts that represent all values of the open types, and an arbitrary one.
    private(set) var samples: [Int] = []
    private(set) var anyText = 0

    init() {
        for text in NamedParameterType.commonValues { samples.append(number(of: Array(text.utf8))) }
        anyText = number(of: Array("x".utf8))
    }

    /// Numbers the parts of a pattern.
    mutating func form(of pattern: RoutePattern, ordinal: Int) -> Form {
        let places = pattern.segments.map { segment -> Place in
            switch segment {
            case .literal(let text): .literal(number(of: text.utf8.asciiFolded))
            case .affixed(let parameter): .affixed(number(of: parameter))
            case .parameter(_, nil): .plain
            case .parameter(_, .named(let type)?): .open(type)
            case .parameter(_, .oneOf(let words)?): .list(number(ofList: words))
            case .catchAll: .catchAll
            }
        }
        return Form(
            ordinal: ordinal, places: places, isLastOptional: pattern.isLastOptional,
            queryCount: pattern.requiredQuery.count)
    }

    private mutating func number(of parameter: AffixedParameter) -> Int {
        let affixes = Affixes(
            prefix: number(of: parameter.prefix.utf8.asciiFolded), suffix: number(of: parameter.suffix.utf8.asciiFolded)
        )
        let value: Affixed.Value? =
            switch parameter.type {
            case nil: nil
            case .named(let type)?: .open(type)
            case .oneOf(let words)?: .list(number(ofList: words))
            }
        return numberedAffixed.insert(Affixed(affixes: numberedAffixes.insert(affixes).number, value: value)).number
    }

    /// The number of a lowercase text, or `nil` if no pattern contains it.
    func knownNumber(of text: [UInt8]) -> Int? { numberedTexts.number(of: text) }

    /// The number of a lowercase text, newly assigned if it has none yet.
    mutating func number(of text: [UInt8]) -> Int {
        let (isNew, number) = numberedTexts.insert(text)
        if isNew { typesOfText.append(RouteVocabulary.types(of: text)) }
        return number
    }

    private static func types(of text: [UInt8]) -> UInt8 {
        NamedParameterType.allCases.reduce(0) { $1.accepts(text) ? $0 | 1 << UInt8($1.rawValue) : $0 }
    }

    private mutating func number(ofList words: [String]) -> Int {
        var texts: [Int] = []
        for word in words { texts.append(self.number(of: word.utf8.asciiFolded)) }
        texts.sort()
        let (isNew, number) = numberedLists.insert(texts)
        if isNew { typesOfList.append(texts.reduce(0) { $0 | typesOfText[$1] }) }
        return number
    }

    /// Whether a list contains a word. O(log words).
    func list(_ list: Int, has text: Int) -> Bool {
        let words = lists[list]
        var range = words.startIndex..<words.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if words[middle] == text { return true }
            range = words[middle] < text ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    /// Whether two lists have a word in common. O(words).
    func share(_ left: Int, _ right: Int) -> Bool {
        if left == right { return true }
        let (one, other) = (lists[left], lists[right])
        var (first, second) = (0, 0)
        while first < one.count, second < other.count {
            if one[first] == other[second] { return true }
            if one[first] < other[second] { first += 1 } else { second += 1 }
        }
        return false
    }
}
