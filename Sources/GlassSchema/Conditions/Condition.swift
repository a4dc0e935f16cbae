/// A condition on the situation, which holds or does not hold in each.
///
/// Conditions that come from files are in canonical form, which ``allOf(_:)``, ``anyOf(_:)`` and ``negating(_:)``
/// create.
package indirect enum Condition: Sendable, Hashable {
    /// Holds in every situation.
    case always
    /// Holds in no situation.
    case never
    /// The attribute with the name passes the test.
    case test(String, AttributeTest)
    /// One of the conditions holds.
    case any([Condition])
    /// All of the conditions hold.
    case all([Condition])
    /// The condition does not hold.
    case no(Condition)
    /// A unit is within a share.
    case rollout(Rollout)

    /// Whether the condition holds in a situation. Looks up an attribute for each test that matters; allocates nothing.
    package func holds(in context: MarketContext) -> Bool { holds { context.values[$0] } }

    /// Whether the condition holds where attributes have given values.
    package func holds(_ value: (String) -> ContextValue?) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .test(let name, let test): test.passes(value(name))
        case .any(let conditions): conditions.contains { $0.holds(value) }
        case .all(let conditions): conditions.allSatisfy { $0.holds(value) }
        case .no(let condition): !condition.holds(value)
        case .rollout(let rollout): rollout.contains(value(rollout.bucketing.unit))
        }
    }
}

extension Condition {
    /// The condition that holds where all of some conditions do, in canonical form.
    package static func allOf(_ conditions: [Condition]) -> Condition {
        var parts: [Condition] = []
        for condition in conditions {
            switch condition {
            case .always: continue
            case .never: return .never
            case .all(let inner): parts += inner
            default: parts.append(condition)
            }
        }
        return joined(parts, none: .always) { .all($0) }
    }

    /// The condition that holds where one of some conditions does, in canonical form.
    package static func anyOf(_ conditions: [Condition]) -> Condition {
        var parts: [Condition] = []
        for condition in conditions {
            switch condition {
            case .never: continue
            case .always: return .always
            case .any(let inner): parts += inner
            default: parts.append(condition)
            }
        }
        return joined(parts, none: .never) { .any($0) }
    }

    /// The condition that holds where another does not, in canonical form.
    package static func negating(_ condition: Condition) -> Condition {
        switch condition {
        case .always: .never
        case .never: .always
        case .no(let inner): inner
        // Exact, because a test either passes or does not, also if the attribute is missing.
        case .test(let name, let test): .test(name, .negating(test))
        default: .no(condition)
        }
    }

    private static func joined(
        _ parts: [Condition], none: Condition, _ join: ([Condition]) -> Condition
    ) -> Condition {
        let sorted = parts.map { (key: $0.sortKey, condition: $0) }
            .distinct { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map(\.condition)
        return sorted.isEmpty ? none : sorted.count == 1 ? sorted[0] : join(sorted)
    }

    /// A text that differs for conditions that differ. Tests come first, by the names of their attributes.
    private var sortKey: String {
        switch self {
        case .test(let name, let test): "0 \(name) \(test.sortKey)"
        default: "1 \(dataForm.sortKey)"
        }
    }

    /// An equal condition in canonical form.
    package var canonical: Condition {
        switch self {
        case .always, .never: self
        case .test(let name, let test): .test(name, test.canonical)
        case .rollout: self
        case .any(let conditions): .anyOf(conditions.map(\.canonical))
        case .all(let conditions): .allOf(conditions.map(\.canonical))
        case .no(let condition): .negating(condition.canonical)
        }
    }

    /// The names of the attributes that the condition tests.
    package var attributes: Set<String> {
        var names: Set<String> = []
        forEachPart { part in
            switch part {
            case .test(let name, _): names.insert(name)
            case .rollout(let rollout): names.insert(rollout.bucketing.unit)
            default: break
            }
        }
        return names
    }

    /// The shares that the condition consists of.
    package var rollouts: [Rollout] {
        var rollouts: [Rollout] = []
        forEachPart { if case .rollout(let rollout) = $0 { rollouts.append(rollout) } }
        return rollouts
    }

    /// Calls a closure with each test. That of a share is one of the position of a unit.
    func forEachTest(_ body: (String, AttributeTest) -> Void) {
        forEachPart { part in
            switch part {
            case .test(let name, let test): body(name, test)
            case .rollout(let rollout): body(rollout.bucketing.dimension, rollout.test)
            default: break
            }
        }
    }

    /// Calls a closure with each part that has no parts itself.
    private func forEachPart(_ body: (Condition) -> Void) {
        switch self {
        case .always, .never, .test, .rollout: body(self)
        case .any(let conditions), .all(let conditions): for condition in conditions { condition.forEachPart(body) }
        case .no(let condition): condition.forEachPart(body)
        }
    }

    /// The number of tests and of what they compare with.
    var weight: Int {
        switch self {
        case .always, .never: 1
        case .rollout: 2
        case .test(_, let test): 1 + test.weight
        case .any(let conditions), .all(let conditions): conditions.reduce(1) { $0 + $1.weight }
        case .no(let condition): 1 + condition.weight
        }
    }
}

extension Condition {
    /// The next date at which the result of a test may change; nil if it can no longer change.
    ///
    /// What depends on the clock of the device is not considered: when it shows a time depends on its time zone.
    package func nextChange(after date: ContextDate) -> ContextDate? {
        guard case .date(let next)? = nextChange(after: .date(date)) else { return nil }
        return next
    }

    /// The next date, or reading of a clock, at which the result of a test of such a value may change; nil if it can no
    /// longer change.
    ///
    /// - Parameter value: A `date` or a `localDate`. The result is of the same kind.
    package func nextChange(after value: ContextValue) -> ContextValue? {
        guard let now = value.secondsSince1970 else { return nil }
        var next: Int64?
        func consider(_ literal: ContextValue, laterBy seconds: Int64) {
            guard literal.isLocal == value.isLocal, let time = literal.secondsSince1970 else { return }
            let (change, isTooLate) = time.addingReportingOverflow(seconds)
            if !isTooLate, now < change, next.map({ change < $0 }) ?? true { next = change }
        }
        func consider(_ test: AttributeTest) {
            switch test {
            case .oneOf(let values):
                for value in values {
                    consider(value, laterBy: 0)
                    consider(value, laterBy: 1)
                }
            case .ranges(let ranges):
                for range in ranges {
                    if let lower = range.lower { consider(lower.value, laterBy: lower.isInclusive ? 0 : 1) }
                    if let upper = range.upper { consider(upper.value, laterBy: upper.isInclusive ? 1 : 0) }
                }
            case .no(let test): consider(test)
            case .any(let tests): for test in tests { consider(test) }
            case .within, .has, .text, .missing, .present: break
            }
        }
        forEachTest { _, test in consider(test) }
        return next.map { next in
            value.isLocal
                ? .localDate(ContextLocalDate(secondsSince1970: next)) : .date(ContextDate(secondsSince1970: next))
        }
    }
}

extension ContextValue {
    /// The time of a date, or of a reading of a clock; nil for any other value.
    package var secondsSince1970: Int64? {
        switch self {
        case .date(let date): date.secondsSince1970
        case .localDate(let date): date.secondsSince1970
        default: nil
        }
    }

    fileprivate var isLocal: Bool { if case .localDate = self { true } else { false } }
}
