package import GlassSchema

extension FlagSet.Outcome {
    /// The value for people, with the name of its variant: `"bm25" (control)`.
    package var text: String { value.summary + (variant.map { " (\($0))" } ?? "") }
}

extension FlagSet.Rule {
    /// How the rule spreads units; nil for a rule without shares.
    package var bucketing: Bucketing? {
        if case .split(let split) = result { split.bucketing } else { rollout?.bucketing }
    }

    /// The attribute whose values the rule spreads; nil for a rule without shares.
    package var unit: String? { bucketing?.unit }

    /// The shares for people: `10% of customerID`, `control 50%, neural 50% of installID`; nil if it has none.
    package var sharesText: String? {
        let own: [String]
        switch result {
        case .split(let split):
            let weights = split.shares.map { "\($0.outcome.variant ?? "") \(Rollout.text($0.percent))" }
            own = ["\(weights.joined(separator: ", ")) of \(split.bucketing.unit)"]
        case .outcome: own = rollout.map { ["\($0)"] } ?? []
        }
        let all = condition.rollouts.map(\.description) + own
        return all.isEmpty ? nil : all.joined(separator: " and ")
    }
}

extension FlagSet.Flag {
    /// The kind, the owner and the last day: `release of checkout, until 2027-03-31`.
    package var lifeText: String {
        definition.kind.rawValue + (definition.owner.map { " of \($0)" } ?? " without an owner")
            + (definition.expires.map { ", until \($0)" } ?? "")
    }

    /// The shares of the slots and the rules: `ramp 10% of customerID; trial control 50%, neural 50% of installID`.
    package var sharesText: String {
        let own = slots.map { ["\($0.rangeText) of the layer \(definition.layer ?? "")"] } ?? []
        return (own + rules.compactMap { rule in rule.sharesText.map { "\(rule.name) \($0)" } }).joined(separator: "; ")
    }
}

extension Rollout {
    /// Where the share begins and ends: `0% to 40%`.
    package var rangeText: String { "\(Self.text(percents.lowerBound)) to \(Self.text(percents.upperBound))" }
}
