import Foundation
import GlassBase
package import GlassSchema

/// The situation that a market is read in.
///
/// Values that are taken at start, such as the suite of a store, keep the context of the start. All others follow the
/// current one.
package struct MarketSituation: Sendable, Hashable {
    /// The context in which values are read that an app takes once.
    package var start: MarketContext
    /// The context in which all other values are read.
    package var live: MarketContext

    /// Creates a situation.
    package init(start: MarketContext, live: MarketContext) {
        self.start = start
        self.live = live
    }

    /// Creates the situation of a process that has just started.
    package init(_ context: MarketContext = MarketContext()) {
        self.init(start: context, live: context)
    }
}

/// The files of a market whose values depend on the situation.
///
/// What a market is in a situation follows from one rule: every overlay and every alternative that does not hold is
/// struck out, and the rest is merged like any other market.
package struct SituationRules: Sendable {
    /// A file without its overlays, or one overlay.
    package struct Fragment: Sendable {
        /// The values. Each varied value has its conditions.
        package let node: ConfigurationNode
        /// The condition under which the values are used.
        package let condition: Condition
        /// The overlay; nil for the rest of a file.
        package let overlay: Overlay?
        /// The number of the file in the chain, from 0 for its root.
        package let file: Int
    }

    /// The name of an overlay and where it is written.
    package struct Overlay: Sendable {
        /// The name.
        package let name: String
        /// The position of the overlay.
        package let position: SourcePosition?
        /// The position of its condition; nil if a base market has the condition.
        package let conditionPosition: SourcePosition?
        /// The overlays of the file that it may contradict.
        package let beats: [String]
    }

    /// The fragments, weakest first: for each file of the chain, the file and then its overlays from the last to the
    /// first.
    package let fragments: [Fragment]
    /// The attributes that conditions of the market can test.
    package let attributes: [ContextAttribute]
    /// The conditions by name.
    package let conditions: [String: Condition]
    /// The positions at which files declare the conditions.
    package let conditionPositions: [String: SourcePosition]
    /// Where the files declare the market's own attributes, by name.
    package let attributePositions: [String: SourcePosition]
    /// Every condition that decides about a value, without repetitions.
    package let deciding: [Condition]
    /// The keys of the market.
    package let schema: SectionDeclaration
    /// The flags, which are the same in every situation. Their rules decide about values, and about no other key.
    package let flags: FlagSet
    /// Whether the only fragment is what the files of a compiled market were merged to. There, an alternative without a
    /// value says that the key is absent; in a file, it says nothing.
    let isMerged: Bool

    init(
        fragments: [Fragment], attributes: [ContextAttribute], conditions: [String: Condition],
        conditionPositions: [String: SourcePosition] = [:], attributePositions: [String: SourcePosition] = [:],
        schema: SectionDeclaration, flags: FlagSet = FlagSet(),
        isMerged: Bool = false
    ) {
        self.flags = flags
        self.isMerged = isMerged
        self.fragments = fragments
        self.attributes = attributes.sorted { $0.pace < $1.pace }
        self.conditions = conditions
        self.conditionPositions = conditionPositions
        self.attributePositions = attributePositions
        self.schema = schema
        var seen: Set<Condition> = []
        var deciding: [Condition] = []
        func note(_ condition: Condition) {
            if condition != .always, seen.insert(condition).inserted { deciding.append(condition) }
        }
        for fragment in fragments {
            note(fragment.condition)
            fragment.node.forEachVaried { varied, _ in varied.alternatives.forEach { note($0.condition) } }
        }
        self.deciding = deciding
    }

    /// The number of the market's own file in the chain.
    package var ownFile: Int { fragments.last?.file ?? 0 }

    // MARK: Erasing

    /// What the files say in a situation, weakest first. The last ones, from `own` on, are those of the market's own
    /// file.
    package func layers(in situation: MarketSituation) -> (nodes: [ConfigurationNode], own: Int) {
        var nodes: [ConfigurationNode] = []
        var own: Int?
        for fragment in fragments {
            guard let node = resolved(fragment, in: situation) else { continue }
            if fragment.file == ownFile, own == nil { own = nodes.count }
            nodes.append(node)
        }
        return (withoutIdleRemovals(nodes), own ?? nodes.count)
    }

    private func resolved(_ fragment: Fragment, in situation: MarketSituation) -> ConfigurationNode? {
        let atStart = fragment.condition.holds(in: situation.start)
        var node = fragment.node
        if situation.start == situation.live {
            guard atStart else { return nil }
        } else {
            let now = fragment.condition.holds(in: situation.live)
            guard atStart || now else { return nil }
            if atStart != now {
                guard let kept = node.keeping(at: ConfigurationPath(), { isLive($0) ? now : atStart }) else {
                    return nil
                }
                node = kept
            }
        }
        return node.resolved { condition, path in
            condition.holds(in: situation.start != situation.live && isLive(path) ? situation.live : situation.start)
        }
    }

    private func isLive(_ path: ConfigurationPath) -> Bool { schema.pace(at: path) == .live }

    /// The layers without each `unset` whose key is there only in other situations: there is nothing to remove here.
    private func withoutIdleRemovals(_ nodes: [ConfigurationNode]) -> [ConfigurationNode] {
        var nodes = nodes
        for index in nodes.indices where nodes[index].hasRemoval {
            nodes[index] = nodes[index].droppingRemovals(at: ConfigurationPath()) { path in
                // A removal that removes nothing in any situation stays, and is reported.
                !nodes[..<index].contains { $0.node(at: path) != nil }
                    && fragments.contains { $0.node.mentions(path.elements[...]) }
            }
        }
        return nodes
    }

    // MARK: Contexts

    /// A context with the default of each attribute that it does not set.
    ///
    /// The defaults that a market gives, such as its environment, may depend on attributes of the build.
    package func completed(_ context: MarketContext) -> MarketContext {
        attributes.completed(context) { path, context in value(at: path, in: context) }
    }

    /// A situation with the defaults of the market.
    package func completed(_ situation: MarketSituation) -> MarketSituation {
        let start = completed(situation.start)
        return MarketSituation(
            start: start, live: situation.start == situation.live ? start : completed(situation.live))
    }

    /// The position of the market's own file.
    var start: SourcePosition? { fragments.last { $0.overlay == nil }?.node.position }

    /// The position at which a condition decides about a value.
    func position(of condition: Condition) -> SourcePosition? {
        for fragment in fragments {
            if fragment.condition == condition {
                return fragment.overlay?.conditionPosition ?? fragment.overlay?.position
            }
            var found: SourcePosition?
            fragment.node.forEachVaried { varied, _ in
                found = found ?? varied.alternatives.first { $0.condition == condition }?.position
            }
            if let found { return found }
        }
        return nil
    }

    /// The value of a key in a situation, as the strongest file that sets it writes it.
    private func value(at path: ConfigurationPath, in context: MarketContext) -> ConfigurationValue? {
        for fragment in fragments.reversed() where fragment.condition.holds(in: context) {
            if let found = fragment.node.value(at: path.elements[...], in: context) {
                return found.isDirective ? nil : found
            }
        }
        return nil
    }

    /// The next moment after a date at which a value may change, one of a flag included; nil if none may.
    package func nextChange(after date: ContextDate) -> ContextDate? {
        (deciding + flags.conditions).compactMap { $0.nextChange(after: date) }.min()
    }

    /// The next date, or reading of a clock, at which a condition of a value may change.
    package func nextChange(after value: ContextValue) -> ContextValue? {
        deciding.compactMap { $0.nextChange(after: value) }.min { $0.precedes($1) }
    }

    /// The dates, or readings of a clock, at which a condition of a value may change, in their order.
    ///
    /// - Parameters:
    ///   - start: A `date` or a `localDate` before which nothing matters. The results are of the same kind.
    ///   - limit: The maximum number of results.
    package func changes(after start: ContextValue, atMost limit: Int) -> [ContextValue] {
        var changes: [ContextValue] = []
        while changes.count < limit, let next = nextChange(after: changes.last ?? start) { changes.append(next) }
        return changes
    }
}

extension ConfigurationNode {
    /// Calls a closure with each varied value in the tree, outer ones first.
    package func forEachVaried(
        at path: ConfigurationPath = ConfigurationPath(), _ body: (VariedValue, ConfigurationPath) -> Void
    ) {
        visit([.lists, .directives, .alternatives], at: path) { visited in
            if case .varied(let varied) = visited.node.value { body(varied, visited.path) }
            // A large table of plain values is not visited.
            return visited.node.hasVaried
        }
    }

    /// The tree without the keys that a closure rejects; nil if none is left.
    fileprivate func keeping(
        at path: ConfigurationPath, _ isKept: (ConfigurationPath) -> Bool
    ) -> ConfigurationNode? {
        guard case .map(let entries) = value else { return isKept(path) ? self : nil }
        var kept: [String: ConfigurationNode] = [:]
        for (key, entry) in entries {
            if let node = entry.keeping(at: path.appending(key), isKept) { kept[key] = node }
        }
        guard !kept.isEmpty else { return nil }
        var rest = self
        rest.value = .map(kept)
        return rest
    }

    fileprivate var hasRemoval: Bool { contains([], where: \.value.isUnset) }

    fileprivate func droppingRemovals(
        at path: ConfigurationPath, where isIdle: (ConfigurationPath) -> Bool
    ) -> ConfigurationNode {
        guard case .map(let entries) = value else { return self }
        var kept: [String: ConfigurationNode] = [:]
        for (key, entry) in entries {
            let inner = path.appending(key)
            if entry.value.isUnset, isIdle(inner) { continue }
            kept[key] = entry.droppingRemovals(at: inner, where: isIdle)
        }
        var rest = self
        rest.value = .map(kept)
        return rest
    }

    /// The value at a path of keys in a situation. Linear in the length of the path.
    fileprivate func value(
        at path: ArraySlice<ConfigurationPath.Element>, in context: MarketContext
    ) -> ConfigurationValue? {
        if case .varied(let varied) = value {
            let chosen = varied.alternatives.first { $0.condition.holds(in: context) }
            return chosen?.node?.value(at: path, in: context)
        }
        guard let first = path.first else { return value }
        guard case .key(let key) = first, case .map(let entries) = value else { return nil }
        return entries[key]?.value(at: path.dropFirst(), in: context)
    }

    /// Whether a value is set at a path in some situation.
    fileprivate func mentions(_ path: ArraySlice<ConfigurationPath.Element>) -> Bool {
        if case .varied(let varied) = value { return varied.alternatives.contains { $0.node?.mentions(path) == true } }
        guard let first = path.first else {
            return !value.isUnset
        }
        guard case .key(let key) = first, case .map(let entries) = value else { return false }
        return entries[key]?.mentions(path.dropFirst()) == true
    }
}

extension [ContextAttribute] {
    /// A context with the default of each attribute that it does not set. The attributes are in the order of their
    /// paces, because a default may depend on attributes with a slower pace.
    func completed(
        _ context: MarketContext, value: (ConfigurationPath, MarketContext) -> ConfigurationValue?
    ) -> MarketContext {
        var complete = context
        if complete["date"] == nil { complete["date"] = .date(ContextDate(Date())) }
        if complete["localDate"] == nil, case .date(let date)? = complete["date"] {
            complete["localDate"] = .localDate(ContextLocalDate(date))
        }
        for attribute in self where complete[attribute.name] == nil {
            let given = attribute.defaultPath.flatMap { value($0, complete) }.flatMap { attribute.value(of: $0) }
            if let found = given ?? attribute.defaultValue {
                complete[attribute.name] = found
            } else if case .locale(let offered) = attribute.type, !offered.isEmpty {
                complete[attribute.name] = .text(localeMatch(wanted: context.languages, offered: offered))
            }
        }
        return complete
    }
}
