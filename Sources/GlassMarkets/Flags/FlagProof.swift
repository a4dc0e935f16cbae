import GlassBase
import GlassSchema

/// Checks the flags of a market in every situation.
///
/// Each flag is proven by itself, so that the work grows with the number of flags, and each may have shares of its own.
/// A rule is judged where it is written: the rules of a base market are not reported in each market that extends it.
struct FlagProof {
    private let findings: FindingList
    private let flags: FlagSet
    private let ownFile: String?
    private let now: ContextDate?
    private let attributes: [ContextAttribute]
    private let budget: WorkBudget

    init(of situations: SituationRules, now: ContextDate?, findings: FindingList, budget: WorkBudget) {
        self.findings = findings
        self.now = now
        self.budget = budget
        flags = situations.flags
        ownFile = situations.start?.file
        attributes = situations.attributes
    }

    /// Adds the findings.
    func run() throws(WorkBudget.Exceeded) {
        for flag in flags.inOrder {
            try budget.spend(on: .proving)
            try checkLife(of: flag)
            try proving(flag) { space throws(ConditionLimit) in try checkRules(of: flag, in: space) }
        }
        try checkLayers()
    }

    /// Proves something about a flag, whose limits are findings.
    private func proving(
        _ flag: FlagSet.Flag, and other: FlagSet.Flag? = nil,
        _ body: (ConditionSpace) throws(ConditionLimit) -> Void
    ) throws(WorkBudget.Exceeded) {
        do throws(ConditionLimit) {
            try body(
                ConditionSpace(
                    attributes: attributes, conditions: flag.conditions + (other?.conditions ?? []), budget: budget))
        } catch {
            if let exceeded = budget.exceeded { throw exceeded }
            try findings.add(
                .tooManySituations, at: flag.position, path: path(flag), "\(error)",
                hint: "divide the flag or one of its conditions")
        }
    }

    private func isOwn(_ position: SourcePosition?) -> Bool { position?.file == ownFile }

    private func path(_ flag: FlagSet.Flag) -> ConfigurationPath {
        ConfigurationPath([.key("flags"), .key(flag.name)])
    }

    // MARK: Life

    private func checkLife(of flag: FlagSet.Flag) throws(WorkBudget.Exceeded) {
        // A market that only changes a flag is not reported: the market that declares it is.
        guard isOwn(flag.position), flag.isDeclared else { return }
        if flag.definition.owner == nil {
            try findings.add(
                .flagUnowned, severity: .warning, at: flag.position, path: path(flag), "the flag has no owner",
                hint: "set owner to the responsible team, such as owner = \"checkout\"")
        }
        if flag.definition.like == Bucketing.Vendor.launchDarkly.rawValue, flag.definition.salt == nil,
            flag.rules.contains(where: { $0.bucketing?.salt == flag.name })
        {
            try findings.add(
                .invalidFlag, severity: .warning, at: flag.position, path: path(flag).appending("like"),
                "LaunchDarkly buckets users by the flag's key and its salt, so without the salt, "
                    + "everyone is re-bucketed",
                hint: "write salt = \"\(flag.name).8f2b5c1e\", using the salt in the flag's JSON")
        }
        guard let now, let text = flag.definition.expires, let lastDay = ContextLocalDate(text) else { return }
        let over = now.secondsSince1970 - (lastDay.secondsSince1970 + 86_400)
        guard over >= 0 else { return }
        let days = Int(over / 86_400)
        let age = days == 0 ? "today" : days == 1 ? "1 day ago" : "\(days.grouped) days ago"
        try findings.add(
            .flagExpired, severity: .warning, at: flag.position, path: path(flag).appending("expires"),
            "the flag expired \(age)" + (flag.definition.owner.map { "; its owner is \($0)" } ?? ""),
            hint: "remove it from the code and from the market, or change expires")
    }

    // MARK: Rules

    private func checkRules(of flag: FlagSet.Flag, in space: ConditionSpace) throws(ConditionLimit) {
        var taken: [ConditionBox] = []
        for (index, rule) in flag.rules.enumerated() {
            let boxes = try space.boxes(of: rule.wholeCondition)
            defer { taken += boxes }
            guard isOwn(rule.position) else { continue }
            let path = path(flag).appending("rules").appending(index: index + 1)
            if boxes.isEmpty {
                // A share of 0% is how a rollout is stopped, or prepared. It has a note where it is read.
                guard try space.boxes(of: rule.condition).isEmpty else { continue }
                let condition = rule.condition
                let missing = condition.missingLocale(in: attributes)
                append(
                    Finding(
                        .neverHolds, at: rule.conditionPosition ?? rule.position, path: path, subject: rule.name,
                        missing?.message ?? "this condition can never be true: \(condition)",
                        hint: missing?.hint ?? "correct it, or remove the rule"))
            } else if case .none = space.witness(in: boxes, outside: taken) {
                let above = index == 1 ? "the rule above matches" : "the rules above match"
                if index < flag.rules.count - 1,
                    case .none = space.witness(in: try space.boxes(of: .always), outside: taken)
                {
                    // All rules that are left have the same cause.
                    let names = flag.rules[index...].map(\.name).inProse()
                    let isWide = flag.rules[..<index].contains { $0.wholeCondition == .always }
                    return append(
                        Finding(
                            .unreachable, at: rule.position, path: path, subject: rule.name,
                            "\(above) in every situation, so \(names) never match",
                            hint: isWide
                                ? "move the rule that has no condition to the end, or give it a condition"
                                : "remove them, or narrow the rules above"))
                }
                append(
                    Finding(
                        .unreachable, at: rule.position, path: path, subject: rule.name,
                        "\(above) in every situation in which \(rule.name) does", hint: "move it up, or remove it"))
            } else {
                if index == flag.rules.count - 1 { checkEffect(of: rule, in: flag, at: path) }
                checkUnit(of: rule, at: path)
            }
        }
    }

    private func append(_ finding: Finding) { findings.append(finding) }

    /// Warns of a last rule that gives what everybody else gets.
    private func checkEffect(of rule: FlagSet.Rule, in flag: FlagSet.Flag, at path: ConfigurationPath) {
        guard case .outcome(let outcome) = rule.result, outcome == flag.fallback else { return }
        append(
            Finding(
                .noEffect, severity: .warning, at: rule.position, path: path, subject: rule.name,
                "\(rule.name) is the last rule and returns the default, so it has no effect",
                hint: flag.rules.count == 1
                    ? "remove it, or change its value"
                    : "move it above the rules that should not apply in its situations, or remove it"))
    }

    /// Warns of a share of people in which somebody without an account may be, too: at sign-in, the unit changes.
    private func checkUnit(of rule: FlagSet.Rule, at path: ConfigurationPath) {
        func attribute(_ name: String) -> ContextAttribute? { attributes.first { $0.name == name } }
        guard let name = rule.unit, let unit = attribute(name), unit.isPersonal, !unit.isAlwaysPresent else { return }
        // A condition about the person says that people without an account are left out on purpose.
        if rule.condition.attributes.contains(where: { attribute($0)?.isPersonal == true }) { return }
        append(
            Finding(
                .unitAtSignIn, severity: .warning, at: rule.position, path: path, subject: rule.name,
                "\(name) has no value before sign-in, so people can get a different value when they sign in",
                hint: "write by = \"installID\", or when = { signedIn = true } if only people with an account take part"
            ))
    }

    // MARK: Layers

    /// Reports flags that take the same slots of a layer in a situation in which both have a rule that holds.
    private func checkLayers() throws(WorkBudget.Exceeded) {
        let slotted = flags.inOrder.filter { $0.slots != nil && $0.definition.enabled }
        for (index, first) in slotted.enumerated() {
            for second in slotted[..<index] {
                try budget.spend(on: .proving)
                // The finding is at a flag of the market's own file.
                let (later, earlier) = isOwn(first.position) ? (first, second) : (second, first)
                guard let one = earlier.slots, let two = later.slots, one.bucketing == two.bucketing,
                    one.percents.overlaps(two.percents), isOwn(later.position)
                else { continue }
                let shared =
                    max(
                        one.percents.lowerBound, two.percents.lowerBound)..<min(
                        one.percents.upperBound, two.percents.upperBound)
                try proving(later, and: earlier) { space throws(ConditionLimit) in
                    try checkSlots(of: later, and: earlier, shared, in: space)
                }
            }
        }
    }

    private func checkSlots(
        of later: FlagSet.Flag, and earlier: FlagSet.Flag, _ shared: Range<Double>, in space: ConditionSpace
    ) throws(ConditionLimit) {
        var boxes = [ConditionBox.everything]
        for flag in [later, earlier] {
            guard let slots = flag.slots else { return }
            boxes = try space.meet(boxes, try space.boxes(of: .rollout(slots)))
            var own: [ConditionBox] = []
            for rule in flag.rules { own += try space.boxes(of: rule.wholeCondition) }
            boxes = try space.meet(boxes, own)
        }
        guard let witness = boxes.first else { return }
        var finding = Finding(
            .layerOverlap, at: later.position, path: path(later).appending("slots"), subject: earlier.name,
            "\(earlier.name) and \(later.name) both use the slots from \(Rollout.text(shared.lowerBound)) to "
                + "\(Rollout.text(shared.upperBound)) of the layer \(later.definition.layer ?? "")",
            hint: "give each flag its own slots, or mutually exclusive conditions")
        finding.related = earlier.position.map { [Finding.RelatedPosition($0, ofClashWith: earlier.name)] } ?? []
        finding.situation = space.context(in: witness)
        append(finding)
    }
}

extension FlagSet.Flag {
    /// The conditions of the rules, and the share of the slots.
    fileprivate var conditions: [Condition] {
        rules.map(\.wholeCondition) + (slots.map { [.rollout($0)] } ?? [])
    }
}

extension SituationProof {
    func checkFlags() throws(WorkBudget.Exceeded) {
        guard !situations.flags.isEmpty else { return }
        try FlagProof(of: situations, now: now, findings: findings, budget: budget).run()
    }
}
