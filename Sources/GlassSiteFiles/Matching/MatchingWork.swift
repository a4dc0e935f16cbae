import GlassBase

/// Counts the work of matching links, and spends it from the command's allowance.
///
/// A unit is one compared position of a link. Units are much smaller than an allowance's steps, and counting each in
/// the allowance would cost more than the comparison.
struct MatchingWork {
    private static let unitsOfAStep = 16
    private static let unitsBetweenSpends = 4_096

    private let allowance: Allowance
    private let phase: Allowance.Phase
    private var units = 0

    init(_ allowance: Allowance, on phase: Allowance.Phase) {
        self.allowance = allowance
        self.phase = phase
    }

    /// Counts units, and spends them once there are many.
    mutating func add(_ count: Int) throws(Allowance.Exceeded) {
        units += count
        if units >= Self.unitsBetweenSpends { try spend() }
    }

    /// Spends the counted units.
    mutating func spend() throws(Allowance.Exceeded) {
        try allowance.spend(1 + units / Self.unitsOfAStep, on: phase)
        units = 0
    }
}
