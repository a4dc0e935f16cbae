import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What a hover says about situations.
extension ServerState {
    /// The maximum number of alternatives that a hover lists.
    private static let maximumAlternatives = 8

    /// The values of a key in all situations, one on each line; empty if it does not depend on the situation.
    func alternatives(of path: ConfigurationPath, _ question: CursorContext) -> [String] {
        guard let market = question.market, let varied = folders[question.folder].provenance[market]?.varied else {
            return []
        }
        var found: [(condition: Condition, node: ConfigurationNode?, position: SourcePosition?)] = []
        if let node = varied.root.node(at: path) {
            guard let value = node.value.varied else {
                return node.isVaried ? ["Some of its keys depend on the situation."] : []
            }
            // The merged alternatives are the values in some situation each, so that none of them needs a proof.
            if value.alternatives.allSatisfy({ $0.node?.isVaried != true }) {
                found = value.alternatives.map { ($0.condition, $0.node, $0.position) }
            }
        }
        if found.isEmpty {
            do throws(WorkBudget.Exceeded) {
                found = try varied.alternatives(at: path, budget: WorkBudget(cpuTime: .milliseconds(50)))
                    .map { ($0.condition, $0.node, $0.position) }
            } catch {
                return ["It depends on the situation in too many ways to list."]
            }
        }
        guard found.count > 1 else { return [] }
        var lines = found.prefix(Self.maximumAlternatives).map { alternative in
            let value = alternative.node.map { Self.code($0.value) } ?? "no value"
            let condition = alternative.condition == .always ? "otherwise" : "when \(Self.words(alternative.condition))"
            let place = (alternative.node?.position ?? alternative.position).map { shown($0, in: question.folder) }
            return "- \(value) \(condition)\(place.map { " — \($0)" } ?? "")"
        }
        if found.count > lines.count { lines.append("- and \(found.count - lines.count) more") }
        return
            (["It depends on the situation. The first of these that holds is the value:"] + [
                lines.joined(separator: "\n")
            ])
    }

    /// What a hover says about an entry that is not a key of the market; empty for nothing.
    func situationLines(about entry: Int, _ question: CursorContext) -> [String] {
        let found = question.outline.entries[entry]
        switch question.place(of: entry) {
        case .abstract: return lines(about: "abstract", in: SituationKeys.top)
        case .attributes: return lines(about: "attributes", in: SituationKeys.top)
        case .conditions: return lines(about: "conditions", in: SituationKeys.top)
        case .overlays: return lines(about: "overlays", in: SituationKeys.top)
        case .attribute(let path):
            if path.elements.count == 1, case .key(let name)? = path.elements.first {
                return lines(aboutAttribute: name, question)
            }
            guard case .key(let name)? = path.elements.last, let key = SituationKeys.attribute.key(name) else {
                return []
            }
            return ["**\(name)**", key.documentation, "Accepts \(key.type.expectation)."]
        case .condition:
            let isOnKey = found.keyToken != nil && question.offset <= question.outline.keyRange(of: entry).upperBound
            if !isOnKey, case .string(let name) = found.value { return lines(aboutCondition: name, question) }
            guard case .key(let name) = found.key else { return [] }
            return question.outline.declaration(ofCondition: name) == question.outline.keyRange(of: entry)
                ? lines(aboutCondition: name, question) : lines(about: name, in: SituationKeys.overlay)
        case .test(let name): return lines(aboutAttribute: name, question)
        case .textTest:
            guard case .key(let name) = found.key else { return [] }
            return lines(about: name, in: SituationKeys.textTest)
        case .overlayName:
            guard case .string(let name) = found.value,
                let condition = known(in: question)?.overlays[name]
            else { return lines(about: "name", in: SituationKeys.overlay) }
            return ["**\(name)** (overlay)", Self.sentence(about: condition)]
        case .beats: return lines(about: "beats", in: SituationKeys.overlay)
        case .rollout: return ["**rollout**", SituationKeys.rolloutMeaning]
        case .split: return ["**split**", SituationKeys.splitMeaning]
        case .unit:
            let isOnKey = question.offset <= question.outline.keyRange(of: entry).upperBound
            if !isOnKey, case .string(let name) = found.value { return lines(aboutAttribute: name, question) }
            return lines(about: "by", in: SituationKeys.rollout)
        case .vendor: return lines(about: "like", in: SituationKeys.rollout)
        case .weights: return lines(about: "weights", in: SituationKeys.split)
        case .acceptance:
            guard case .key(let name) = found.key, let rule = FindingCode(rawValue: name) else { return [] }
            return ["**\(name)**", rule.summary, "The text is the reason why the team accepts its warnings here."]
        case .key, .choice, .overlay, .weight, .variant, .unknown: return []
        }
    }

    // MARK: Flags

    /// What a hover says about a flag or one of its rules; empty for any other key.
    func flagLines(about path: ConfigurationPath, _ question: CursorContext) -> [String] {
        guard let name = path.flagName, let flag = known(in: question)?.flags.flags[name] else { return [] }
        if path.elements.count == 2 {
            var lines = ["**\(name)** (flag), \(flag.lifeText)"]
            if !flag.definition.doc.isEmpty { lines.append(flag.definition.doc) }
            if let slots = flag.slots {
                lines.append("Takes \(slots.rangeText) of the layer \(flag.definition.layer ?? "").")
            }
            let rules = flag.rules.map { "- \($0.name): \(Self.text(of: $0))" }
            lines.append((rules + ["- otherwise \(Self.text(of: flag.fallback))"]).joined(separator: "\n"))
            return lines
        }
        guard path.isRuleOfFlag, case .index(let number) = path.elements[3], number <= flag.rules.count, number > 0
        else { return [] }
        // The rules of base markets follow those of the file, unless it appends its own; the name decides.
        let file = known(in: question)?.layers.last?.node(at: path)?.node(at: "name")?.value
        let rule = flag.rules.first { .string($0.name) == file } ?? flag.rules[number - 1]
        return ["**\(rule.name)** (rule of \(name))", Self.text(of: rule)]
    }

    private static func text(of outcome: FlagSet.Outcome) -> String {
        code(outcome.value) + (outcome.variant.map { " (\($0))" } ?? "")
    }

    private static func text(of rule: FlagSet.Rule) -> String {
        let share = rule.sharesText
        let condition = rule.condition == .always ? "" : " when \(words(rule.condition))"
        switch rule.result {
        case .outcome(let outcome):
            return text(of: outcome) + (share.map { " for \($0)" } ?? "") + condition
        case .split: return (share ?? "") + condition
        }
    }

    private func known(in question: CursorContext) -> MarketProvenanceTree? {
        question.market.flatMap { folders[question.folder].provenance[$0] }
    }

    /// The attributes that conditions in a file can test.
    func attributes(in question: CursorContext) -> [ContextAttribute] {
        known(in: question)?.attributes ?? folders[question.folder].loader.module.contextAttributes
    }

    private func lines(about name: String, in keys: [SituationKeys.Key]) -> [String] {
        guard let key = keys.first(where: { $0.name == name }) else { return [] }
        return ["**\(name)**", key.documentation, "Accepts: \(key.accepts).\(key.isRequired ? " Required." : "")"]
    }

    private func lines(aboutAttribute name: String, _ question: CursorContext) -> [String] {
        guard let attribute = attributes(in: question).first(where: { $0.name == name }) else { return [] }
        var lines = ["**\(name)** (attribute)"]
        if !attribute.documentation.isEmpty { lines.append(attribute.documentation) }
        lines.append("Values: \(attribute.accepts). Changes \(attribute.paceText).")
        if let fallback = attribute.defaultText { lines.append("Default: \(fallback).") }
        return lines
    }

    private func lines(aboutCondition name: String, _ question: CursorContext) -> [String] {
        let title = "**\(name)** (condition)"
        guard let condition = known(in: question)?.conditions[name] else { return [title] }
        return [title, Self.sentence(about: condition)]
    }

    private static func sentence(about condition: Condition) -> String {
        switch condition {
        case .always: "It always holds."
        case .never: "It never holds."
        default: "It holds when \(words(condition))."
        }
    }

    /// A condition in words, truncated.
    private static func words(_ condition: Condition) -> String {
        let text = "\(condition)".replacing("`", with: "'")
        let isLong = text.unicodeScalars.count > 300
        return isLong ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(300))) + "…" : text
    }
}
