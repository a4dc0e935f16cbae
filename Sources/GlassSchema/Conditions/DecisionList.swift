/// The answer to the question whether some situation is in a box and outside others.
package enum ConditionWitness: Sendable, Hashable {
    /// All situations of this box are.
    case found(ConditionBox)
    /// There is none.
    case none
    /// The search took too many steps, or the budget is exhausted.
    case gaveUp
}

extension ConditionSpace {
    /// Searches for situations of a box that are outside others, its holes.
    ///
    /// Deciding whether boxes cover another is co-NP-hard in the number of attributes, so the search ends when no steps
    /// are left. It divides the box along the hole that the fewest of its sides stick out of, which in practice leaves
    /// little to divide.
    package func witness(
        in box: ConditionBox, outside holes: [ConditionBox], steps: inout Int
    ) -> ConditionWitness {
        // A stack of its own: the depth of the search is the number of holes.
        var open = [(box: box, holes: holes)]
        while let (box, holes) = open.popLast() {
            guard steps > 0, (try? spend(1 + holes.count)) != nil else { return .gaveUp }  // the budget stays exhausted
            steps -= 1
            let relevant = holes.filter { $0.meets(box) }
            if relevant.isEmpty { return .found(box) }
            var best: (hole: ConditionBox, sides: [ConditionBox.Side])?
            for hole in relevant {
                let sides = hole.sides.filter { side in
                    !(box.classes(of: side.dimension) ?? classes(of: side.dimension)).isSubset(of: side.classes)
                }
                if sides.count < best?.sides.count ?? .max { best = (hole, sides) }
                if sides.count <= 1 { break }
            }
            guard let best, !best.sides.isEmpty else { continue }  // the hole contains the box
            // The parts of the box outside the hole: outside its first side, inside that and outside the second, …
            var (parts, rest) = ([ConditionBox](), box)
            for side in best.sides {
                let all = classes(of: side.dimension)
                let classes = rest.classes(of: side.dimension) ?? all
                parts.append(rest.replacing(side.dimension, with: classes.subtracting(side.classes), isAll: false))
                let inside = classes.intersection(side.classes)
                rest = rest.replacing(side.dimension, with: inside, isAll: inside == all)
            }
            for part in parts.reversed() { open.append((part, relevant)) }
        }
        return .none
    }

    /// Searches for situations of a union of boxes that are outside others.
    package func witness(
        in boxes: [ConditionBox], outside holes: [ConditionBox], steps: Int = ConditionLimit.maximumSteps
    ) -> ConditionWitness {
        var steps = steps
        for box in boxes {
            switch witness(in: box, outside: holes, steps: &steps) {
            case .none: continue
            case let answer: return answer
            }
        }
        return .none
    }
}

/// Alternatives of which the first that holds wins, each a union of boxes.
package struct DecisionList: Sendable {
    /// The space of the boxes.
    package let space: ConditionSpace
    /// The alternatives, strongest first.
    package let alternatives: [[ConditionBox]]

    /// Creates a list of alternatives.
    package init(_ alternatives: [[ConditionBox]], in space: ConditionSpace) {
        self.space = space
        self.alternatives = alternatives
    }

    /// Creates the list of conditions.
    package init(_ conditions: [Condition], in space: ConditionSpace) throws(ConditionLimit) {
        var alternatives: [[ConditionBox]] = []
        for condition in conditions { alternatives.append(try space.boxes(of: condition)) }
        self.init(alternatives, in: space)
    }

    /// Situations in which an alternative wins.
    package func witness(of index: Int) -> ConditionWitness {
        space.witness(in: alternatives[index], outside: alternatives[..<index].flatMap { $0 })
    }

    /// Situations in which no alternative holds.
    package var gap: ConditionWitness {
        space.witness(in: [.everything], outside: alternatives.flatMap { $0 })
    }

    /// The pairs of alternatives that hold at once, with situations in which they do. Quadratic in their number.
    package var overlaps: [(first: Int, second: Int, box: ConditionBox)] {
        var result: [(first: Int, second: Int, box: ConditionBox)] = []
        for second in alternatives.indices {
            for first in 0..<second {
                if let box = overlap(of: first, and: second) { result.append((first, second, box)) }
            }
        }
        return result.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    }

    /// Situations in which two alternatives hold; nil if there are none.
    package func overlap(of first: Int, and second: Int) -> ConditionBox? {
        for left in alternatives[first] {
            for right in alternatives[second] {
                if let both = left.meet(right) { return both }
            }
        }
        return nil
    }

    /// Whether an alternative holds wherever another does, so that it is the more general one; nil if that takes too
    /// many steps to say.
    package func covers(_ index: Int, _ other: Int) -> Bool? {
        switch space.witness(in: alternatives[other], outside: alternatives[index]) {
        case .found: false
        case .none: true
        case .gaveUp: nil
        }
    }
}

extension ConditionSpace {
    /// Calls a closure for each combination of winners that lists of the space have in some situation of a box: the
    /// number of the winner of each list, nil where no alternative holds, and such situations.
    ///
    /// Goes through the lists one after another and follows no combination that no situation has, so that the work is
    /// in proportion to the number of combinations.
    package func forEachSituation<Failure: Error>(
        of lists: [DecisionList], in box: ConditionBox = .everything,
        atMost maximum: Int = ConditionLimit.maximumSituations,
        _ body: (_ winners: [Int?], _ box: ConditionBox) throws(Failure) -> Void
    ) throws(Failure) -> ConditionLimit? {
        var count = 0
        var failure: ConditionLimit?
        func go(
            _ winners: [Int?], _ boxes: [ConditionBox], _ holes: [ConditionBox], _ example: ConditionBox
        ) throws(Failure) {
            guard failure == nil else { return }
            guard winners.count < lists.count else {
                count += 1
                guard count <= maximum else {
                    failure = .situations
                    return
                }
                return try body(winners, example)
            }
            let list = lists[winners.count]
            var holes = holes
            for winner in list.alternatives.indices.map(Optional.some) + [nil] {
                let alternative = winner.map { list.alternatives[$0] }
                var (parts, example, steps) = ([ConditionBox](), ConditionBox?.none, ConditionLimit.maximumSteps)
                for part in boxes.flatMap({ box in (alternative ?? [.everything]).compactMap { box.meet($0) } }) {
                    switch witness(in: part, outside: holes, steps: &steps) {
                    case .found(let box):
                        parts.append(part)
                        example = example ?? box
                    case .none: break
                    case .gaveUp: failure = .steps
                    }
                }
                if parts.count > ConditionLimit.maximumProducts { failure = .products }
                if let example { try go(winners + [winner], parts, holes, example) }
                guard failure == nil else { return }
                holes += alternative ?? []
            }
        }
        try go([], [box], [], box)
        return failure
    }
}
