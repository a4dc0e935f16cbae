extension Condition: CustomStringConvertible {
    /// The condition for people: `appVersion >= 24.4 and build = "debug"`.
    package var description: String { text { $0.description } }

    /// The text from which fingerprints are computed. Recorded fingerprints contain `10 %` with a space, so that
    /// stays, whatever the text for people is.
    package var fingerprintText: String { text { $0.fingerprintText } }

    private func text(_ share: (Rollout) -> String) -> String {
        switch self {
        case .always: "always"
        case .never: "never"
        case .test(let name, let test): test.text(of: name)
        case .any(let conditions): conditions.map { $0.text(inside: false, share) }.joined(separator: " or ")
        case .all(let conditions): conditions.map { $0.text(inside: true, share) }.joined(separator: " and ")
        case .no(let condition): "not (\(condition.text(share)))"
        case .rollout(let rollout): share(rollout)
        }
    }

    /// The text as a part of another: alternatives are in parentheses where they are one of several requirements.
    private func text(inside isOfAll: Bool, _ share: (Rollout) -> String) -> String {
        switch self {
        case .any where isOfAll: "(\(text(share)))"
        case .test(_, .any), .test(_, .no(.any)): "(\(text(share)))"
        default: text(share)
        }
    }

    /// Why the condition holds or does not hold in a situation, in few words: `build = "debug" holds`,
    /// `region = "CA-QC": it is "CA-ON"`.
    ///
    /// - Parameter hidden: The attributes whose values are personal: in place of a value, only `(personal)` is shown,
    ///   unless it is an empty set.
    package func explanation(in context: MarketContext, hiding hidden: Set<String> = []) -> String {
        var reasons: [String] = []
        let holds = holds(in: context)
        collectReasons(in: context, hiding: hidden, holds: holds, into: &reasons)
        return reasons.distinctInOrder.prefix(8).joined(separator: "; ")
    }

    /// Collects the tests that decide: all tests of a requirement that holds, the first that fails of one that does
    /// not, and the reverse for alternatives.
    private func collectReasons(
        in context: MarketContext, hiding hidden: Set<String>, holds: Bool, into reasons: inout [String]
    ) {
        switch self {
        case .always: reasons.append("it always holds")
        case .never: reasons.append("it never holds")
        case .test(let name, let test):
            let text = test.text(of: name)
            if holds {
                reasons.append("\(text) holds")
            } else {
                let found = context[name].map { hidden.contains(name) && $0 != .set([]) ? "(personal)" : $0.found }
                reasons.append("\(text): it is \(found ?? "missing")")
            }
        case .rollout(let rollout): reasons.append(rollout.explanation(in: context))
        case .all(let conditions), .any(let conditions):
            let isAll = if case .all = self { true } else { false }
            let deciding = conditions.filter { $0.holds(in: context) == holds }
            for condition in isAll == holds ? deciding : Array(deciding.prefix(1)) {
                condition.collectReasons(in: context, hiding: hidden, holds: holds, into: &reasons)
            }
        case .no(let condition):
            reasons.append(holds ? "\(self) holds" : "\(self): \(condition.explanation(in: context, hiding: hidden))")
        }
    }
}

extension Rollout {
    /// Why a unit is or is not within the share: `customerID is at 12.971%, not below 10%`.
    package func explanation(in context: MarketContext) -> String {
        let unit = context[bucketing.unit]
        guard bucketing.position(of: unit) != nil else { return "\(bucketing.unit) is missing" }
        let (start, end) = (Self.text(percents.lowerBound), Self.text(percents.upperBound))
        let share = percents.lowerBound == 0 ? "below \(end)" : "from \(start) to \(end)"
        return "\(place(of: context)), \(contains(unit) ? "" : "not ")\(share)"
    }

    /// Where the unit is among all: `customerID is at 12.971%`.
    package func place(of context: MarketContext) -> String {
        guard let position = bucketing.position(of: context[bucketing.unit]) else {
            return "\(bucketing.unit) is missing"
        }
        return "\(bucketing.unit) is at \(Self.text(position.rounded(.down) / 1000))"
    }
}

extension ContextValue {
    /// The value after "it is".
    fileprivate var found: String {
        if case .set(let names) = self, names.isEmpty { "empty" } else { description }
    }
}

extension AttributeTest {
    /// The test of an attribute for people: `build = "debug" or "beta"`, `appVersion >= 24.3 < 25`.
    package func text(of name: String) -> String {
        switch self {
        case .missing: "\(name) is missing"
        case .present: "\(name) is present"
        case .oneOf([]), .any([]): "\(name) is one of none"
        case .oneOf, .within, .has: "\(name) = \(values)"
        case .ranges(let ranges): "\(name) \(ranges.map(\.description).joined(separator: " or "))"
        case .text(let test):
            "\(name) \(test.verb) \(test.parts.map(\.quotedForMessage).joined(separator: " or "))"
                + (test.anyCase ? " in any case" : "")
        case .no(.oneOf([])): "\(name) is anything"
        case .no(.oneOf), .no(.within), .no(.has): "\(name) is not \(values)"
        case .no(let test): "not (\(test.text(of: name)))"
        case .any(let tests): tests.map { $0.text(of: name) }.joined(separator: " or ")
        }
    }

    private var values: String {
        switch self {
        case .oneOf(let values): values.map(\.description).joined(separator: " or ")
        case .within(let names), .has(let names): names.map(\.quotedForMessage).joined(separator: " or ")
        case .no(let test): test.values
        default: ""
        }
    }
}

extension TextTest {
    fileprivate var verb: String {
        switch place {
        case .prefix: "begins with"
        case .suffix: "ends with"
        case .contains: "contains"
        }
    }
}

extension [String] {
    fileprivate var distinctInOrder: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Condition {
    /// Whether the condition requires a range that ends before it begins, such as `>= 19 < 18`.
    package var hasReversedRange: Bool {
        switch self {
        case .test(_, .ranges(let ranges)): ranges.count == 1 && ranges[0].isReversed
        case .all(let parts): parts.contains(where: \.hasReversedRange)
        default: false
        }
    }

    /// Whether the condition requires a reading of a clock before one that the clock shows.
    package func hasEnded(onClock now: ContextLocalDate) -> Bool {
        switch self {
        case .test(_, let test): test.hasEnded(onClock: now)
        case .all(let parts): parts.contains { $0.hasEnded(onClock: now) }
        case .any(let parts): !parts.isEmpty && parts.allSatisfy { $0.hasEnded(onClock: now) }
        case .always, .never, .no, .rollout: false
        }
    }
}

extension AttributeTest {
    fileprivate func hasEnded(onClock now: ContextLocalDate) -> Bool {
        switch self {
        case .oneOf(let values):
            !values.isEmpty && values.allSatisfy { if case .localDate(let date) = $0 { date < now } else { false } }
        case .ranges(let ranges):
            !ranges.isEmpty
                && ranges.allSatisfy { range in
                    if case .localDate(let end)? = range.upper?.value { end < now } else { false }
                }
        case .any(let tests): !tests.isEmpty && tests.allSatisfy { $0.hasEnded(onClock: now) }
        default: false
        }
    }
}

extension ContextRange {
    /// Whether the upper end precedes the lower one.
    fileprivate var isReversed: Bool {
        guard let lower, let upper else { return false }
        return upper.value.precedes(lower.value)
    }
}
