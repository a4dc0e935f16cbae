extension Condition {
    /// Whether the value of an attribute decides if the condition holds in a situation, whatever its tests of that
    /// attribute are.
    package func depends(on name: String, in context: MarketContext) -> Bool {
        holds(in: context, assuming: true, of: name) != holds(in: context, assuming: false, of: name)
    }

    /// Whether the condition holds if all tests of an attribute have the same result. That decides nothing where one
    /// condition has opposite tests of it, but then another value does not help either.
    private func holds(in context: MarketContext, assuming passes: Bool, of name: String) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .test(name, _): passes
        case .test(let other, let test): test.passes(context.values[other])
        case .rollout(let rollout):
            rollout.bucketing.unit == name ? passes : rollout.contains(context.values[rollout.bucketing.unit])
        case .any(let conditions): conditions.contains { $0.holds(in: context, assuming: passes, of: name) }
        case .all(let conditions): conditions.allSatisfy { $0.holds(in: context, assuming: passes, of: name) }
        case .no(let condition): !condition.holds(in: context, assuming: passes, of: name)
        }
    }
}
