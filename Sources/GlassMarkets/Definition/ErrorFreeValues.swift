import GlassBase
import GlassSchema

/// The values of a market without those that have errors.
///
/// Keeps one invalid value from hiding other findings: the remaining routes are still compiled and compared. For
/// checks only; a market with errors is never built.
struct ErrorFreeValues {
    /// The remaining values.
    let root: ConfigurationNode
    /// The elements that were removed from each list, in order and counted from 1.
    private let dropped: [ConfigurationPath: [Int]]
    /// The paths with errors, and those above them.
    private let broken: Set<ConfigurationPath>

    /// All values of a market without errors.
    init(_ root: ConfigurationNode) {
        self.root = root
        (dropped, broken) = ([:], [])
    }

    /// Removes the values with errors from a market.
    init(
        of root: ConfigurationNode, without failed: Set<ConfigurationPath>, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        var removal = ErrorRemoval(failed: failed, budget: budget)
        self.root = try removal.rest(of: root, ConfigurationPath())
        dropped = removal.dropped
        var broken = failed
        for path in failed {
            try budget.spend(path.elements.count, on: .validating)
            for end in path.elements.indices { broken.insert(ConfigurationPath(Array(path.elements[..<end]))) }
        }
        self.broken = broken
    }

    /// Whether there is an error at a path or below it.
    func isBroken(_ path: ConfigurationPath) -> Bool { broken.contains(path) }

    /// The path in the market of a value in ``root``: elements were counted before any was removed.
    func written(_ path: ConfigurationPath) -> ConfigurationPath {
        guard !dropped.isEmpty else { return path }
        var elements: [ConfigurationPath.Element] = []
        for element in path.elements {
            guard case .index(var index) = element, let gone = dropped[ConfigurationPath(elements)] else {
                elements.append(element)
                continue
            }
            for other in gone where other <= index { index += 1 }
            elements.append(.index(index))
        }
        return ConfigurationPath(elements)
    }
}
