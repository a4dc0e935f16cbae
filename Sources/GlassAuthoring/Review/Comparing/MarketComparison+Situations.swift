import GlassBase
import GlassMarkets
import GlassSchema

/// The comparison of what depends on the situation.
extension MarketComparison {
    /// Applies every rule in situations that show other changes than the default one, and compares flags,
    /// conditions and overlays.
    mutating func compareSituations() throws {
        let haveFlags = !base.flags.set.isEmpty || !head.flags.set.isEmpty
        guard haveFlags || base.dependsOnSituation || head.dependsOnSituation else { return }
        do {
            let space = try space()
            compareFlags(in: space)
            guard let space else {
                notices.append("\(id): its conditions are too many to compare every situation")
                return
            }
            reportConditions(in: space)
            reportOverlays(in: space)
            let (contexts, isComplete) = try situations(in: space)
            if !isComplete {
                notices.append(
                    "\(id): values differ in more than \(contexts.count) situations; the rest was not compared")
            }
            var known = Set(drafts.map(\.identity))
            for context in contexts { try compare(in: context, besides: &known) }
        } catch let error as WorkBudget.Exceeded {
            notices.append("\(id): \(error), so that not every situation was compared")
        }
    }

    /// Applies the rules in a situation. Reports the changes that no other situation has shown.
    private mutating func compare(in context: MarketContext, besides known: inout Set<PendingChange.Identity>) throws {
        let situation = MarketSituation(context)
        let sides: (older: Market, newer: Market)
        do {
            sides = (try base.read(in: situation), try head.read(in: situation))
        } catch {
            notices.append("\(id): not compared when \(context): \(error.findings.first?.message ?? "it has errors")")
            return
        }
        var inner = MarketComparison(sides.older, sides.newer, reviewer: reviewer, budget: budget)
        _ = try inner.run([], within: .zero) { _ in }
        for draft in inner.drafts where known.insert(draft.identity).inserted { add(draft.shown(in: context)) }
    }

    // MARK: Situations

    /// The situations that the conditions of both sides distinguish; nil if they exceed a limit.
    private func space() throws -> ConditionSpace? {
        var attributes = head.attributes
        let names = Set(attributes.map(\.name))
        attributes += base.attributes.filter { !names.contains($0.name) }
        var conditions: [Condition] = []
        for case let side? in [base.origin.situations, head.origin.situations] {
            conditions += side.deciding + side.conditions.values + side.fragments.map(\.condition)
            conditions += side.flags.inOrder.flatMap { $0.rules.map(\.condition) }
        }
        do throws(ConditionLimit) {
            return try ConditionSpace(attributes: attributes, conditions: conditions)
        } catch {
            return nil
        }
    }

    /// The values of a key on a side, strongest first.
    private func alternatives(
        at path: ConfigurationPath, _ varied: VariedMarket?, _ market: Market
    ) throws -> [(condition: Condition, value: ConfigurationValue?)] {
        guard let varied else { return [(.always, market.source.node(at: path)?.value)] }
        return try varied.alternatives(at: path, budget: budget).map { ($0.condition, $0.node?.value) }
    }

    private func varied(_ market: Market) throws -> VariedMarket? {
        guard let situations = market.origin.situations else { return nil }
        return try VariedMarket(situations, budget: budget)
    }

    /// Situations such that each pair of different values of a key on the two sides occurs in one of them, or in the
    /// default one.
    private func situations(in space: ConditionSpace) throws -> (contexts: [MarketContext], isComplete: Bool) {
        let (old, new) = (try varied(base), try varied(head))
        var paths: [ConfigurationPath] = []
        var seen: Set<ConfigurationPath> = []
        for path in (old?.variedPaths ?? []) + (new?.variedPaths ?? []) where seen.insert(path).inserted {
            paths.append(path)
        }
        var contexts: [MarketContext] = []
        var complete = [completed(MarketContext())]
        for path in paths {
            let (before, after) = (try alternatives(at: path, old, base), try alternatives(at: path, new, head))
            for (first, one) in before.enumerated() {
                for (second, other) in after.enumerated() where one.value != other.value {
                    try budget.spend(1 + first + second, on: .comparing)
                    let isKnown = complete.contains { context in
                        before.firstIndex { $0.condition.holds(in: context) } == first
                            && after.firstIndex { $0.condition.holds(in: context) } == second
                    }
                    guard !isKnown else { continue }
                    let (holes, others) = (before[..<first].map(\.condition), after[..<second].map(\.condition))
                    guard
                        let context = witness(of: [one.condition, other.condition], outside: holes + others, in: space)
                    else { continue }
                    guard contexts.count < Market.maximumWitnesses else { return (contexts, false) }
                    contexts.append(context)
                    complete.append(completed(context))
                }
            }
        }
        return (contexts, true)
    }

    private func completed(_ context: MarketContext) -> MarketContext {
        (head.origin.situations ?? base.origin.situations)?.completed(context) ?? context
    }

    /// A situation in which all of some conditions hold, and none of others; nil if none was found.
    private func witness(of conditions: [Condition], outside holes: [Condition], in space: ConditionSpace)
        -> MarketContext?
    {
        do throws(ConditionLimit) {
            var boxes = [ConditionBox.everything]
            for condition in conditions { boxes = try space.meet(boxes, try space.boxes(of: condition)) }
            var taken: [ConditionBox] = []
            for hole in holes { taken += try space.boxes(of: hole) }
            guard case .found(let box) = space.witness(in: boxes, outside: taken) else { return nil }
            return space.context(in: box)
        } catch {
            return nil  // a check reports the limit
        }
    }

    // MARK: Conditions and overlays

    private mutating func reportConditions(in space: ConditionSpace) {
        guard let old = base.origin.situations, let new = head.origin.situations else { return }
        for (name, condition) in new.conditions.sorted(by: { $0.key < $1.key }) {
            guard let before = old.conditions[name] else { continue }
            report(
                before, condition, "the condition \(name)", at: ConfigurationPath([.key("conditions"), .key(name)]),
                (old.conditionPositions[name], new.conditionPositions[name]), in: space)
        }
    }

    private mutating func reportOverlays(in space: ConditionSpace) {
        let (old, new) = (overlays(of: base), overlays(of: head))
        // A changed condition with a name is reported once, and not for each overlay that uses it.
        let named = namedConditions
        for name in Set(old.keys).union(new.keys).sorted() {
            let path = ConfigurationPath([.key("overlays"), .key(name)])
            switch (old[name], new[name]) {
            case (let before?, let after?):
                guard !named.contains(where: { $0 == (before.condition, after.condition) }) else { continue }
                report(
                    before.condition, after.condition, "the overlay \(name)", at: path,
                    (before.position, after.position), in: space)
            case (let before?, nil):
                add(
                    PendingChange(
                        .overlayRemoved, market: id, path: path, values: [before.condition.fingerprintText],
                        "the overlay \(name) was removed; it held when \(before.condition)", before: before.position))
            case (nil, let after?):
                add(
                    PendingChange(
                        .overlayAdded, market: id, path: path, values: [after.condition.fingerprintText],
                        "the overlay \(name) is new; it holds when \(after.condition)", after: after.position))
            case (nil, nil): continue
            }
        }
    }

    /// The conditions with a name on both sides.
    var namedConditions: [(Condition, Condition)] {
        let new = head.origin.situations?.conditions
        return (base.origin.situations?.conditions ?? [:]).compactMap { name, condition in
            new?[name].map { (condition, $0) }
        }
    }

    private func overlays(of market: Market) -> [String: (condition: Condition, position: SourcePosition?)] {
        (market.origin.situations?.fragments ?? []).reduce(into: [:]) { overlays, fragment in
            guard let overlay = fragment.overlay else { return }
            overlays[overlay.name] = (fragment.condition, overlay.conditionPosition ?? overlay.position)
        }
    }

    /// Reports a condition that holds in other situations than before.
    mutating func report(
        _ old: Condition, _ new: Condition, _ subject: String, at path: ConfigurationPath,
        _ places: (SourcePosition?, SourcePosition?), in space: ConditionSpace
    ) {
        guard old != new else { return }
        let gained = witness(of: [new], outside: [old], in: space)
        let lost = witness(of: [old], outside: [new], in: space)
        guard gained != nil || lost != nil else { return }
        func place(_ context: MarketContext) -> String { context.values.isEmpty ? "everywhere" : "when \(context)" }
        let parts = [
            gained.map { "now also holds, for example, \(place($0))" },
            lost.map { "no longer holds, for example, \(place($0))" },
        ].compactMap(\.self)
        add(
            PendingChange(
                .conditionChanged, market: id, path: path, values: [old.fingerprintText, new.fingerprintText],
                "\(subject) \(parts.joined(separator: ", and "))", before: places.0, after: places.1))
    }
}
