import GlassBase

/// The work of comparing links with patterns: counted here, spent from the command's allowance.
///
/// A position of a link that is compared is one unit. Units are far smaller than an allowance's steps, and counting each in
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

    /// Counts units, and spends them when there are many.
    mutating func add(_ count: Int) throws(Allowance.Exceeded) {
        units += count
        if units >= Self.unitsBetweenSpends { try spend() }
    }

    /// Spends what was counted.
    mutating func spend() throws(Allowance.Exceeded) {
        try allowance.spend(1 + units / Self.unitsOfAStep, on: phase)
        units = 0
    }
}
