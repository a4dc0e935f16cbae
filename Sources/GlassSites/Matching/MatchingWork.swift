import GlassBase

/// Counts the work of matching links, and charges it to the command's budget.
///
/// A unit is one compared position of a link. Units are much smaller than a budget's steps; charging each one
/// separately would cost more than the comparison.
struct MatchingWork {
    private static let unitsOfAStep = 16
    private static let unitsBetweenSpends = 4_096

    private let budget: WorkBudget
    private let phase: WorkBudget.Phase
    private var units = 0

    init(_ budget: WorkBudget, on phase: WorkBudget.Phase) {
        self.budget = budget
        self.phase = phase
    }

    /// Counts units, and charges them in batches.
    mutating func add(_ count: Int) throws(WorkBudget.Exceeded) {
        units += count
        if units >= Self.unitsBetweenSpends { try spend() }
    }

    /// Charges the counted units.
    mutating func spend() throws(WorkBudget.Exceeded) {
        try budget.spend(1 + units / Self.unitsOfAStep, on: phase)
        units = 0
    }
}
