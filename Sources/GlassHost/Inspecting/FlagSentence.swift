import GlassBase
import GlassMarkets
import GlassSchema

/// A flag in words: its value now, and who gets another one.
struct FlagSentence {
    private let report: FlagReport
    /// The time zone for dates.
    private let zone: String?

    init(_ report: FlagReport, zone: String? = nil) { (self.report, self.zone) = (report, zone) }

    /// The rules in their order, and what remains: `On if audience has "associates" (rule associates)`,
    /// `On for 10% of installations (rule ramp)`, `Otherwise off`.
    var rules: [String] {
        let flag = report.flag
        guard flag.definition.enabled else { return ["\(text(flag.fallback)) for everyone: the flag is not enabled"] }
        guard !flag.rules.isEmpty else { return ["\(text(flag.fallback)) for everyone"] }
        let layer = flag.slots.map { "Only for \($0.rangeText) of the layer \(flag.definition.layer ?? "")" }
        let rest = "Otherwise \(text(flag.fallback, isMidSentence: true))"
        return [layer].compactMap(\.self) + flag.rules.map(sentence) + [rest]
    }

    /// The value in the situation: `On`, `"bm25" (control)`.
    var value: String { text(report.evaluation.outcome) }

    /// Why it has the value in the situation: `by the rule ramp`, `no rule applies without an installation`.
    private var reason: String {
        if let rule = report.rule { return "by the rule \(rule.name)" }
        guard report.flag.definition.enabled else { return "the flag is not enabled" }
        let unit = report.evaluation.missingUnit.map { " without \($0)" } ?? ""
        return report.flag.rules.isEmpty ? "it has no rules" : "no rule applies\(unit)"
    }

    /// A rule in words.
    func text(of rule: FlagSet.Rule) -> String { sentence(of: rule) }

    private func sentence(of rule: FlagSet.Rule) -> String {
        let condition = rule.condition == .always ? nil : "if \(rule.condition)".withDatesInWords(zone: zone)
        let result: [String?]
        switch rule.result {
        case .outcome(let outcome):
            let share = rule.rollout.map { "for \(Rollout.text($0.percents.upperBound)) of \($0.bucketing.unitsNoun)" }
            result = [text(outcome), share]
        case .split(let split):
            let weights = split.shares.map { "\($0.outcome.variant ?? "") \(Rollout.text($0.percent))" }
            result = ["\(weights.inProse()) of \(split.bucketing.unitsNoun)"]
        }
        return (result + [condition, "(rule \(rule.name))"]).compactMap(\.self).joined(separator: " ")
    }

    private func text(_ outcome: FlagSet.Outcome, isMidSentence: Bool = false) -> String {
        guard case .boolean(let isOn) = outcome.value else { return outcome.text }
        return isMidSentence ? (isOn ? "on" : "off") : (isOn ? "On" : "Off")
    }

    /// The flag for the page.
    var json: JSONObject {
        [
            "name": report.flag.name, "purpose": report.flag.definition.doc, "value": value, "why": reason,
            "rules": rules,
        ]
    }
}
