import GlassBase
import GlassSchema

/// The situations that a market's conditions distinguish, and where each condition holds.
struct SituationSpace: Sendable {
    private let space: ConditionSpace
    private let boxes: [Condition: [ConditionBox]]

    /// The space of a market; nil with a finding if its conditions exceed a limit.
    ///
    /// - Parameter now: The current time, which conditions that are over are compared with.
    init?(
        _ situations: SituationRules, now: ContextDate?, budget: WorkBudget, findings: FindingList
    ) throws(WorkBudget.Exceeded) {
        let own = now.map { Condition.since($0) }
        do throws(ConditionLimit) {
            space = try ConditionSpace(
                attributes: situations.attributes,
                conditions: situations.deciding + situations.conditions.values + (own.map { [$0] } ?? []),
                budget: budget)
        } catch {
            if let exceeded = budget.exceeded { throw exceeded }
            try findings.add(.tooManySituations, at: situations.start, "\(error)")
            return nil
        }
        var boxes: [Condition: [ConditionBox]] = [.always: [.everything], .never: []]
        var isWhole = true
        for condition in situations.deciding + (own.map { [$0] } ?? []) {
            do throws(ConditionLimit) {
                boxes[condition] = try space.boxes(of: condition)
            } catch {
                if let exceeded = budget.exceeded { throw exceeded }
                isWhole = false
                try findings.add(
                    .tooManySituations, at: situations.position(of: condition) ?? situations.start, "\(error)",
                    hint: "divide it into several overlays or alternatives")
            }
        }
        guard isWhole else { return nil }
        self.boxes = boxes
    }

    /// The space of several markets; nil if their conditions exceed a limit together.
    ///
    /// Of an attribute that has other names in another market, the space has the locales that all offer, if there are
    /// any, and all choices.
    init?(joining markets: [SituationRules]) {
        var attributes: [String: ContextAttribute] = [:]
        for attribute in markets.flatMap(\.attributes) {
            attributes[attribute.name] = attributes[attribute.name]?.joined(with: attribute) ?? attribute
        }
        let deciding = Set(markets.flatMap(\.deciding))
        var boxes: [Condition: [ConditionBox]] = [.always: [.everything], .never: []]
        do throws(ConditionLimit) {
            space = try ConditionSpace(
                attributes: attributes.sorted { $0.key < $1.key }.map(\.value),
                conditions: markets.flatMap(\.deciding))
            for condition in deciding { boxes[condition] = try space.boxes(of: condition) }
        } catch {
            return nil
        }
        self.boxes = boxes
    }

    /// The situations in which a condition of the market holds.
    func boxes(of condition: Condition) -> [ConditionBox] { boxes[condition] ?? [] }

    /// The situations in which a condition holds from a date on.
    func boxes(of condition: Condition, since date: ContextDate) -> [ConditionBox] {
        let later = boxes(of: .since(date))
        return boxes(of: condition).flatMap { box in later.compactMap { box.meet($0) } }
    }

    /// The situations in two unions of boxes.
    func meet(_ one: [ConditionBox], _ two: [ConditionBox]) throws(ConditionLimit) -> [ConditionBox] {
        try space.meet(one, two)
    }

    /// Searches for a situation in one of the boxes and in none of the holes.
    func witness(in boxes: [ConditionBox], outside holes: [ConditionBox]) -> ConditionWitness {
        space.witness(in: boxes, outside: holes)
    }

    /// A situation of a box, with the attributes that matter.
    func context(in box: ConditionBox) -> MarketContext { space.context(in: box) }
}

extension ContextAttribute {
    /// The attribute with the names that it has in two markets.
    fileprivate func joined(with other: ContextAttribute) -> ContextAttribute {
        var joined = self
        switch (type, other.type) {
        case (.locale(let one), .locale(let two)):
            let shared = one.filter(two.contains)
            joined.type = .locale(shared.isEmpty ? one + two.filter { !one.contains($0) } : shared)
        case (.choice(let one), .choice(let two)): joined.type = .choice(one + two.filter { !one.contains($0) })
        case (.set(let one), .set(let two)):
            joined.type = .set(one.flatMap { one in two.map { two in one + two.filter { !one.contains($0) } } })
        default: break
        }
        return joined
    }
}
