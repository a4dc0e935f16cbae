@testable import GlassDeepLinking
import TestSupport
import Testing

/// A matcher that tries every pattern: slow, but too simple to be wrong.
struct PlainMatcher {
    let patterns: [RoutePattern]

    /// The rank of a pattern for a link, or `nil` if it does not match: kinds from left to right, then query items.
    static func rank(_ pattern: RoutePattern, _ link: DeepLink) -> [Int]? {
        let counts =
            pattern.isLastOptional ? [pattern.segments.count, pattern.segments.count - 1] : [pattern.segments.count]
        for name in pattern.requiredQuery where link.queryValue(name)?.isEmpty != false { return nil }
        for count in counts {
            if let rank = rank(Array(pattern.segments.prefix(count)), link.segments) {
                return rank + [pattern.requiredQuery.count]
            }
        }
        return nil
    }

    private static func rank(_ pattern: [RoutePattern.Segment], _ segments: [String]) -> [Int]? {
        var kinds: [Int] = []
        for (index, part) in pattern.enumerated() {
            guard index < segments.count else { return nil }
            switch part {
            case .literal(let text):
                guard text.lowercased() == segments[index].lowercased() else { return nil }
                kinds.append(1_000)
            case .affixed(let parameter):
                guard parameter.value(in: segments[index]) != nil else { return nil }
                let length = parameter.prefix.utf8.count + parameter.suffix.utf8.count
                kinds.append(10 + 2 * length + (parameter.type == nil ? 0 : 1))
            case .parameter(_, let type?):
                guard type.accepts(segments[index]) else { return nil }
                kinds.append(2)
            case .parameter(_, nil): kinds.append(1)
            case .catchAll: return kinds + [0]
            }
        }
        return pattern.count == segments.count ? kinds : nil
    }

    func ranked(_ link: DeepLink) -> [(ordinal: Int, rank: [Int])] {
        patterns.enumerated()
            .compactMap { ordinal, pattern in PlainMatcher.rank(pattern, link).map { (ordinal, $0) } }
            .sorted { $1.rank.lexicographicallyPrecedes($0.rank) }
    }
}

@Suite struct RouteTablePropertyTests {
    /// Every link with up to four segments, from words that take every path through a random table.
    static let links: [DeepLink] = {
        let words = ["a", "B", "1", "c", "00000000-0000-4000-8000-000000000000", "-5", "x.y"]
        var paths = [""]
        var all = [""]
        for _ in 0..<3 {
            paths = paths.flatMap { path in words.map { path + "/" + $0 } }
            all += paths
        }
        return all.flatMap { path in
            ["", "?x=1", "?y=1", "?x=1&y=2", "?x="].map { try! DeepLink("w:" + (path.isEmpty ? "/" : path) + $0) }
        }
    }()

    private func randomPattern(_ random: inout SplitMix64) -> String {
        let parts = ["a", "b", "1", "A", ":p", ":p(int)", ":p(alnum)", ":p(a|b)", ":p(B|1)", ":p(slug)", ":p(uuid)"]
        var segments = (0..<Int.random(in: 0...3, using: &random)).map { place in
            parts.randomElement(using: &random)!.replacingPrefix(":p", with: ":p\(place)")
        }
        if Int.random(in: 0..<6, using: &random) == 0 { segments.append("*r") }
        var text = segments.joined(separator: "/")
        if segments.last?.hasPrefix(":") == true, Int.random(in: 0..<4, using: &random) == 0 { text += "?" }
        text += ["", "", "", "?x", "?y", "?x&y"].randomElement(using: &random)!
        return text
    }

    @Test(.timeLimit(.minutes(1)), arguments: 0..<rounds(all: 40, few: 12))
    func trieAgreesWithExhaustiveMatching(seed: Int) throws {
        var random = SplitMix64(state: UInt64(seed))
        var patterns: [String] = []
        for _ in 0..<Int.random(in: 1...24, using: &random) {
            let candidate = randomPattern(&random)
            do {
                _ = try RouteTable(patterns: patterns + [candidate])
                patterns.append(candidate)
            } catch {
                // A reported conflict must be real: the witness matches both with the same rank.
                guard case .conflict(let first, let second, let witness) = error.issues.first else {
                    Issue.record("\(error)")
                    continue
                }
                let link = try DeepLink("w:/" + witness)
                let ranks = try [first, second].map { try PlainMatcher.rank(RoutePattern($0.pattern), link) }
                #expect(ranks[0] != nil && ranks[0] == ranks[1], "seed \(seed): \(error)")
            }
        }
        let table = try RouteTable(patterns: patterns)
        let matcher = PlainMatcher(patterns: table.patterns)
        var maximumVisits = 0
        for link in RouteTablePropertyTests.links {
            let expected = matcher.ranked(link)
            if table.matches(for: link).map(\.ordinal) != expected.map(\.ordinal) {
                Issue.record("seed \(seed), \(patterns), \(link)")
            }
            if table.bestMatch(for: link)?.ordinal != expected.first?.ordinal {
                Issue.record("seed \(seed), best of \(patterns), \(link)")
            }
            // No conflict was missed: the ranks for one link all differ.
            if Set(expected.map(\.rank)).count != expected.count {
                Issue.record("seed \(seed), equal rank in \(patterns), \(link)")
            }
            maximumVisits = max(maximumVisits, table.visits(for: link))
        }
        #expect(table.isWorstVisitsExact)
        #expect(
            try table.visits(for: DeepLink("w:/" + table.worstLink)) == table.worstVisits, "seed \(seed), \(patterns)")
        // Links with up to three segments reach every node except those of the rare fourth segment, a catch-all, which
        // is not a node.
        #expect(maximumVisits == table.worstVisits, "seed \(seed), \(patterns)")
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
