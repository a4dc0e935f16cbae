import GlassMarkets
import GlassSchema

/// The comparison of flags, which are the same in every situation.
extension MarketComparison {
    /// The keys of a flag that the comparison of keys reports.
    private static let plainKeys: Set<String> = ["kind", "owner", "doc", "track"]

    /// Whether the comparison of flags reports a key.
    func concernsFlag(_ path: ConfigurationPath) -> Bool {
        guard path.elements.first == .key("flags") else { return false }
        // A market without flags has an empty table.
        guard path.elements.count > 2, case .key(let name) = path.elements[1], case .key(let key) = path.elements[2]
        else { return true }
        let areOnBothSides = base.flags.set.flags[name] != nil && head.flags.set.flags[name] != nil
        return !areOnBothSides || !Self.plainKeys.contains(key)
    }

    /// Compares the flags of both sides.
    ///
    /// - Parameter space: The situations that the conditions distinguish; nil if they exceed a limit.
    mutating func compareFlags(in space: ConditionSpace?) {
        let (olds, news) = (base.flags.set, head.flags.set)
        for (name, old) in olds.flags.sorted(by: { $0.key < $1.key }) where news.flags[name] == nil {
            add(
                .flagRemoved, old, nil, values: [old.type.rawValue],
                "the flag \(name) was removed: code that reads it uses its own default")
        }
        for new in news.inOrder {
            guard let old = olds.flags[new.name] else {
                add(.flagAdded, nil, new, values: [new.type.rawValue], "the flag \(new.name) is new")
                continue
            }
            guard old.type == new.type else {
                add(
                    .flagType, old, new, values: [old.type.rawValue, new.type.rawValue],
                    "the flag \(new.name) changed from \(old.type.rawValue) to \(new.type.rawValue): "
                        + "code that reads it uses its own default")
                continue
            }
            let shifts = FlagShift.all(from: FlagSet([old]), to: FlagSet([new]))
            for shift in shifts { report(shift) }
            compareValues(old, new)
            compareRules(old, new, besides: Set(shifts.compactMap(\.rule)), in: space)
        }
    }

    private mutating func add(
        _ rule: ChangeRule, _ old: FlagSet.Flag?, _ new: FlagSet.Flag?, as severity: Change.Severity? = nil,
        key: String? = nil, subject: String = "", values: [String], _ summary: String,
        at positions: (SourcePosition?, SourcePosition?)? = nil
    ) {
        let path = ConfigurationPath([.key("flags"), .key((new ?? old)?.name ?? "")])
        // The position of the key, which is in the file that changed, before that of the flag, which a market can extend.
        let ofKey = [base, head].map { market in key.flatMap { market.source.node(at: path.appending($0))?.position } }
        let isKeyWritten = ofKey.contains { $0 != nil }
        let places = positions ?? (isKeyWritten ? (ofKey[0], ofKey[1]) : (old?.position, new?.position))
        add(
            PendingChange(
                rule, severity, market: id, path: key.map(path.appending) ?? path, subject: subject, values: values,
                summary, before: places.0, after: places.1))
    }

    private mutating func report(_ shift: FlagShift) {
        let rule: ChangeRule = shift.rebucketing == nil ? .flagMoved : .flagRebucketed
        // Recorded fingerprints contain `10 %` with a space. The names of variants contain no such sign.
        let shares = [shift.before, shift.after].map { $0.replacing("%", with: " %") }
        add(
            PendingChange(
                rule, shift.takesAway ? nil : .note, market: id,
                path: ConfigurationPath([.key("flags"), .key(shift.flag)]), subject: shift.rule ?? "",
                values: shares + [shift.rebucketing ?? ""], "\(shift.subject): \(shift.text)",
                before: shift.oldPosition, after: shift.newPosition))
    }

    private mutating func compareValues(_ old: FlagSet.Flag, _ new: FlagSet.Flag) {
        func written(_ outcome: FlagSet.Outcome) -> String { outcome.variant ?? outcome.value.written }
        if written(old.fallback) != written(new.fallback) {
            add(
                .flagDefault, old, new, key: "default", values: [written(old.fallback), written(new.fallback)],
                "the default of the flag \(new.name) changed from \(written(old.fallback)) to \(written(new.fallback))")
        }
        for name in Set(old.variants.keys).union(new.variants.keys).sorted() {
            let (was, now) = (old.variants[name]?.value.written, new.variants[name]?.value.written)
            guard was != now else { continue }
            add(
                .flagRule, old, new, as: was == nil ? .note : nil, key: "variants", subject: name,
                values: [was ?? "", now ?? ""],
                "the variant \(name) of the flag \(new.name) "
                    + (was == nil
                        ? "is new, \(now ?? "")"
                        : now == nil ? "was removed" : "changed from \(was ?? "") to \(now ?? "")"))
        }
        if old.definition.enabled != new.definition.enabled {
            add(
                .flagRule, old, new, key: "enabled", values: ["\(new.definition.enabled)"],
                "the rules of the flag \(new.name) \(new.definition.enabled ? "apply again" : "no longer apply")")
        }
        if (old.slots == nil) != (new.slots == nil) {
            let layer = new.definition.layer ?? old.definition.layer ?? ""
            add(
                .flagRule, old, new, key: "layer", values: [layer],
                "the flag \(new.name) \(new.slots == nil ? "left" : "is now in") the layer \(layer)")
        }
        let (was, now) = (old.definition.expires, new.definition.expires)
        guard was != now else { return }
        // A date is written such that the order of the texts is that of the days.
        let isEarlier = now.map { now in was.map { now < $0 } ?? true } ?? false
        add(
            isEarlier ? .flagExpiresEarlier : .flagExpiresLater, old, new, key: "expires",
            values: [was ?? "", now ?? ""],
            "the flag \(new.name) expires \(isEarlier ? "earlier" : "later"): \(was ?? "never") → \(now ?? "never")")
    }

    private mutating func compareRules(
        _ old: FlagSet.Flag, _ new: FlagSet.Flag, besides moved: Set<String>, in space: ConditionSpace?
    ) {
        func result(_ rule: FlagSet.Rule) -> String {
            switch rule.result {
            case .outcome(let outcome): outcome.variant ?? outcome.value.written
            case .split(let split): split.shares.map { $0.outcome.variant ?? "" }.joined(separator: " or ")
            }
        }
        func text(_ rule: FlagSet.Rule, _ words: (Condition) -> String) -> String {
            let condition = rule.wholeCondition
            return "\(result(rule)) \(condition == .always ? "everywhere" : "when \(words(condition))")"
        }
        func text(_ rule: FlagSet.Rule) -> String { text(rule, \.description) }
        func fingerprintText(_ rule: FlagSet.Rule) -> String { text(rule, \.fingerprintText) }
        let olds = Dictionary(old.rules.map { ($0.name, $0) }) { first, _ in first }
        let news = Dictionary(new.rules.map { ($0.name, $0) }) { first, _ in first }
        for rule in old.rules where news[rule.name] == nil {
            add(
                .flagRule, old, new, key: "rules", subject: rule.name, values: ["-", fingerprintText(rule)],
                "\(new.name) no longer has the rule \(rule.name): \(text(rule))", at: (rule.position, nil))
        }
        for rule in new.rules {
            guard let was = olds[rule.name] else {
                add(
                    .flagRule, old, new, key: "rules", subject: rule.name, values: ["+", fingerprintText(rule)],
                    "\(new.name) has the new rule \(rule.name): \(text(rule))", at: (nil, rule.position))
                continue
            }
            if !moved.contains(rule.name), result(was) != result(rule) {
                add(
                    .flagRule, old, new, key: "rules", subject: rule.name, values: [result(was), result(rule)],
                    "\(new.name), rule \(rule.name): gives \(result(rule)) instead of \(result(was))",
                    at: (was.position, rule.position))
            }
            // A changed condition with a name is reported once, and not for each rule that uses it.
            guard let space, !namedConditions.contains(where: { $0 == (was.condition, rule.condition) }) else {
                continue
            }
            let path = ConfigurationPath([.key("flags"), .key(new.name), .key("rules")])
            report(
                was.condition, rule.condition, "the rule \(rule.name) of the flag \(new.name)", at: path,
                (was.conditionPosition ?? was.position, rule.conditionPosition ?? rule.position), in: space)
        }
        let (before, after) = (
            old.rules.map(\.name).filter { news[$0] != nil }, new.rules.map(\.name).filter { olds[$0] != nil }
        )
        if before != after {
            add(
                .flagRule, old, new, key: "rules", subject: "order", values: after,
                "the rules of the flag \(new.name) are in another order: \(after.joined(separator: ", "))")
        }
    }
}
