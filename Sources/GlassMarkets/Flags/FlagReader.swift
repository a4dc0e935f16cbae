import GlassBase
import GlassSchema

/// Reads the flags of a market from its merged values.
///
/// The form of a flag is validated like that of any key, and a flag with an error of form is left out here. What remains
/// is what the form cannot say: types, variants, shares, and conditions with the attributes of the market.
struct FlagReader {
    let findings: FindingList
    private var reader: ConditionReader
    private let budget: WorkBudget
    private var reportsForm = false
    /// The invalid shares of the current flag.
    private var failedShares: Set<ConfigurationPath> = []

    init(_ reader: ConditionReader, findings: FindingList, budget: WorkBudget) {
        self.reader = reader
        self.findings = findings
        self.budget = budget
    }

    /// Reads the flags of a market.
    ///
    /// - Parameters:
    ///   - root: The merged values with the keys `flags` and `layers`.
    ///   - reportsForm: Whether findings about the form of flags are added, too.
    mutating func flags(
        of root: ConfigurationNode, reportingForm reportsForm: Bool = false
    ) throws(WorkBudget.Exceeded) -> FlagSet {
        self.reportsForm = reportsForm
        let layers = try layers(of: root)
        guard case .map(let entries)? = root.node(at: "flags")?.value else { return FlagSet() }
        var flags: [FlagSet.Flag] = []
        for (name, node) in entries.inOrder.prefix(FlagDefinition.maximumCount) {
            try budget.spend(on: .validating)
            let path = ConfigurationPath([.key("flags"), .key(name)])
            guard StringFormat.flag.matches(name), try isValid(node, as: FlagDefinition.form, at: path) else {
                continue
            }
            if let flag = try flag(named: name, node, layers, at: path) { flags.append(flag) }
        }
        return FlagSet(flags)
    }

    /// Whether a value has the form of a section, and notes the shares that do not. Usually, the findings are those of the
    /// validation of the whole market.
    ///
    /// A flag with an invalid share is still read, so that one run also reports what else is wrong with it.
    private mutating func isValid(
        _ node: ConfigurationNode, as section: SectionDeclaration, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> Bool {
        let findings = FindingList()
        try ConfigurationValidator.validate(node, as: .section(section), path: path, into: findings, budget: budget)
        let found = findings.sorted()
        if reportsForm {
            for finding in found { self.findings.append(finding.explainingVendor(in: node, below: path)) }
        }
        failedShares = []
        for finding in found where finding.severity == .error {
            let inner = ConfigurationPath(Array(finding.path.elements.dropFirst(path.elements.count)))
            guard let share = section.whole(at: inner) else { return false }
            failedShares.insert(ConfigurationPath(path.elements + share.path.elements))
        }
        return true
    }

    private mutating func layers(of root: ConfigurationNode) throws(WorkBudget.Exceeded) -> [String: Bucketing?] {
        guard case .map(let entries)? = root.node(at: "layers")?.value else { return [:] }
        var layers: [String: Bucketing?] = [:]
        for (name, node) in entries.inOrder.prefix(100) {
            let path = ConfigurationPath([.key("layers"), .key(name)])
            guard try isValid(node, as: FlagLayerDefinition.form, at: path) else {
                layers[name] = .some(nil)
                continue
            }
            reader.salt = name
            let definition = FlagLayerDefinition(validated: node.value)
            var bucketing = try reader.bucketing(definition, of: node, at: path, into: findings)
            if definition.like != nil, let found = bucketing {
                bucketing = Bucketing(salt: "__\(found.salt)", unit: found.unit, vendor: .growthbookNamespace)
            }
            layers[name] = .some(bucketing)
        }
        return layers
    }

    private mutating func flag(
        named name: String, _ node: ConfigurationNode, _ layers: [String: Bucketing?], at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> FlagSet.Flag? {
        let definition = FlagDefinition(validated: node.value)
        var isWhole = true
        reader.salt = definition.salt ?? name
        reader.vendor = definition.like.flatMap { Bucketing.Vendor(rawValue: $0) }
        defer {
            reader.salt = nil
            reader.vendor = nil
        }
        guard let (type, variants, fallback) = try values(of: definition, node, at: path) else { return nil }
        var rules: [FlagSet.Rule] = []
        var names: Set<String> = []
        if case .list(let nodes)? = node.node(at: "rules")?.value {
            for (offset, node) in nodes.enumerated() {
                let place = path.appending("rules").appending(index: offset + 1)
                let rule = FlagRuleDefinition(validated: node.value)
                if !names.insert(rule.name).inserted {
                    isWhole = false
                    try findings.add(
                        .duplicate, at: node.node(at: "name")?.position, path: place.appending("name"),
                        "the flag already has a rule \(rule.name.quotedForMessage)", hint: "choose another name")
                }
                if let rule = try self.rule(rule, node, type, variants, at: place) {
                    rules.append(rule)
                } else {
                    isWhole = false
                }
            }
        }
        let slots = try slots(of: definition, node, layers, at: path)
        guard isWhole, definition.layer == nil || slots != nil else { return nil }
        return FlagSet.Flag(
            name: name, definition: definition, type: type, fallback: fallback, variants: variants, rules: rules,
            slots: slots, position: node.keyPosition ?? node.position,
            isDeclared: !reader.inheritedFiles.contains(node.node(at: "kind")?.position?.file ?? ""))
    }

    // MARK: Values

    /// The type of a flag, its variants, and the outcome where no rule holds.
    private mutating func values(
        of definition: FlagDefinition, _ node: ConfigurationNode, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> (FlagType, [String: FlagSet.Outcome], FlagSet.Outcome)? {
        let fallback = definition.default.value
        let place = path.appending("default")
        guard !definition.variants.isEmpty else {
            guard let type = FlagType(of: fallback) else { return nil }
            if case .string(let text) = fallback, text == "true" || text == "false",
                let position = node.node(at: "default")?.position, !reader.inheritedFiles.contains(position.file)
            {
                let values = definition.rules.compactMap { $0.value?.value }
                let isFlag =
                    !values.isEmpty && values.allSatisfy { if case .boolean = $0 { true } else { false } }
                let isText = values.contains { $0.stringValue != nil && !["true", "false"].contains($0.stringValue) }
                if isText { return (type, [:], FlagSet.Outcome(variant: nil, value: fallback)) }
                try findings.add(
                    .invalidFlag, severity: isFlag ? .error : .warning, at: position, path: place,
                    "\(text.quotedForMessage) is a string, which an app does not read as \(text)",
                    advice: Advice("write \(text), without quotes", .rewrite(text, isUnambiguous: isFlag)))
                // The rules give true or false, so that the default alone is wrong.
                if isFlag { return (.boolean, [:], FlagSet.Outcome(variant: nil, value: .boolean(text == "true"))) }
            }
            return (type, [:], FlagSet.Outcome(variant: nil, value: fallback))
        }
        var variants: [String: FlagSet.Outcome] = [:]
        var type: FlagType?
        for (name, data) in definition.variants.sorted(by: { $0.key < $1.key }) {
            guard let found = FlagType(of: data.value) else { return nil }
            variants[name] = FlagSet.Outcome(variant: name, value: data.value)
            guard let known = type, known != found else {
                type = found
                continue
            }
            if [known, found].allSatisfy({ $0 == .integer || $0 == .number }) {
                type = .number
                continue
            }
            let inner = path.appending("variants").appending(name)
            try findings.add(
                .invalidFlag, at: node.node(at: ConfigurationPath([.key("variants"), .key(name)]))?.position,
                path: inner,
                "expected a value of type \(known.rawValue), like the other variants, got \(data.value.found)")
            return nil
        }
        guard let type, let name = fallback.stringValue, let outcome = variants[name] else {
            let (budget, names) = (budget, variants.keys.sorted())
            try findings.add(
                .invalidFlag, at: node.node(at: "default")?.position, path: place,
                "expected the name of a variant, got \(fallback.found)",
                advice: try fallback.stringValue.flatMap { text throws(WorkBudget.Exceeded) in
                    try Advice.nearest(to: text, in: names, budget: budget)
                } ?? Advice("the variants are \(names.joined(separator: ", "))"))
            return nil
        }
        return (type, variants, outcome)
    }

    private mutating func outcome(
        of variant: String, _ node: ConfigurationNode?, _ variants: [String: FlagSet.Outcome],
        at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> FlagSet.Outcome? {
        if let outcome = variants[variant] { return outcome }
        let (budget, names) = (budget, variants.keys.sorted())
        try findings.add(
            .invalidFlag, at: node?.position, path: path, "unknown variant \(variant.quotedForMessage)",
            advice: try Advice.nearest(to: variant, in: names, budget: budget)
                ?? Advice(
                    names.isEmpty
                        ? "declare it in variants = { \(variant) = … }"
                        : "the variants are \(names.joined(separator: ", "))"))
        return nil
    }

    // MARK: Rules

    private mutating func rule(
        _ rule: FlagRuleDefinition, _ node: ConfigurationNode, _ type: FlagType, _ variants: [String: FlagSet.Outcome],
        at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> FlagSet.Rule? {
        let (when, share) = (node.node(at: "when"), node.node(at: "rollout"))
        // Both are read before one of them ends this, so that one run reports the errors of both.
        let condition =
            try when.map { when throws(WorkBudget.Exceeded) in
                try reader.condition(when, at: path.appending("when"), into: findings)
            } ?? .always
        var rollout: Rollout?
        let place = path.appending(RolloutDefinition.key)
        if let share, !failedShares.contains(place) {
            let definition = RolloutDefinition(validated: share.value)
            rollout = try reader.rollout(definition, share, at: place, into: findings)
        }
        guard let condition, share == nil || rollout != nil else { return nil }
        let result: FlagSet.Rule.Result
        if let share = node.node(at: "split") {
            guard let split = try split(share, variants, at: path.appending("split")) else { return nil }
            result = .split(split)
        } else if let name = rule.variant {
            let place = path.appending("variant")
            guard let outcome = try outcome(of: name, node.node(at: "variant"), variants, at: place) else { return nil }
            result = .outcome(outcome)
        } else if let value = rule.value?.value {
            let (place, position) = (path.appending("value"), node.node(at: "value")?.position)
            guard variants.isEmpty else {
                try findings.add(
                    .invalidFlag, at: position, path: place, "this flag has variants, so its rules must name one",
                    hint: "write variant = \"\(variants.keys.min() ?? "")\"")
                return nil
            }
            guard let found = FlagType(of: value), found == type || type == .number && found == .integer else {
                try findings.add(
                    .invalidFlag, at: position, path: place,
                    "expected a value of type \(type.rawValue), like the default, got \(value.found)")
                return nil
            }
            result = .outcome(FlagSet.Outcome(variant: nil, value: value))
        } else {
            return nil
        }
        return FlagSet.Rule(
            name: rule.name, condition: condition, rollout: rollout, result: result, position: node.position,
            conditionPosition: when?.position)
    }

    /// Reads `{ by = "installID", weights = { { "control", 50 }, { "neural", 50 } } }`.
    private mutating func split(
        _ node: ConfigurationNode, _ variants: [String: FlagSet.Outcome], at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> FlagSet.Split? {
        guard !failedShares.contains(path) else { return nil }
        let definition = SplitDefinition(validated: node.value)
        guard var bucketing = try reader.bucketing(definition, of: node, at: path, into: findings) else { return nil }
        // Unleash spreads variants by another rule than those who take part.
        if bucketing.vendor == .unleash { bucketing.vendor = .unleashVariants }
        let place = path.appending("weights")
        var shares: [(outcome: FlagSet.Outcome, percent: Double)] = []
        for (offset, weight) in definition.weights.enumerated() {
            let inner = place.appending(index: offset + 1)
            guard case .list(let pair) = weight.value, pair.count == 2, let name = pair[0].value.stringValue else {
                return nil  // not in a valid form
            }
            guard let outcome = try outcome(of: name, pair[0], variants, at: inner.appending(index: 1)),
                let percent = try reader.percent(
                    pair[1], bucketing.vendor, at: inner.appending(index: 2), into: findings)
            else { return nil }
            if shares.contains(where: { $0.outcome.variant == name }) {
                try findings.add(
                    .duplicate, at: pair[0].position, path: inner,
                    "the split already has the variant \(name.quotedForMessage)",
                    hint: "add the two percentages")
                return nil
            }
            shares.append((outcome, percent))
        }
        let sum = shares.reduce(0) { $0 + ($1.percent * 1000).rounded() } / 1000
        guard sum <= 100 else {
            try findings.add(
                .invalidWeights, at: node.node(at: "weights")?.position, path: place,
                "the weights add up to \(Rollout.text(sum))", hint: "write percentages that add up to 100 or less")
            return nil
        }
        return FlagSet.Split(bucketing, shares)
    }

    private mutating func slots(
        of definition: FlagDefinition, _ node: ConfigurationNode, _ layers: [String: Bucketing?],
        at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> Rollout? {
        guard let name = definition.layer, let slots = definition.slots else { return nil }
        guard let layer = layers[name] else {
            let (budget, names) = (budget, layers.keys.sorted())
            try findings.add(
                .invalidFlag, at: node.node(at: "layer")?.position, path: path.appending("layer"),
                "unknown layer \(name.quotedForMessage)",
                advice: try Advice.nearest(to: name, in: names, budget: budget)
                    ?? Advice("declare it, as in layers = { \(name) = { by = \"installID\" } }"))
            return nil
        }
        guard let layer else { return nil }  // the layer has a finding
        var ends: [Double] = []
        if case .list(let nodes)? = node.node(at: "slots")?.value {
            for (offset, node) in nodes.enumerated() {
                let place = path.appending("slots").appending(index: offset + 1)
                guard let end = try reader.percent(node, layer.vendor, at: place, into: findings) else { return nil }
                ends.append(end)
            }
        }
        guard ends.count == 2, slots[0] < slots[1] else { return nil }
        return Rollout(layer, percents: ends[0]..<ends[1])
    }
}
