import GlassBase

/// A rule of a file and the routes that it represents, as indices into the routes of its ``HostAppPair``.
struct RouteRule<Rule: Sendable & Hashable>: Sendable {
    var rule: Rule
    var owners: [Int]
}

/// Distinct rules, in the order in which they were first added.
struct OwnedRules<Rule: Sendable & Hashable> {
    private(set) var list: [RouteRule<Rule>] = []
    private var places: [Rule: Int] = [:]

    /// Adds a rule, or adds the owner to an equal rule.
    mutating func add(
        _ rule: Rule, owner: Int, size: Int, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        try budget.spend(Self.stepsOfARule + size / 8, on: .exporting)
        if let place = places[rule] {
            if list[place].owners.last != owner { list[place].owners.append(owner) }
        } else {
            // The text is stored twice, along with a compiled form.
            try budget.hold(bytes: Self.bytesOfARule + 8 * size, for: .exporting)
            places[rule] = list.count
            list.append(RouteRule(rule: rule, owners: [owner]))
        }
    }

    private static var stepsOfARule: Int { 16 }
    private static var bytesOfARule: Int { 256 }
}
