package import GlassBase
package import GlassSchema

/// A key whose values differ.
package struct KeyDifference: Sendable {
    /// The value of a key in one market.
    package enum Side: Sendable {
        /// A value and its position; the position is nil for a default.
        case value(ConfigurationValue, at: SourcePosition?)
        /// No value: the market or one of its base markets removes it with `unset`.
        case removed(at: SourcePosition?)
        /// No value: no file sets it, and there is no default.
        case missing

        /// The value, if there is one.
        package var value: ConfigurationValue? {
            if case .value(let value, _) = self { value } else { nil }
        }

        /// The position of the value or of its removal.
        package var position: SourcePosition? {
            switch self {
            case .value(_, let position), .removed(let position): position
            case .missing: nil
            }
        }
    }

    /// The kind of a difference between two sides.
    package enum Kind: String, Sendable {
        /// Only later sides have it.
        case added
        /// The first side has it, and another one does not.
        case removed
        /// Every side has it.
        case changed
    }

    /// The key.
    package let path: ConfigurationPath
    /// The value of the key in each market, in the order of the labels.
    package let sides: [Side]
    /// The differences within lists or tables; empty if a side has neither.
    package let parts: [StructuralDifference<ConfigurationValue>]

    /// The positions of the first difference between the texts of two functions; empty if the values are not two
    /// functions.
    package let places: [SourcePosition]

    /// Whether the values are secrets, of which only the names can be shown.
    package var isSecret: Bool {
        sides.contains { side in
            if case .secret? = side.value { true } else { false }
        }
    }

    /// The kind of the difference.
    package var kind: Kind {
        if sides.allSatisfy({ $0.value != nil }) { return .changed }
        return sides.first?.value == nil ? .added : .removed
    }

    /// The keys that differ between markets.
    static func all(
        in markets: [ComparedMarket], budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [KeyDifference] {
        var paths = Set(markets.flatMap(\.values.keys))
        // A flag that a side lacks is one difference, and not one for each of its keys.
        let lacking = Set(markets.flatMap(\.flags)).filter { name in !markets.allSatisfy { $0.flags.contains(name) } }
        if !lacking.isEmpty {
            paths = paths.filter { path in !lacking.contains { $0.isFlag(of: path) } }
        }
        var found = lacking.map { flag(ConfigurationPath([.key("flags"), .key($0)]), in: markets) }
        for (path, _) in paths.map({ ($0, $0.description) }).sorted(by: { $0.1 < $1.1 }) {
            try budget.spend(stepsOfACell * markets.count, on: .comparing)
            let isHandle = path.elements.first == .key("routables")
            if isHandle {
                // A market without the routable has nothing to compare; the difference in its links shows that.
                guard case .key(let id)? = path.elements.dropFirst().first,
                    markets.allSatisfy({ $0.links[id] != nil })
                else { continue }
            }
            var forms: [ConfigurationValue?] = []
            for market in markets {
                let value = market.values[path]
                if case .list(let nodes)? = value { try budget.spend(nodes.count, on: .comparing) }
                guard case .opaque? = value else {
                    forms.append(value)
                    continue
                }
                // A function of another Lua state is another object, so its text is compared instead.
                let place = market.market.source.node(at: path)?.position
                let text = try place.map { position throws(WorkBudget.Exceeded) in
                    try market.functions.text(at: position, budget: budget)
                }
                forms.append(.string(text ?? ""))
            }
            guard forms.dropFirst().contains(where: { $0 != forms[0] }) else { continue }
            let tables = forms.compactMap { $0?.listElements == nil ? nil : $0 }
            let parts =
                tables.count == forms.count
                ? try StructuralDifference.all(between: tables, spending: budget).shown : []
            let sides = markets.map { market -> Side in
                if let value = market.values[path] {
                    return .value(value, at: market.market.source.node(at: path)?.position)
                }
                let removal = market.market.origin.removal(of: path)
                return removal.map { .removed(at: $0) } ?? .missing
            }
            let places = try Self.places(at: path, in: markets, sides: sides, budget: budget)
            found.append(KeyDifference(path: path, sides: sides, parts: parts, places: places))
        }
        return lacking.isEmpty ? found : found.sorted { $0.path.description < $1.path.description }
    }

    /// A flag that only some markets have.
    private static func flag(_ path: ConfigurationPath, in markets: [ComparedMarket]) -> KeyDifference {
        let sides = markets.map { market -> Side in
            guard let node = market.market.source.node(at: path) else {
                return market.market.origin.removal(of: path).map { .removed(at: $0) } ?? .missing
            }
            return .value(node.value, at: node.position)
        }
        return KeyDifference(path: path, sides: sides, parts: [], places: [])
    }

    /// The positions of the first difference between the texts of two functions.
    private static func places(
        at path: ConfigurationPath, in markets: [ComparedMarket], sides: [Side], budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [SourcePosition] {
        guard markets.count == 2 else { return [] }
        var texts: [[(text: String, position: SourcePosition)]] = []
        for (market, side) in zip(markets, sides) {
            guard case .opaque? = side.value, let position = side.position else { return [] }
            texts.append(try market.functions.parts(at: position, budget: budget))
        }
        guard let left = texts[0].last, let right = texts[1].last else { return [] }
        let first = zip(texts[0], texts[1]).first { $0.text != $1.text }
        // If one text is the beginning of the other, they differ at its end.
        return first.map { [$0.0.position, $0.1.position] } ?? [left.position, right.position]
    }

    /// The number of steps for finding and comparing the value of a key in one market.
    private static let stepsOfACell = 8
}

extension String {
    /// Whether a path is that of the flag with this name, or of a key of it.
    fileprivate func isFlag(of path: ConfigurationPath) -> Bool {
        path.elements.starts(with: [.key("flags"), .key(self)])
    }
}

extension ConfigurationValue {
    /// The value on one line as a market file would write it, shortened after a hundred characters. Secrets appear as
    /// their names.
    package var summary: String {
        let text = written(depth: 0)
        return text.count > 100 ? text.prefix(99) + "…" : text
    }

    /// The value on one line as a market file would write it, except for strings of more than 60 characters and values
    /// that are nested more than four levels deep. Secrets appear as their names.
    package var written: String { written(depth: 0) }

    private func written(depth: Int) -> String {
        switch self {
        case .list(let nodes):
            guard depth < 4 else { return "{…}" }
            return nodes.isEmpty
                ? "{}" : "{ \(nodes.map { $0.value.written(depth: depth + 1) }.joined(separator: ", ")) }"
        case .map(let entries):
            guard depth < 4 else { return "{…}" }
            let fields = entries.inOrder.map {
                "\(ConfigurationPath([.key($0.key)])) = \($0.value.value.written(depth: depth + 1))"
            }
            return fields.isEmpty ? "{}" : "{ \(fields.joined(separator: ", ")) }"
        case .emptyTable: return "{}"
        default: return found
        }
    }
}
