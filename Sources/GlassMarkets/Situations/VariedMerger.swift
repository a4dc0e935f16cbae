import GlassBase
import GlassSchema

/// Merges the files of a market for all situations at once.
///
/// The result is one tree in which each key whose value depends on the situation has its alternatives. In any situation,
/// its alternatives that hold are the values of ``MarketMerger``, which merges what holds there.
struct VariedMerger {
    private var merger: MarketMerger
    private let space: SituationSpace
    private let budget: WorkBudget
    /// The paths of the values with more alternatives than can be checked.
    private(set) var excessive: [ConfigurationPath: SourcePosition?] = [:]

    /// The limit that a combination of conditions exceeded.
    private(set) var limit: ConditionLimit?

    /// A value in some situations.
    private struct Alternative {
        var guarded: Guard
        var node: ConfigurationNode?
        var isPerLocale = false
    }

    /// The situations in which something holds.
    private struct Guard {
        var condition: Condition
        var boxes: [ConditionBox]
        var position: SourcePosition?

        var isAlways: Bool { condition == .always }
    }

    /// The alternatives of a key, strongest first. The last one holds in all other situations.
    private typealias Slot = [Alternative]

    private let always: Guard

    init(schema: SectionDeclaration, space: SituationSpace, findings: FindingList, budget: WorkBudget) {
        merger = MarketMerger(schema: schema, findings: findings, budget: budget)
        self.space = space
        self.budget = budget
        always = Guard(condition: .always, boxes: [.everything])
    }

    /// Merges fragments, weakest first.
    mutating func merge(
        _ fragments: [SituationRules.Fragment]
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode {
        var root: Slot = [Alternative(guarded: always, node: nil)]
        for fragment in fragments {
            let guarded = try self.guarded(fragment.condition, fragment.overlay?.conditionPosition)
            root = try apply(fragment.node, under: guarded, to: root, ConfigurationPath())
        }
        return root.last?.node ?? ConfigurationNode(.emptyTable)
    }

    private mutating func apply(
        _ node: ConfigurationNode, under outer: Guard, to base: Slot, _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> Slot {
        try budget.spend(node.value.weight, on: .merging)
        if outer.boxes.isEmpty { return base }
        if case .varied(let varied) = node.value {
            var slot: Slot = []
            for choice in varied.alternatives {
                guard let value = choice.node else { continue }
                let guarded = try conjunction(outer, self.guarded(choice.condition, choice.position))
                guard !guarded.boxes.isEmpty else { continue }
                for inner in try apply(value, under: always, to: base, path) {
                    var alternative = inner
                    alternative.guarded = try conjunction(guarded, inner.guarded)
                    alternative.isPerLocale = varied.isPerLocale || inner.isPerLocale
                    slot.append(alternative)
                }
            }
            return try simplified(slot + base, path)
        }
        switch node.value {
        case .map(let entries): return try merge(entries, of: node, under: outer, into: base, path)
        case .emptyTable: return try merge([:], of: node, under: outer, into: base, path)
        default: break
        }
        var slot: Slot = []
        let kind: MergeDirective.Kind? = if case .directive(let directive) = node.value { directive.kind } else { nil }
        switch kind {
        case .unset:
            // In situations without the key there is nothing to remove; a key that no situation has is reported.
            // The merging of what holds in the default situation reports those that are not in an overlay.
            if !outer.isAlways, !base.contains(where: { $0.node != nil }) {
                _ = try merger.value(of: node, over: nil, at: path)
            }
            slot = [Alternative(guarded: outer, node: nil)]
        case .append, .prepend, .remove:
            for alternative in base {
                let guarded = try conjunction(outer, alternative.guarded)
                guard !guarded.boxes.isEmpty else { continue }
                slot.append(
                    Alternative(
                        guarded: guarded, node: try merger.value(of: node, over: alternative.node, at: path),
                        isPerLocale: alternative.isPerLocale))
            }
        case .vary, nil:
            slot = [Alternative(guarded: outer, node: try merger.value(of: node, over: nil, at: path))]
        }
        return try simplified(outer.isAlways ? slot : slot + base, path)
    }

    /// Merges a map into a key. A map merges with a map, key by key, and replaces anything else.
    private mutating func merge(
        _ entries: [String: ConfigurationNode], of node: ConfigurationNode, under outer: Guard, into base: Slot,
        _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> Slot {
        var slot: Slot = []
        var whole: ConfigurationNode?
        for alternative in base {
            var merged = alternative
            if let inherited = alternative.node, let members = inherited.value.members {
                let result = try merge(entries, under: outer, into: members, path)
                var map = outer.isAlways ? node : inherited
                map.value =
                    result.isEmpty && !members.isEmpty ? .map([:]) : result.isEmpty ? inherited.value : .map(result)
                merged.node = map
                slot.append(merged)
                continue
            }
            if whole == nil {
                let clean = try merge(entries, under: always, into: [:], path)
                var map = node
                if !entries.isEmpty { map.value = .map(clean) }
                whole = map
            }
            let guarded = try conjunction(outer, alternative.guarded)
            if !guarded.boxes.isEmpty { slot.append(Alternative(guarded: guarded, node: whole)) }
            if !outer.isAlways { slot.append(alternative) }
        }
        return try simplified(slot, path)
    }

    private mutating func merge(
        _ entries: [String: ConfigurationNode], under outer: Guard, into members: [String: ConfigurationNode],
        _ path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> [String: ConfigurationNode] {
        var result = members
        for (key, entry) in entries.inOrder {
            let inner = path.appending(key)
            if members[key] == nil, outer.isAlways, try merger.isMisspelled(key, entry, among: members, inner) {
                continue
            }
            let slot = try apply(entry, under: outer, to: self.slot(of: members[key]), inner)
            result[key] = node(of: slot, key: entry.keyPosition ?? members[key]?.keyPosition)
        }
        return result
    }

    // MARK: Slots

    private func slot(of node: ConfigurationNode?) -> Slot {
        guard case .varied(let varied)? = node?.value else { return [Alternative(guarded: always, node: node)] }
        var slot: Slot = varied.alternatives.map { alternative in
            Alternative(
                guarded: Guard(
                    condition: alternative.condition, boxes: alternative.boxes, position: alternative.position),
                node: alternative.node, isPerLocale: varied.isPerLocale)
        }
        if slot.last?.guarded.isAlways != true { slot.append(Alternative(guarded: always, node: nil)) }
        return slot
    }

    private func node(of slot: Slot, key: SourcePosition?) -> ConfigurationNode? {
        if slot.count == 1, slot[0].guarded.isAlways { return slot[0].node }
        guard slot.contains(where: { $0.node != nil }) else { return nil }
        let varied = VariedValue(
            slot.map {
                VariedValue.Alternative(
                    $0.guarded.condition, boxes: $0.guarded.boxes, $0.node, position: $0.guarded.position)
            }, isPerLocale: slot.contains(where: \.isPerLocale))
        return ConfigurationNode(
            .varied(varied), position: slot.lazy.compactMap { $0.node?.position }.first, keyPosition: key)
    }

    /// The alternatives that are the value in some situation, up to the first that holds always.
    private mutating func simplified(_ slot: Slot, _ path: ConfigurationPath) throws(WorkBudget.Exceeded) -> Slot {
        guard slot.count > 1 else { return slot }
        var kept: Slot = []
        var taken: [ConditionBox] = []
        for alternative in slot {
            try budget.spend(1 + taken.count * alternative.guarded.boxes.count, on: .proving)
            if case .none = space.witness(in: alternative.guarded.boxes, outside: taken) { continue }
            kept.append(alternative)
            if alternative.guarded.isAlways { break }
            taken += alternative.guarded.boxes
        }
        if kept.count > SituationReader.maximumAlternatives {
            excessive[path] = .some(kept.lazy.compactMap { $0.node?.position }.first)
            kept = Array(kept.prefix(SituationReader.maximumAlternatives - 1)) + kept.suffix(1)
        }
        return kept
    }

    private func guarded(_ condition: Condition, _ position: SourcePosition?) throws(WorkBudget.Exceeded) -> Guard {
        if condition == .always { return always }
        return Guard(condition: condition, boxes: space.boxes(of: condition), position: position)
    }

    private mutating func conjunction(_ one: Guard, _ two: Guard) throws(WorkBudget.Exceeded) -> Guard {
        if one.isAlways { return two }
        if two.isAlways { return one }
        try budget.spend(one.boxes.count * two.boxes.count, on: .proving)
        var boxes: [ConditionBox] = []
        do throws(ConditionLimit) {
            boxes = try space.meet(one.boxes, two.boxes)
        } catch {
            limit = error
        }
        return Guard(
            condition: .allOf([one.condition, two.condition]), boxes: boxes, position: one.position ?? two.position)
    }
}

extension ConfigurationValue {
    /// The entries of a map or an empty table; nil for anything else.
    fileprivate var members: [String: ConfigurationNode]? {
        switch self {
        case .map(let entries): entries
        case .emptyTable: [:]
        default: nil
        }
    }
}
