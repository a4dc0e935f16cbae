import GlassBase
package import GlassSchema

/// Who gets something else because the shares of a flag changed.
package struct FlagShift: Sendable, Hashable {
    /// The units that go from one variant to another.
    package struct Move: Sendable, Hashable {
        /// What they had; nil if the rule gave them nothing.
        package let from: String?
        /// What they get; nil if the rule gives them nothing.
        package let to: String?
        /// Their share of all units, in percent.
        package let percent: Double
    }

    /// The name of the flag.
    package let flag: String
    /// The name of the rule; nil for the slots of the flag in its layer.
    package let rule: String?
    /// The shares before: `10%`, `control 50%, neural 50%`.
    package let before: String
    /// The shares after.
    package let after: String
    /// The units that move; empty if all are spread anew.
    package let moves: [Move]
    /// Why every unit gets another position; nil if all keep theirs.
    package let rebucketing: String?
    /// Where the shares were written.
    package let oldPosition: SourcePosition?
    /// Where the shares are written.
    package let newPosition: SourcePosition?

    /// Whether somebody loses what the rule gave, or gets another variant.
    package var takesAway: Bool { rebucketing != nil || moves.contains { $0.from != nil } }

    /// The flag, and the rule or the layer: `newCheckout, rule ramp`.
    package var subject: String { "\(flag), \(rule.map { "rule \($0)" } ?? "its slots")" }

    /// Who moves: `10% → 25%: 15% gain, none lose`.
    package var text: String {
        if let rebucketing { return "everyone is re-bucketed because \(rebucketing)" }
        func sum(_ isCounted: (Move) -> Bool) -> String? {
            let moved = moves.filter(isCounted).reduce(0) { $0 + ($1.percent * 1000).rounded() } / 1000
            return moved == 0 ? nil : Rollout.text(moved)
        }
        let changes = moves.filter { $0.from != nil && $0.to != nil }.map { move in
            "\(Rollout.text(move.percent)) change from \(move.from ?? "") to \(move.to ?? "")"
        }
        let gain = sum { $0.from == nil }
        let loss = sum { $0.to == nil }
        let ends =
            gain == nil && loss == nil && !changes.isEmpty
            ? [] : ["\(gain ?? "none") gain", "\(loss ?? "none") lose"]
        return "\(before) → \(after): \((changes + ends).joined(separator: ", "))"
    }
}

extension FlagShift {
    /// What the changes between two versions of a market's flags move, by flag and rule. Only rules that both have, by
    /// name, are compared.
    package static func all(from before: FlagSet, to after: FlagSet) -> [FlagShift] {
        after.inOrder.flatMap { new -> [FlagShift] in
            guard let old = before.flags[new.name] else { return [] }
            var shifts: [FlagShift] = []
            if let was = old.slots, let now = new.slots {
                shifts += [
                    FlagShift(
                        new.name, rule: nil, Shares(slots: was), Shares(slots: now), (old.position, new.position))
                ].compactMap(\.self)
            }
            let olds = Dictionary(old.rules.map { ($0.name, $0) }) { first, _ in first }
            for rule in new.rules {
                guard let was = olds[rule.name] else { continue }
                let shift = FlagShift(
                    new.name, rule: rule.name, Shares(of: was), Shares(of: rule), (was.position, rule.position))
                if let shift { shifts.append(shift) }
            }
            return shifts
        }
    }

    /// The shares of a rule.
    private struct Shares {
        let bucketing: Bucketing?
        let shares: [(variant: String?, share: Int)]
        let text: String

        init(of rule: FlagSet.Rule) {
            switch rule.result {
            case .split(let split):
                bucketing = split.bucketing
                shares = split.shares.map { ($0.outcome.variant, Self.thousandths($0.percent)) }
                text = split.shares.map { "\($0.outcome.variant ?? "") \(Rollout.text($0.percent))" }
                    .joined(separator: ", ")
            case .outcome(let outcome):
                bucketing = rule.rollout?.bucketing
                let percent = rule.rollout?.percents.upperBound ?? 100
                shares = [(outcome.variant ?? outcome.value.summary, Self.thousandths(percent))]
                text = rule.rollout == nil ? "everybody" : Rollout.text(percent)
            }
        }

        init(slots: Rollout) {
            let (start, end) = (slots.percents.lowerBound, slots.percents.upperBound)
            bucketing = slots.bucketing
            shares = [(nil, Self.thousandths(start)), ("", Self.thousandths(end) - Self.thousandths(start))]
            text = "\(Rollout.text(start)) to \(Rollout.text(end))"
        }

        private static func thousandths(_ percent: Double) -> Int { Int((percent * 1000).rounded()) }
    }

    /// Creates the shift between two lists of shares; nil if nobody moves.
    private init?(
        _ flag: String, rule: String?, _ old: Shares, _ new: Shares, _ positions: (SourcePosition?, SourcePosition?)
    ) {
        // A rule for everybody that gives something else is a change of what it gives.
        if old.bucketing == nil, new.bucketing == nil { return nil }
        var reasons: [String] = []
        if let was = old.bucketing, let now = new.bucketing {
            let pairs: [(String, String?, String?)] = [
                ("the unit", was.unit, now.unit), ("salt", was.salt.quotedForMessage, now.salt.quotedForMessage),
                ("like", was.vendor?.rawValue, now.vendor?.rawValue),
            ]
            reasons = pairs.filter { $0.1 != $0.2 }.map { name, was, now in
                "\(name) changed from \(was ?? "none") to \(now ?? "none")"
            }
        }
        let moved = reasons.isEmpty ? ShareShift.thousandths(from: old.shares, to: new.shares) : [:]
        guard !moved.isEmpty || !reasons.isEmpty else { return nil }
        self.init(
            flag: flag, rule: rule, before: old.text, after: new.text,
            moves: moved.map { Move(from: $0[0], to: $0[1], percent: Double($1) / 1000) }
                .sorted { ($0.from ?? "", $0.to ?? "") < ($1.from ?? "", $1.to ?? "") },
            rebucketing: reasons.isEmpty ? nil : reasons.joined(separator: " and "), oldPosition: positions.0,
            newPosition: positions.1)
    }
}
