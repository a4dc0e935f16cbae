package import GlassBase

/// An explanation of where a link leads.
public struct LinkExplanation: Sendable, Equatable, CustomStringConvertible {
    /// A route that matches the link or comes close.
    package struct Candidate: Sendable, Equatable {
        /// The route.
        package let declaration: RouteDeclaration
        /// Whether the pattern matches the link.
        package let isMatch: Bool
        /// Whether the route is chosen.
        package var isWinner: Bool
        /// The reason that it was chosen or not.
        package var reason: String
    }

    /// A similar link that a route would match.
    package struct NearMiss: Sendable, Equatable {
        /// The route.
        package let declaration: RouteDeclaration
        /// The part of the link to correct; if several segments are wrong, all from the first to the last, with
        /// slashes.
        package let written: String
        /// The likely correction.
        package let suggestion: String
        /// The corrected link.
        package let link: String
        /// The number of segments from the first that is wrong to the last.
        let segments: Int
    }

    /// The result of the link: what its route is or, if it was opened, what that did.
    public internal(set) var result: DispatchResult
    /// The gate's refusal, or `nil` if the link passes.
    package let refusal: DeepLinkRefusal?
    /// The scheme and its status in the market; empty for a refused link.
    package let scheme: String
    /// The host and its status in the market; empty if there is none.
    package let host: String
    /// The link's segments.
    package let segments: [String]
    /// The matching routes, best first, followed by the nearest ones; at most ten.
    package internal(set) var candidates: [Candidate]
    /// Corrections; only if no route matches.
    package var nearMisses: [NearMiss]
    /// The other markets that would route the link.
    package var takers: [String]

    /// The explanation as lines of text, with invisible characters spelled out.
    public var description: String { lines.joined(separator: "\n").plain }

    /// The lines of the explanation.
    package var lines: [DisplayText] {
        var lines: [DisplayText] = ["\(result.text): \(result.outcome.name)"]
        if let refusal { lines.append("gate: \(refusal)") } else { lines.append("gate: passed") }
        if !scheme.isEmpty { lines.append("scheme: \(scheme)") }
        if !host.isEmpty { lines.append("host: \(host)") }
        if refusal == nil { lines.append("segments: \(segments.joined(separator: " | "))") }
        for candidate in candidates {
            let declaration = candidate.declaration
            lines.append(
                "\(candidate.isWinner ? "+" : "-") \(declaration.pattern) (\(declaration.routableID)): \(candidate.reason)"
            )
        }
        for miss in nearMisses {
            lines.append(
                "did you mean \"\(miss.suggestion)\"? (\"\(miss.written)\" → \"\(miss.suggestion)\", route of "
                    + "\(miss.declaration.routableID))")
        }
        if !takers.isEmpty { lines.append("routed by: \(takers.joined(separator: ", "))") }
        return lines
    }
}

extension LinkExplanation {
    /// The explanation of a link that was opened: a routable may decline a link that its pattern matches.
    package func opened(_ result: DispatchResult) -> LinkExplanation {
        var explanation = self
        explanation.result = result
        let winner = candidates.firstIndex { candidate in
            candidate.isMatch && candidate.declaration.routableID == result.routableID
                && candidate.declaration.pattern == result.pattern
        }
        for index in candidates.indices where candidates[index].isMatch {
            explanation.candidates[index].isWinner = index == winner && result.outcome.isRoutable
            if index < winner ?? .max, case .refused = result.outcome { continue }
            if index < winner ?? .max {
                explanation.candidates[index].reason =
                    "matches, but \(candidates[index].declaration.routableID) declines the link"
            } else if index == winner, index > 0 {
                explanation.candidates[index].reason = "matches, most specific of those that accept the link"
            }
        }
        return explanation
    }
}

extension DeepLinker {
    /// Explains where a link goes and why, without opening it.
    package func explain(_ text: String) -> LinkExplanation { explain(text, others: []) }

    /// Explains where a link goes and why, without opening it.
    ///
    /// - Parameters:
    ///   - text: The link.
    ///   - others: Other markets by name, to report which of them would route the link.
    /// - Returns: The explanation.
    /// - Complexity: O(number of routes).
    public func explain(_ text: String, others: [(name: String, deepLinker: any DeepLinker)]) -> LinkExplanation {
        explanation(of: text, limits: DeepLinkLimits(), others: others)
    }

    /// Explains where a link goes and why, without opening it, within a budget.
    package func explain(_ text: String, budget: WorkBudget) throws(WorkBudget.Exceeded) -> LinkExplanation {
        let limits = (self as? DeepLinkRouter)?.limits ?? DeepLinkLimits()
        return try explanation(of: text, limits: limits, budget: budget)
    }

    fileprivate func explanation(
        of text: String, limits: DeepLinkLimits, others: [(name: String, deepLinker: any DeepLinker)]
    ) -> LinkExplanation {
        do {
            var explanation = try explanation(of: text, limits: limits, budget: .unlimited)
            explanation.takers = others.filter { $0.deepLinker.canRoute(deepLink: text) }.map(\.name)
            return explanation
        } catch {
            preconditionFailure("a budget without limits ran out: \(error)")
        }
    }

    private func explanation(
        of text: String, limits: DeepLinkLimits, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> LinkExplanation {
        let result = dryRun(text)
        let link: DeepLink
        do {
            link = try DeepLink(text, limits: limits)
        } catch {
            return LinkExplanation(
                result: result, refusal: error, scheme: "", host: "", segments: [], candidates: [], nearMisses: [],
                takers: [])
        }
        var refusal: DeepLinkRefusal?
        if case .refused(let rule) = result.outcome { refusal = rule }
        let configuration = DeepLinkConfiguration(
            schemes: urlSchemes, universalLinks: universalLinks, allowedDomains: allowedDomains)
        let isKnownScheme = link.isWebLink || configuration.hasScheme(link.scheme)
        var host = ""
        let universal = link.isWebLink ? configuration.universalHost(covering: link.host) : nil
        if let universal {
            host = "\(link.host) (universal link\(universal.isWildcard ? " of \(universal.text)" : ""))"
        } else if link.isWebLink {
            host = link.host + (configuration.isAllowed(host: link.host) ? " (allowed domain)" : " (unknown)")
        }
        let table = table
        let isOurs = link.isWebLink ? universal != nil : isKnownScheme
        let candidates = isOurs ? try table.candidates(for: link, budget) : []
        let isRouted = candidates.contains(where: \.isWinner)
        return LinkExplanation(
            result: result, refusal: refusal, scheme: link.scheme + (isKnownScheme ? "" : " (unknown)"), host: host,
            segments: link.segments, candidates: candidates,
            nearMisses: isOurs && !isRouted ? try table.nearMisses(for: link, budget) : [],
            takers: [])
    }
}

extension DeepLinkRouter {
    /// Explains where a link goes and why, without opening it.
    ///
    /// - Parameters:
    ///   - text: The link.
    ///   - others: Other markets by name, to report which of them would route the link.
    /// - Returns: The explanation, using the router's own limits.
    /// - Complexity: O(number of routes).
    public func explain(_ text: String, others: [(name: String, deepLinker: any DeepLinker)]) -> LinkExplanation {
        explanation(of: text, limits: limits, others: others)
    }
}

extension RouteTable {
    fileprivate func candidates(
        for link: DeepLink, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [LinkExplanation.Candidate] {
        try budget.spend(visits(for: link), on: .explaining)
        let all = matches(for: link)
        try budget.spend(all.count, on: .explaining)
        let matches = all.prefix(RouteTable.candidateLimit)
        let segments = link.segments
        var result = matches.enumerated().map { place, match in
            LinkExplanation.Candidate(
                declaration: match.declaration, isMatch: true, isWinner: place == 0,
                reason: place == 0
                    ? "matches, most specific" : "matches, less specific than \"\(matches[0].declaration.pattern)\"")
        }
        let matched = Set(all.map(\.ordinal))
        // Reasons are generated only for the candidates that are reported.
        var losers: [(progress: Int, ordinal: Int)] = []
        for ordinal in patterns.indices where !matched.contains(ordinal) {
            let progress = RouteTable.mismatch(patterns[ordinal], segments).progress
            try budget.spend(1 + progress, on: .explaining)
            if progress > 0 { losers.append((progress, ordinal)) }
        }
        losers.sort { ($1.progress, $0.ordinal) < ($0.progress, $1.ordinal) }
        for loser in losers.prefix(RouteTable.candidateLimit - result.count) {
            result.append(
                LinkExplanation.Candidate(
                    declaration: declarations[loser.ordinal], isMatch: false, isWinner: false,
                    reason: RouteTable.reason(patterns[loser.ordinal], segments, link)))
        }
        return result
    }

    /// The maximum number of candidates in an explanation.
    private static let candidateLimit = 10

    /// The first difference between a pattern and a link.
    private enum Mismatch {
        case ends(RoutePattern.Segment)
        case literal(Int, String)
        case type(Int, String, ParameterType)
        case affixed(Int, AffixedParameter)
        case tooMany(Int)
        case query
    }

    /// The number of matching segments, and the difference in the next.
    private static func mismatch(
        _ pattern: RoutePattern, _ segments: [String]
    ) -> (progress: Int, what: Mismatch) {
        for (index, segment) in pattern.segments.enumerated() {
            guard index < segments.count else {
                if pattern.isLastOptional && index == pattern.segments.count - 1 { break }
                return (index, .ends(segment))
            }
            switch segment {
            case .literal(let text):
                if !text.utf8.asciiFolded.elementsEqual(segments[index].utf8.asciiFolded) {
                    return (index, .literal(index, text))
                }
            case .parameter(let name, let type?):
                if !type.accepts(segments[index]) { return (index, .type(index, name, type)) }
            case .affixed(let parameter):
                if parameter.value(in: segments[index]) == nil { return (index, .affixed(index, parameter)) }
            case .parameter: break
            case .catchAll: return (segments.count, .query)
            }
        }
        if segments.count > pattern.segments.count {
            return (pattern.segments.count, .tooMany(pattern.segments.count))
        }
        return (segments.count, .query)
    }

    private static func reason(_ pattern: RoutePattern, _ segments: [String], _ link: DeepLink) -> String {
        switch mismatch(pattern, segments).what {
        case .ends(let segment): "the link ends before \"\(part(segment))\""
        case .literal(let index, let text): "\"\(segments[index])\" is not \"\(text)\""
        case .type(let index, let name, let type): "\"\(segments[index])\" does not match type \(type) of \"\(name)\""
        case .affixed(let index, let parameter): "\"\(segments[index])\" does not match \"\(parameter)\""
        case .tooMany(let index): "\"\(segments[index])\" is one segment too many"
        case .query: missingQuery(pattern, link)
        }
    }

    private static func missingQuery(_ pattern: RoutePattern, _ link: DeepLink) -> String {
        let missing = pattern.requiredQuery.filter { link.queryValue($0)?.isEmpty != false }
        return "the query lacks \(missing.map { "\"\($0)\"" }.joined(separator: ", "))"
    }

    static func part(_ segment: RoutePattern.Segment) -> String {
        switch segment {
        case .literal(let text): text
        case .parameter(let name, let type): ":\(name)" + (type.map { "(\($0))" } ?? "")
        case .affixed(let parameter): parameter.description
        case .catchAll(let name): "*\(name)"
        }
    }

    func nearMisses(
        for link: DeepLink, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [LinkExplanation.NearMiss] {
        let segments = link.segments
        var compared = 0
        var found: [(distance: Int, ordinal: Int, miss: LinkExplanation.NearMiss)] = []
        for (ordinal, pattern) in patterns.enumerated() {
            try budget.spend(on: .explaining)
            for variant in pattern.variants where RouteTable.isAsLong(variant, segments) {
                try budget.spend(on: .explaining)
                compared += 1
                guard compared <= Suggestion.maximumCandidates else { break }
                let correction = try RouteTable.correction(of: segments, to: variant, budget)
                guard let (distance, corrected) = correction else { continue }
                // From the first wrong segment to the last, so that the suggestion is the complete correction.
                let wrong = segments.indices.filter { segments[$0] != corrected[$0] }
                guard let first = wrong.first, let last = wrong.last else { continue }
                let miss = LinkExplanation.NearMiss(
                    declaration: declarations[ordinal], written: segments[first...last].joined(separator: "/"),
                    suggestion: corrected[first...last].joined(separator: "/"),
                    link: link.text(withSegments: corrected), segments: last - first + 1)
                found.append((distance, ordinal, miss))
            }
        }
        var reported: Set<[String]> = []
        return found.sorted { ($0.distance, $0.ordinal) < ($1.distance, $1.ordinal) }
            .map(\.miss).filter { reported.insert([$0.written, $0.suggestion]).inserted }.prefix(3).map(\.self)
    }

    /// Whether a pattern has as many segments as a link, or fewer and a catch-all.
    private static func isAsLong(_ pattern: ArraySlice<RoutePattern.Segment>, _ segments: [String]) -> Bool {
        if case .catchAll? = pattern.last { return pattern.count <= segments.count }
        return pattern.count == segments.count
    }

    /// The segments, replaced by literals of a pattern where they differ in only a few letters.
    private static func correction(
        of segments: [String], to pattern: ArraySlice<RoutePattern.Segment>, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> (distance: Int, segments: [String])? {
        var distance = 0
        var corrected = segments
        for (index, segment) in pattern.enumerated() {
            switch segment {
            case .literal(let text):
                let most = max(1, text.utf8.count / 3)
                // Cheap check first: most words differ too much in length.
                guard abs(text.utf8.count - segments[index].utf8.count) <= most else { return nil }
                let (wanted, given) = (text.utf8.asciiFolded, segments[index].utf8.asciiFolded)
                // Equal words of any length match; a long word that differs isn't a near miss.
                if wanted == given { continue }
                if max(wanted.count, given.count) <= Suggestion.maximumNameLength {
                    try budget.spend(wanted.count * given.count / 16, on: .explaining)
                }
                guard let difference = Suggestion.distance(wanted, given, limit: most) else { return nil }
                distance += difference
                if difference > 0 { corrected[index] = text }
            case .parameter(_, let type?):
                if !type.accepts(segments[index]) { return nil }
            case .affixed(let parameter):
                if parameter.value(in: segments[index]) == nil { return nil }
            case .parameter, .catchAll: break
            }
        }
        return distance > 0 ? (distance, corrected) : nil
    }
}

extension DeepLink {
    /// The text of the link with other segments, which begins with the same scheme and, for a web link, host.
    fileprivate func text(withSegments segments: [String]) -> String {
        let path = segments.map { $0.utf8.percentEncoded }.joined(separator: "/")
        let query = text.firstIndex { $0 == "?" || $0 == "#" }.map { String(text[$0...]) } ?? ""
        return (isWebLink ? "\(scheme)://\(host)/" : "\(scheme)://") + path + query
    }
}
