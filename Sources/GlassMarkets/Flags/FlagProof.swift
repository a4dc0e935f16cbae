import GlassBase
import GlassSchema

/// Checks the flags of a market in every situation.
///
/// A rule is judged where it is written, so that the rules of a base market are not reported in each market that extends
/// it.
struct FlagProof {
    private(set) var findings: FindingList
    private let flags: FlagSet
    private let space: SituationSpace
    private let walk: SituationWalk
    private let ownFile: String?
    private let now: ContextDate?
    private let attributes: [String: ContextAttribute]

    init(
        of situations: MarketSituations, space: SituationSpace, now: ContextDate?, findings: FindingList,
        budget: WorkBudget
    ) {
        self.findings = findings
        self.space = space
        self.now = now
        walk = SituationWalk(space: space, budget: budget)
        flags = situations.flags
        ownFile = situations.start?.file
        attributes = Dictionary(situations.attributes.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Adds the findings.
    mutating func run() throws(WorkBudget.Exceeded) {
        for flag in flags.inOrder {
            try checkLife(of: flag)
            try checkRules(of: flag)
        }
        try checkLayers()
    }

    private func isOwn(_ position: SourcePosition?) -> Bool { position?.file == ownFile }

    private func path(_ flag: FlagSet.Flag) -> ConfigurationPath {
        ConfigurationPath([.key("flags"), .key(flag.name)])
    }

    // MARK: Life

    private mutating func checkLife(of flag: FlagSet.Flag) throws(WorkBudget.Exceeded) {
        guard isOwn(flag.position) else { return }
        if flag.definition.owner == nil {
            try findings.add(
                .flagUnowned, severity: .warning, at: flag.position, path: path(flag), "the flag has no owner",
                hint: "write owner = \"checkout\", the team that removes it")
        }
        guard let now, let text = flag.definition.expires, let lastDay = ContextLocalDate(text) else { return }
        let over = now.secondsSince1970 - (lastDay.secondsSince1970 + 86_400)
        guard over >= 0 else { return }
        let days = Int(over / 86_400)
        let age = days == 0 ? "today" : days == 1 ? "1 day ago" : "\(days.grouped) days ago"
        try findings.add(
            .flagExpired, severity: .warning, at: flag.position, path: path(flag).appending("expires"),
            "the flag expired \(age)" + (flag.definition.owner.map { "; its owner is \($0)" } ?? ""),
            hint: "remove it from the code and from the market, or give it a new last day")
    }

    // MARK: Rules

    private mutating func checkRules(of flag: FlagSet.Flag) throws(WorkBudget.Exceeded) {
        var taken: [ConditionBox] = []
        for (index, rule) in flag.rules.enumerated() {
            let boxes = space.boxes(of: rule.wholeCondition)
            defer { taken += boxes }
            guard isOwn(rule.position) else { continue }
            let path = path(flag).appending("rules").appending(index: index + 1)
            if rule.condition == .never || boxes.isEmpty {
                try findings.add(
                    .neverHolds, at: rule.conditionPosition ?? rule.position, path: path, subject: rule.name,
                    "no situation makes this condition true: \(rule.wholeCondition)",
                    hint: "correct it, or remove the rule")
                continue
            }
            if try walk.witness(of: SituationWalk.Region(boxes: boxes, holes: taken)) == nil {
                try findings.add(
                    .unreachable, at: rule.position, path: path, subject: rule.name,
                    "\(index == 1 ? "the rule above takes" : "the rules above take") every situation in which "
                        + "\(rule.name) holds",
                    hint: "move it up, or remove it")
                continue
            }
            try checkUnit(of: rule, boxes, at: path)
        }
    }

    /// Warns of a share of people in which somebody without an account may be, too: at sign-in, the unit changes.
    private mutating func checkUnit(
        of rule: FlagSet.Rule, _ boxes: [ConditionBox], at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) {
        let rollout: Rollout
        switch rule.result {
        case .split(let split): rollout = split.rollout
        case .outcome:
            guard let own = rule.rollout else { return }
            rollout = own
        }
        guard let unit = attributes[rollout.bucketing.unit], unit.isPersonal, !unit.isAlwaysPresent else { return }
        // A condition about the person says that people without an account are left out on purpose.
        let person = rule.condition.attributes.contains { attributes[$0]?.isPersonal == true }
        if person { return }
        try findings.add(
            .unitAtSignIn, severity: .warning, at: rule.position, path: path, subject: rule.name,
            "\(unit.name) is missing until somebody signs in, so that people change sides then",
            hint: "write by = \"installID\", or when = { signedIn = true } if only people with an account take part")
    }

    // MARK: Layers

    /// Reports flags that take the same slots of a layer in a situation in which both have a rule that holds.
    private mutating func checkLayers() throws(WorkBudget.Exceeded) {
        let slotted = flags.inOrder.filter { $0.slots != nil && $0.definition.enabled }
        for (index, first) in slotted.enumerated() {
            for second in slotted[..<index] {
                // The finding is at a flag of the market's own file.
                let (later, earlier) = isOwn(first.position) ? (first, second) : (second, first)
                guard let one = earlier.slots, let two = later.slots, one.bucketing == two.bucketing,
                    one.percents.overlaps(two.percents), isOwn(later.position)
                else { continue }
                var shared = try walk.meet(
                    SituationWalk.Region(boxes: boxes(of: earlier)), SituationWalk.Region(boxes: boxes(of: later)))
                for slots in [one, two] {
                    shared = try walk.meet(shared, SituationWalk.Region(boxes: space.boxes(of: .rollout(slots))))
                }
                guard let witness = try walk.witness(of: shared) else { continue }
                var finding = Finding(
                    .layerOverlap, at: later.position, path: path(later).appending("slots"), subject: earlier.name,
                    "\(earlier.name) and \(later.name) both take the slots from "
                        + "\(Rollout.text(max(one.percents.lowerBound, two.percents.lowerBound))) to "
                        + "\(Rollout.text(min(one.percents.upperBound, two.percents.upperBound))) of the layer "
                        + "\(later.definition.layer ?? "")",
                    hint: "give each flag slots of its own, or conditions that exclude each other")
                finding.related =
                    earlier.position.map { [Finding.RelatedPosition($0, ofClashWith: earlier.name)] } ?? []
                finding.situation = space.context(in: witness)
                findings.append(finding)
            }
        }
    }

    /// The situations in which some rule of a flag holds, regardless of its shares.
    private func boxes(of flag: FlagSet.Flag) -> [ConditionBox] {
        flag.rules.flatMap { space.boxes(of: $0.wholeCondition) }
    }
}

extension SituationProof {
    mutating func checkFlags() throws(WorkBudget.Exceeded) {
        guard !situations.flags.isEmpty else { return }
        var proof = FlagProof(of: situations, space: space, now: now, findings: findings, budget: budget)
        defer { findings = proof.findings }
        try proof.run()
    }
}
