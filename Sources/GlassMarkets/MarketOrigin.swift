package import GlassBase
package import GlassSchema

/// The files and values from which a market was built, for comparisons, and to find out whether the files have changed.
package struct MarketOrigin: Sendable {
    /// The values of the files of the `extends` chain, beginning with the root, including directives. An overlay that
    /// holds follows its file.
    package let layers: [ConfigurationNode]
    /// The number of layers before those of the market's own file.
    private let ownStart: Int
    /// What the files say about situations; nil if nothing in them depends on the situation.
    package let situations: SituationRules?
    /// What the market's own file says about decisions.
    package let decisions: MarketDecisions
    /// The warnings that the files accept.
    package let acceptances: [MarketAcceptance]
    /// The files.
    package let files: [MarketFile]
    /// Identifies the content of the files.
    package let revision: MarketRevision
    /// The folder with which the files' names begin; nil if they do not begin with a folder.
    package let folder: String?
    /// The ids of the base markets that are abstract.
    package let abstractBases: Set<String>
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
        layers: [ConfigurationNode], ownStart: Int? = nil, situations: SituationRules? = nil,
        acceptances: [MarketAcceptance] = [], decisions: MarketDecisions = MarketDecisions(),
        files: [MarketFile],
        revision: MarketRevision, folder: String? = nil,
        meter: MarketMeter = MarketMeter(), abstractBases: Set<String> = [], removals: [String: SourcePosition] = [:],
        histories: [String: ValueHistory] = [:],
        isCurrent: @escaping @Sendable () -> Bool,
        functionTexts: @escaping @Sendable () -> any FunctionSources = { NoFunctionTexts() }
    ) {
        self.layers = layers
        self.ownStart = ownStart ?? max(0, layers.count - 1)
        self.situations = situations
        self.decisions = decisions
        self.acceptances = acceptances
        self.files = files
        self.revision = revision
        self.folder = folder
        self.abstractBases = abstractBases
        self.meter = meter
        self.removals = removals
        known = histories
        self.isCurrent = isCurrent
        self.functionTexts = functionTexts
    }

    /// The layers of the market's own file.
    package var ownLayers: ArraySlice<ConfigurationNode> { layers[ownStart...] }

    /// The layers of the base markets, beginning with the root.
    package var baseLayers: ArraySlice<ConfigurationNode> { layers[..<ownStart] }

    /// The market's own file without its overlays; nil if it was not read.
    package var own: ConfigurationNode? { ownLayers.first }

    /// The ids of the base markets, nearest first.
    package var bases: [String] {
        baseLayers.reversed().compactMap { if case .string(let id)? = $0.node(at: "id")?.value { id } else { nil } }
    }

    /// Whether a layer is the file of an abstract base. False for its overlays.
    package func isAbstract(_ layer: ConfigurationNode) -> Bool {
        if case .string(let id)? = layer.node(at: "id")?.value { abstractBases.contains(id) } else { false }
    }

    /// The id of the nearest abstract base, by which lists of markets are grouped.
    package var group: String? { bases.first(where: abstractBases.contains) }

    /// The id of the nearest base market that is not abstract.
    package var nearestMarket: String? { bases.first { !abstractBases.contains($0) } }

    /// The id of the nearest base market that sets a key.
    package func market(setting path: ConfigurationPath) -> String? {
        guard let index = baseLayers.lastIndex(where: { $0.node(at: path) != nil }) else { return nil }
        // Overlays follow their file, and only the file has the id.
        return layers[...index].lazy.reversed().compactMap { layer -> String? in
            if case .string(let id)? = layer.node(at: "id")?.value { id } else { nil }
        }.first
    }

    /// The findings that the files do not accept.
    func unaccepted(_ findings: [Finding]) -> [Finding] {
        acceptances.isEmpty ? findings : findings.filter { finding in !acceptances.contains { $0.covers(finding) } }
    }

    /// The origin of the same market in a situation.
    func read(in situation: MarketSituation, of situations: SituationRules) -> MarketOrigin {
        let (nodes, own) = situations.layers(in: situation)
        return MarketOrigin(
            layers: nodes, ownStart: own, situations: situations, acceptances: acceptances, decisions: decisions,
            files: files,
            revision: revision, folder: folder, meter: meter, abstractBases: abstractBases, removals: removals,
            histories: known,
            isCurrent: isCurrent, functionTexts: functionTexts)
    }

    /// The digest of a compiled market; nil for Lua files, because only those are listed in ``files``.
    package var compiledDigest: String? { files.isEmpty ? revision.digest : nil }

    /// The position at which the market or a base market removed a key with `unset`.
    func removal(of path: ConfigurationPath) -> SourcePosition? {
        for layer in layers.reversed() {
            for length in stride(from: path.elements.count, to: 0, by: -1) {
                let node = layer.node(at: ConfigurationPath(Array(path.elements.prefix(length))))
                if let node, node.value.isUnset { return node.position }
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
        for layer in layers {
            layer.visit([], inOrder: false) { visited in
                if visited.node.value.isUnset { paths.insert(visited.path) }
                return true
            }
        }
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
