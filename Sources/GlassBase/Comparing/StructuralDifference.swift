/// A position where values differ, as deep inside the values as possible.
///
/// Tables are compared key by key. The elements of a list are matched by identity: single values by themselves, tables
/// by the first of the ``StructuredValue/identifyingKeys`` that all of them have and that is unique on each side. Without
/// such a key, they are matched by position.
package struct StructuralDifference<Value: StructuredValue>: Sendable {
    /// How the values differ.
    package enum Form: Sendable {
        /// Different values, in the order of the sides; nil for a side that has none.
        case values([Value?])
        /// The list elements that some side lacks, with their positions from 1, in the order of the sides.
        case elements([[(index: Int, value: Value)]])
        /// The list elements that all sides have are in a different order.
        case order
    }

    /// The path to the difference, including its separators: `.cookies[name=id].value`; empty for the values
    /// themselves.
    package let path: String
    /// How the values differ there.
    package let form: Form

    /// Compares values.
    package static func all(
        between values: [Value], most: Int = .max, spending budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> (shown: [StructuralDifference], count: Int) {
        var comparison = StructuralComparison<Value>(most: most, budget: budget)
        try comparison.compare(values)
        return (comparison.found, comparison.count)
    }
}

/// The state of a comparison.
private struct StructuralComparison<Value: StructuredValue> {
    private enum Step {
        case key(Value.FieldKey)
        case index(Int)
        case element(name: String, label: String)

        var text: String {
            switch self {
            case .key(let key): Value.step(to: key)
            case .index(let index): "[\(index)]"
            case .element(let name, let label): "[\(name)=\(label)]"
            }
        }
    }

    let most: Int
    let budget: WorkBudget
    private(set) var found: [StructuralDifference<Value>] = []
    private(set) var count = 0
    /// The steps to the values being compared. Their text is built only for differences that are returned.
    private var path: [Step] = []

    init(most: Int, budget: WorkBudget) {
        self.most = most
        self.budget = budget
    }

    mutating func compare(_ values: [Value?]) throws(WorkBudget.Exceeded) {
        try budget.spend(values.reduce(0) { $0 + ($1?.steps ?? 1) }, on: .comparing)
        let present = values.compactMap(\.self)
        let lists = present.compactMap(\.listElements)
        guard lists.count == values.count else {
            let areSame =
                present.count == values.count && lists.isEmpty
                && present.dropFirst().allSatisfy { $0.isSame(as: present[0]) }
            if !areSame { note(.values(values)) }
            return
        }
        try compare(lists: lists)
        try compareFields(of: present)
    }

    private mutating func compare(_ values: [Value?], at step: Step) throws(WorkBudget.Exceeded) {
        path.append(step)
        try compare(values)
        path.removeLast()
    }

    private mutating func compareFields(of tables: [Value]) throws(WorkBudget.Exceeded) {
        let sides = tables.map(\.fields)
        try budget.spend(sides.reduce(0) { $0 + $1.count }, on: .comparing)
        // Tables with the same keys have them in the same order, so they need no index.
        if sides.dropFirst().allSatisfy({
            $0.count == sides[0].count && zip($0, sides[0]).allSatisfy { $0.key == $1.key }
        }) {
            for place in sides[0].indices {
                try compare(sides.map { $0[place].value }, at: .key(sides[0][place].key))
            }
            return
        }
        let indexes = sides.map { side in Dictionary(side.map { ($0.key, $0.value) }) { first, _ in first } }
        var seen: Set<Value.FieldKey> = []
        for side in sides {
            for (key, _) in side where seen.insert(key).inserted {
                try compare(indexes.map { $0[key] }, at: .key(key))
            }
        }
    }

    private mutating func compare(lists: [[Value]]) throws(WorkBudget.Exceeded) {
        if lists.allSatisfy(\.isEmpty) { return }
        try budget.spend(lists.reduce(0) { $0 + $1.count }, on: .comparing)
        if let identities = Self.identities(in: lists) {
            noteUnmatched(in: lists, by: identities)
        } else if let (name, labels) = try identifyingKey(of: lists) {
            noteUnmatched(in: lists, by: labels)
            let indexes = labels.map { side in
                Dictionary(zip(side, side.indices), uniquingKeysWith: { first, _ in first })
            }
            for label in labels[0] {
                let places = indexes.compactMap { $0[label] }
                guard places.count == lists.count else { continue }
                try compare(zip(lists, places).map { $0[$1] }, at: .element(name: name, label: label))
            }
        } else {
            let common = lists.map(\.count).min() ?? 0
            for place in 0..<common { try compare(lists.map { $0[place] }, at: .index(place + 1)) }
            note(unmatched: lists.map { list in (common..<list.count).map { ($0 + 1, list[$0]) } })
        }
    }

    /// The identities of single values; nil if any element is not single.
    private static func identities(in lists: [[Value]]) -> [[Value.Identity]]? {
        var result: [[Value.Identity]] = []
        for list in lists {
            let identities = list.compactMap(\.identity)
            guard identities.count == list.count else { return nil }
            result.append(identities)
        }
        return result
    }

    /// The key that identifies the tables of all lists, and each table's value for it.
    private func identifyingKey(
        of lists: [[Value]]
    ) throws(WorkBudget.Exceeded) -> (name: String, labels: [[String]])? {
        names: for name in Value.identifyingKeys {
            var result: [[String]] = []
            for list in lists {
                var labels: [String] = []
                var seen: Set<String> = []
                for element in list {
                    try budget.spend(on: .comparing)
                    guard let label = element.field(named: name)?.label, seen.insert(label).inserted else {
                        continue names
                    }
                    labels.append(label)
                }
                result.append(labels)
            }
            return (name, result)
        }
        return nil
    }

    /// Records the elements that some list lacks, each as often as it is missing elsewhere, and whether the others are
    /// in a different order.
    private mutating func noteUnmatched<Identity: Hashable>(in lists: [[Value]], by identities: [[Identity]]) {
        var common = Dictionary(identities[0].map { ($0, 1) }, uniquingKeysWith: +)
        for side in identities.dropFirst() {
            let counts = Dictionary(side.map { ($0, 1) }, uniquingKeysWith: +)
            common = common.filter { counts[$0.key] != nil }.merging(
                counts.filter { common[$0.key] != nil }, uniquingKeysWith: min)
        }
        var unmatched: [[(index: Int, value: Value)]] = []
        var matched: [[Identity]] = []
        for (list, side) in zip(lists, identities) {
            var left = common
            var others: [(index: Int, value: Value)] = []
            var kept: [Identity] = []
            for (place, identity) in side.enumerated() {
                if let count = left[identity], count > 0 {
                    left[identity] = count - 1
                    kept.append(identity)
                } else {
                    others.append((place + 1, list[place]))
                }
            }
            unmatched.append(others)
            matched.append(kept)
        }
        note(unmatched: unmatched)
        if matched.dropFirst().contains(where: { $0 != matched[0] }) { note(.order) }
    }

    private mutating func note(unmatched: [[(index: Int, value: Value)]]) {
        if unmatched.contains(where: { !$0.isEmpty }) { note(.elements(unmatched)) }
    }

    private mutating func note(_ form: StructuralDifference<Value>.Form) {
        count += 1
        guard found.count < most else { return }
        found.append(StructuralDifference(path: path.map(\.text).joined(), form: form))
    }
}
