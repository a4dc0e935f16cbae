import GlassBase
import GlassSchema

/// Visits the combinations of alternatives that some situation has.
struct SituationWalk {
    /// The situations of one combination: those in one of the boxes and in none of the holes.
    struct Region {
        var boxes: [ConditionBox]
        var holes: [ConditionBox] = []
        /// The conditions of the chosen alternatives.
        var condition = Condition.always
        /// The position of the last of these conditions.
        var position: SourcePosition?
    }

    /// The maximum number of combinations of one visit.
    static let maximumCombinations = 4096

    let space: SituationSpace
    let budget: WorkBudget
    private var count = 0

    init(space: SituationSpace, budget: WorkBudget) {
        self.space = space
        self.budget = budget
    }

    /// Every situation.
    var everything: Region { Region(boxes: space.boxes(of: .always)) }

    /// A situation of a region; nil if it has none.
    func witness(of region: Region) throws(WorkBudget.Exceeded) -> ConditionBox? {
        try budget.spend(1 + region.boxes.count * (1 + region.holes.count), on: .proving)
        return switch space.witness(in: region.boxes, outside: region.holes) {
        case .found(let found): found
        // Without an answer in time, the combination is checked: that may report too much, never too little.
        case .gaveUp: region.boxes.first
        case .none: nil
        }
    }

    /// The situations that two regions share.
    func meet(_ one: Region, _ two: Region) throws(WorkBudget.Exceeded) -> Region {
        try budget.spend(one.boxes.count * two.boxes.count, on: .proving)
        return Region(
            boxes: one.boxes.flatMap { box in two.boxes.compactMap { box.meet($0) } }, holes: one.holes + two.holes)
    }

    /// Calls a closure with each combination of the alternatives in a tree.
    ///
    /// - Parameters:
    ///   - tree: The tree.
    ///   - reads: The paths whose values matter; any alternative is taken elsewhere.
    ///   - body: Called with the tree of the combination and its situations.
    /// - Returns: Whether all combinations were visited.
    mutating func forEachCombination(
        of tree: ConfigurationNode, reading reads: [ConfigurationPath],
        _ body: (ConfigurationNode, Region) throws(WorkBudget.Exceeded) -> Void
    ) throws(WorkBudget.Exceeded) -> Bool {
        count = 0
        try visit(tree, reads, everything, body)
        return count <= Self.maximumCombinations
    }

    private mutating func visit(
        _ tree: ConfigurationNode, _ reads: [ConfigurationPath], _ region: Region,
        _ body: (ConfigurationNode, Region) throws(WorkBudget.Exceeded) -> Void
    ) throws(WorkBudget.Exceeded) {
        guard count <= Self.maximumCombinations else { return }
        var next: (path: ConfigurationPath, value: VariedValue)?
        for read in reads {
            next = tree.firstVaried(at: ConfigurationPath(), toward: read.elements[...])
            if next != nil { break }
        }
        guard let (path, varied) = next else {
            count += 1
            guard count <= Self.maximumCombinations else { return }
            return try body(tree, region)
        }
        var holes = region.holes
        var isComplete = false
        for alternative in varied.alternatives {
            var inner = try meet(region, Region(boxes: alternative.boxes))
            inner.holes = holes
            inner.condition = .allOf([region.condition, alternative.condition])
            inner.position = alternative.position ?? region.position
            if try witness(of: inner) != nil {
                try visit(tree.replacing(at: path.elements[...], with: alternative.node), reads, inner, body)
            }
            if alternative.condition == .always {
                isComplete = true
                break
            }
            holes += alternative.boxes
        }
        guard !isComplete else { return }
        let rest = Region(
            boxes: region.boxes, holes: holes, condition: region.condition, position: region.position)
        if try witness(of: rest) != nil {
            try visit(tree.replacing(at: path.elements[...], with: nil), reads, rest, body)
        }
    }
}

extension ConfigurationNode {
    /// The first varied value on the way to a path or below it.
    fileprivate func firstVaried(
        at path: ConfigurationPath, toward rest: ArraySlice<ConfigurationPath.Element>
    ) -> (path: ConfigurationPath, value: VariedValue)? {
        if case .varied(let varied) = value { return (path, varied) }
        switch (rest.first, value) {
        case (.key(let key)?, .map(let entries)):
            return entries[key]?.firstVaried(at: path.appending(key), toward: rest.dropFirst())
        case (nil, .map(let entries)):
            for (key, entry) in entries.inOrder {
                if let found = entry.firstVaried(at: path.appending(key), toward: rest) { return found }
            }
            return nil
        default: return nil
        }
    }

    /// The tree with another value at a path of keys; without the key if the value is nil.
    func replacing(at path: ArraySlice<ConfigurationPath.Element>, with node: ConfigurationNode?) -> ConfigurationNode {
        guard case .key(let key)? = path.first else { return node ?? self }
        var entries: [String: ConfigurationNode] = [:]
        if case .map(let found) = value { entries = found }
        let rest = path.dropFirst()
        if rest.isEmpty {
            var node = node
            if node?.keyPosition == nil { node?.keyPosition = entries[key]?.keyPosition }
            entries[key] = node
        } else {
            entries[key] = (entries[key] ?? ConfigurationNode(.map([:]))).replacing(at: rest, with: node)
        }
        var changed = self
        changed.value = .map(entries)
        return changed
    }
}
