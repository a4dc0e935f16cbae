package import GlassBase
package import GlassSchema

/// The files and values from which a market was built, for comparisons, and to find out whether the files have changed.
package struct MarketOrigin: Sendable {
    /// The values of the files of the `extends` chain, beginning with the root, including directives.
    package let layers: [ConfigurationNode]
    /// The files.
    package let files: [MarketFile]
    /// Identifies the content of the files.
    package let revision: MarketRevision
    /// The folder with which the files' names begin; nil if they do not begin with a folder.
    package let folder: String?
    /// Measures what the functions of the market use.
    package let meter: MarketMeter
    /// The positions at which keys were removed, by path, for a market whose layers no longer contain the directives.
    private let removals: [String: SourcePosition]
    /// The histories of values, by path, for a market whose layers no longer contain the directives.
    let known: [String: ValueHistory]
    /// Whether loading the market again would find the same files. Also false if a file cannot be read.
    package let isCurrent: @Sendable () -> Bool
    /// Creates the texts of the market's functions for one comparison.
    package let functionTexts: @Sendable () -> any FunctionSources

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

    /// The digest of a compiled market; nil for Lua files, because only those are listed in ``files``.
    package var compiledDigest: String? { files.isEmpty ? revision.digest : nil }

    /// The position at which the market or a base market removed a key with `unset`.
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

    /// The keys that were removed with `unset` and not set again, with the positions of the directives.
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

    /// The parts of a function's text, each with its position.
    func parts(
        at position: SourcePosition, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [(text: String, position: SourcePosition)]
}

/// The texts of a market whose source has no functions.
package struct NoFunctionTexts: FunctionSources {
    package init() {}

    package func text(at position: SourcePosition, budget: WorkBudget) throws(WorkBudget.Exceeded) -> String { "" }

    package func parts(
        at position: SourcePosition, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [(text: String, position: SourcePosition)] { [] }
}
