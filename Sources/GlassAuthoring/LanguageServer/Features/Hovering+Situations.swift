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
            guard case .varied(let value) = node.value else {
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

    /// What a hover says about an entry that does not set a key of the market; empty for nothing.
    func lines(about entry: Int, at place: FilePlace, _ question: CursorContext) -> [String] {
        let found = question.outline.entries[entry]
        if question.outline.word(around: entry) == "accept" {
            guard case .key(let name) = found.key, let rule = FindingCode(rawValue: name) else { return [] }
            return ["**\(name)**", rule.summary, "The text is the reason why the team accepts its warnings here."]
        }
        var lines: [String] = []
        if question.isOnValue(of: entry), let name = found.value.name {
            lines = self.lines(
                about: place.isCondition ? .condition : place.type?.referent, named: name, place, question)
        }
        if lines.isEmpty, case .key(let name) = found.key {
            lines = self.lines(about: place.referentOfKey, named: name, place, question)
        }
        if lines.isEmpty, case .test? = place.type, let name = place.attribute {
            lines = self.lines(aboutAttribute: name, question)
        }
        // An element has the hover of its list.
        let isElement = if case .index = found.key { place.type?.section == nil } else { false }
        guard lines.isEmpty, let key = place.key, found.key == .key(key.name) || isElement else { return lines }
        let (form, title) = (place.type?.section?.form, "**\(key.name)**")
        if let form, form.extent == .whole { return [title, form.summary] }
        let type = found.key == .key(key.name) ? place.type ?? key.type : key.type
        return [title, key.documentation, "Accepts \(type.expectation).\(key.isRequired ? " Required." : "")"]
    }

    /// What a hover says about a name; empty if nothing is known about it.
    private func lines(
        about referent: Referent?, named name: String, _ place: FilePlace, _ question: CursorContext
    ) -> [String] {
        switch referent {
        case .attribute?, .unit?: return lines(aboutAttribute: name, question)
        case .condition?:
            let title = "**\(name)** (condition)"
            guard let condition = known(in: question)?.conditions[name] else { return [title] }
            return [title, Self.sentence(about: condition)]
        case .overlay?:
            guard let condition = known(in: question)?.overlays[name] else { return [] }
            return ["**\(name)** (overlay)", Self.sentence(about: condition)]
        case .variant?:
            guard let flag = place.path.flagName.flatMap({ known(in: question)?.flags.flags[$0] }),
                let variant = flag.variants[name]
            else { return [] }
            return ["**\(name)** (variant)", Self.code(variant.value)]
        case .market?, .layer?, .precondition?, .handler?, nil: return []
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

    private func lines(aboutAttribute name: String, _ question: CursorContext) -> [String] {
        guard let attribute = attributes(in: question).first(where: { $0.name == name }) else { return [] }
        var lines = ["**\(name)** (attribute)"]
        if !attribute.documentation.isEmpty { lines.append(attribute.documentation) }
        lines.append("Values: \(attribute.accepts). Changes \(attribute.paceText).")
        if let fallback = attribute.defaultText { lines.append("Default: \(fallback).") }
        return lines
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
