package import GlassBase

/// How a route's links changed between two versions of a table.
package struct RouteChange: Sendable, Equatable {
    /// The kind of change. Fingerprints of changes contain the names of the cases.
    package enum Kind: Sendable, Equatable {
        /// The links lead nowhere.
        case lost
        /// The links lead to another routable.
        case moved
        /// The links lead to the same routable, without these parameters.
        case parametersGone([String])
        /// The links lead to the same routable, with these additional parameters.
        case parametersAdded([String])
        /// The links led nowhere before.
        case added
        /// A new, more specific route sends some of them to another routable.
        case taken
        /// There are too many combinations of words to try all of them.
        case undecided
    }

    /// The kind of change.
    package let kind: Kind
    /// The previous route of the links; nil for `added`.
    package let before: RouteDeclaration?
    /// The new route of the links; nil if they lead nowhere or it is unknown.
    package let after: RouteDeclaration?
    /// A few links (without scheme) that demonstrate the change; empty for `undecided`.
    package fileprivate(set) var witnesses: [String]

    /// The maximum number of witnesses; several, because a handler may decline the first.
    static let maximumWitnesses = 6
}

extension RouteTable {
    /// The changes to the links of an older version of this table.
    ///
    /// The links are derived from the routes of both versions: every combination of the words of lists and, for
    /// parameters, one value of each type that occurs in either table, up to 256 per route.
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
    /// A link (without scheme) of each route, in the order of the routes; nil if another route matches it.
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

/// A comparison of two tables.
private struct RouteComparison {
    /// A route regardless of its position among the others.
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

    /// Records the changes to the links of a base route.
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
        // An existing route keeps the links that no new route matches, and every new route is examined.
        if !isComplete, !kept.contains(Route(before)) {
            changes.append(RouteChange(kind: .undecided, before: before, after: nil, witnesses: []))
        }
    }

    /// Records where the links of a new route led before.
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
            let isReported = changes[..<first].contains {
                $0.kind == .moved && $0.before == before && $0.after == after
            }
            if !isReported { add(.taken, before, after, witness, from: first) }
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

/// Sample links that represent all links of a route.
private struct RouteSamples {
    /// The types with names that occur in the patterns.
    private let types: [NamedParameterType]

    init(of patterns: [RoutePattern]) {
        let found = Set(patterns.lazy.flatMap(\.segments).compactMap(\.type?.named))
        types = NamedParameterType.allCases.filter(found.contains)
    }

    /// The maximum number of links per route.
    private static let most = 256
    /// The cost in steps of creating, parsing and looking up a link twice.
    private static let stepsOfALink = 48

    /// Calls `body` with links that a pattern matches. Returns whether these are all combinations.
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
                // A link that exceeds the gate's length cannot be a witness.
                if let link = try? DeepLink("w:/" + witness) { body(witness, link) }
            }
        }
        return isComplete
    }

    /// The escaped values of a segment. The made-up values are unlikely literals; if a literal does equal one, only a
    /// change is lost, and the others remain correct.
    private func choices(_ segment: RoutePattern.Segment) -> [String] {
        switch segment {
        case .literal(let text): return [text.utf8.percentEncoded]
        case .parameter, .affixed:
            let values =
                switch segment.type {
                case .oneOf(let words)?: words
                case .named(let type)?: Array(type.declaration.ownValues.prefix(1)) + values(of: type)
                case nil: [Self.anything] + usualValues
                }
            return values.unique.map { segment.text(of: $0).utf8.percentEncoded }
        case .catchAll: return ([Self.anything, "\(Self.anything)/zq7700014"] + usualValues).unique
        }
    }

    /// A usual value of each type.
    private var usualValues: [String] { types.compactMap(\.declaration.ownValues.first) }

    /// Samples that distinguish a type from the others in the table: the usual values of others that it accepts, and its
    /// rarer values if another type accepts its usual one.
    private func values(of type: NamedParameterType) -> [String] {
        let own = type.declaration.ownValues
        let isShared = types.contains { $0 != type && $0.accepts(Array((own.first ?? "").utf8)) }
        return usualValues.filter { type.accepts(Array($0.utf8)) } + (isShared ? own.dropFirst() : [])
    }

    /// A value that matches no type.
    private static let anything = "zq7700013~"
}

extension [String] {
    /// The distinct elements, in order.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
