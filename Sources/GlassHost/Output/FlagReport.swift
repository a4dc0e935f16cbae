import GlassBase
import GlassMarkets
import GlassSchema

/// A flag of a market in its situation, for people and programs.
struct FlagReport {
    let flag: FlagSet.Flag
    let evaluation: FlagSet.Flag.Evaluation
    /// The number of days until its last day; negative if it has expired, nil if it does not expire.
    let daysLeft: Int?

    /// Evaluates a flag.
    ///
    /// - Parameter now: The time by which it expires.
    init(_ flag: FlagSet.Flag, in context: MarketContext, now: ContextDate) {
        self.flag = flag
        evaluation = flag.evaluate(in: context)
        daysLeft = flag.definition.expires.flatMap { ContextLocalDate($0) }.map { lastDay in
            let day: Int64 = 86_400
            let today = now.secondsSince1970 - ((now.secondsSince1970 % day) + day) % day
            return Int((lastDay.secondsSince1970 - today) / day)
        }
    }

    /// The rule that holds.
    var rule: FlagSet.Rule? { evaluation.rule.map { flag.rules[$0] } }

    // MARK: For people

    /// The value, with the name of its variant: `"bm25" (control)`.
    var value: String { evaluation.outcome.text }

    /// Why it has the value: `SPLIT by ramp`, `DEFAULT, customerID is missing`.
    var why: String {
        if let rule { return "\(evaluation.reason.rawValue) by \(rule.name)" }
        return evaluation.reason.rawValue + (evaluation.missingUnit.map { ", \($0) is missing" } ?? "")
    }

    /// The last day, with the days that are left; nil if it does not expire.
    var expiry: String? { flag.definition.expires.map { day in day + (note.map { " (\($0))" } ?? "") } }

    /// How long it is needed: `124 days left`, `expired`; nil if it does not expire.
    var note: String? {
        daysLeft.map { days in
            switch days {
            case ..<0: "expired"
            case 0: "last day"
            case 1: "1 day left"
            default: "\(days.grouped) days left"
            }
        }
    }

    // MARK: For programs

    /// What the flag gives, in the words of OpenFeature. If a unit is missing, rules with shares of it do not hold.
    var json: JSONObject {
        [
            "name": flag.name, "value": JSONValue(evaluation.outcome.value), "variant": evaluation.outcome.variant,
            "reason": evaluation.reason.rawValue, "rule": rule?.name,
            "error": evaluation.missingUnit == nil ? nil : "TARGETING_KEY_MISSING",
        ]
    }

    /// A flag that a market does not have.
    static func missing(_ name: String) -> JSONObject {
        [
            "name": name, "value": nil, "variant": nil, "reason": FlagReason.error.rawValue, "rule": nil,
            "error": "FLAG_NOT_FOUND",
        ]
    }
}

extension Market {
    /// The flags in the market's situation, sorted by name.
    ///
    /// - Parameter names: The flags; all if empty. Those that the market does not have are left out.
    func flagReports(_ names: [String], now: ContextDate) -> [FlagReport] {
        let wanted = Set(names)
        return flags.set.inOrder.filter { names.isEmpty || wanted.contains($0.name) }
            .map { FlagReport($0, in: situation.live, now: now) }
    }
}
