package import GlassSchema

/// The type of a flag's values.
public enum FlagType: String, Sendable, Hashable, CaseIterable {
    /// True or false.
    case boolean
    /// A whole number.
    case integer
    /// A number.
    case number
    /// A text.
    case string
    /// A list or a table.
    case object

    /// The type of a value; nil for one that no flag can have.
    package init?(of value: ConfigurationValue) {
        switch value {
        case .boolean: self = .boolean
        case .integer: self = .integer
        case .number: self = .number
        case .string: self = .string
        case .list, .map, .emptyTable: self = .object
        case .secret, .opaque, .directive, .varied: return nil
        }
    }

    /// Whether a caller who expects this type can read a value of another one.
    package func accepts(_ other: FlagType) -> Bool { self == other || self == .number && other == .integer }
}

/// Why a flag has its value. The names are those of OpenFeature.
///
/// Source: OpenFeature specification, §1.4.7 and the glossary of resolution reasons.
public enum FlagReason: String, Sendable, Hashable, CaseIterable {
    /// It has no rules.
    case `static` = "STATIC"
    /// No rule holds.
    case `default` = "DEFAULT"
    /// The condition of a rule holds.
    case targetingMatch = "TARGETING_MATCH"
    /// A percentage decided.
    case split = "SPLIT"
    /// A provider answered with a value that it has kept.
    case cached = "CACHED"
    /// It is not enabled.
    case disabled = "DISABLED"
    /// A provider answered with a value that may be out of date.
    case stale = "STALE"
    /// A provider did not say.
    case unknown = "UNKNOWN"
    /// There is an error, so that the value is the one in code.
    case error = "ERROR"
}

/// The flags of a market.
///
/// What a flag gives depends on the situation alone, so that one set serves every user of a server.
package struct FlagSet: Sendable {
    /// A value, and the variant that it belongs to.
    package struct Outcome: Sendable, Hashable {
        /// The name of the variant; nil for a flag without variants.
        package let variant: String?
        /// The value.
        package let value: ConfigurationValue
    }

    /// Variants with their shares.
    package struct Split: Sendable, Hashable {
        /// How units are spread.
        package let bucketing: Bucketing
        /// The outcomes, each with its share in percent, in order.
        package let shares: [(outcome: Outcome, percent: Double)]
        /// Where each share ends, in the numbers of `Bucketing.position(of:)`.
        private let ends: [Double]

        init(_ bucketing: Bucketing, _ shares: [(outcome: Outcome, percent: Double)]) {
            self.bucketing = bucketing
            self.shares = shares
            let percents = shares.map(\.percent)
            ends = percents.indices.map { bucketing.end(of: percents[...$0]) }
        }

        /// The share of all variants together.
        package var rollout: Rollout { Rollout(bucketing, percent: shares.reduce(0) { $0 + $1.percent }) }

        /// What a unit gets; nil for the rest, or a missing unit.
        package func outcome(for unit: ContextValue?) -> Outcome? {
            guard let position = bucketing.position(of: unit) else { return nil }
            return ends.firstIndex { position < $0 }.map { shares[$0].outcome }
        }

        package static func == (left: Split, right: Split) -> Bool {
            left.bucketing == right.bucketing && left.shares.map(\.outcome) == right.shares.map(\.outcome)
                && left.shares.map(\.percent) == right.shares.map(\.percent)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(bucketing)
            hasher.combine(shares.map(\.outcome))
        }
    }

    /// A rule.
    package struct Rule: Sendable {
        /// What a rule gives.
        package enum Result: Sendable, Hashable {
            /// One outcome.
            case outcome(Outcome)
            /// Variants by shares.
            case split(Split)
        }

        /// The name.
        package let name: String
        /// Where the rule holds.
        package let condition: Condition
        /// The share for which it holds; nil for all.
        package let rollout: Rollout?
        /// What it gives.
        package let result: Result
        /// Its position.
        package let position: SourcePosition?
        /// The position of its condition.
        package let conditionPosition: SourcePosition?

        /// The condition with the shares.
        package var wholeCondition: Condition {
            var parts = [condition]
            if let rollout { parts.append(.rollout(rollout)) }
            if case .split(let split) = result { parts.append(.rollout(split.rollout)) }
            return .allOf(parts)
        }
    }

    /// A flag.
    package struct Flag: Sendable {
        /// The name.
        package let name: String
        /// What its file says about it, apart from its values.
        package let definition: FlagDefinition
        /// The type of its values.
        package let type: FlagType
        /// The outcome where no rule holds.
        package let fallback: Outcome
        /// The outcomes of its variants.
        package let variants: [String: Outcome]
        /// The rules. The first one that matches determines the value.
        package let rules: [Rule]
        /// The slots of its layer; nil for a flag without a layer.
        package let slots: Rollout?
        /// The position of its key.
        package let position: SourcePosition?
        /// Whether the market declares it, and does not only change the flag of a base market.
        package let isDeclared: Bool
    }

    /// The flags by name.
    package private(set) var flags: [String: Flag]
    /// The conditions of all rules, with their shares, without repetitions.
    package let conditions: [Condition]

    package init(_ flags: [Flag] = []) {
        self.flags = Dictionary(flags.map { ($0.name, $0) }) { first, _ in first }
        var seen: Set<Condition> = []
        conditions = flags.sorted { $0.name < $1.name }.flatMap { flag in
            flag.rules.map(\.wholeCondition) + (flag.slots.map { [.rollout($0)] } ?? [])
        }.filter { $0 != .always && $0 != .never && seen.insert($0).inserted }
    }

    /// The flags by name, in order.
    package var inOrder: [Flag] { flags.sorted { $0.key < $1.key }.map(\.value) }
    /// Whether there are none.
    package var isEmpty: Bool { flags.isEmpty }
}

extension FlagSet.Flag {
    /// What a flag gives in a situation.
    package struct Evaluation: Sendable {
        /// The outcome.
        package let outcome: FlagSet.Outcome
        /// Why.
        package let reason: FlagReason
        /// The rule that holds, by its place; nil if none does.
        package let rule: Int?
        /// The unit of a share that could not decide, because it is missing.
        package let missingUnit: String?
        /// Whether the value is one of a split, so that reading it is an exposure.
        package let isExposed: Bool
    }

    /// Evaluates the flag. O(rules above the first that holds); allocates nothing, unless a vendor's rule does.
    ///
    /// - Parameter value: The values of attributes.
    package func evaluate(_ value: (String) -> ContextValue?) -> Evaluation {
        var missing: String?
        func result(_ outcome: FlagSet.Outcome, _ reason: FlagReason, _ rule: Int? = nil, split: Bool = false)
            -> Evaluation
        {
            Evaluation(
                outcome: outcome, reason: reason, rule: rule, missingUnit: missing,
                isExposed: split || definition.track)
        }
        /// The value of a unit. An empty text identifies nobody.
        func unit(_ name: String) -> ContextValue? {
            let unit = value(name)
            return unit == .text("") ? nil : unit
        }
        guard definition.enabled else { return result(fallback, .disabled) }
        if rules.isEmpty { return result(fallback, .static) }
        if let slots {
            let unit = unit(slots.bucketing.unit)
            if unit == nil { missing = slots.bucketing.unit }
            guard slots.contains(unit) else { return result(fallback, .default) }
        }
        // By index: a copy of a rule would count the references of all its parts.
        for index in rules.indices where rules[index].condition.holds(value) {
            switch rules[index].result {
            case .outcome(let outcome):
                guard let rollout = rules[index].rollout else { return result(outcome, .targetingMatch, index) }
                let unit = unit(rollout.bucketing.unit)
                if rollout.contains(unit) { return result(outcome, .split, index) }
                if unit == nil { missing = missing ?? rollout.bucketing.unit }
            case .split(let split):
                let unit = unit(split.bucketing.unit)
                if let outcome = split.outcome(for: unit) { return result(outcome, .split, index, split: true) }
                if unit == nil { missing = missing ?? split.bucketing.unit }
            }
        }
        return result(fallback, .default)
    }

    /// Evaluates the flag in a situation.
    package func evaluate(in context: MarketContext) -> Evaluation { evaluate { context.values[$0] } }

    /// The percentage of units that a rule gives something, in the order of its shares; nil for a rule without shares.
    package func shares(of rule: FlagSet.Rule) -> [(variant: String, percent: Double)]? {
        switch rule.result {
        case .split(let split): split.shares.map { ($0.outcome.variant ?? "", $0.percent) }
        case .outcome(let outcome):
            rule.rollout.map { [(outcome.variant ?? outcome.value.found, $0.percents.upperBound)] }
        }
    }
}
