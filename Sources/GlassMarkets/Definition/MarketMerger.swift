import GlassBase
import GlassSchema

/// Merges the market files of an `extends` chain.
///
/// Maps are merged key by key. A list or a scalar replaces the inherited value, and `append`, `remove` and `unset`
/// change it. Every value keeps its position and the values that it overrides.
struct MarketMerger {
    private let findings: FindingList
    private let schema: SectionDeclaration
    private let budget: WorkBudget
    /// The file of the market itself, beside those of its base markets.
    private var ownFile: String?

    init(schema: SectionDeclaration, findings: FindingList = FindingList(), budget: WorkBudget) {
        self.schema = schema
        self.findings = findings
        self.budget = budget
    }

    /// Merges a chain.
    mutating func merge(_ layers: [ConfigurationNode]) throws(WorkBudget.Exceeded) -> ConfigurationNode {
        // A market without a base market rarely contains a directive, and a compiled one never does, so most need no
        // copy.
        ownFile = layers.count > 1 ? layers.last?.position?.file : nil
        var merged = layers[0]
        if try containsDirective(merged) { merged = try resolvingDirectives(merged, ConfigurationPath()) }
        for layer in layers.dropFirst() {
            merged = try merge(layer, over: merged, ConfigurationPath())
        }
        return merged
    }

    private mutating func merge(
        _ node: ConfigurationNode, over base: ConfigurationNode, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode {
        try budget.spend(node.value.weight, on: .merging)
        if case .directive(let directive) = node.value { return try apply(directive, node, to: base, path) }
        var merged = node
        switch (node.value, base.value) {
        case (.map(let entries), .map(let inherited)):
            merged.value = .map(try merge(entries, over: inherited, path))
            merged.overridden = base.overridden
        case (.emptyTable, .map):
            merged.value = base.value
            merged.overridden = base.overridden
        default:
            try warnOfReplacedRules(node, base, path)
            merged = try resolvingDirectives(node, path)
            merged.overridden =
                [ConfigurationNode.Layer(value: base.value, position: base.position)] + base.overridden
        }
        return merged
    }

    private mutating func merge(
        _ entries: [String: ConfigurationNode], over inherited: [String: ConfigurationNode], _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> [String: ConfigurationNode] {
        try budget.spend(inherited.count, on: .merging)
        let budget = budget  // copied for the autoclosures of hints
        var merged = inherited
        // In order, so that each run considers the same names.
        var names: [String]?
        for (key, entry) in entries.inOrder {
            let inner = path.appending(key)
            if entry.value.isUnset {
                if merged.removeValue(forKey: key) == nil {
                    if names == nil {
                        names = inherited.inOrder.map(\.key)
                        try budget.spend(inherited.count, on: .merging)
                    }
                    let known = names ?? []
                    try reportAbsent(
                        entry, inner, "unset: no base market sets this key",
                        try .nearest(to: key, in: known, budget: budget))
                }
            } else if let base = inherited[key] ?? declared(for: entry, inner) {
                merged[key] = try merge(entry, over: base, inner)
            } else if try !isMisspelled(key, entry, among: inherited, inner) {
                merged[key] = try resolvingDirectives(entry, inner)
            }
        }
        return merged
    }

    /// Reports an entry of a map that lacks everything that such an entry needs, and has nearly the name of an inherited
    /// one: it should change that one. Returns whether it was reported.
    mutating func isMisspelled(
        _ key: String, _ entry: ConfigurationNode, among inherited: [String: ConfigurationNode],
        _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> Bool {
        guard case .map(let entries) = entry.value,
            case .map(let element, _, _)? = schema.type(at: ConfigurationPath(path.elements.dropLast())),
            case .section(let section) = element
        else { return false }
        let required = section.keys.filter(\.isRequired).map(\.name)
        guard !required.isEmpty, required.allSatisfy({ entries[$0] == nil }) else { return false }
        try budget.spend(inherited.count, on: .merging)
        guard let advice = try Advice.nearest(to: key, in: inherited.inOrder.map(\.key), budget: budget) else {
            return false
        }
        try findings.add(
            .unknownKey, at: entry.keyPosition ?? entry.position, path: path,
            "no base market sets this key, and a new one needs \(required.joined(separator: " and "))", advice: advice)
        return true
    }

    /// Warns of rules of a flag that replace all of the inherited ones, unless they repeat one of them.
    private mutating func warnOfReplacedRules(
        _ node: ConfigurationNode, _ base: ConfigurationNode, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        guard path.elements.count == 3, path.elements[0] == .key("flags"), path.elements[2] == .key("rules"),
            let ownFile, node.position?.file == ownFile, case .list(let rules) = node.value,
            case .list(let replaced) = base.value
        else { return }
        func names(_ rules: [ConfigurationNode]) -> [String] {
            rules.compactMap { $0.node(at: "name")?.value.stringValue }
        }
        try budget.spend(rules.count + replaced.count, on: .merging)
        let lost = names(replaced)
        guard !lost.isEmpty, Set(lost).isDisjoint(with: names(rules)) else { return }
        let shown = lost.prefix(3).joined(separator: ", ") + (lost.count > 3 ? ", …" : "")
        try findings.add(
            .rulesReplaced, severity: .warning, at: node.position, path: path,
            "this list replaces the rules of the base market: \(shown)",
            hint: "write rules = prepend { … } to put these before them, or append { … } to put these after them")
    }

    /// The value of one key that overrides another value; nil if it removes the key.
    mutating func value(
        of entry: ConfigurationNode, over base: ConfigurationNode?, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode? {
        if entry.value.isUnset {
            if base == nil { try reportAbsent(entry, path, "unset: no base market sets this key", nil) }
            return nil
        }
        guard let base = base ?? declared(for: entry, path) else { return try resolvingDirectives(entry, path) }
        return try merge(entry, over: base, path)
    }

    /// The default list that a directive changes if no market sets the key. An empty default is ignored, because a
    /// plain list has the same effect.
    private func declared(for node: ConfigurationNode, _ path: ConfigurationPath) -> ConfigurationNode? {
        guard case .directive(let directive) = node.value else { return nil }
        switch directive.kind {
        case .append, .prepend, .remove:
            return schema.defaultList(at: path).flatMap { $0.isEmpty ? nil : ConfigurationNode(.list($0)) }
        case .unset, .vary: return nil
        }
    }

    private mutating func apply(
        _ directive: MergeDirective, _ node: ConfigurationNode, to base: ConfigurationNode, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode {
        var result = base
        result.position = node.position
        result.keyPosition = node.keyPosition
        result.overridden = [ConfigurationNode.Layer(value: base.value, position: base.position)] + base.overridden
        let elements: [ConfigurationNode]
        switch base.value {
        case .list(let nodes): elements = nodes
        case .emptyTable: elements = []
        default:
            var advice = single(of: directive, at: path).map { Advice("write the value itself: \($0.value.found)") }
            if case .map = base.value {
                advice =
                    Self.unsetting(directive)
                    ?? Advice("write a table with the keys that change; it is merged with the inherited one")
            }
            try report(
                node, path, "\(directive.description) needs a list in the base market, got \(base.value.found)", advice)
            return base
        }
        switch directive.kind {
        case .append(let added), .prepend(let added):
            let count = elements.count + added.count
            guard count <= ConfigurationLimits.maximumElements else {
                try findings.add(
                    .tooLarge, at: node.position, path: path,
                    "\(directive.description) creates a list of \(count.grouped) elements; the maximum is "
                        + ConfigurationLimits.maximumElements.grouped)
                return base
            }
            try budget.spend(count, on: .merging)
            let clean = try cleaned(added, path)
            if case .prepend = directive.kind {
                result.value = .list(clean + elements)
            } else {
                result.value = .list(elements + clean)
            }
        case .remove(let removed):
            try budget.spend(elements.count + removed.count, on: .merging)
            var left = Set(elements.map(\.value))
            for (offset, gone) in removed.enumerated() {
                if left.remove(gone.value) == nil {
                    let owner =
                        base.position == nil
                        ? "the default list" : "the base market's list"
                    try report(
                        gone, path.appending(index: offset + 1),
                        "remove: \(gone.value.found) is not in \(owner)", nil)
                }
            }
            let kept = elements.filter { left.contains($0.value) }
            result.value = kept.isEmpty ? .emptyTable : .list(kept)
        case .unset, .vary:
            try report(node, path, "\(directive.description) can only be the value of a key of a table", nil)
        }
        return result
    }

    /// Whether a value contains a directive. Visits all of it, because entries have no fixed order, and the number of
    /// steps must be the same in every run.
    private func containsDirective(_ node: ConfigurationNode) throws(WorkBudget.Exceeded) -> Bool {
        var isFound = false
        try node.visit(.lists, inOrder: false) { visited throws(WorkBudget.Exceeded) in
            try budget.spend(visited.node.value.weight, on: .merging)
            if visited.node.value.isDirective { isFound = true }
            return true
        }
        return isFound
    }

    /// Replaces each directive that has no base value with its result on an empty value, and reports it.
    private mutating func resolvingDirectives(
        _ node: ConfigurationNode, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode {
        try budget.spend(node.value.weight, on: .merging)
        var clean = node
        switch node.value {
        case .map(let entries):
            var left: [String: ConfigurationNode] = [:]
            for (key, entry) in entries.inOrder {
                let inner = path.appending(key)
                if entry.value.isUnset {
                    try reportAbsent(entry, inner, "unset: no base market sets this key", nil)
                } else {
                    left[key] = try resolvingDirectives(entry, inner)
                }
            }
            clean.value = .map(left)
        case .list(let nodes):
            clean.value = .list(try cleaned(nodes, path))
        case .directive(let directive):
            if let base = declared(for: node, path) { return try apply(directive, node, to: base, path) }
            if let type = schema.type(at: path), type.elementType == nil, let only = single(of: directive, at: path) {
                try reportAbsent(
                    node, path, "\(directive.description): this key is not a list",
                    Advice("write the value itself: \(only.value.found)"))
                clean.value = only.value
                return clean
            }
            if case .map? = schema.type(at: path), case .remove = directive.kind {
                try reportAbsent(
                    node, path, "\(directive.description): no base market sets this key, which is a table",
                    Advice("leave it out: there is nothing to remove"))
                clean.value = .emptyTable
                return clean
            }
            let ofDefault = schema.defaultList(at: path) == nil ? "" : ", and its default is an empty list"
            try reportAbsent(
                node, path, "\(directive.description): no base market sets this key\(ofDefault)",
                Advice("write a plain list, or extend a market that has one"))
            switch directive.kind {
            case .append(let added), .prepend(let added): clean.value = .list(try cleaned(added, path))
            case .remove, .unset, .vary: clean.value = .emptyTable
            }
        default: return node
        }
        return clean
    }

    /// How the keys that `remove` lists are removed from a table.
    private static func unsetting(_ directive: MergeDirective) -> Advice? {
        guard case .remove(let elements) = directive.kind, (1...4).contains(elements.count) else { return nil }
        let names = elements.compactMap(\.value.stringValue)
        guard names.count == elements.count else { return nil }
        return Advice("write { \(names.map { "\($0.luaKey) = unset" }.joined(separator: ", ")) }")
    }

    /// The first element of a directive for a list, if the key could have it as its value.
    private func single(of directive: MergeDirective, at path: ConfigurationPath) -> ConfigurationNode? {
        switch directive.kind {
        case .append(let nodes), .prepend(let nodes), .remove(let nodes):
            nodes.first.flatMap { schema.type(at: path)?.accepts(kindOf: $0.value) == true ? $0 : nil }
        case .unset, .vary: nil
        }
    }

    private mutating func cleaned(
        _ nodes: [ConfigurationNode], _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> [ConfigurationNode] {
        var clean: [ConfigurationNode] = []
        for (offset, node) in nodes.enumerated() {
            clean.append(try resolvingDirectives(node, path.appending(index: offset + 1)))
        }
        return clean
    }

    /// Reports a directive for a key that no base market sets, or for a former key name.
    private mutating func reportAbsent(
        _ node: ConfigurationNode, _ path: ConfigurationPath, _ message: @autoclosure () -> String,
        _ advice: @autoclosure () throws(WorkBudget.Exceeded) -> Advice?
    ) throws(WorkBudget.Exceeded) {
        try budget.spend(path.elements.count, on: .merging)
        if let key = schema.key(formerlyAt: path) {
            try findings.addRenamed(node, at: path, to: key)
        } else {
            try report(node, path, message(), try advice())
        }
    }

    private mutating func report(
        _ node: ConfigurationNode, _ path: ConfigurationPath, _ message: @autoclosure () -> String,
        _ advice: @autoclosure () throws(WorkBudget.Exceeded) -> Advice?
    ) throws(WorkBudget.Exceeded) {
        try findings.add(.misplacedDirective, at: node.position, path: path, message(), advice: try advice())
    }
}
