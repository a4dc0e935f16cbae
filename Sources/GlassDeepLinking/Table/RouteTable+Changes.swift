package import GlassBase

/// What became of the links of a route between two versions of a table.
package struct RouteChange: Sendable, Equatable {
    /// What became of them. Fingerprints of changes are made of the names of the cases.
    package enum Kind: Sendable, Equatable {
        /// They go nowhere.
        case lost
        /// They go to another routable.
        case moved
        /// They go to the same routable, without these parameters.
        case parametersGone([String])
        /// They go to the same routable, with these parameters more.
        case parametersAdded([String])
        /// They went nowhere.
        case added
        /// A new route that is more specific takes some of them to another routable.
        case taken
        /// There are too many combinations of words to try them all.
        case undecided
    }

    /// What became of them.
    package let kind: Kind
    /// The route that the links went to; nil for `added`.
    package let before: RouteDeclaration?
    /// The route that they go to; nil where they go nowhere, or it is not known.
    package let after: RouteDeclaration?
    /// Links without scheme that show it, a few of them; empty for `undecided`.
    package fileprivate(set) var witnesses: [String]

    /// How many links are kept that show a change: a handler may decline the first.
    static let maximumWitnesses = 6
}

extension RouteTable {
    /// What became of the links of an older version of this table.
    ///
    /// Links are made from the routes of both: every combination of the words of lists, and for parameters one value of
    /// each type that a route of either table has, up to 256 for a route.
    package func changes(since base: RouteTable, budget: WorkBudget) throws(WorkBudget.Exceeded) -> [RouteChange] {
        guard declarations != base.declarations else { return [] }
        var comparison = RouteComparison(base: base, head: self, budget: budget)
        for ordinal in base.declarations.indices { try comparison.follow(ordinal) }
        let known = Set(base.declarations.map(RouteComparison.Route.init))
        for ordinal in declarations.indices where !known.contains(RouteComparison.Route(declarations[ordinal])) {
            try comparison.meet(ordinal)
        }
        return comparison.changes
    }
}

extension RouteTable {
    /// A link of each route, without scheme, in the order of the routes; nil where another route takes it.
    package func examples(budget: WorkBudget) throws(WorkBudget.Exceeded) -> [String?] {
        let samples = RouteSamples(of: [])
        var examples: [String?] = []
        for ordinal in declarations.indices {
            var example: String?
            _ = try samples.forEach(of: patterns[ordinal], budget) { witness, link in
                if example == nil, bestMatch(for: link)?.ordinal == ordinal { example = witness }
            }
            examples.append(example)
        }
        return examples
    }
}

/// One comparison of two tables.
private struct RouteComparison {
    /// A route whatever its place among the others.
    struct Route: Hashable {
        let pattern: String
        let routableID: String

        init(_ declaration: RouteDeclaration) {
            pattern = declaration.pattern
            routableID = declaration.routableID
        }
    }

    let base: RouteTable
    let head: RouteTable
    let budget: WorkBudget
    private let samples: RouteSamples
    private let kept: Set<Route>
    private(set) var changes: [RouteChange] = []

    init(base: RouteTable, head: RouteTable, budget: WorkBudget) {
        self.base = base
        self.head = head
        self.budget = budget
        samples = RouteSamples(of: base.patterns + head.patterns)
        kept = Set(head.declarations.map(Route.init))
    }

    /// What became of the links of a route of the base.
    mutating func follow(_ ordinal: Int) throws(WorkBudget.Exceeded) {
        let before = base.declarations[ordinal]
        let first = changes.count
        let isComplete = try samples.forEach(of: base.patterns[ordinal], budget) { witness, link in
            guard let there = base.bestMatch(for: link), there.ordinal == ordinal else { return }
            guard let here = head.bestMatch(for: link) else {
                add(.lost, before, nil, witness, from: first)
                return
            }
            let after = here.declaration
            guard after.routableID == before.routableID else {
                add(.moved, before, after, witness, from: first)
                return
            }
            let (was, now) = (there.parameters.elements.map(\.name), here.parameters.elements.map(\.name))
            let gone = was.filter { !now.contains($0) }
            let more = now.filter { !was.contains($0) }
            if !gone.isEmpty { add(.parametersGone(gone), before, after, witness, from: first) }
            if gone.isEmpty, !more.isEmpty { add(.parametersAdded(more), before, after, witness, from: first) }
        }
        // A route that is still there keeps what no new route takes, and of those each is looked at.
        if !isComplete, !kept.contains(Route(before)) {
            changes.append(RouteChange(kind: .undecided, before: before, after: nil, witnesses: []))
        }
    }

    /// Where the links of a new route went before.
    mutating func meet(_ ordinal: Int) throws(WorkBudget.Exceeded) {
        let after = head.declarations[ordinal]
        let first = changes.count
        _ = try samples.forEach(of: head.patterns[ordinal], budget) { witness, link in
            guard let here = head.bestMatch(for: link), here.ordinal == ordinal else { return }
            guard let there = base.bestMatch(for: link) else {
                add(.added, nil, after, witness, from: first)
                return
            }
            let before = there.declaration
            guard before.routableID != after.routableID else { return }
            let isTold = changes[..<first].contains { $0.kind == .moved && $0.before == before && $0.after == after }
            if !isTold { add(.taken, before, after, witness, from: first) }
        }
    }

    private mutating func add(
        _ kind: RouteChange.Kind, _ before: RouteDeclaration?, _ after: RouteDeclaration?, _ witness: String,
        from first: Int
    ) {
        let same = changes.indices[first...].first {
            changes[$0].kind == kind && changes[$0].before == before && changes[$0].after == after
        }
        guard let same else {
            changes.append(RouteChange(kind: kind, before: before, after: after, witnesses: [witness]))
            return
        }
        if changes[same].witnesses.count < RouteChange.maximumWitnesses { changes[same].witnesses.append(witness) }
    }
}

/// Links that stand for all links of a route.
private struct RouteSamples {
    /// The open types that a pattern has a parameter of.
    private let types: [RouteVocabulary.OpenType]

    init(of patterns: [RoutePattern]) {
        var found: Set<RouteVocabulary.OpenType> = []
        for case .parameter(_, let type?) in patterns.lazy.flatMap(\.segments) {
            switch type {
            case .int: found.insert(.int)
            case .uuid: found.insert(.uuid)
            case .slug: found.insert(.slug)
            case .alnum: found.insert(.alnum)
            case .oneOf: break
            }
        }
        types = RouteVocabulary.OpenType.allCases.filter(found.contains)
    }

    /// The most links of a route.
    private static let most = 256
    /// A link is made, parsed and looked up twice: as much work as so many steps.
    private static let stepsOfALink = 48

    /// Calls `body` with links that a pattern matches.
    func forEach(
        of pattern: RoutePattern, _ budget: WorkBudget, _ body: (String, DeepLink) -> Void
    ) throws(WorkBudget.Exceeded) -> Bool {
        var isComplete = true
        for variant in pattern.variants {
            let choices = variant.map(self.choices)
            var count = 1
            for choice in choices {
                count = min(count * choice.count, 2 * Self.most)
                try budget.spend(choice.count, on: .comparing)
            }
            if count > Self.most { isComplete = false }
            for number in 0..<min(count, Self.most) {
                try budget.spend(Self.stepsOfALink + variant.count, on: .comparing)
                var rest = number
                var parts: [String] = []
                for choice in choices.reversed() {
                    parts.append(choice[rest % choice.count])
                    rest /= choice.count
                }
                let query = pattern.requiredQuery.map { $0.utf8.percentEncoded + "=1" }.joined(separator: "&")
                let witness = parts.reversed().joined(separator: "/") + (query.isEmpty ? "" : "?" + query)
                // One that is too long for the gate is no witness.
                if let link = try? DeepLink("w:/" + witness) { body(witness, link) }
            }
        }
        return isComplete
    }

    /// The values of a segment, escaped. Hardly any literal equals one of those that were made up; a literal that does
    /// makes a change with a true witness less.
    private func choices(_ segment: RoutePattern.Segment) -> [String] {
        switch segment {
        case .literal(let text): return [text.utf8.percentEncoded]
        case .parameter(_, .oneOf(let words)?): return words.map(\.utf8.percentEncoded)
        case .parameter(_, let type?):
            let values = [type.ownValue] + types.map(\.type.ownValue).filter { type.accepts($0) }
            return values.unique
        case .parameter: return ([Self.anything] + types.map(\.type.ownValue)).unique
        case .catchAll: return ([Self.anything, "\(Self.anything)/zq7700014"] + types.map(\.type.ownValue)).unique
        }
    }

    /// A value of no type.
    private static let anything = "zq7700013~"
}

extension ParameterType {
    /// A value of the type that belongs to as few others as can be.
    fileprivate var ownValue: String {
        switch self {
        case .int: "7700013"
        case .uuid: "7e57ab1e-0000-4000-8000-0000000000a1"
        case .slug: "zq-7700013x"
        case .alnum: "zq7700013x"
        case .oneOf(let words): words.first ?? ""
        }
    }
}

extension [String] {
    /// Each once, in order.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
