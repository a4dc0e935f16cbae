/// Something about a table that is allowed and probably not meant.
public enum RouteFinding: Sendable, Equatable, CustomStringConvertible {
    /// More specific routes take every link of a route; the witness goes to the second one.
    case shadowed(RouteDeclaration, by: RouteDeclaration, witness: String)
    /// A link of the base market goes to another routable here.
    case moved(base: RouteDeclaration, here: RouteDeclaration, witness: String)
    /// A link of the base market goes nowhere here.
    case lost(base: RouteDeclaration, witness: String)

    /// What was found, with a link without scheme that shows it.
    public var description: String {
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
    ///
    /// - Returns: The findings in the order of the routes.
    /// - Complexity: O(routes × words), with at most 256 combinations a route.
    public func findings() -> [RouteFinding] {
        patterns.indices.compactMap { ordinal in
            var first: (RouteMatch, String)?
            for witness in samples(of: ordinal) {
                guard let match = match(witness) else { return nil }
                if match.ordinal == ordinal { return nil }
                if first == nil { first = (match, witness) }
            }
            return first.map { .shadowed(declarations[ordinal], by: $0.0.declaration, witness: $0.1) }
        }
    }

    /// What became of the base market's links here, one finding for each route of the base at most.
    ///
    /// - Parameter base: The base market's table.
    /// - Returns: The findings in the order of the base's routes.
    public func findings(against base: RouteTable) -> [RouteFinding] {
        base.patterns.indices.compactMap { ordinal in
            for witness in base.samples(of: ordinal) {
                guard let there = base.match(witness), there.ordinal == ordinal else { continue }
                guard let here = match(witness) else { return .lost(base: there.declaration, witness: witness) }
                if here.declaration.routableID != there.declaration.routableID {
                    return .moved(base: there.declaration, here: here.declaration, witness: witness)
                }
            }
            return nil
        }
    }

    private func match(_ path: String) -> RouteMatch? {
        // Samples are escaped; one that is too long for the gate is no witness.
        (try? DeepLink("w:/" + path)).flatMap { bestMatch(for: $0) }
    }

    /// Links, without scheme, that a route matches: every combination of its words, up to 256.
    func samples(of ordinal: Int) -> [String] {
        let pattern = patterns[ordinal]
        let query = pattern.requiredQuery.map { $0.utf8.percentEncoded + "=1" }.joined(separator: "&")
        var all: [String] = []
        for variant in pattern.variants {
            var paths = [""]
            for segment in variant {
                let choices: [String]
                switch segment {
                case .literal(let text): choices = [text]
                case .parameter(_, .oneOf(let words)?): choices = words
                // Values that hardly any literal equals; a literal that does makes a finding with a true witness less.
                case .parameter(_, .int?): choices = ["7700013"]
                case .parameter(_, .uuid?): choices = ["7e57ab1e-0000-4000-8000-0000000000a1"]
                case .parameter, .catchAll: choices = ["zq7700013x"]
                }
                paths = paths.flatMap { path in
                    choices.map { path + (path.isEmpty ? "" : "/") + $0.utf8.percentEncoded }
                }
                paths = Array(paths.prefix(256))
            }
            all += paths.map { $0 + (query.isEmpty ? "" : "?" + query) }
        }
        return all
    }
}
