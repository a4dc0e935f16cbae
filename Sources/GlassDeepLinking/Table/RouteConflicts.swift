import GlassBase

/// Finds pairs of patterns that match the same link with equal rank.
///
/// Two patterns rank equal for a link exactly when they have the same kinds of segments in the same places and require
/// equally many query items: the first place where the kinds differ decides otherwise. So patterns are grouped by
/// kinds, literals and query count, and within a group only the languages of typed parameters remain to be compared.
///
/// Within a group each typed place has an index from words and types to the patterns that take them, so that a pattern
/// is compared with those only that share a value with it in the place where the fewest do. With one typed place that
/// is as much work as there are words.
struct RouteConflicts {
    struct Conflict {
        let first: Int
        let second: Int
        let witness: String
    }

    /// A pattern with or without its optional place.
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
    /// Per pattern the first clash: of which of its variants, and with what.
    private var clashes: [Int: (variant: Int, with: Variant, of: Variant)] = [:]

    /// Looks for clashes, one for each pattern: the next build shows the next.
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
            let witness = witness(
                first, first.variants[clash.with.index], second, second.variants[clash.of.index])
            guard let witness else { continue }
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
        var keys = Numbering<[Int]>()
        for form in forms {
            try budget.spend(form.places.count + 1, on: .conflicts)
            for (index, places) in form.variants.enumerated() {
                let variant = Variant(ordinal: form.ordinal, index: index, places: places)
                let key = [form.queryCount] + places.map(RouteConflicts.kind)
                let (isNew, group) = keys.insert(key)
                if isNew { groups.append(Group()) }
                groups[group].variants.append(variant)
            }
        }
    }

    /// A number for what decides the rank at a place.
    private static func kind(_ place: RouteVocabulary.Place) -> Int {
        switch place {
        case .literal(let text): text
        case .list, .open: -1
        case .plain: -2
        case .catchAll: -3
        }
    }

    // MARK: Within a group

    /// What is known of one typed place of a group's variants, each by its number in the group.
    private struct PlaceIndex {
        var withWord: [Int: [Int]] = [:]
        var ofType: [[Int]] = Array(repeating: [], count: RouteVocabulary.OpenType.allCases.count)
        /// The variants that share a value with a type.
        var sharing: [[Int]] = Array(repeating: [], count: RouteVocabulary.OpenType.allCases.count)
    }

    private mutating func compare(_ variants: [Variant]) throws(WorkBudget.Exceeded) {
        let typed = variants[0].places.indices.filter { RouteConflicts.kind(variants[0].places[$0]) == -1 }
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
            for type in RouteVocabulary.OpenType.allCases
            where vocabulary.typesOfList[list] >> UInt8(type.rawValue) & 1 == 1 {
                index.sharing[type.rawValue].append(number)
            }
        case .open(let type):
            index.ofType[type.rawValue].append(number)
            for neighbour in type.neighbours { index.sharing[neighbour.rawValue].append(number) }
        case .literal, .plain, .catchAll: break
        }
    }

    /// The first variant before `number` that shares a value with a variant in every typed place.
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
        if typed.count == 1 { return best.lists.compactMap(\.first).min() }
        try budget.spend(best.count, on: .conflicts)
        for other in Set(best.lists.joined()).sorted() {
            if try shareAll(variants[other], variant, typed) { return other }
        }
        return nil
    }

    /// Lists, each ascending, of the variants that share a value with one at a place.
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
                + RouteVocabulary.OpenType.allCases.filter { types >> UInt8($0.rawValue) & 1 == 1 }
                .map { index.ofType[$0.rawValue] }
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
            case (.open(let one), .open(let other)): isShared = one.type.sharedValue(with: other.type) != nil
            default: isShared = true
            }
            if !isShared { return false }
        }
        return true
    }

    // MARK: Witnesses

    /// A link that both match, without scheme, or `nil` when a typed place has no common value.
    private static func witness(
        _ first: RoutePattern, _ left: ArraySlice<RoutePattern.Segment>, _ second: RoutePattern,
        _ right: ArraySlice<RoutePattern.Segment>
    ) -> String? {
        var parts: [String] = []
        for (one, other) in zip(left, right) {
            switch (one, other) {
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
