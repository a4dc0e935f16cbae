import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What the files of a market say about a key, strongest first, for each situation.
struct ValueAlternatives {
    /// What one file, overlay or alternative says.
    struct Alternative {
        let value: ConfigurationValue
        let condition: Condition
        let position: SourcePosition?
        let overlay: String?
        let market: String?
        /// Whether its condition holds in the market's situation.
        let holds: Bool
        /// Why the condition holds or does not hold.
        let why: String

        /// Who says it, for a value that it wins over.
        fileprivate var speaker: String { overlay.map { "the overlay \($0)" } ?? market ?? "the file" }
    }

    /// All alternatives; empty if none depends on the situation.
    let all: [Alternative]
    /// The attributes without a value that could change which alternative is chosen.
    let unset: [String]

    /// Looks up what the files say.
    ///
    /// - Parameter hidesPersonal: Whether the reasons leave out the values of personal attributes.
    init(of path: ConfigurationPath, in market: Market, hidesPersonal: Bool = false) {
        guard let situations = market.origin.situations else {
            (all, unset) = ([], [])
            return
        }
        let settings = situations.settings(of: path)
        guard settings.contains(where: { $0.condition != .always }) else {
            (all, unset) = ([], [])
            return
        }
        // Values that an app takes once keep the situation of the start.
        let isLive = market.schema.declaration.pace(at: path) == .live
        let context = isLive ? market.situation.live : market.situation.start
        let hidden = Set(situations.attributes.filter(\.isPrivate).map(\.name))
        let personal = hidesPersonal ? hidden : []
        all = settings.map { setting in
            let (condition, holds) = (setting.condition, setting.condition.holds(in: context))
            let isHidden = !condition.attributes.isDisjoint(with: personal)
            return Alternative(
                value: setting.node.value, condition: condition, position: setting.node.position,
                overlay: setting.overlay?.name, market: setting.market, holds: holds,
                why: isHidden
                    ? "\(condition) \(holds ? "holds" : "does not hold")"
                    : condition.explanation(in: context, hiding: hidden))
        }
        unset = situations.unsetAttributes(deciding: settings, in: context)
    }

    /// The alternative that is the value; nil if none holds, or if a directive changes what weaker ones say.
    private var chosen: Int? {
        all.firstIndex(where: \.holds).flatMap { all[$0].value.isDirective ? nil : $0 }
    }

    /// What follows the position of the value: `, overlay debugBuild: build = "debug" holds`.
    var note: DisplayText {
        guard let chosen else { return "" }
        let alternative = all[chosen]
        // All that is stronger depends on the situation.
        if chosen == 0, alternative.condition == .always { return ", in every situation" }
        return alternative.note
    }

    /// Whether the lines name the values that the chosen one overrides.
    var listsOverridden: Bool { chosen != nil }

    /// A line for each alternative that is not the value.
    var lines: [DisplayText] {
        all.enumerated().compactMap { index, alternative -> DisplayText? in
            let place = "\(alternative.value.summary)  -- \(alternative.place)" as DisplayText
            guard alternative.holds else { return "  no \(place)\(alternative.note)" }
            guard let chosen, index != chosen else { return nil }
            guard alternative.condition != .always else { return "  overrides \(place)" }
            let winner = all[chosen]
            return "  overrides \(place)\(alternative.note), but \(winner.speaker) says \(winner.value.summary)"
        }
    }

    /// A line that names the unset attributes that could change the answer; nil if none could.
    var unsetLine: DisplayText? { Self.line(of: unset) }

    /// The line for attributes that are not set.
    static func line(of unset: [String]) -> DisplayText? {
        guard !unset.isEmpty else { return nil }
        return "depends on \(unset.listed), which \(unset.count == 1 ? "is" : "are") not set"
    }

    var json: [JSONObject] {
        all.map {
            [
                "condition": $0.condition.description, "holds": $0.holds, "why": $0.why,
                "value": JSONValue($0.value), "position": $0.position?.description, "overlay": $0.overlay,
            ]
        }
    }
}

extension ValueAlternatives.Alternative {
    fileprivate var place: String { position?.description ?? "default" }

    /// The overlay, and why it holds or does not hold.
    fileprivate var note: DisplayText {
        (overlay.map { ", overlay \($0)" } ?? "") + (condition == .always ? "" : ": \(why)")
    }
}

extension SituationRules {
    /// The attributes without a value in a context that could change which of some settings is chosen.
    fileprivate func unsetAttributes(deciding settings: [Setting], in context: MarketContext) -> [String] {
        var names: Set<String> = []
        for setting in settings {
            for name in setting.condition.attributes where context[name] == nil {
                if setting.condition.depends(on: name, in: context) { names.insert(name) }
            }
            // Nothing below what always holds is chosen.
            if setting.condition == .always, !setting.node.value.isDirective { break }
        }
        return names.sorted()
    }
}

extension Market {
    /// The attributes without a value that could change a key, or one below it.
    func unsetAttributes(below path: ConfigurationPath, budget: WorkBudget) throws(WorkBudget.Exceeded) -> [String] {
        guard dependsOnSituation, let situations = origin.situations,
            let varied = try VariedMarket(situations, budget: budget)
        else { return [] }
        var names: Set<String> = []
        for key in varied.variedPaths {
            let isRelated = key.elements.starts(with: path.elements) || path.elements.starts(with: key.elements)
            if isRelated { names.formUnion(ValueAlternatives(of: key, in: self).unset) }
        }
        return names.sorted()
    }
}

/// The values that a key has in some situation, each with a situation that has it.
struct ReachableValues {
    /// A value and a situation.
    struct Value {
        let value: ConfigurationValue?
        let condition: Condition
        let context: MarketContext
        let position: SourcePosition?
    }

    let values: [Value]

    /// Finds the values; nil if the market's conditions exceed a limit.
    init?(of path: ConfigurationPath, in market: Market, budget: WorkBudget) throws {
        guard let situations = market.origin.situations else {
            let value = try market.effective(at: path, spending: budget, on: .explaining)?.value
            values = [
                Value(
                    value: value, condition: .always, context: MarketContext(),
                    position: market.source.node(at: path)?.position)
            ]
            return
        }
        guard let varied = try VariedMarket(situations, budget: budget) else { return nil }
        var values: [Value] = []
        for alternative in try varied.alternatives(at: path) {
            // What no file sets has its default, which may be that of a key beside it.
            let value =
                try alternative.node?.value
                ?? market.with(alternative.context).effective(at: path, spending: budget, on: .explaining)?.value
            values.append(
                Value(
                    value: value, condition: alternative.condition, context: alternative.context,
                    position: alternative.node?.position))
        }
        self.values = values
    }

    /// A table with a row for each value.
    func text(_ console: Console) -> DisplayText {
        var table = Table("VALUE", "SITUATION", "FROM")
        for value in values {
            table.add(
                "\(value.value?.summary ?? "nothing")", value.situation,
                "\(value.position?.description ?? (value.value == nil ? "-" : "default"))")
        }
        return table.text(console)
    }

    var json: [JSONObject] {
        values.map {
            [
                "condition": $0.condition.description, "context": $0.context.commandText,
                "value": $0.value.map(JSONValue.init), "found": $0.value?.summary,
                "position": $0.position?.description,
            ]
        }
    }
}

extension ReachableValues.Value {
    /// The situation, as an option.
    fileprivate var situation: DisplayText {
        context.values.isEmpty ? "all others" : "--context \(context.commandText)"
    }
}
