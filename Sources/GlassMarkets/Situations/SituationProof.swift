import GlassBase
import GlassDeepLinking
import GlassSchema

/// Checks a market in every situation, not only in the one that it is read in.
///
/// Each alternative is checked by itself, each rule over the combinations of the keys that it reads, and routes over the
/// situations that two of them share. So the work grows with what varies together, not with the number of situations.
struct SituationProof {
    let findings: FindingList
    let situations: SituationRules
    private let schema: MarketSchema
    private let space: SituationSpace
    private let root: ConfigurationNode
    private let isComplete: Bool
    private let place: MarketAssembly.SourceLocator
    let budget: WorkBudget
    private let attributes: [String: ContextAttribute]
    let now: ContextDate?
    private var walk: SituationWalk
    private let order: LayerOrder
    /// The errors of the routes in the situation of a command without `--context`; nil until another situation has one.
    private var linksByDefault: [Finding]?

    init(
        of situations: SituationRules, root: ConfigurationNode, space: SituationSpace, schema: MarketSchema,
        order: LayerOrder, reading: MarketAssembly.Reading, findings: FindingList, budget: WorkBudget
    ) {
        self.situations = situations
        self.root = root
        self.space = space
        self.schema = schema
        self.order = order
        isComplete = reading.isComplete
        now = reading.now
        self.findings = findings
        self.budget = budget
        place = reading.place
        attributes = Dictionary(situations.attributes.map { ($0.name, $0) }) { first, _ in first }
        walk = SituationWalk(space: space, budget: budget)
    }

    /// Adds the findings.
    ///
    /// - Parameter secrets: Looks up the value of a secret, for warnings about secrets that are not set.
    mutating func run(secrets: (String) -> String?, within prefixes: SecretPrefixes) throws(WorkBudget.Exceeded) {
        try checkConditions()
        try checkOverlays()
        try checkFlags()
        var varied: [(path: ConfigurationPath, value: VariedValue)] = []
        root.visit(.alternatives) { visited in
            if case .varied(let value) = visited.node.value { varied.append((visited.path, value)) }
            return visited.node.isVaried
        }
        for (path, value) in varied {
            try checkPace(of: value, at: path)
            try checkAlternatives(of: value, at: path, secrets: secrets, within: prefixes)
        }
        try checkRules(varied.map(\.path))
        try checkRoutables()
    }
}

// MARK: Conditions

extension SituationProof {
    /// Reports the conditions of the market's own file that never hold, and those that are over.
    private mutating func checkConditions() throws(WorkBudget.Exceeded) {
        for fragment in situations.fragments where fragment.file == situations.ownFile {
            if let overlay = fragment.overlay, let position = overlay.conditionPosition {
                let path = ConfigurationPath([.key("overlays"), .key(overlay.name)])
                _ = try check(fragment.condition, at: position, path)
            }
            var values: [(VariedValue, ConfigurationPath)] = []
            fragment.node.forEachVaried { values.append(($0, $1)) }
            for (value, path) in values {
                var taken: [ConditionBox] = []
                for (offset, alternative) in value.alternatives.enumerated() where alternative.condition != .always {
                    let boxes = space.boxes(of: alternative.condition)
                    let holds = try check(alternative.condition, at: alternative.position, path)
                    if holds, offset > 0, try !isReachable(boxes, outside: taken) {
                        let others = offset == 1 ? "the alternative above covers" : "the alternatives above cover"
                        try findings.add(
                            .unreachable, at: alternative.position, path: path, subject: "\(offset + 1)",
                            "\(others) every situation in which \(alternative.condition) holds",
                            hint: "move it up, or remove it")
                    }
                    taken += boxes
                }
            }
        }
    }

    /// Whether a condition can hold. Reports one that cannot, or that is over.
    private mutating func check(
        _ condition: Condition, at position: SourcePosition?, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> Bool {
        // `when = false` is how a market turns an overlay off.
        guard condition != .never, condition != .always else { return condition == .always }
        guard !space.boxes(of: condition).isEmpty else {
            if case .locale(let locales)? = attributes["locale"]?.type,
                let missing = condition.missingLocale(in: [attributes["locale"]].compactMap(\.self))
            {
                // A locale that is written wrongly is reported where the market lists it.
                guard locales.allSatisfy(StringFormat.locale.matches) else { return false }
                try findings.add(.neverHolds, at: position, path: path, missing.message, hint: missing.hint)
                return false
            }
            try findings.add(
                .neverHolds, at: position, path: path, "this condition can never be true: \(condition)",
                hint: condition.hasReversedRange
                    ? "its range ends before it begins: check both bounds, or swap them"
                    : "correct it, or remove what depends on it")
            return false
        }
        guard let now else { return true }
        // Half a day behind UTC is where each date ends last.
        let lastClock = ContextLocalDate(secondsSince1970: now.secondsSince1970 - 12 * 3600)
        if condition.attributes.contains("date") && space.boxes(of: condition, since: now).isEmpty
            || condition.hasEnded(onClock: lastClock)
        {
            try findings.add(
                .dateOver, severity: .warning, at: position, path: path,
                "this condition can no longer be true: \(condition)",
                hint: "remove what depends on it, or change the date")
        }
        return true
    }

    private func isReachable(
        _ boxes: [ConditionBox], outside holes: [ConditionBox]
    ) throws(WorkBudget.Exceeded) -> Bool {
        try walk.witness(of: SituationWalk.Region(boxes: boxes, holes: holes)) != nil
    }
}

// MARK: Overlays

extension SituationProof {
    /// A key that an overlay of the market's own file sets.
    private struct Setting {
        let overlay: SituationRules.Overlay
        let condition: Condition
        let boxes: [ConditionBox]
        let node: ConfigurationNode
    }

    /// Reports the keys of overlays that no situation takes, and those about which two overlays disagree.
    private mutating func checkOverlays() throws(WorkBudget.Exceeded) {
        var settings: [ConfigurationPath: [Setting]] = [:]
        // Strongest first.
        for fragment in situations.fragments.reversed() where fragment.file == situations.ownFile {
            guard let overlay = fragment.overlay else { continue }
            let boxes = space.boxes(of: fragment.condition)
            guard !boxes.isEmpty else { continue }
            fragment.node.forEachLeaf { node, path in
                settings[path, default: []].append(
                    Setting(overlay: overlay, condition: fragment.condition, boxes: boxes, node: node))
            }
        }
        for (path, all) in settings.sorted(by: { $0.key.description < $1.key.description }) where all.count > 1 {
            for (index, weaker) in all.enumerated().dropFirst() {
                try budget.spend(index, on: .proving)
                // What only adds to a list, or depends on more itself, takes nothing from what is below.
                // Of two overlays with one name, the name has a finding.
                let stronger = all[..<index].filter {
                    !$0.node.value.isDirective && !$0.node.value.isVaried && $0.overlay.name != weaker.overlay.name
                }
                guard try isReachable(weaker.boxes, outside: stronger.flatMap(\.boxes)) else {
                    try findings.add(
                        .unreachable, at: weaker.node.position, path: path, subject: weaker.overlay.name,
                        "the \(stronger.count == 1 ? "overlay" : "overlays") \(stronger.map(\.overlay.name).inProse()) "
                            + "above \(stronger.count == 1 ? "sets" : "set") this key in every situation in which "
                            + "\(weaker.overlay.name) holds",
                        hint: "move \(weaker.overlay.name) up, or remove this key from it")
                    continue
                }
                for other in stronger { try checkOverlap(other, weaker, at: path) }
            }
        }
    }

    private mutating func checkOverlap(
        _ stronger: Setting, _ weaker: Setting, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        guard stronger.node.value != weaker.node.value, !stronger.overlay.beats.contains(weaker.overlay.name),
            // A more exact condition above a wider one is how an exception is written.
            try isReachable(stronger.boxes, outside: weaker.boxes),
            try isReachable(weaker.boxes, outside: stronger.boxes)
        else { return }
        let shared = try walk.meet(
            SituationWalk.Region(boxes: stronger.boxes), SituationWalk.Region(boxes: weaker.boxes))
        guard let witness = try walk.witness(of: shared) else { return }
        var finding = Finding(
            .overlap, severity: .warning, at: stronger.node.position, path: path,
            subject: "\(stronger.overlay.name) \(weaker.overlay.name)",
            "the overlays \(stronger.overlay.name) and \(weaker.overlay.name) can both hold, and set this key "
                + "differently: \(stronger.overlay.name) takes precedence because it comes first",
            hint: "if this is intended, write beats = { \"\(weaker.overlay.name)\" } in \(stronger.overlay.name)")
        finding.related =
            weaker.node.position.map {
                [Finding.RelatedPosition($0, ofClashWith: weaker.overlay.name)]
            } ?? []
        finding.situation = space.context(in: witness)
        findings.append(finding)
    }
}

// MARK: Alternatives

extension SituationProof {
    /// Reports conditions on attributes that change more often than a key can follow, once for each attribute.
    private mutating func checkPace(of value: VariedValue, at path: ConfigurationPath) throws(WorkBudget.Exceeded) {
        var reported: Set<String> = []
        // An unknown key has a finding of its own.
        guard schema.declaration.type(at: path) != nil else { return }
        let own = schema.declaration.pace(at: path)
        for alternative in value.alternatives where alternative.condition != .always {
            var slowest = (pace: own, path: path)
            if case .map? = alternative.node?.value {
                alternative.node?.forEachLeaf(at: path) { _, inner in
                    guard schema.declaration.type(at: inner) != nil else { return }
                    let pace = schema.declaration.pace(at: inner)
                    if pace < slowest.pace { slowest = (pace, inner) }
                }
            }
            if slowest.pace == .live { continue }
            for name in alternative.condition.attributes.sorted() {
                guard let attribute = attributes[name], attribute.pace > slowest.pace || attribute.isPersonal,
                    reported.insert("\(slowest.path) \(name)").inserted
                else { continue }
                let (reason, hint) =
                    switch slowest.pace {
                    case .fixed: ("is the same in every situation", "write a single value")
                    case .build:
                        (
                            "is part of the built app or of its sites",
                            "use only attributes that are known when the app is built"
                        )
                    case .start, .live:
                        (
                            "is read once at app start",
                            "use only attributes that are known then and are not personal"
                        )
                    }
                try findings.add(
                    .variesTooOften, at: alternative.position ?? alternative.node?.position, path: slowest.path,
                    subject: name, "this key \(reason), so it cannot depend on \(name)", hint: hint)
            }
        }
    }

    /// Checks each alternative of a key by itself.
    private mutating func checkAlternatives(
        of value: VariedValue, at path: ConfigurationPath, secrets: (String) -> String?, within prefixes: SecretPrefixes
    ) throws(WorkBudget.Exceeded) {
        let type = schema.declaration.type(at: path)
        for alternative in value.alternatives {
            guard let node = alternative.node else { continue }
            // A varied value inside a value has its own turn.
            let plain =
                node.resolved { condition, _ in condition == alternative.condition || condition == .always } ?? node
            guard let type else {
                let outer = ConfigurationPath(Array(path.elements.dropLast()))
                var advice: Advice?
                if let key = path.lastKey, let section = schema.declaration.type(at: outer)?.section {
                    // A table at the top that varies is an overlay.
                    let keys = outer.elements.isEmpty ? schema.overlay.keys.map(\.name) : nil
                    advice = try section.advice(forUnknown: key, at: outer, in: keys, budget: budget)
                }
                try findings.add(
                    .unknownKey, at: node.keyPosition ?? node.position, path: path, "unknown key", advice: advice)
                continue
            }
            try ConfigurationValidator.validate(
                plain, as: type, path: path, into: findings, budget: budget, place: place)
            let nested = ConfigurationNode(.map([:])).replacing(
                at: path.elements[...], with: plain.resolvingSecrets(by: secrets))
            try nested.warnOfSecrets(within: prefixes, in: findings, budget: budget)
        }
        guard isComplete else { return }
        try checkGap(of: value, at: path)
    }

    /// Reports situations in which a key has no value but needs one.
    private mutating func checkGap(of value: VariedValue, at path: ConfigurationPath) throws(WorkBudget.Exceeded) {
        guard let last = path.lastKey else { return }
        let outer = ConfigurationPath(Array(path.elements.dropLast()))
        let isRequired = schema.declaration.type(at: outer)?.section?.key(last)?.isRequired == true
        guard isRequired || value.isPerLocale else { return }
        // A locale with an error has its own finding, and is none that a value could have.
        guard !value.isPerLocale || !findings.hasError(relatedTo: "locales") else { return }
        // So has an alternative for a locale that the market does not have: it is meant for one that has no value.
        guard !value.isPerLocale || !value.alternatives.contains(where: { findings.hasUnknownLocale(of: $0) }) else {
            return
        }
        var gap = walk.everything
        var found: ConditionBox?
        var removal: SourcePosition?
        for alternative in value.alternatives {
            if alternative.node == nil {
                var here = try walk.meet(gap, SituationWalk.Region(boxes: alternative.boxes))
                here.holes = gap.holes
                found = try walk.witness(of: here)
                if found != nil {
                    removal = alternative.position
                    break
                }
            }
            gap.holes += alternative.boxes
        }
        if found == nil, value.alternatives.last?.condition != .always { found = try walk.witness(of: gap) }
        guard let found else { return }
        let context = space.context(in: found)
        let position = removal ?? value.alternatives.lazy.compactMap { $0.node?.position }.first
        var message = "this key is required, but has no value in some situations"
        if value.isPerLocale, case .text(let locale)? = context["locale"] { message = "no value for \(locale)" }
        var finding = Finding(
            .notExhaustive, at: position, path: path, message,
            hint: value.isPerLocale
                ? "add a value for it, or default = …" : "add a value for all other situations")
        finding.situation = context
        findings.append(finding)
    }
}

// MARK: Rules

extension SituationProof {
    /// Checks the rules between keys in each combination of the keys that they read.
    private mutating func checkRules(_ varied: [ConfigurationPath]) throws(WorkBudget.Exceeded) {
        var sections: Set<ConfigurationPath> = []
        for path in varied {
            for length in path.elements.indices { sections.insert(ConfigurationPath(Array(path.elements[..<length]))) }
        }
        // Inner sections first: as in one situation, a rule is about sections that are valid themselves.
        let paths = sections.sorted {
            ($1.elements.count, $0.description) < ($0.elements.count, $1.description)
        }
        var failed: [(path: ConfigurationPath, boxes: [ConditionBox])] = []
        for path in paths {
            guard let section = schema.declaration.type(at: path)?.section else { continue }
            for rule in section.rules {
                let reads = rule.reads.map { ConfigurationPath(path.elements + $0.elements) }
                guard reads.contains(where: { read in varied.contains { $0.isRelated(to: read) } }),
                    !reads.contains(where: findings.hasError)
                else { continue }
                let holes = failed.filter { $0.path.elements.starts(with: path.elements) && $0.path != path }
                let boxes = try checkRule(rule, reads, at: path, outside: holes.flatMap(\.boxes))
                // With a warning the section is valid, so the rules around it still apply.
                if !boxes.isEmpty, rule.severity == .error { failed.append((path, boxes)) }
            }
        }
    }

    /// Checks a rule outside the situations that have a finding already.
    ///
    /// - Returns: The boxes of the situations in which it fails.
    private mutating func checkRule(
        _ rule: SectionRule, _ reads: [ConfigurationPath], at path: ConfigurationPath, outside holes: [ConditionBox]
    ) throws(WorkBudget.Exceeded) -> [ConditionBox] {
        var found: [(Finding, SituationWalk.Region)] = []
        var failing: [ConditionBox] = []
        let (space, budget) = (space, budget)
        var walk = walk
        // The rule reads no value with an error, but decodes the section.
        let failed = findings.hasErrors ? findings.pathsWithErrors ?? [] : []
        let isComplete = try walk.forEachCombination(of: root, reading: reads) {
            (tree, region) throws(WorkBudget.Exceeded) in
            try budget.spend(on: .proving)
            var region = region
            region.holes += holes
            guard let box = try SituationWalk(space: space, budget: budget).witness(of: region) else { return }
            let context = space.context(in: box)
            // The keys that the rule does not read have any of their values.
            guard
                var node = tree.node(at: path)?.resolved(at: path, by: { condition, _ in condition.holds(in: context) })
            else { return }
            if !failed.isEmpty {
                var removal = ErrorRemoval(failed: failed, budget: budget)
                node = try removal.rest(of: node, path)
            }
            // The same keys may contradict each other with other values, which is one finding.
            let problems = rule.check(node, path)
            if !problems.isEmpty { failing += region.boxes }
            for finding in problems
            where !found.contains(where: { $0.0.path == finding.path && $0.0.subject == finding.subject }) {
                found.append((finding, region))
            }
        }
        // A warning does not require the market to be written differently.
        if !isComplete, rule.severity == .error { try reportTooMany(at: path) }
        for (finding, region) in found where !findings.contains(finding) {
            // The situation that the market is read in has its findings where the rule reports them.
            try append(order.atChange(finding), in: region)
        }
        return failing
    }

    private mutating func reportTooMany(at path: ConfigurationPath) throws(WorkBudget.Exceeded) {
        try findings.add(
            .tooManySituations, at: root.node(at: path)?.position, path: path,
            "more than \(SituationWalk.maximumCombinations.grouped) combinations of values to check",
            hint: "make fewer keys of this section depend on the situation, or use the same condition for them")
    }

    /// Adds a finding about some situations, unless the situation that the market is read in has it too.
    private mutating func append(_ finding: Finding, in region: SituationWalk.Region) throws(WorkBudget.Exceeded) {
        guard !findings.contains(finding) else { return }
        var finding = finding
        finding.situation = try walk.witness(of: region).map { space.context(in: $0) }
        findings.append(finding)
    }
}

// MARK: Routables

extension SituationProof {
    private static let keys = ["preconditions", "routables"]

    /// Checks each routable in each of its situations, and routes against those that exist in the same situation.
    private mutating func checkRoutables() throws(WorkBudget.Exceeded) {
        guard case .map(let entries) = root.value, case .map(let routables)? = entries["routables"]?.value,
            routables.values.contains(where: \.isVaried) || entries["preconditions"]?.isVaried == true,
            !Self.keys.contains(where: { findings.hasError(relatedTo: ConfigurationPath([.key($0)])) })
        else { return }
        var guards: [RouteDeclaration: [SituationWalk.Region]] = [:]
        for (id, node) in routables.inOrder {
            var tree = ConfigurationNode(
                .map(["routables": ConfigurationNode(.map([id: node]), position: node.position)]),
                position: root.position)
            if let preconditions = entries["preconditions"] {
                tree = tree.replacing(at: [.key("preconditions")], with: preconditions)
            }
            var combinations: [(ConfigurationNode, SituationWalk.Region)] = []
            let isComplete = try walk.forEachCombination(of: tree, reading: [ConfigurationPath()]) {
                (tree, region) throws(WorkBudget.Exceeded) in combinations.append((tree, region))
            }
            if !isComplete { try reportTooMany(at: ConfigurationPath([.key("routables"), .key(id)])) }
            for (tree, region) in combinations {
                for route in try routes(of: tree, region) { guards[route, default: []].append(region) }
            }
        }
        guard !findings.hasError(relatedTo: "routables") else { return }
        try checkRoutes(guards)
    }

    /// Checks the routables of a tree, and returns their routes.
    private mutating func routes(
        of tree: ConfigurationNode, _ region: SituationWalk.Region
    ) throws(WorkBudget.Exceeded) -> [RouteDeclaration] {
        let assembly = assembly(of: tree)
        let routes = try assembly.check()
        for finding in assembly.findings.sorted() { try append(finding, in: region) }
        return routes
    }

    private func assembly(of tree: ConfigurationNode) -> RoutableAssembly {
        let findings = FindingList()
        findings.leaveOut(isComplete ? [] : FindingCode.routablesNeedingBase)
        return RoutableAssembly(
            definition: MarketDefinition(validated: tree.value), source: tree, order: order,
            parts: ErrorFreeValues(tree),
            isComplete: isComplete, schema: schema, place: place, budget: budget, findings: findings)
    }

    /// Finds clashes among the routes of all situations.
    ///
    /// A clash of two routes is one only if they share a situation. Every clashing pair has a later route that the table
    /// of all routes reports, so each of those is compared with the routes before it.
    private mutating func checkRoutes(
        _ guards: [RouteDeclaration: [SituationWalk.Region]]
    ) throws(WorkBudget.Exceeded) {
        let all = guards.keys.sorted { ($0.routableID, $0.index, $0.pattern) < ($1.routableID, $1.index, $1.pattern) }
        let issues: [RouteTableError.Issue]
        do throws(RouteTableError) {
            _ = try RouteTable(all, budget: budget)
            return
        } catch {
            if let exceeded = error.exceeded { throw exceeded }
            issues = error.issues
        }
        var suspects: Set<RouteDeclaration> = []
        var isSlow = false
        for issue in issues {
            switch issue {
            case .conflict(_, let later, _): suspects.insert(later)
            case .tooManyVisits: isSlow = true
            case .pattern, .unreachable, .exceeded: break  // reported with its routable
            }
        }
        var regions: [SituationWalk.Region] = []
        for (index, later) in all.enumerated() where suspects.contains(later) {
            for earlier in all[..<index] {
                try budget.spend(on: .conflicts)
                guard let shared = try sharedRegion(guards[earlier] ?? [], guards[later] ?? []),
                    try clash(earlier, later)
                else { continue }
                regions.append(shared)
            }
        }
        for region in regions { try checkLinks(in: region) }
        // A table of more routes than any situation has may take too long where no situation does.
        if isSlow { try checkEachTable() }
    }

    private func sharedRegion(
        _ one: [SituationWalk.Region], _ two: [SituationWalk.Region]
    ) throws(WorkBudget.Exceeded) -> SituationWalk.Region? {
        for left in one {
            for right in two {
                let shared = try walk.meet(left, right)
                if try walk.witness(of: shared) != nil { return shared }
            }
        }
        return nil
    }

    private func clash(_ one: RouteDeclaration, _ two: RouteDeclaration) throws(WorkBudget.Exceeded) -> Bool {
        do throws(RouteTableError) {
            _ = try RouteTable([one, two], budget: budget)
            return false
        } catch {
            if let exceeded = error.exceeded { throw exceeded }
            return true
        }
    }

    /// Reports what is wrong with the routes of a situation, in the words of a market that is read in it. What is also
    /// wrong by default is reported for that.
    private mutating func checkLinks(in region: SituationWalk.Region) throws(WorkBudget.Exceeded) {
        guard let box = try walk.witness(of: region) else { return }
        let context = space.context(in: box)
        let found = try linkFindings(in: context)
        guard !found.isEmpty else { return }
        let usual: [Finding]
        if let linksByDefault { usual = linksByDefault } else { usual = try linkFindings(in: defaultContext) }
        linksByDefault = usual
        for finding in found {
            if usual.contains(finding) {
                if !findings.contains(finding) { findings.append(finding) }
            } else {
                var finding = finding
                if let overlay = overlayOfRoutes(in: context) {
                    let condition = "\(overlay.condition)"
                    finding.message +=
                        ", while \(overlay.name) holds" + (condition.utf8.count <= 120 ? " (\(condition))" : "")
                }
                try append(finding, in: region)
            }
        }
    }

    /// The errors of the routes in a situation.
    private func linkFindings(in context: MarketContext) throws(WorkBudget.Exceeded) -> [Finding] {
        guard case .map(let entries) = root.value else { return [] }
        let kept = ConfigurationNode(.map(entries.filter { Self.keys.contains($0.key) }), position: root.position)
        let tree = kept.resolved { condition, _ in condition.holds(in: context) } ?? kept
        let assembly = assembly(of: tree)
        _ = try assembly.check()
        return assembly.findings.sorted().filter { $0.severity == .error }
    }

    /// The situation of a command without `--context`.
    private var defaultContext: MarketContext {
        var context = MarketContext()
        if let now { context["date"] = .date(now) }
        return situations.completed(context)
    }

    /// The only overlay with routes that holds in a situation, and not by default.
    private func overlayOfRoutes(in context: MarketContext) -> (name: String, condition: Condition)? {
        let (complete, usual) = (situations.completed(context), defaultContext)
        let overlays = situations.fragments.filter { fragment in
            fragment.overlay != nil && fragment.node.node(at: "routables") != nil
                && fragment.condition.holds(in: complete) && !fragment.condition.holds(in: usual)
        }
        guard overlays.count == 1, let only = overlays.first, let overlay = only.overlay else { return nil }
        return (overlay.name, only.condition)
    }

    private mutating func checkEachTable() throws(WorkBudget.Exceeded) {
        var regions: [SituationWalk.Region] = []
        let isComplete = try walk.forEachCombination(of: root, reading: ["routables"]) {
            (_, region) throws(WorkBudget.Exceeded) in regions.append(region)
        }
        if !isComplete { try reportTooMany(at: "routables") }
        for region in regions { try checkLinks(in: region) }
    }
}

extension FindingList {
    /// Whether an alternative of `perLocale` has a finding about its locale.
    fileprivate func hasUnknownLocale(of alternative: VariedValue.Alternative) -> Bool {
        guard case .test("locale", _) = alternative.condition, let position = alternative.position else { return false }
        return has(.neverHolds, at: position)
    }
}

extension ConfigurationPath {
    /// Whether one of two paths leads to the other's value, or into it.
    fileprivate func isRelated(to other: ConfigurationPath) -> Bool {
        elements.starts(with: other.elements) || other.elements.starts(with: elements)
    }
}

extension Condition {
    /// What is wrong with a condition about locales that the market does not have, and a hint; nil for any other condition.
    func missingLocale(in attributes: [ContextAttribute]) -> (message: String, hint: String)? {
        guard case .test("locale", .within(let ranges)) = self,
            case .locale(let locales)? = attributes.first(where: { $0.name == "locale" })?.type
        else { return nil }
        let near = ranges.lazy.compactMap { Suggestion.nearest(to: $0, in: locales) }.first
        return (
            "the market has no locale \(ranges.map(\.quotedForMessage).inProse("or"))",
            near.map { "did you mean \"\($0)\"?" }
                ?? "its locales are \(locales.map(\.quotedForMessage).joined(separator: ", "))"
        )
    }
}

extension ConfigurationNode {
    /// Calls a closure with each value that is not a map with keys.
    fileprivate func forEachLeaf(
        at path: ConfigurationPath = ConfigurationPath(), _ body: (ConfigurationNode, ConfigurationPath) -> Void
    ) {
        visit([], at: path) { visited in
            if case .map = visited.node.value { return true }
            body(visited.node, visited.path)
            return false
        }
    }
}
