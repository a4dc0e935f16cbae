package import GlassBase
package import GlassSchema

/// A key whose values differ.
package struct KeyDifference: Sendable {
    /// The value of a key in one market.
    package enum Side: Sendable {
        /// A value, and where it was written; nil for a default.
        case value(ConfigurationValue, at: SourcePosition?)
        /// Nothing: the market, or one that it extends, says `unset`.
        case removed(at: SourcePosition?)
        /// Nothing: no file says anything, and there is no default.
        case missing

        /// The value, if there is one.
        package var value: ConfigurationValue? {
            if case .value(let value, _) = self { value } else { nil }
        }

        /// Where the value or its removal was written.
        package var position: SourcePosition? {
            switch self {
            case .value(_, let position), .removed(let position): position
            case .missing: nil
            }
        }
    }

    /// How a key differs, for two sides.
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
    /// What each market has, in the order of the labels.
    package let sides: [Side]
    /// Where lists or tables differ inside; empty where a side has neither.
    package let parts: [StructuralDifference<ConfigurationValue>]

    /// Where the texts of functions differ first, for each of two sides; empty where they are none, or more.
    package let places: [SourcePosition]

    /// Whether the values are secrets: only their names can be shown.
    package var isSecret: Bool {
        sides.contains { side in
            if case .secret? = side.value { true } else { false }
        }
    }

    /// How the key differs.
    package var kind: Kind {
        if sides.allSatisfy({ $0.value != nil }) { return .changed }
        return sides.first?.value == nil ? .added : .removed
    }

    /// The keys that differ between markets.
    static func all(
        in markets: [ComparedMarket], budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [KeyDifference] {
        let paths = Set(markets.flatMap(\.values.keys))
        var found: [KeyDifference] = []
        for (path, _) in paths.map({ ($0, $0.description) }).sorted(by: { $0.1 < $1.1 }) {
            try budget.spend(stepsOfACell * markets.count, on: .comparing)
            let isHandle = path.elements.first == .key("routables")
            if isHandle {
                // A market without the routable has nothing to compare; its links say that.
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
                // A function of another Lua state is another object, so its text stands for it.
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
        return found
    }

    /// Where the texts of two functions differ first.
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
        // Where one is the beginning of the other, they differ at its end.
        return first.map { [$0.0.position, $0.1.position] } ?? [left.position, right.position]
    }

    /// What one market has at a key is found and compared: as much work as so many steps.
    private static let stepsOfACell = 8
}

extension ConfigurationValue {
    /// The value on one line as a market file would write it, shortened past a hundred characters; secrets show their
    /// names.
    package var summary: String {
        let text = written(depth: 0)
        return text.count > 100 ? text.prefix(99) + "…" : text
    }

    /// The value on one line as a market file would write it, but for texts of more than 60 characters and what is more
    /// than four levels deep; secrets show their names.
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
