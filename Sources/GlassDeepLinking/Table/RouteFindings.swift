package import GlassBase

/// Something about a table that is allowed and probably not meant.
package enum RouteFinding: Sendable, Equatable, CustomStringConvertible {
    /// More specific routes take every link of a route; the witness goes to the second one.
    case shadowed(RouteDeclaration, by: RouteDeclaration, witness: String)
    /// A link of the base market goes to another routable here.
    case moved(base: RouteDeclaration, here: RouteDeclaration, witness: String)
    /// A link of the base market goes nowhere here.
    case lost(base: RouteDeclaration, witness: String)

    /// What was found, with a link without scheme that shows it.
    package var description: String {
        switch self {
        case .shadowed(let route, let other, let witness):
            "\(route.routableID): no link reaches \"\(route.pattern)\": \"\(witness)\" goes to \"\(other.pattern)\" of "
                + "\(other.routableID); remove it or the more specific routes"
        case .moved(let base, let here, let witness):
            "\"\(witness)\" opens \(base.routableID) in the base market and \(here.routableID) here; "
                + "change \"\(here.pattern)\" if that is not meant"
        case .lost(let base, let witness):
            "\"\(witness)\" opens \(base.routableID) in the base market and nothing here; add \"\(base.pattern)\" if "
                + "that is not meant"
        }
    }
}

extension RouteTable {
    /// The routes that no link reaches. A list of words is the only parameter whose every value literals can take, so
    /// trying all words, with fresh values for the other parameters, decides.
    package func findings() -> [RouteFinding] {
        generously { budget throws(WorkBudget.Exceeded) in try findings(budget: budget) }
    }

    /// The routes that no link reaches.
    package func findings(budget: WorkBudget) throws(WorkBudget.Exceeded) -> [RouteFinding] {
        var found: [RouteFinding] = []
        for ordinal in patterns.indices {
            var first: (RouteMatch, String)?
            var isReached = false
            try forEachSample(of: ordinal, budget, .conflicts) { witness in
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

    /// What became of the base market's links here, one finding for each route of the base at most.
    package func findings(against base: RouteTable) -> [RouteFinding] {
        generously { budget throws(WorkBudget.Exceeded) in try findings(against: base, budget: budget) }
    }

    /// What became of the base market's links here.
    package func findings(
        against base: RouteTable, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [RouteFinding] {
        var findings: [RouteFinding] = []
        for ordinal in base.patterns.indices {
            try base.forEachSample(of: ordinal, budget, .comparing) { witness in
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

    /// A link to a routable, made of the words of one of its routes, or of values that its types take.
    package func sampleLink(to routableID: String) -> String? {
        for ordinal in patterns.indices where declarations[ordinal].routableID == routableID {
            for variant in patterns[ordinal].variants {
                guard let sample = RouteTable.sample(0, of: variant, patterns[ordinal].requiredQuery) else { continue }
                if match(sample)?.declaration.routableID == routableID { return sample }
            }
        }
        return nil
    }

    /// The findings of an app's own routes; none where even those take too long, as they are advice.
    private func generously(_ body: (WorkBudget) throws(WorkBudget.Exceeded) -> [RouteFinding]) -> [RouteFinding] {
        do throws(WorkBudget.Exceeded) {
            return try body(.forOwnRoutes)
        } catch {
            return []
        }
    }

    private func match(_ path: String) -> RouteMatch? {
        let link = try? DeepLink("w:/" + path)  // samples are escaped; one that is too long for the gate is no witness
        return link.flatMap { bestMatch(for: $0) }
    }

    /// A sample is made, parsed and looked up: as much work as so many steps.
    private static let stepsOfASample = 32

    /// Calls `body` with links, without scheme, that a route matches, until it returns false: every combination of the
    /// route's words, up to 256 with and 256 without an optional parameter.
    private func forEachSample(
        of ordinal: Int, _ budget: WorkBudget, _ phase: WorkBudget.Phase, _ body: (String) -> Bool
    ) throws(WorkBudget.Exceeded) {
        let pattern = patterns[ordinal]
        for variant in pattern.variants {
            for number in 0..<256 {
                try budget.spend(RouteTable.stepsOfASample + variant.count, on: phase)
                guard let sample = RouteTable.sample(number, of: variant, pattern.requiredQuery) else { break }
                if !body(sample) { return }
            }
        }
    }

    /// A link, without scheme, that a route matches, or `nil` when there are not so many.
    static func sample(
        _ number: Int, of variant: ArraySlice<RoutePattern.Segment>, _ requiredQuery: [String]
    ) -> String? {
        var rest = number
        var parts: [String] = []
        for segment in variant.reversed() {
            let choices: [String]
            switch segment {
            case .literal(let text): choices = [text]
            case .parameter(_, .oneOf(let words)?): choices = words
            // Values that hardly any literal equals; a literal that does makes a finding with a true witness less.
            case .parameter(_, .int?): choices = ["7700013"]
            case .parameter(_, .uuid?): choices = ["7e57ab1e-0000-4000-8000-0000000000a1"]
            case .parameter(_, .slug?), .parameter(_, .alnum?): choices = ["zq7700013x"]
            // The second is of no type, so that it reaches the route behind a typed one at the same place.
            case .parameter, .catchAll: choices = ["zq7700013x", "zq7700013~"]
            }
            parts.append(choices[rest % choices.count].utf8.percentEncoded)
            rest /= choices.count
        }
        guard rest == 0 else { return nil }
        let query = requiredQuery.map { $0.utf8.percentEncoded + "=1" }.joined(separator: "&")
        // In place: joining a reversed view has the runtime look for one more conformance.
        parts.reverse()
        return parts.joined(separator: "/") + (query.isEmpty ? "" : "?" + query)
    }
}
