package import GlassBase
package import GlassSchema

/// The values of a market in all situations at once.
package struct VariedMarket: Sendable {
    /// The merged values. A value that depends on the situation has its alternatives.
    package private(set) var root: ConfigurationNode
    private let space: SituationSpace
    private let budget: WorkBudget

    /// A value that a key has in some situations.
    package struct Alternative: Sendable {
        /// The condition, unless an alternative before it holds.
        package let condition: Condition
        /// The value; nil if the key is absent.
        package let node: ConfigurationNode?
        /// The position of the condition; nil for a value that needs none.
        package let position: SourcePosition?
        /// A situation that has the value, with the attributes that matter.
        package let context: MarketContext
    }

    /// Merges the files of a market; nil if its conditions exceed a limit, which a check reports.
    package init?(_ situations: SituationRules, budget: WorkBudget) throws(WorkBudget.Exceeded) {
        let findings = FindingList()
        guard let space = try SituationSpace(situations, now: nil, budget: budget, findings: findings) else {
            return nil
        }
        self.space = space
        self.budget = budget
        root = try Self.root(of: situations, space: space, budget: budget)
    }

    /// The merged values of a market's files, or those of a compiled market, which are merged already.
    private static func root(
        of situations: SituationRules, space: SituationSpace, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode {
        if situations.isMerged, let merged = situations.fragments.first { return merged.node.withBoxes(of: space) }
        var merger = VariedMerger(schema: situations.schema, space: space, findings: FindingList(), budget: budget)
        return try merger.merge(situations.fragments)
    }

    /// Merges the files of a market, in a space of several markets.
    init(_ market: Market, space: SituationSpace, budget: WorkBudget) throws(WorkBudget.Exceeded) {
        root =
            try market.origin.situations.map { situations throws(WorkBudget.Exceeded) in
                try Self.root(of: situations, space: space, budget: budget)
            } ?? market.source
        self.space = space
        self.budget = budget
    }

    /// A value of a key, and the situations that have it.
    struct Region {
        let node: ConfigurationNode?
        let region: SituationWalk.Region
    }

    /// The values of a key in all situations; some of them may have none.
    func regions(at path: ConfigurationPath) throws(WorkBudget.Exceeded) -> [Region] {
        var walk = SituationWalk(space: space, budget: budget)
        var found: [Region] = []
        _ = try walk.forEachCombination(of: root, reading: [path]) { (tree, region) throws(WorkBudget.Exceeded) in
            found.append(Region(node: tree.node(at: path), region: region))
        }
        return found
    }

    /// The keys whose values depend on the situation, in the order of their paths.
    package var variedPaths: [ConfigurationPath] {
        var paths: [ConfigurationPath] = []
        root.forEachVaried { _, path in if paths.last != path { paths.append(path) } }
        return paths
    }

    /// The same values in another form, for one that keeps nothing of their files alive.
    package func mapping(_ transform: (ConfigurationNode) -> ConfigurationNode) -> VariedMarket {
        var mapped = self
        mapped.root = transform(root)
        return mapped
    }

    /// The values of a key, strongest first: one if it does not depend on the situation, none if no situation has it.
    ///
    /// - Parameter budget: The budget of the job that asks, if it is another one than that of the merge.
    package func alternatives(
        at path: ConfigurationPath, budget: WorkBudget? = nil
    ) throws(WorkBudget.Exceeded) -> [Alternative] {
        let budget = budget ?? self.budget
        var walk = SituationWalk(space: space, budget: budget)
        var found: [Alternative] = []
        // Above the key, the path may lead through varied tables.
        let space = space
        _ = try walk.forEachCombination(of: root, reading: [path]) { (tree, region) throws(WorkBudget.Exceeded) in
            guard let box = try SituationWalk(space: space, budget: budget).witness(of: region) else { return }
            let node = tree.node(at: path)
            found.append(
                Alternative(
                    condition: region.condition, node: node, position: region.position,
                    context: space.context(in: box)))
        }
        return found
    }
}

extension SituationRules {
    /// What a file says about a key.
    package struct Setting: Sendable {
        /// The value, or a directive such as `unset`.
        package let node: ConfigurationNode
        /// The overlay that says it; nil for the rest of a file.
        package let overlay: Overlay?
        /// The condition under which it is said.
        package let condition: Condition
        /// The id of the market whose file says it.
        package let market: String?

        /// Creates a setting.
        package init(node: ConfigurationNode, overlay: Overlay? = nil, condition: Condition = .always, market: String?)
        {
            self.node = node
            self.overlay = overlay
            self.condition = condition
            self.market = market
        }
    }

    /// Everything that the files say about a key, strongest first. The first that holds in a situation is its value,
    /// unless it changes a list, which the next ones give.
    package func settings(of path: ConfigurationPath) -> [Setting] {
        var ids: [Int: String] = [:]
        for fragment in fragments where fragment.overlay == nil {
            if case .string(let id)? = fragment.node.node(at: "id")?.value { ids[fragment.file] = id }
        }
        return fragments.reversed().flatMap { fragment in
            fragment.node.settings(of: path.elements[...], under: fragment.condition).map {
                Setting(
                    node: $0.node, overlay: fragment.overlay, condition: $0.condition, market: ids[fragment.file])
            }
        }
    }
}

extension ConfigurationNode {
    /// The tree with the situations in which each condition holds.
    fileprivate func withBoxes(of space: SituationSpace) -> ConfigurationNode {
        var node = self
        switch value {
        case .varied(let varied):
            let alternatives = varied.alternatives.map {
                VariedValue.Alternative(
                    $0.condition, boxes: space.boxes(of: $0.condition), $0.node?.withBoxes(of: space),
                    position: $0.position)
            }
            node.value = .varied(VariedValue(alternatives, isPerLocale: varied.isPerLocale))
        case .map(let entries): node.value = .map(entries.mapValues { $0.withBoxes(of: space) })
        default: break
        }
        return node
    }

    /// The values at a path, with the conditions of the varied values on the way.
    fileprivate func settings(
        of path: ArraySlice<ConfigurationPath.Element>, under condition: Condition
    ) -> [(node: ConfigurationNode, condition: Condition)] {
        if case .varied(let varied) = value {
            return varied.alternatives.flatMap { alternative in
                alternative.node?.settings(of: path, under: .allOf([condition, alternative.condition])) ?? []
            }
        }
        guard let first = path.first else { return [(self, condition)] }
        // A table that is replaced or removed has no keys.
        guard case .map(let entries) = value else { return value.isDirective ? [(self, condition)] : [] }
        guard case .key(let key) = first, let entry = entries[key] else { return [] }
        return entry.settings(of: path.dropFirst(), under: condition)
    }
}
