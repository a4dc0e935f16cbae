import GlassBase
import GlassMarkets
import LuaSyntax

/// The syntax trees of the files of one load. A text is parsed once, when its tree is first needed.
final class MarketTrees: Sendable {
    // Lua's thread and the loading thread share it.
    private let trees = Lock<[String: LuaTree]>([:])
    private let budget: WorkBudget
    private let readings: SourceAnalysisCache?

    init(budget: WorkBudget, readings: SourceAnalysisCache? = nil) {
        self.budget = budget
        self.readings = readings
    }

    /// The tree of a file.
    func tree(of file: MarketFile) throws(WorkBudget.Exceeded) -> LuaTree {
        // Texts that share their storage, as those of one load do, compare in O(1).
        if let known = trees.withLock({ $0[file.file] }), known.bytes == file.bytes { return known }
        let tree: LuaTree
        if let remembered = readings?.tree(of: file.file, file.bytes) {
            try budget.spend(remembered.steps, on: .positions)
            tree = remembered.value
        } else {
            let before = budget.steps
            tree = try LuaTree(file.bytes, budget: budget, phase: .positions)
            readings?.remember(tree, of: file.file, steps: budget.steps - before)
        }
        try budget.hold(bytes: tree.memory, for: .positions)
        trees.withLock { $0[file.file] = tree }
        return tree
    }
}
