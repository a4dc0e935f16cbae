import GlassBase
import GlassSchema

/// Reads the conditions, overlays and varied values of a market's files.
struct SituationReader {
    private let findings: FindingList
    private let schema: MarketSchema
    private let budget: WorkBudget
    private var reader: ConditionReader
    private let named: [String: ConfigurationNode]
    private let attributes: [ContextAttribute]
    private let attributePositions: [String: SourcePosition]

    /// The keys at the top of a file that say something about situations.
    static let keys = [FileHeader.attributes, FileHeader.conditions, FileHeader.overlays]
    /// The keys whose rules decide what holds in a situation, so that nothing else in them varies.
    static let flagKeys = ["flags", "layers"]
    /// The maximum number of attributes that a market declares.
    private static let maximumAttributes = 32
    /// The maximum number of overlays of a file.
    private static let maximumOverlays = 64
    /// The maximum number of alternatives of a value.
    static let maximumAlternatives = 64

    /// Reads the files of a chain, beginning with the root; nil if nothing in them depends on the situation.
    static func situations(
        of layers: [ConfigurationNode], schema: MarketSchema, zones: ZoneRules, budget: WorkBudget,
        findings: FindingList
    ) throws(WorkBudget.Exceeded) -> SituationRules? {
        guard layers.contains(where: \.dependsOnSituation) else { return nil }
        var reader = try SituationReader(layers, schema: schema, zones: zones, budget: budget, findings: findings)
        return try reader.read(layers)
    }

    private init(
        _ layers: [ConfigurationNode], schema: MarketSchema, zones: ZoneRules, budget: WorkBudget,
        findings: FindingList
    ) throws(WorkBudget.Exceeded) {
        self.schema = schema
        self.budget = budget
        var merger = MarketMerger(schema: schema.declaration, findings: findings, budget: budget)
        let header = try merger.merge(layers.map { $0.keeping(["attributes"]) })
        let named = try Self.conditions(of: layers, &merger)
        self.findings = findings
        for node in layers.compactMap({ $0.node(at: "conditions") }) {
            _ = try Self.hasKind(node, of: FileHeader.conditions, schema, budget: budget, into: self.findings)
        }
        let attributes = try Self.attributes(of: layers, header, schema, budget: budget, findings: self.findings)
        self.attributes = attributes
        attributePositions = header.node(at: "attributes").map(Self.positions) ?? [:]
        self.named = named
        reader = ConditionReader(attributes: attributes, named: named, zones: zones, budget: budget)
        reader.flags = Set(layers.keys(at: "flags"))
        reader.inheritedFiles = Set(layers.compactMap { $0.position?.file })
        layers.last?.position.map { _ = reader.inheritedFiles.remove($0.file) }
    }

    /// Whether the value of a key about situations has the kind of the key; adds a finding if not.
    private static func hasKind(
        _ node: ConfigurationNode, of key: String, _ schema: MarketSchema, budget: WorkBudget,
        into findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Bool {
        guard let type = schema.file.key(key)?.type, !type.accepts(kindOf: node.value) else { return true }
        let path = ConfigurationPath([.key(key)])
        // A directive in the wrong place has a finding already.
        if findings.pathsWithErrors?.contains(path) != true {
            try ConfigurationValidator.validate(node, as: type, path: path, into: findings, budget: budget)
        }
        return false
    }

    /// The positions of the keys of a table.
    private static func positions(of table: ConfigurationNode) -> [String: SourcePosition] {
        guard case .map(let entries) = table.value else { return [:] }
        return entries.compactMapValues { $0.keyPosition ?? $0.position }
    }

    /// The conditions by name. A condition replaces the inherited one as a whole: its tests belong together.
    private static func conditions(
        of layers: [ConfigurationNode], _ merger: inout MarketMerger
    ) throws(WorkBudget.Exceeded) -> [String: ConfigurationNode] {
        let path: ConfigurationPath = "conditions"
        var named: [String: ConfigurationNode] = [:]
        for layer in layers {
            guard case .map(let entries)? = layer.node(at: path)?.value else { continue }
            for (name, entry) in entries.inOrder {
                if entry.value.isUnset {
                    _ = try merger.value(of: entry, over: named[name], at: path.appending(name))
                    named[name] = nil
                } else {
                    named[name] = entry
                }
            }
        }
        return named
    }

    /// The attributes of every market and those of the module, with the names that the files give them.
    ///
    /// - Parameter locales: The locales of the market, whose files may add to those of its base market.
    static func sharedAttributes(
        of layers: [ConfigurationNode], locales: [String], _ schema: MarketSchema
    ) -> [ContextAttribute] {
        var attributes = schema.module.contextAttributes
        for index in attributes.indices {
            if case .locale = attributes[index].type {
                attributes[index].type = .locale(locales)
            }
            guard let path = attributes[index].valuesPath else { continue }
            attributes[index].type = .choice(layers.keys(at: path))
        }
        return attributes
    }

    /// The attributes of every market, those of the module, and those of the market.
    private static func attributes(
        of layers: [ConfigurationNode], _ header: ConfigurationNode, _ schema: MarketSchema, budget: WorkBudget,
        findings: FindingList
    ) throws(WorkBudget.Exceeded) -> [ContextAttribute] {
        // Problems of merging them are reported where the whole market is merged.
        var merger = MarketMerger(schema: schema.declaration, budget: budget)
        let locales = try merger.merge(layers.map { $0.keeping(["locales"]) }).locales
        var attributes = sharedAttributes(of: layers, locales: locales, schema)
        let own: ConfigurationPath = "attributes"
        guard let node = header.node(at: own) else { return attributes }
        guard try hasKind(node, of: FileHeader.attributes, schema, budget: budget, into: findings) else {
            return attributes
        }
        let entries = node.value.entries
        guard entries.count <= maximumAttributes else {
            try findings.add(
                .tooManySituations, at: node.position, path: own,
                "expected at most \(maximumAttributes) attributes, got \(entries.count.grouped)")
            return attributes
        }
        let known = Set(attributes.map(\.name))
        for (name, entry) in entries.inOrder {
            try budget.spend(on: .validating)
            let path = own.appending(name)
            guard !ContextAttribute.reservedNames.contains(name) else {
                try findings.add(
                    .duplicate, at: entry.keyPosition ?? entry.position, path: path,
                    "\(name.quotedForMessage) is a reserved word in conditions", hint: "choose another name")
                continue
            }
            guard !known.contains(name) else {
                try findings.add(
                    .duplicate, at: entry.keyPosition ?? entry.position, path: path,
                    "every market already has the attribute \(name.quotedForMessage)", hint: "choose another name")
                continue
            }
            let before = findings.count
            try ConfigurationValidator.validate(
                entry, as: AttributeDefinition.valueType, path: path, into: findings, budget: budget)
            guard findings.count == before else { continue }
            attributes.append(AttributeDefinition(validated: entry.value).attribute(named: name))
        }
        return attributes
    }

    /// The flags of the market. Problems of merging them are reported where the whole market is merged.
    private mutating func flags(_ layers: [ConfigurationNode]) throws(WorkBudget.Exceeded) -> FlagSet {
        let own = layers.map { $0.keeping(Self.flagKeys) }
        guard own.contains(where: { !$0.isEmptyMap }) else { return FlagSet() }
        var merger = MarketMerger(schema: schema.declaration, findings: FindingList(), budget: budget)
        var flagReader = FlagReader(reader, findings: findings, budget: budget)
        return try flagReader.flags(of: try merger.merge(own))
    }

    private mutating func read(_ layers: [ConfigurationNode]) throws(WorkBudget.Exceeded) -> SituationRules {
        var conditions: [String: Condition] = [:]
        for (name, node) in named.inOrder {
            if case .boolean(false) = node.value {
                try findings.add(
                    .neverHolds, at: node.position, path: ConfigurationPath([.key("conditions"), .key(name)]),
                    "this condition is false in every situation",
                    hint: "to negate a condition, write no { … }, not Lua's not")
            }
            if let condition = try reader.condition(named: name, into: findings) { conditions[name] = condition }
        }
        let inherited = try overlayConditions(layers)
        var fragments: [SituationRules.Fragment] = []
        for (file, layer) in layers.enumerated() {
            fragments.append(
                SituationRules.Fragment(
                    node: try compiled(layer.removing(Self.keys), at: ConfigurationPath()),
                    condition: .always, overlay: nil, file: file))
            for (overlay, node, path) in overlays(of: layer).reversed() {
                guard let condition = inherited[overlay.name] else { continue }
                fragments.append(
                    SituationRules.Fragment(
                        node: try compiled(node, at: path), condition: condition, overlay: overlay, file: file))
            }
        }
        return SituationRules(
            fragments: fragments, attributes: attributes, conditions: conditions,
            conditionPositions: named.compactMapValues { $0.keyPosition ?? $0.position },
            attributePositions: attributePositions, schema: schema.declaration,
            flags: try flags(layers))
    }

    // MARK: Overlays

    /// The overlays of a file, each with its values and its path.
    private func overlays(
        of layer: ConfigurationNode
    ) -> [(overlay: SituationRules.Overlay, node: ConfigurationNode, path: ConfigurationPath)] {
        guard case .list(let nodes)? = layer.node(at: "overlays")?.value else { return [] }
        return nodes.prefix(Self.maximumOverlays).enumerated().compactMap { offset, node in
            guard let name = Self.name(of: node) else { return nil }
            var beats: [String] = []
            if case .list(let names)? = node.node(at: "beats")?.value { beats = names.compactMap(\.value.stringValue) }
            let overlay = SituationRules.Overlay(
                name: name, position: node.position, conditionPosition: node.node(at: "when")?.position, beats: beats)
            return (
                overlay, node.removing(OverlayDefinition.form.keys.map(\.name) + schema.notInOverlays),
                ConfigurationPath([.key("overlays"), .index(offset + 1)])
            )
        }
    }

    /// The conditions of all overlays by name. Of several conditions for one name, the one of the latest file holds for
    /// the overlays of all files.
    private mutating func overlayConditions(
        _ layers: [ConfigurationNode]
    ) throws(WorkBudget.Exceeded) -> [String: Condition] {
        var found: [String: Condition] = [:]
        var failed: Set<String> = []
        for layer in layers {
            guard let list = layer.node(at: "overlays") else { continue }
            guard let nodes = try elements(of: list) else { continue }
            let inherited = Set(found.keys).union(failed)
            var seen: Set<String> = []
            for (offset, node) in nodes.enumerated() {
                try budget.spend(on: .validating)
                let path = ConfigurationPath([.key("overlays"), .index(offset + 1)])
                guard let name = try self.name(of: node, at: path) else { continue }
                let entries = node.value.entries
                if !seen.insert(name).inserted {
                    try findings.add(
                        .duplicate, at: entries["name"]?.position, path: path.appending("name"),
                        "this file already has an overlay \(name.quotedForMessage)",
                        hint: "merge them, or rename one of them")
                }
                for key in schema.notInOverlays.sorted() where entries[key] != nil {
                    try findings.add(
                        .variesTooOften, at: entries[key]?.keyPosition ?? entries[key]?.position,
                        path: path.appending(key), "\(key) is the same in every situation",
                        hint: Self.flagKeys.contains(key)
                            ? "write a rule of the flag instead"
                            : "write it at the top of the file, outside the overlays")
                }
                if let when = entries["when"] {
                    if let condition = try condition(when, at: path.appending("when")) {
                        found[name] = condition
                    } else {
                        failed.insert(name)
                    }
                    // Only an overlay of a base market can be turned off.
                    if case .boolean(false) = when.value, found[name] == .never, !inherited.contains(name) {
                        let budget = budget
                        try findings.add(
                            .noEffect, severity: .warning, at: when.position, path: path.appending("when"),
                            "no base market has an overlay \(name.quotedForMessage) to turn off",
                            advice: try .nearest(to: name, in: inherited.sorted(), budget: budget)
                                ?? Advice("remove the overlay"))
                    }
                } else if found[name] == nil, !failed.contains(name) {
                    try reportMissingCondition(of: name, node, inherited: found.keys.sorted(), at: path)
                }
                try reportUnknownRivals(of: name, entries, in: nodes[(offset + 1)...], at: path)
            }
        }
        return found
    }

    /// Reports an overlay without a condition, or the key that was written for `when`.
    private mutating func reportMissingCondition(
        of name: String, _ node: ConfigurationNode, inherited: [String], at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        let (entries, budget) = (node.value.entries, budget)
        for key in entries.keys.sorted() where schema.overlay.key(key) == nil {
            let near = try Advice.nearest(to: key, in: ["when"], budget: budget)
            guard let advice = near ?? Advice.otherName(key, in: ["when"]) else { continue }
            return try findings.add(
                .unknownKey, at: entries[key]?.keyPosition ?? node.position, path: path.appending(key), "unknown key",
                advice: advice)
        }
        try findings.add(
            .missingKey, at: node.position, path: path.appending("when"),
            "missing: expected a condition, because no base market has an overlay \(name.quotedForMessage)",
            advice: try .nearest(to: name, in: inherited, budget: budget)
                ?? Advice("write when = { build = \"debug\" }, or the name of a condition"))
    }

    /// Warns of names in `beats` that no overlay below has: an overlay can only win over those below it.
    private mutating func reportUnknownRivals(
        of name: String, _ entries: [String: ConfigurationNode], in below: ArraySlice<ConfigurationNode>,
        at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        guard case .list(let names)? = entries["beats"]?.value else { return }
        let known = below.compactMap { node -> String? in
            if case .string(let name)? = node.node(at: "name")?.value { name } else { nil }
        }
        for (offset, rival) in names.enumerated() {
            try budget.spend(known.count, on: .validating)
            guard case .string(let text) = rival.value, !known.contains(text) else { continue }
            let budget = budget
            try findings.add(
                .noEffect, severity: .warning, at: rival.position,
                path: path.appending("beats").appending(index: offset + 1),
                "this file has no overlay \(text.quotedForMessage) below \(name.quotedForMessage)",
                advice: try .nearest(to: text, in: known, budget: budget)
                    ?? Advice("write beats in the first of the two overlays, which takes precedence"))
        }
    }

    private mutating func elements(of list: ConfigurationNode) throws(WorkBudget.Exceeded) -> [ConfigurationNode]? {
        guard try Self.hasKind(list, of: FileHeader.overlays, schema, budget: budget, into: findings),
            case .list(let nodes) = list.value
        else { return nil }
        if nodes.count > Self.maximumOverlays {
            try findings.add(
                .tooManySituations, at: nodes[Self.maximumOverlays].position, path: "overlays",
                "expected at most \(Self.maximumOverlays) overlays, got \(nodes.count.grouped)",
                hint: "combine overlays with the same condition")
        }
        return Array(nodes.prefix(Self.maximumOverlays))
    }

    /// The name of an overlay; nil if it has none, which is reported with what else is wrong with its own keys.
    private mutating func name(
        of node: ConfigurationNode, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> String? {
        var own = node
        // The keys of the market are validated in the market, and the condition is read with its attributes.
        if case .map(let entries) = node.value {
            // A misspelled name is not missing as well.
            let misspelled = entries["name"] == nil ? entries.keys.filter(isMeantAsName) : []
            own = node.keeping(["name", "beats"] + misspelled)
        }
        try ConfigurationValidator.validate(
            own, as: OverlayDefinition.valueType, path: path, into: findings, budget: budget)
        return Self.name(of: node)
    }

    /// Whether a key of an overlay is probably the word `name`.
    private func isMeantAsName(_ key: String) -> Bool {
        schema.overlay.key(key) == nil && !schema.notInOverlays.contains(key)
            && Suggestion.nearest(to: key, in: ["name"]) != nil
    }

    /// The name of an overlay; nil if it has none.
    private static func name(of node: ConfigurationNode) -> String? {
        node.node(at: "name")?.value.stringValue.flatMap { StringFormat.identifier.matches($0) ? $0 : nil }
    }

    // MARK: Values

    /// The condition of a node; nil if it has an error.
    private mutating func condition(
        _ node: ConfigurationNode, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> Condition? {
        try reader.condition(node, at: path, into: findings)
    }

    /// The values of a file with the conditions of its varied values.
    private mutating func compiled(
        _ node: ConfigurationNode, at path: ConfigurationPath, inList: Bool = false
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode {
        try budget.spend(on: .merging)
        // A large table of plain values is not built again.
        guard node.hasVaried else { return node }
        var compiled = node
        switch node.value {
        case .map(let entries):
            var result: [String: ConfigurationNode] = [:]
            for (key, entry) in entries.inOrder {
                result[key] = try self.compiled(entry, at: path.appending(key), inList: inList)
            }
            compiled.value = .map(result)
        case .list(let nodes): compiled.value = .list(try elements(nodes, at: path))
        case .directive(let directive):
            switch directive.kind {
            case .append(let nodes): compiled.value = .directive(MergeDirective(.append(try elements(nodes, at: path))))
            case .prepend(let nodes):
                compiled.value = .directive(MergeDirective(.prepend(try elements(nodes, at: path))))
            case .vary(let choices, let isPerLocale):
                guard !inList else {
                    try findings.add(
                        .misplacedDirective, at: node.position, path: path,
                        "\(node.value.found) cannot be inside a list",
                        hint: "vary the whole list, or append the elements in an overlay")
                    compiled.value = .emptyTable
                    return compiled
                }
                if case .key(let key)? = path.elements.first, Self.flagKeys.contains(key) {
                    try findings.add(
                        .variesTooOften, at: node.position, path: path,
                        "\(node.value.found) cannot be inside a flag, because its rules determine the value",
                        hint: "write a rule of the flag instead")
                    compiled.value = .emptyTable
                    return compiled
                }
                compiled.value = try varied(choices, isPerLocale, node, at: path)
            case .remove, .unset: break
            }
        default: break
        }
        return compiled
    }

    private mutating func elements(
        _ nodes: [ConfigurationNode], at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> [ConfigurationNode] {
        var elements: [ConfigurationNode] = []
        for (offset, node) in nodes.enumerated() {
            elements.append(try compiled(node, at: path.appending(index: offset + 1), inList: true))
        }
        return elements
    }

    private mutating func varied(
        _ choices: [MergeDirective.Choice], _ isPerLocale: Bool, _ node: ConfigurationNode, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> ConfigurationValue {
        if choices.count > Self.maximumAlternatives {
            try findings.add(
                .tooManySituations, at: node.position, path: path,
                "expected at most \(Self.maximumAlternatives) alternatives, got \(choices.count.grouped)")
        }
        var alternatives: [VariedValue.Alternative] = []
        for (offset, choice) in choices.prefix(Self.maximumAlternatives).enumerated() {
            let condition: Condition
            if let when = choice.when {
                let place = isPerLocale ? path : path.appending(index: offset + 1).appending("when")
                guard let found = try self.condition(when, at: place) else { continue }
                condition = found
            } else {
                condition = .always
            }
            alternatives.append(
                VariedValue.Alternative(
                    condition, try compiled(choice.value, at: path), position: choice.when?.position))
        }
        return .varied(VariedValue(alternatives, isPerLocale: isPerLocale))
    }
}

extension ConfigurationNode {
    /// Whether a file says anything about situations.
    var dependsOnSituation: Bool {
        guard case .map(let entries) = value else { return false }
        return (SituationReader.keys + SituationReader.flagKeys).contains { entries[$0] != nil } || hasVaried
    }

    /// Whether the value, or one inside it, is varied, as the file says it or compiled.
    var hasVaried: Bool {
        contains([.lists, .directives]) { node in
            switch node.value {
            case .varied: return true
            case .directive(let directive): if case .vary = directive.kind { return true } else { return false }
            default: return false
            }
        }
    }

    /// A file with only some of its keys.
    fileprivate func keeping(_ keys: [String]) -> ConfigurationNode {
        guard case .map(let entries) = value else { return self }
        var rest = self
        rest.value = .map(entries.filter { keys.contains($0.key) })
        return rest
    }

    fileprivate var isEmptyMap: Bool { if case .map(let entries) = value { entries.isEmpty } else { true } }

    /// A map without some of its keys.
    fileprivate func removing(_ keys: [String]) -> ConfigurationNode {
        guard case .map(let entries) = value else { return self }
        var rest = self
        rest.value = .map(entries.filter { !keys.contains($0.key) })
        return rest
    }

    /// The locales that a file lists.
    var locales: [String] {
        guard case .list(let nodes)? = node(at: "locales")?.value else { return [] }
        return nodes.compactMap { if case .string(let locale) = $0.value { locale } else { nil } }
    }
}

extension [ConfigurationNode] {
    /// The keys of a map in any of the files, also those that only some situations have.
    fileprivate func keys(at path: ConfigurationPath) -> [String] {
        var names: Set<String> = []
        func add(_ node: ConfigurationNode?) {
            guard let node else { return }
            if case .map(let entries) = node.value { names.formUnion(entries.keys) }
        }
        for layer in self {
            add(layer.node(at: path))
            guard case .list(let overlays)? = layer.node(at: "overlays")?.value else { continue }
            for overlay in overlays { add(overlay.node(at: path)) }
        }
        return names.sorted()
    }
}
