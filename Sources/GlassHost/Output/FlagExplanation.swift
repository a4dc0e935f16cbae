import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Why a flag has its value: each rule, and whether it holds.
struct FlagExplanation {
    /// The layer of a flag, or one of its rules.
    struct Step {
        let name: String
        /// Whether it holds; nil for a rule that was not asked, because something above it decides.
        let holds: Bool?
        let condition: String
        let why: String
        let position: SourcePosition?
        /// Where the unit of its share is among all, in percent; nil without a share, or without a unit.
        let percent: Double?

        fileprivate var verdict: DisplayText {
            switch holds {
            case true?: "yes"
            case false?: "no"
            case nil: "skip"
            }
        }
    }

    let report: FlagReport
    /// The layer, if there is one, and the rules in their order.
    let steps: [Step]
    /// The attributes without a value that could change the answer.
    let unset: [String]
    /// The position of the default.
    private let fallbackPosition: SourcePosition?

    /// Explains a flag of a market in the market's situation; nil if the path is not that of a flag.
    init?(_ path: ConfigurationPath, in market: Market, now: ContextDate) {
        guard path.elements.count == 2, path.elements[0] == .key("flags"), case .key(let name) = path.elements[1],
            let flag = market.flags.set.flags[name]
        else { return nil }
        let context = market.situation.live
        report = FlagReport(flag, in: context, now: now)
        fallbackPosition = market.source.node(at: path.appending("default"))?.position
        let decided = report.evaluation.rule
        var conditions: [Condition] = []
        var steps: [Step] = []
        var isOpen = flag.definition.enabled
        if let slots = flag.slots {
            let holds = slots.contains(context[slots.bucketing.unit])
            steps.append(
                Step(
                    name: "layer \(flag.definition.layer ?? "")", holds: isOpen ? holds : nil,
                    condition: "\(slots.rangeText) of \(slots.bucketing.unit)",
                    why: slots.explanation(in: context), position: flag.position,
                    percent: slots.percent(in: context)))
            if isOpen { conditions.append(.rollout(slots)) }
            isOpen = isOpen && holds
        }
        for (index, rule) in flag.rules.enumerated() {
            let isAsked = isOpen && index <= decided ?? flag.rules.count
            if isAsked { conditions.append(rule.wholeCondition) }
            steps.append(
                Step(
                    name: rule.name, holds: isAsked ? index == decided : nil,
                    condition: rule.wholeCondition.description,
                    why: Self.why(rule, in: context, market.origin.situations), position: rule.position,
                    percent: rule.bucketing?.percent(in: context)))
        }
        self.steps = steps
        unset = Set(
            conditions.flatMap { condition in
                condition.attributes.filter { context[$0] == nil && condition.depends(on: $0, in: context) }
            }
        ).sorted()
    }

    private static func why(
        _ rule: FlagSet.Rule, in context: MarketContext, _ situations: SituationRules?
    ) -> String {
        var reasons: [String] = []
        if rule.condition != .always {
            // A condition with a name may be declared far away, even in another file.
            let name = situations?.conditions.filter { $0.value == rule.condition }.keys.min()
            let place = name.flatMap { situations?.conditionPositions[$0] }.map { " (\($0))" }
            let hidden = Set((situations?.attributes ?? []).filter(\.isPrivate).map(\.name))
            reasons.append(
                (name.map { "\($0)\(place ?? ""): " } ?? "")
                    + rule.condition.explanation(in: context, hiding: hidden))
        }
        if rule.condition.holds(in: context) {
            switch rule.result {
            case .split(let split): reasons.append(split.explanation(in: context))
            case .outcome: if let rollout = rule.rollout { reasons.append(rollout.explanation(in: context)) }
            }
        }
        return reasons.isEmpty ? "it always holds" : reasons.joined(separator: "; ")
    }

    // MARK: For people

    /// The flag and its value, a line for each step, and what the file says about the flag.
    var lines: [DisplayText] {
        let (flag, definition) = (report.flag, report.flag.definition)
        let reason = DisplayText(report.evaluation.reason.rawValue)
        let head: DisplayText = "\("flags.\(flag.name)", .bold) = \(report.value)  (\(reason))"
        let rows = steps.map { (verdict: $0.verdict, name: "\($0.name)" as DisplayText, step: $0) }
        let width = rows.map(\.name.count).max() ?? 0
        var lines = [head]
        lines += rows.map { row in
            let place = row.step.position.map { "  -- \($0)" } ?? ""
            return "  \(row.verdict.padded(to: 4))  \(row.name.padded(to: width))  \(row.step.why)\(place)"
        }
        if report.evaluation.rule == nil {
            let why = definition.enabled ? "" : ", because enabled = false"
            lines.append(
                "  else  \(flag.fallback.text)\(why)\(fallbackPosition.map { "  -- \($0)" } ?? "")")
        }
        if !unset.isEmpty {
            lines.append("  depends on \(unset.listed), which \(unset.count == 1 ? "is" : "are") not set")
        }
        if !definition.doc.isEmpty { lines.append("  \(definition.doc)") }
        lines.append("  \(flag.lifeText)\(report.note.map { " (\($0))" } ?? "")")
        lines.append("  in an app, a forced value or a provider takes precedence over the market")
        return lines
    }

    // MARK: For programs

    var json: JSONObject {
        var json = report.json
        json["unset"] = unset
        json["steps"] = steps.map {
            [
                "name": $0.name, "holds": $0.holds, "condition": $0.condition, "why": $0.why, "percent": $0.percent,
                "position": $0.position?.description,
            ] as JSONObject
        }
        return json
    }
}

extension Bucketing {
    /// Where a situation's unit is among all, in percent; nil if it is missing.
    fileprivate func percent(in context: MarketContext) -> Double? {
        position(of: context[unit]).map { $0.rounded(.down) / 1000 }
    }
}

extension Rollout {
    fileprivate func percent(in context: MarketContext) -> Double? { bucketing.percent(in: context) }
}

extension FlagSet.Split {
    /// Which variant a situation's unit has, and why: `installID is at 12.971%, in control from 0% to 50%`.
    fileprivate func explanation(in context: MarketContext) -> String {
        guard let outcome = outcome(for: context[bucketing.unit]),
            let index = shares.firstIndex(where: { $0.outcome == outcome })
        else { return rollout.explanation(in: context) }
        let start = shares[..<index].reduce(0) { $0 + $1.percent }
        let own = Rollout(bucketing, percents: start..<start + shares[index].percent)
        return "\(rollout.place(of: context)), in \(outcome.variant ?? "") from \(own.rangeText)"
    }
}
