package import GlassBase

/// A property of a table that is allowed but probably unintended.
package enum RouteFinding: Sendable, Equatable, CustomStringConvertible {
    /// More specific routes match every link of a route; the witness leads to the second route.
    case shadowed(RouteDeclaration, by: RouteDeclaration, witness: String)
    /// A link of the base market leads to another routable here.
    case moved(base: RouteDeclaration, here: RouteDeclaration, witness: String)
    /// A link of the base market leads nowhere here.
    case lost(base: RouteDeclaration, witness: String)

    /// A description of the finding, with a link (without scheme) that demonstrates it.
    package var description: String {
        switch self {
        case .shadowed(let route, let other, let witness):
            "\(route.routableID): no link reaches \"\(route.pattern)\": \"\(witness)\" matches \"\(other.pattern)\" of "
                + "\(other.routableID) instead; remove it or the more specific routes"
        case .moved(let base, let here, let witness):
            "\"\(witness)\" opens \(base.routableID) in the base market and \(here.routableID) here; "
                + "change \"\(here.pattern)\" if this is unintended"
        case .lost(let base, let witness):
            "\"\(witness)\" opens \(base.routableID) in the base market and nothing here; add \"\(base.pattern)\" if "
                + "this is unintended"
        }
    }
}

extension RouteTable {
    /// The unreachable routes. Only for a list of words can literals match all values of a parameter, so trying all
    /// words, with fresh values for the other parameters, is sufficient.
    package func findings() -> [RouteFinding] {
        generously { budget throws(WorkBudget.Exceeded) in try findings(budget: budget) }
    }

    /// The unreachable routes.
    package func findings(budget: WorkBudget) throws(WorkBudget.Exceeded) -> [RouteFinding] {
        let hasAffixes = hasAffixes
        var found: [RouteFinding] = []
        for ordinal in patterns.indices {
            var first: (RouteMatch, String)?
            var isReached = false
            try forEachSample(of: ordinal, isVaried: hasAffixes, budget, .conflicts) { witness in
                guard let match = match(witness), match.ordinal != ordinal else {
                    isReached = true
                    return false
                }
                if first == nil { first = (match, witness) }
                return true
            }
            guard !isReached, let first else { continue }
            found.append(.shadowed(declarations[ordinal], by: first.0.declaration, witness: first.1))
        }
        return found
    }

    /// The changes to the base market's links, at most one finding for each route of the base market.
    package func findings(against base: RouteTable) -> [RouteFinding] {
        generously { budget throws(WorkBudget.Exceeded) in try findings(against: base, budget: budget) }
    }

    /// Whether a route has text beside a parameter, so that it matches some values of the parameter of another route.
    private var hasAffixes: Bool {
        patterns.contains { $0.segments.contains { if case .affixed = $0 { true } else { false } } }
    }

    /// The changes to the base market's links.
    package func findings(
        against base: RouteTable, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [RouteFinding] {
        var findings: [RouteFinding] = []
        let isVaried = hasAffixes || base.hasAffixes
        for ordinal in base.patterns.indices {
            try base.forEachSample(of: ordinal, isVaried: isVaried, budget, .comparing) { witness in
                guard let there = base.match(witness), there.ordinal == ordinal else { return true }
                guard let here = match(witness) else {
                    findings.append(.lost(base: there.declaration, witness: witness))
                    return false
                }
                guard here.declaration.routableID != there.declaration.routableID else { return true }
                findings.append(.moved(base: there.declaration, here: here.declaration, witness: witness))
                return false
            }
        }
        return findings
    }

    /// A link to a routable, built from the words of one of its routes or from values of its types.
    package func sampleLink(to routableID: String) -> String? {
        for ordinal in patterns.indices where declarations[ordinal].routableID == routableID {
            for variant in patterns[ordinal].variants {
                guard let sample = RouteTable.sample(0, of: variant, patterns[ordinal].requiredQuery) else { continue }
                if match(sample)?.declaration.routableID == routableID { return sample }
            }
        }
        return nil
    }

    /// A link that a pattern matches, as a routable gets it; nil for a pattern that matches none.
    package static func matchedSample(of pattern: String) -> DeepLink? {
        let declaration = RouteDeclaration(pattern: pattern, routableID: pattern)
        // The table was built with this pattern and others before.
        guard let table = try? RouteTable([declaration]), let path = table.sampleLink(to: pattern),
            let link = try? DeepLink("w:/" + path)  // samples are escaped
        else { return nil }
        return table.bestMatch(for: link).map { link.matched($0) }
    }

    /// The findings for an app's own routes. Empty if even those take too long, because findings are only advice.
    private func generously(_ body: (WorkBudget) throws(WorkBudget.Exceeded) -> [RouteFinding]) -> [RouteFinding] {
        do throws(WorkBudget.Exceeded) {
            return try body(.forOwnRoutes)
        } catch {
            return []
        }
    }

    private func match(_ path: String) -> RouteMatch? {
        let link = try? DeepLink("w:/" + path)  // samples are escaped; one that is too long is skipped
        return link.flatMap { bestMatch(for: $0) }
    }

    /// The cost in steps of creating, parsing and looking up a sample.
    private static let stepsOfASample = 32

    /// Calls `body` with links (without scheme) that a route matches until it returns false: every combination of the
    /// route's words, up to 256 each with and without an optional parameter.
    ///
    /// - Parameter isVaried: Whether to try several values for each parameter, because other routes may match some.
    private func forEachSample(
        of ordinal: Int, isVaried: Bool, _ budget: WorkBudget, _ phase: WorkBudget.Phase,
        _ body: (String) -> Bool
    ) throws(WorkBudget.Exceeded) {
        let pattern = patterns[ordinal]
        for variant in pattern.variants {
            for number in 0..<256 {
                try budget.spend(RouteTable.stepsOfASample + variant.count, on: phase)
                guard let sample = RouteTable.sample(number, of: variant, pattern.requiredQuery, isVaried: isVaried)
                else { break }
                if !body(sample) { return }
            }
        }
    }

    /// Values of a segment that are unlikely literals. If a literal does equal one, only a finding is lost; the others
    /// remain correct. If they are varied, the characters at both ends differ, because affixes match some of them.
    private static func choices(_ segment: RoutePattern.Segment, isVaried: Bool) -> [String] {
        if case .literal(let text) = segment { return [text] }
        let values =
            switch segment.type {
            case .oneOf(let words)?: words
            case .named(let type)?: Array(type.declaration.routeValues.prefix(isVaried ? .max : 1))
            // The second value matches no type, so that it reaches the route after a typed one in the same position.
            case nil: ["zq7700013x", "zq7700013~"] + (isVaried ? ["9w7700013k", "~J7700013B"] : [])
            }
        return values.map(segment.text)
    }

    /// A link (without scheme) that a route matches, or `nil` if there are fewer.
    static func sample(
        _ number: Int, of variant: ArraySlice<RoutePattern.Segment>, _ requiredQuery: [String], isVaried: Bool = false
    ) -> String? {
        var rest = number
        var parts: [String] = []
        for segment in variant.reversed() {
            let choices = RouteTable.choices(segment, isVaried: isVaried)
            parts.append(choices[rest % choices.count].utf8.percentEncoded)
            rest /= choices.count
        }
        guard rest == 0 else { return nil }
        let query = requiredQuery.map { $0.utf8.percentEncoded + "=1" }.joined(separator: "&")
        // In place, because joining a reversed view makes the runtime look up another conformance.
        parts.reverse()
        return parts.joined(separator: "/") + (query.isEmpty ? "" : "?" + query)
    }
}
