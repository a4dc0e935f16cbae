import GlassBase

/// Finds pairs of patterns that match the same link with equal rank.
///
/// Two patterns have equal rank for a link exactly if they have the same kinds of segments in the same positions and
/// require the same number of query items; otherwise, the first position with different kinds decides. So patterns are
/// grouped by kinds, literals and query count, and within a group only the values of typed parameters remain to be
/// compared.
///
/// Within a group, each typed position has an index from words and types to the patterns that accept them, so that a
/// pattern is compared only with those that share a value with it in the position with the fewest candidates. With a
/// single typed position, the cost is linear in the number of words. A position with affixes has an index from prefixes
/// and suffixes instead, because one of two prefixes that share a segment starts with the other.
struct RouteConflicts {
    struct Conflict {
        let first: Int
        let second: Int
        let witness: String
    }

    /// A pattern with or without its optional segment.
    private struct Variant {
        let ordinal: Int
        let index: Int
        let places: ArraySlice<RouteVocabulary.Place>
    }

    private struct Group {
        var variants: [Variant] = []
    }

    private let vocabulary: RouteVocabulary
    private let budget: WorkBudget
    private var groups: [Group] = []
    /// The first conflict of each pattern: its variant and the other pattern's.
    private var clashes: [Int: (variant: Int, with: Variant, of: Variant)] = [:]

    /// Finds conflicts, at most one per pattern; the next build reports the next one.
    static func find(
        in forms: [RouteVocabulary.Form], patterns: [RoutePattern?], vocabulary: RouteVocabulary, most: Int,
        budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> (conflicts: [Conflict], count: Int) {
        var search = RouteConflicts(vocabulary: vocabulary, budget: budget)
        try search.group(forms)
        for group in search.groups where group.variants.count > 1 { try search.compare(group.variants) }
        let found = search.clashes.sorted { $0.key < $1.key }
        var conflicts: [Conflict] = []
        for (ordinal, clash) in found.prefix(most) {
            guard let first = patterns[clash.with.ordinal], let second = patterns[ordinal] else { continue }
            guard let witness = search.witness(first, clash.with, second, clash.of) else { continue }
            conflicts.append(Conflict(first: clash.with.ordinal, second: ordinal, witness: witness))
        }
        return (conflicts, found.count)
    }

    private init(vocabulary: RouteVocabulary, budget: WorkBudget) {
        self.vocabulary = vocabulary
        self.budget = budget
    }

    // MARK: Groups

    private mutating func group(_ forms: [RouteVocabulary.Form]) throws(WorkBudget.Exceeded) {
        var keys = InternTable<[Int]>()
        for form in forms {
            try budget.spend(form.places.count + 1, on: .conflicts)
            for (index, places) in form.variants.enumerated() {
                let variant = Variant(ordinal: form.ordinal, index: index, places: places)
                let key = [form.queryCount] + places.map(kind)
                let (isNew, group) = keys.insert(key)
                if isNew { groups.append(Group()) }
                groups[group].variants.append(variant)
            }
        }
    }

    /// A number for the kind of a segment, which decides the rank.
    private func kind(_ place: RouteVocabulary.Place) -> Int {
        switch place {
        case .literal(let text): text
        case .list, .open: -1
        case .plain: -2
        case .catchAll: -3
        case .affixed(let number):
            -4 - 2 * vocabulary.length(ofAffixes: vocabulary.affixed[number].affixes)
                - (vocabulary.affixed[number].value == nil ? 0 : 1)
        }
    }

    // MARK: Within a group

    /// The index for a typed position of a group's variants, identified by their number in the group.
    private struct PlaceIndex {
        var withWord: [Int: [Int]] = [:]
        var ofType: [[Int]] = Array(repeating: [], count: NamedParameterType.allCases.count)
        /// The variants that share a value with a type.
        var sharing: [[Int]] = Array(repeating: [], count: NamedParameterType.allCases.count)
        var prefixes = AffixIndex()
        var suffixes = AffixIndex()
    }

    /// The variants with a prefix, and those with a longer one that starts with it. The same for suffixes, in reverse.
    private struct AffixIndex {
        var with: [ArraySlice<UInt8>: [Int]] = [:]
        var extending: [ArraySlice<UInt8>: [Int]] = [:]

        mutating func add(_ affix: ArraySlice<UInt8>, of number: Int) {
            with[affix, default: []].append(number)
            for count in 0..<affix.count { extending[affix.prefix(count), default: []].append(number) }
        }

        /// Ascending lists of the variants whose affix may be in the same segment as this one.
        func lists(for affix: ArraySlice<UInt8>) -> [[Int]] {
            (0...affix.count).compactMap { with[affix.prefix($0)] } + (extending[affix].map { [$0] } ?? [])
        }
    }

    private mutating func compare(_ variants: [Variant]) throws(WorkBudget.Exceeded) {
        let typed = variants[0].places.indices.filter { index in
            let place = variants[0].places[index]
            return isAffixed(place) || kind(place) == -1
        }
        var indexes = Array(repeating: PlaceIndex(), count: typed.count)
        for (number, variant) in variants.enumerated() {
            if let other = try firstSharing(variant, among: variants, before: number, typed, indexes) {
                note(variants[other], variant)
            }
            for (place, position) in typed.enumerated() {
                try add(variant.places[position], of: number, to: &indexes[place])
            }
        }
    }

    private mutating func note(_ other: Variant, _ variant: Variant) {
        if let known = clashes[variant.ordinal], known.variant <= variant.index { return }
        clashes[variant.ordinal] = (variant.index, other, variant)
    }

    private func add(
        _ place: RouteVocabulary.Place, of number: Int, to index: inout PlaceIndex
    ) throws(WorkBudget.Exceeded) {
        switch place {
        case .list(let list):
            try budget.spend(vocabulary.lists[list].count, on: .conflicts)
            for word in vocabulary.lists[list] { index.withWord[word, default: []].append(number) }
            for type in NamedParameterType.allCases
            where vocabulary.typesOfList[list] >> UInt8(type.rawValue) & 1 == 1 {
                index.sharing[type.rawValue].append(number)
            }
        case .open(let type):
            index.ofType[type.rawValue].append(number)
            for neighbor in type.neighbors { index.sharing[neighbor.rawValue].append(number) }
        case .affixed(let affixed):
            let (prefix, suffix) = affixes(of: affixed)
            try budget.spend(1 + (prefix.count + suffix.count) / 2, on: .conflicts)
            index.prefixes.add(prefix[...], of: number)
            index.suffixes.add(ArraySlice(suffix.reversed()), of: number)
        case .literal, .plain, .catchAll: break
        }
    }

    private func isAffixed(_ place: RouteVocabulary.Place) -> Bool {
        if case .affixed = place { true } else { false }
    }

    private func affixes(of affixed: Int) -> (prefix: [UInt8], suffix: [UInt8]) {
        let affixes = vocabulary.affixes[vocabulary.affixed[affixed].affixes]
        return (vocabulary.texts[affixes.prefix], vocabulary.texts[affixes.suffix])
    }

    /// The first variant before `number` that shares a value with a variant in every typed position.
    private func firstSharing(
        _ variant: Variant, among variants: [Variant], before number: Int, _ typed: [Int], _ indexes: [PlaceIndex]
    ) throws(WorkBudget.Exceeded) -> Int? {
        guard number > 0 else { return nil }
        guard !typed.isEmpty else { return 0 }
        var best: (count: Int, lists: [[Int]])?
        for (place, position) in typed.enumerated() {
            let lists = try sharingLists(variant.places[position], indexes[place])
            let count = lists.reduce(0) { $0 + $1.count }
            if count == 0 { return nil }
            if best.map({ count < $0.count }) ?? true { best = (count, lists) }
        }
        guard let best else { return nil }
        // An index of types and words is exact; one of affixes is not.
        if typed.count == 1, !isAffixed(variant.places[typed[0]]) { return best.lists.compactMap(\.first).min() }
        try budget.spend(best.count, on: .conflicts)
        for other in Set(best.lists.joined()).sorted() {
            if try shareAll(variants[other], variant, typed) { return other }
        }
        return nil
    }

    /// Ascending lists of the variants that share a value with a variant in a position.
    private func sharingLists(
        _ place: RouteVocabulary.Place, _ index: PlaceIndex
    ) throws(WorkBudget.Exceeded) -> [[Int]] {
        switch place {
        case .open(let type): return [index.sharing[type.rawValue]]
        case .list(let list):
            let words = vocabulary.lists[list]
            try budget.spend(words.count, on: .conflicts)
            let types = vocabulary.typesOfList[list]
            return words.compactMap { index.withWord[$0] }
                + NamedParameterType.allCases.filter { types >> UInt8($0.rawValue) & 1 == 1 }
                .map { index.ofType[$0.rawValue] }
        case .affixed(let affixed):
            let (prefix, suffix) = affixes(of: affixed)
            try budget.spend(1 + (prefix.count + suffix.count) / 2, on: .conflicts)
            let byPrefix = index.prefixes.lists(for: prefix[...])
            let bySuffix = index.suffixes.lists(for: ArraySlice(suffix.reversed()))
            func count(_ lists: [[Int]]) -> Int { lists.reduce(0) { $0 + $1.count } }
            return count(bySuffix) < count(byPrefix) ? bySuffix : byPrefix
        case .literal, .plain, .catchAll: return []
        }
    }

    private func shareAll(_ left: Variant, _ right: Variant, _ typed: [Int]) throws(WorkBudget.Exceeded) -> Bool {
        for position in typed {
            let isShared: Bool
            switch (left.places[position], right.places[position]) {
            case (.list(let one), .list(let other)):
                try budget.spend(
                    (vocabulary.lists[one].count + vocabulary.lists[other].count) / 8 + 1, on: .conflicts)
                isShared = vocabulary.share(one, other)
            case (.list(let list), .open(let type)), (.open(let type), .list(let list)):
                isShared = vocabulary.typesOfList[list] >> UInt8(type.rawValue) & 1 == 1
            case (.open(let one), .open(let other)): isShared = one.sharedValue(with: other) != nil
            case (.affixed(let one), .affixed(let other)):
                try budget.spend(8 + vocabulary.wordCount(one) + vocabulary.wordCount(other), on: .conflicts)
                isShared = vocabulary.sharedText(one, other) != nil
            default: isShared = true
            }
            if !isShared { return false }
        }
        return true
    }

    // MARK: Witnesses

    /// A link that both patterns match, without scheme, or `nil` if a typed position has no common value.
    private func witness(_ first: RoutePattern, _ left: Variant, _ second: RoutePattern, _ right: Variant) -> String? {
        var parts: [String] = []
        let segments = zip(first.variants[left.index], second.variants[right.index])
        for ((one, other), places) in zip(segments, zip(left.places, right.places)) {
            switch (one, other) {
            case (.affixed, .affixed):
                guard case (.affixed(let one), .affixed(let other)) = places,
                    let text = vocabulary.sharedText(one, other)
                else { return nil }
                parts.append(text.percentEncoded)
            case (.parameter(_, let type?), .parameter(_, let otherType?)):
                guard let value = type.sharedValue(with: otherType) else { return nil }
                parts.append(value.utf8.percentEncoded)
            case (.literal(let text), _): parts.append(text.utf8.percentEncoded)
            default: parts.append("x")
            }
        }
        let names = first.requiredQuery + second.requiredQuery.filter { !first.requiredQuery.contains($0) }
        let query = names.map { $0.utf8.percentEncoded + "=1" }.joined(separator: "&")
        return parts.joined(separator: "/") + (query.isEmpty ? "" : "?" + query)
    }
}
