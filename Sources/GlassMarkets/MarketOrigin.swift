package import GlassBase
package import GlassSchema

/// What a market was made from, for comparisons and to find out whether the files have changed.
package struct MarketOrigin: Sendable {
    /// The values of the files of the `extends` chain, the most basic one first, with their words.
    package let layers: [ConfigurationNode]
    /// The files.
    package let files: [MarketFile]
    /// The content of the files.
    package let revision: MarketRevision
    /// The folder that the files' names begin with; nil where they begin with none.
    package let folder: String?
    /// What functions of the market use.
    package let meter: MarketMeter
    /// Where keys were taken away, by path, for a market whose layers have no word of it any more.
    private let removals: [String: SourcePosition]
    /// How its files came to values, by path, for a market whose layers have no word of it any more.
    let known: [String: ValueHistory]
    /// Whether loading the market again would find the same files. False also when a file cannot be read.
    package let isCurrent: @Sendable () -> Bool
    /// Reads the texts of the market's functions, for one comparison.
    package let functionTexts: @Sendable () -> any FunctionSources

    /// Describes where a market comes from.
    package init(
        layers: [ConfigurationNode], files: [MarketFile], revision: MarketRevision, folder: String? = nil,
        meter: MarketMeter = MarketMeter(), removals: [String: SourcePosition] = [:],
        histories: [String: ValueHistory] = [:],
        isCurrent: @escaping @Sendable () -> Bool,
        functionTexts: @escaping @Sendable () -> any FunctionSources = { NoFunctionTexts() }
    ) {
        self.layers = layers
        self.files = files
        self.revision = revision
        self.folder = folder
        self.meter = meter
        self.removals = removals
        known = histories
        self.isCurrent = isCurrent
        self.functionTexts = functionTexts
    }

    /// The digest of a compiled market; nil for Lua files, which have names where what was compiled has none.
    package var compiledDigest: String? { files.isEmpty ? revision.digest : nil }

    /// Where the market or one that it extends took a key away with `unset`.
    func removal(of path: ConfigurationPath) -> SourcePosition? {
        for layer in layers.reversed() {
            for length in stride(from: path.elements.count, to: 0, by: -1) {
                let node = layer.node(at: ConfigurationPath(Array(path.elements.prefix(length))))
                if let node, let word = node.value.word, case .unset = word.kind { return node.position }
            }
        }
        guard !removals.isEmpty else { return nil }
        for length in stride(from: path.elements.count, to: 0, by: -1) {
            let above = ConfigurationPath(Array(path.elements.prefix(length)))
            if let position = removals[above.description] { return position }
        }
        return nil
    }

    /// The keys that were taken away with `unset` and did not come back, with the places of the words.
    func removed(from source: ConfigurationNode) -> [(path: ConfigurationPath, position: SourcePosition)] {
        var paths: Set<ConfigurationPath> = []
        func visit(_ node: ConfigurationNode, _ path: ConfigurationPath) {
            if let word = node.value.word, case .unset = word.kind { paths.insert(path) }
            guard case .map(let entries) = node.value else { return }
            for (key, entry) in entries { visit(entry, path.appending(key)) }
        }
        for layer in layers { visit(layer, ConfigurationPath()) }
        let known = removals.compactMap { text, position in
            ConfigurationPath(parsing: text).map { (path: $0, position: position) }
        }
        return known
            + paths.compactMap { path in
                guard source.node(at: path) == nil, let position = removal(of: path) else { return nil }
                return (path, position)
            }
    }
}

/// The texts by which functions of one market are compared with those of another.
package protocol FunctionSources {
    /// The text of a function.
    func text(at position: SourcePosition, budget: WorkBudget) throws(WorkBudget.Exceeded) -> String

    /// The parts of the text of a function, each with its place.
    func parts(
        at position: SourcePosition, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [(text: String, position: SourcePosition)]
}

/// For a market whose source has no functions.
package struct NoFunctionTexts: FunctionSources {
    package init() {}

    package func text(at position: SourcePosition, budget: WorkBudget) throws(WorkBudget.Exceeded) -> String { "" }

    package func parts(
        at position: SourcePosition, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [(text: String, position: SourcePosition)] { [] }
}
