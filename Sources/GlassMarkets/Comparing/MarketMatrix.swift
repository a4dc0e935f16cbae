package import GlassBase
package import GlassSchema

/// The keys that each market sets, with a row for each key that at least one market declares.
///
/// A key is what a file writes: a value, or a list as a whole; a routable is one key with everything in it. `id` and
/// `extends` do not count as keys. A market **declares** a key if its file, the file of a base market, or a file that
/// these include sets it. A key is **missing** in a market if another market declares it, and this one neither has it
/// nor removes it with `unset`. Defaults do not count, because no market set them.
package struct MarketMatrix: Sendable {
    /// The origin of a key in a market.
    package enum State: Sendable, Equatable {
        /// The market's own file sets it, and no base market does.
        case declared
        /// A base market sets it.
        case inherited(from: String)
        /// Its own file sets a value other than the one it would inherit.
        case overridden
        /// Its own file sets the value that it would inherit anyway.
        case repeated
        /// A file removes it with `unset`.
        case removed
        /// Neither the market nor a base market sets the key.
        case missing

        /// The name of the state, as in listings.
        package var name: String {
            switch self {
            case .declared: "declared"
            case .inherited: "inherited"
            case .overridden: "overridden"
            case .repeated: "same again"
            case .removed: "removed"
            case .missing: "missing"
            }
        }
    }

    /// The value of a key in one market.
    package struct Cell: Sendable {
        /// The origin of the value.
        package let state: State
        /// The value; nil if it is removed or missing.
        package let value: ConfigurationValue?
        /// The position of the value or of its removal.
        package let position: SourcePosition?
        /// The default that applies if the key is missing.
        package let defaultValue: ConfigurationValue?
    }

    /// One key.
    package struct Row: Sendable {
        /// The key.
        package let path: ConfigurationPath
        /// The value of the key in each market, in the order of ``MarketMatrix/markets``.
        package let cells: [Cell]

        /// Whether a market lacks the key.
        package var isMissing: Bool { cells.contains { $0.state == .missing } }

        /// Whether the key has the same value in every column.
        package var isUniform: Bool {
            cells.dropFirst().allSatisfy { cells[0].value == $0.value && cells[0].state == $0.state }
        }
    }

    /// The ids of the markets, or the situations of one.
    package let markets: [String]
    /// The abstract base of each market; nil for a market that extends none.
    package let groups: [String?]
    /// The keys in the order of their paths.
    package let rows: [Row]

    /// Compares markets.
    ///
    /// - Parameter labels: The names of the columns; by default, the ids of the markets.
    package init(
        _ markets: [Market], labels: [String]? = nil, budget: WorkBudget = .unlimited
    ) throws(WorkBudget.Exceeded) {
        self.markets = labels ?? markets.map(\.id)
        groups = markets.map { labels == nil ? $0.origin.group : nil }
        var columns: [MarketColumn] = []
        for market in markets { columns.append(try MarketColumn(market, budget: budget)) }
        let paths = Set(columns.flatMap(\.paths).map { path in Self.whole(path, in: columns) ?? path })
        var rows: [Row] = []
        for (path, _) in paths.map({ ($0, $0.description) }).sorted(by: { $0.1 < $1.1 }) {
            try budget.spend(Self.stepsOfACell * columns.count, on: .comparing)
            rows.append(Row(path: path, cells: columns.map { $0.cell(at: path) }))
        }
        self.rows = rows
    }

    /// The flag or the layer of a key, if some market has no such flag or layer: it is one row then, like a routable.
    private static func whole(_ path: ConfigurationPath, in columns: [MarketColumn]) -> ConfigurationPath? {
        guard path.elements.count > 2, path.elements[0] == .key("flags") || path.elements[0] == .key("layers") else {
            return nil
        }
        let whole = ConfigurationPath(Array(path.elements.prefix(2)))
        return columns.allSatisfy { $0.whole.node(at: whole) != nil } ? nil : whole
    }

    /// The number of steps for looking up the value of a key in each layer of one market.
    private static let stepsOfACell = 8
}

/// One market of a matrix.
private struct MarketColumn {
    let market: Market
    /// The merged values of all files, and of all files but the market's own. Secrets are still names.
    let whole: ConfigurationNode
    let base: ConfigurationNode?
    let effective: ConfigurationNode

    init(_ market: Market, budget: WorkBudget) throws(WorkBudget.Exceeded) {
        self.market = market
        let origin = market.origin
        // The market is valid, so merging reports nothing.
        var merger = MarketMerger(schema: market.schema.declaration, budget: budget)
        whole = try merger.merge(origin.layers)
        base = origin.baseLayers.isEmpty ? nil : try merger.merge(Array(origin.baseLayers))
        effective = market.effective
    }

    /// The keys that the market has.
    var paths: [ConfigurationPath] {
        guard case .map(let sections) = whole.value else { return [] }
        return sections.inOrder.filter { $0.key != "id" && $0.key != "extends" }.flatMap { name, section in
            let path = ConfigurationPath([.key(name)])
            guard name == "routables", case .map(let routables) = section.value else {
                return section.keys(at: path).map(\.path)
            }
            return routables.inOrder.flatMap { id, routable in
                let path = path.appending(id)
                let own = market.schema.ownKeys(ofRoutable: id).map { path.appending($0) }
                return [path] + own.flatMap { path in whole.node(at: path)?.keys(at: path).map(\.path) ?? [] }
            }
        }
    }

    func cell(at path: ConfigurationPath) -> MarketMatrix.Cell {
        let origin = market.origin
        guard let node = whole.node(at: path) else {
            let removal = market.origin.removal(of: path)
            return MarketMatrix.Cell(
                state: removal == nil ? .missing : .removed, value: nil, position: removal,
                defaultValue: removal == nil ? effective.node(at: path)?.value : nil)
        }
        let state: MarketMatrix.State
        if !origin.ownLayers.contains(where: { $0.node(at: path) != nil }) {
            if let id = origin.market(setting: path) { state = .inherited(from: id) } else { state = .declared }
        } else if let inherited = base?.node(at: path) {
            state = inherited == node ? .repeated : .overridden
        } else {
            state = .declared
        }
        return MarketMatrix.Cell(
            state: state, value: market.source.node(at: path)?.value, position: node.position, defaultValue: nil)
    }
}
