package import GlassBase

/// All situations, as far as the conditions of a market can distinguish them.
///
/// What the conditions compare with cuts the values of each attribute into classes. All values of a class pass the same
/// tests, so that one value of each class represents it. A set is one attribute for each name that is mentioned. The
/// questions about conditions are then questions about boxes:
///
/// ```swift
/// let space = try ConditionSpace(attributes: attributes, conditions: [first, second])
/// let overlap = try space.boxes(of: .allOf([first, second])).first
/// print(overlap.map { space.context(in: $0) } ?? "both never hold at once")
/// ```
package struct ConditionSpace: Sendable {
    /// An attribute without a set, an element of a set, or whether a set is missing.
    private struct Dimension: Sendable {
        let attribute: String
        let kind: Kind
        /// All classes.
        let classes: ClassMask

        enum Kind: Sendable {
            /// A class for each of these values; nil is a missing attribute. The preferred one is the default value's.
            case values([ContextValue?], preferred: Int?)
            /// Class 0: the set does not contain the name. Class 1: it does.
            case element(String)
            /// Class 0: the set is missing. Class 1: it is not.
            case presence
        }
    }

    /// The dimensions of a set.
    private struct SetDimensions: Sendable {
        var presence: Int?
        var elements: [String: Int] = [:]
    }

    private var dimensions: [Dimension] = []
    /// The dimension of each attribute that is not a set.
    private var plain: [String: Int] = [:]
    private var sets: [String: SetDimensions] = [:]
    private var attributes: [String: ContextAttribute] = [:]
    /// The rules by which units have positions, by the names of the attributes that stand for these.
    private var bucketings: [String: Bucketing] = [:]
    /// The classes that pass each test.
    private var masks: [String: [AttributeTest: ClassMask]] = [:]
    private let budget: WorkBudget

    /// Creates the space of some conditions, which spends its work from a budget. Linear in the number of tests,
    /// multiplied by the values with which they compare.
    package init(
        attributes: [ContextAttribute], conditions: [Condition], budget: WorkBudget = .unlimited
    ) throws(ConditionLimit) {
        self.budget = budget
        // In the order of the conditions, so that classes have the same numbers in every run.
        var tests: [String: InternTable<AttributeTest>] = [:]
        for condition in conditions {
            condition.forEachTest { name, test in tests[name, default: InternTable()].insert(test) }
        }
        guard tests.count <= ConditionLimit.maximumAttributes else { throw .attributes }
        self.attributes = Dictionary(attributes.map { ($0.name, $0) }) { $1 }
        for bucketing in conditions.flatMap(\.rollouts).map(\.bucketing) where bucketings[bucketing.dimension] == nil {
            bucketings[bucketing.dimension] = bucketing
            let position = bucketing.attribute(for: self.attributes[bucketing.unit])
            self.attributes[position.name] = position
        }
        for (name, tests) in tests.sorted(by: { $0.key < $1.key }) {
            // Readers accept declared attributes only; another could have any text.
            let attribute = self.attributes[name] ?? ContextAttribute(name, .text, pace: .live)
            if case .set = attribute.type {
                try addSet(attribute, tests.values)
            } else {
                try addValues(attribute, tests.values)
            }
        }
    }

    /// Creates a space whose dimensions have numbers of classes and no values.
    init(classCounts: [Int], budget: WorkBudget = .unlimited) {
        self.budget = budget
        dimensions = classCounts.enumerated().map { index, count in
            Dimension(
                attribute: "\(index)", kind: .values(Array(repeating: nil, count: count), preferred: nil),
                classes: ClassMask(below: count))
        }
    }

    private mutating func addValues(
        _ attribute: ContextAttribute, _ tests: [AttributeTest]
    ) throws(ConditionLimit) {
        let weight = tests.reduce(1) { $0 + $1.weight }
        try spend(weight)
        guard let candidates = attribute.candidates(for: tests, budget: budget) else {
            throw budget.exceeded.map { .exceeded($0) } ?? .classes(attribute.name)
        }
        var values: [ContextValue?] = []
        var numbers: [[Bool]: Int] = [:]
        var passing = tests.map { _ in ClassMask() }
        for value in (attribute.isAlwaysPresent ? [] : [nil]) + candidates.map({ $0 as ContextValue? }) {
            try spend(weight)
            let results = tests.map { $0.passes(value) }
            guard numbers[results] == nil else { continue }
            guard values.count < ClassMask.capacity else { throw .classes(attribute.name) }
            numbers[results] = values.count
            for (index, passes) in results.enumerated() where passes { passing[index].insert(values.count) }
            values.append(value)
        }
        var preferred: Int?
        if let value = attribute.defaultValue, let number = numbers[tests.map { $0.passes(value) }] {
            values[number] = value
            preferred = number
        }
        plain[attribute.name] = dimensions.count
        masks[attribute.name] = Dictionary(uniqueKeysWithValues: zip(tests, passing))
        dimensions.append(
            Dimension(
                attribute: attribute.name, kind: .values(values, preferred: preferred),
                classes: ClassMask(below: values.count)))
    }

    private mutating func addSet(_ attribute: ContextAttribute, _ tests: [AttributeTest]) throws(ConditionLimit) {
        var names: Set<String> = []
        var testsPresence = false
        for test in tests { test.collectNames(into: &names, &testsPresence) }
        guard names.count <= ContextAttribute.maximumSetSize else { throw .elements(attribute.name) }
        var set = SetDimensions()
        func add(_ kind: Dimension.Kind) -> Int {
            dimensions.append(Dimension(attribute: attribute.name, kind: kind, classes: ClassMask(below: 2)))
            return dimensions.count - 1
        }
        if testsPresence, !attribute.isAlwaysPresent { set.presence = add(.presence) }
        for name in names.sorted() { set.elements[name] = add(.element(name)) }
        sets[attribute.name] = set
    }

    /// Charges steps of about equal size to the budget.
    func spend(_ steps: Int) throws(ConditionLimit) {
        do throws(WorkBudget.Exceeded) {
            try budget.spend(steps, on: .proving)
        } catch {
            throw .exceeded(error)
        }
    }

    /// The classes of a dimension.
    func classes(of dimension: Int) -> ClassMask { dimensions[dimension].classes }

    /// The number of classes of an attribute that is not a set, for tests; nil if no condition tests it.
    func classCount(of name: String) -> Int? {
        guard let dimension = plain[name], case .values(let values, _) = dimensions[dimension].kind else { return nil }
        return values.count
    }
}

// MARK: - Boxes

extension ConditionSpace {
    /// The boxes whose union is a condition, which consists of tests of the conditions of the space.
    package func boxes(of condition: Condition) throws(ConditionLimit) -> [ConditionBox] {
        let boxes = try expand(condition, negated: false)
        guard boxes.count <= ConditionLimit.maximumBoxes else { throw .boxes }
        guard boxes.allSatisfy({ attributeCount($0) <= ConditionLimit.maximumTests }) else { throw .tests }
        return boxes
    }

    /// The boxes of the situations that are in both unions.
    package func meet(_ left: [ConditionBox], _ right: [ConditionBox]) throws(ConditionLimit) -> [ConditionBox] {
        var result: [ConditionBox] = []
        for one in left {
            try spend(right.count * (1 + result.count))
            for other in right {
                guard let both = one.meet(other) else { continue }
                add(both, to: &result)
                guard result.count <= ConditionLimit.maximumProducts else { throw .products }
            }
        }
        return result
    }

    private func attributeCount(_ box: ConditionBox) -> Int {
        var (count, last) = (0, "")
        // The dimensions of a set follow each other.
        for side in box.sides where dimensions[side.dimension].attribute != last {
            last = dimensions[side.dimension].attribute
            count += 1
        }
        return count
    }

    private func expand(_ condition: Condition, negated: Bool) throws(ConditionLimit) -> [ConditionBox] {
        switch condition {
        case .always: return negated ? [] : [.everything]
        case .never: return negated ? [.everything] : []
        case .no(let inner): return try expand(inner, negated: !negated)
        case .test(let name, let test): return try boxes(name, test, negated)
        case .rollout(let rollout): return try boxes(rollout.bucketing.dimension, rollout.test, negated)
        case .any(let parts): return try negated ? product(parts, negated) : sum(parts, negated)
        case .all(let parts): return try negated ? sum(parts, negated) : product(parts, negated)
        }
    }

    private func product(_ parts: [Condition], _ negated: Bool) throws(ConditionLimit) -> [ConditionBox] {
        var result = [ConditionBox.everything]
        for part in parts { result = try meet(result, try expand(part, negated: negated)) }
        return result
    }

    private func sum(_ parts: [Condition], _ negated: Bool) throws(ConditionLimit) -> [ConditionBox] {
        var result: [ConditionBox] = []
        for part in parts {
            for box in try expand(part, negated: negated) {
                try spend(1 + result.count)
                add(box, to: &result)
                guard result.count <= ConditionLimit.maximumProducts else { throw .products }
            }
        }
        return result
    }

    private func boxes(
        _ name: String, _ test: AttributeTest, _ negated: Bool
    ) throws(ConditionLimit) -> [ConditionBox] {
        if let set = sets[name] { return try boxes(of: test, in: set, negated) }
        guard let dimension = plain[name] else { return negated ? [.everything] : [] }
        let all = dimensions[dimension].classes
        var classes = ClassMask()
        if let known = masks[name]?[test] {
            classes = known
        } else if case .values(let values, _) = dimensions[dimension].kind {
            classes = ClassMask(values.indices.filter { test.passes(values[$0]) })
        }
        if negated { classes = all.subtracting(classes) }
        if classes.isEmpty { return [] }
        return [ConditionBox.everything.replacing(dimension, with: classes, isAll: classes == all)]
    }

    /// The boxes of a test of a set.
    ///
    /// A missing set contains no name. The boxes in which it is missing but contains one stand for no situation; each of
    /// them passes the same tests as the one in which it contains none, so that they change no answer.
    private func boxes(
        of test: AttributeTest, in set: SetDimensions, _ negated: Bool
    ) throws(ConditionLimit) -> [ConditionBox] {
        func box(_ sides: [(dimension: Int, class: Int)]) -> ConditionBox {
            ConditionBox(
                sides: sides.sorted { $0.dimension < $1.dimension }
                    .map { ConditionBox.Side(dimension: $0.dimension, classes: ClassMask([$0.class])) })
        }
        let missing = set.presence.map { [box([($0, 0)])] } ?? []
        let present = set.presence.map { [box([($0, 1)])] } ?? [.everything]
        switch test {
        case .no(let inner): return try boxes(of: inner, in: set, !negated)
        case .missing: return negated ? present : missing
        case .present: return negated ? missing : present
        case .has(let names):
            let dimensions = names.compactMap { set.elements[$0] }
            let isThere = set.presence.map { [($0, 1)] } ?? []
            return negated ? missing + [box(dimensions.map { ($0, 0) })] : dimensions.map { box(isThere + [($0, 1)]) }
        case .any(let tests):
            var result: [ConditionBox] = negated ? [.everything] : []
            for test in tests {
                let boxes = try boxes(of: test, in: set, negated)
                result = try negated ? meet(result, boxes) : result + boxes
            }
            return result
        case .oneOf, .within, .ranges, .text: return negated ? [.everything] : []
        }
    }

    /// Adds a box to a union. Boxes that others contain are left out, and two that differ in one dimension are one.
    private func add(_ box: ConditionBox, to union: inout [ConditionBox]) {
        var box = box
        var isChanged = true
        while isChanged {
            isChanged = false
            for (index, other) in union.enumerated() {
                if other.contains(box) { return }
                guard let joined = joined(box, other) else { continue }
                union.remove(at: index)
                box = joined
                isChanged = true
                break
            }
        }
        union.append(box)
    }

    /// The box that is the union of two; nil if that is no box, or it is not apparent.
    private func joined(_ left: ConditionBox, _ right: ConditionBox) -> ConditionBox? {
        if left.contains(right) { return left }
        guard left.sides.count == right.sides.count else { return nil }
        var difference: Int?
        for (index, pair) in zip(left.sides, right.sides).enumerated() where pair.0 != pair.1 {
            guard difference == nil, pair.0.dimension == pair.1.dimension else { return nil }
            difference = index
        }
        guard let difference else { return left }
        let dimension = left.sides[difference].dimension
        let classes = left.sides[difference].classes.union(right.sides[difference].classes)
        return left.replacing(dimension, with: classes, isAll: classes == dimensions[dimension].classes)
    }
}

// MARK: - Situations

extension ConditionSpace {
    /// The simplest situation in a box: of each attribute that the box restricts, the default value, missing, or a value
    /// that no condition mentions if that is possible. Attributes that the box does not restrict are left out, because
    /// any value will do.
    package func context(in box: ConditionBox) -> MarketContext {
        var context = MarketContext()
        var missing: Set<String> = []
        var places: [String: [ConditionBox.Side]] = [:]
        for side in box.sides {
            let dimension = dimensions[side.dimension]
            if let bucketing = bucketings[dimension.attribute] {
                places[bucketing.unit, default: []].append(side)
                continue
            }
            switch dimension.kind {
            case .values(let values, let preferred):
                guard let chosen = preferred.flatMap({ side.classes.contains($0) ? $0 : nil }) ?? side.classes.lowest
                else { continue }
                context[dimension.attribute] = values[chosen]
            case .presence:
                if side.classes.contains(0) {
                    missing.insert(dimension.attribute)
                } else {
                    context[dimension.attribute] = .set([])
                }
            case .element(let name):
                guard !missing.contains(dimension.attribute) else { continue }
                if !side.classes.contains(0) {
                    guard case .set(var names) = context[dimension.attribute] ?? .set([]) else { continue }
                    names.insert(name)
                    context[dimension.attribute] = .set(names)
                } else if attributes[dimension.attribute]?.isAlwaysPresent ?? false {
                    context[dimension.attribute] = context[dimension.attribute] ?? .set([])
                }
            }
        }
        for (unit, sides) in places { context[unit] = self.unit(at: sides) }
        return context
    }

    /// A unit whose positions are in the classes of a box; nil if it is missing there, or none was found.
    ///
    /// Positions follow from hashes, so that only a search finds one. A share of 0.1 percent takes a thousand steps.
    private func unit(at sides: [ConditionBox.Side]) -> ContextValue? {
        if sides.allSatisfy({ $0.classes.contains(0) && !isPresent($0) }) { return nil }
        for number in 1...Self.unitsToTry {
            let unit = ContextValue.text("u\(number)")
            if sides.allSatisfy({ contains(bucketings[dimensions[$0.dimension].attribute]?.position(of: unit), in: $0) }
            ) {
                return unit
            }
        }
        return nil
    }

    private static let unitsToTry = 100_000

    /// Whether the first class of a dimension is one of values, and not that of missing ones.
    private func isPresent(_ side: ConditionBox.Side) -> Bool {
        if case .values(let values, _) = dimensions[side.dimension].kind {
            values.first.map { $0 != nil } ?? true
        } else {
            true
        }
    }

    private func contains(_ position: Double?, in side: ConditionBox.Side) -> Bool {
        contains(position.map { .number($0) }, in: side)
    }

    /// Whether a situation is in a box.
    package func contains(_ context: MarketContext, in box: ConditionBox) -> Bool {
        box.sides.allSatisfy { side in
            let attribute = dimensions[side.dimension].attribute
            if let bucketing = bucketings[attribute] {
                return contains(bucketing.position(of: context[bucketing.unit]), in: side)
            }
            return contains(context[attribute], in: side)
        }
    }

    private func contains(_ value: ContextValue?, in side: ConditionBox.Side) -> Bool {
        let dimension = dimensions[side.dimension]
        switch dimension.kind {
        case .presence:
            return side.classes.contains(value == nil ? 0 : 1)
        case .element(let name):
            guard case .set(let names)? = value else { return side.classes.contains(0) }
            return side.classes.contains(names.contains(name) ? 1 : 0)
        case .values(let values, _):
            let tests = masks[dimension.attribute] ?? [:]
            let number = values.indices.first { index in
                tests.allSatisfy { $0.value.contains(index) == $0.key.passes(value) }
            }
            return number.map { side.classes.contains($0) } ?? false
        }
    }
}

extension AttributeTest {
    /// Adds the names that a test of a set mentions, and whether it asks whether the set is missing.
    fileprivate func collectNames(into names: inout Set<String>, _ testsPresence: inout Bool) {
        switch self {
        case .has(let more): names.formUnion(more)
        case .missing, .present: testsPresence = true
        case .no(let test): test.collectNames(into: &names, &testsPresence)
        case .any(let tests): for test in tests { test.collectNames(into: &names, &testsPresence) }
        case .oneOf, .within, .ranges, .text: break
        }
    }
}
