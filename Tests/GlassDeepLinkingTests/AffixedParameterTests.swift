@testable import GlassDeepLinking
import TestSupport
import Testing

/// Parameters with text beside them in their segment.
@Suite struct AffixedParameterTests {
    struct Row: Sendable {
        let pattern: String
        let link: String
        /// `nil` if the link does not match.
        let value: String?
    }

    @Test(arguments: [
        Row(pattern: "p/A-:id", link: "w:/p/A-1", value: "1"),
        Row(pattern: "p/A-:id", link: "w:/p/a-Xy", value: "Xy"),
        Row(pattern: "p/A-:id", link: "w:/p/A-", value: nil),
        Row(pattern: "p/A-:id", link: "w:/p/B-1", value: nil),
        Row(pattern: "p/:sku.html", link: "w:/p/42.html", value: "42"),
        Row(pattern: "p/:sku.html", link: "w:/p/a.b.HTML", value: "a.b"),
        Row(pattern: "p/:sku.html", link: "w:/p/.html", value: nil),
        Row(pattern: "p/:sku.html", link: "w:/p/42.html.bak", value: nil),
        Row(pattern: "@:name", link: "https://h/@walmart", value: "walmart"),
        Row(pattern: "x:id(int)y", link: "w:/x-5y", value: "-5"),
        Row(pattern: "x:id(int)y", link: "w:/xzy", value: nil),
        Row(pattern: ":lang(en|fr)-ca", link: "w:/FR-CA", value: "FR"),
        Row(pattern: ":lang(en|fr)-ca", link: "w:/de-ca", value: nil),
        // The prefix and the suffix must not overlap.
        Row(pattern: "aba:x-aba", link: "w:/aba-aba", value: nil),
        Row(pattern: "ab:x(alnum)ba", link: "w:/aba", value: nil),
        // Escapes are decoded once, before the text is compared.
        Row(pattern: "caf\u{E9}-:x.h", link: "w:/caf%C3%A9-%2Fy%2eh", value: "/y"),
        Row(pattern: "A-:id", link: "w:/%41%2d%31", value: "1"),
    ])
    func segmentMatchesByItsText(row: Row) throws {
        let table = try RouteTable(patterns: [row.pattern])
        let match = try table.bestMatch(for: DeepLink(row.link))
        #expect(match?.parameters.elements.first?.value == row.value)
    }

    @Test func rawValueKeepsItsEscapes() throws {
        let table = try RouteTable(patterns: ["caf\u{E9}-:x.h"])
        let match = try table.bestMatch(for: DeepLink("w:/caf%C3%A9-%2Fy%2eh"))
        #expect(match?.parameters.rawValue("x") == "%2Fy")
        #expect(match?.parameters.ambiguousRawValues == ["x": "%2Fy"])
    }

    @Test func literalThenLongerTextThenTypeDecides() throws {
        let patterns = [":x", ":x(slug)", "A-:x", "A-:x(int)", "A-b:x", ":x.html", "A-1"]
        let table = try RouteTable(patterns: patterns)
        func winner(_ link: String) throws -> String? {
            try table.bestMatch(for: DeepLink(link))?.declaration.pattern
        }
        #expect(try winner("w:/A-1") == "A-1")
        #expect(try winner("w:/A-2") == "A-:x(int)")
        #expect(try winner("w:/A-x") == "A-:x")
        #expect(try winner("w:/A-bx") == "A-b:x")
        #expect(try winner("w:/A-2.html") == ":x.html")
        #expect(try winner("w:/B-2") == ":x(slug)")
        #expect(try winner("w:/B.2") == ":x")
        let all = try table.matches(for: DeepLink("w:/a-B7.html")).map(\.declaration.pattern)
        #expect(all == [":x.html", "A-b:x", "A-:x", ":x"])
    }

    @Test func optionalLastSegmentMayBeAbsent() throws {
        let table = try RouteTable(patterns: ["p/A-:id?"])
        #expect(try table.bestMatch(for: DeepLink("w:/p"))?.parameters.dictionary == [:])
        #expect(try table.bestMatch(for: DeepLink("w:/p/A-1"))?.parameters.dictionary == ["id": "1"])
        #expect(try table.bestMatch(for: DeepLink("w:/p/A-")) == nil)
    }

    // MARK: Conflicts

    struct Pair: Sendable {
        let one: String
        let other: String
        /// `nil` if the patterns share no link.
        let witness: String?
    }

    @Test(arguments: [
        Pair(one: "A-:x", other: ":x.h", witness: "a-1.h"),
        Pair(one: "A-:x", other: "B-:x", witness: nil),
        Pair(one: "A-:x", other: "a-:y", witness: "a-1"),
        Pair(one: "A-:x(int)", other: ":x(int).h", witness: nil),
        Pair(one: "1:x(int)", other: ":x(int)2", witness: "112"),
        Pair(one: "ab:x(c|bc)", other: ":x(a|ab)bc", witness: "abc"),
        Pair(one: "ab:x(c|d)", other: ":x(a|b)cd", witness: nil),
        Pair(one: "A-:x(a|1)", other: "A-:x(int)", witness: "a-1"),
        Pair(one: "A-:x(a|b)", other: "A-:x(int)", witness: nil),
        Pair(one: "A-:x(uuid)", other: "A-:x(slug)", witness: "a-00000000-0000-0000-0000-000000000000"),
        Pair(one: "A-:x(uuid)", other: "A-:x(alnum)", witness: nil),
        Pair(one: "9:x(uuid)", other: ":x(uuid)9", witness: nil),
        // The largest integers leave no room for more digits, unless prefix and suffix overlap.
        Pair(one: "1000000000000000000000:x(int)", other: ":x(int)1000000000000000000000", witness: nil),
        Pair(
            one: "92233720368547758079:x(int)", other: ":x(int)92233720368547758079",
            witness: "922337203685477580792233720368547758079"),
        Pair(one: "12:x(int)", other: ":x(int)3-", witness: nil),
        Pair(one: "-:x(int)", other: ":x(int)1", witness: "-11"),
    ])
    func sharedLinksAreFoundExactly(pair: Pair) throws {
        do {
            _ = try RouteTable(patterns: [pair.one, pair.other])
            #expect(pair.witness == nil)
        } catch {
            guard case .conflict(_, _, let witness)? = error.issues.first else {
                Issue.record("\(error)")
                return
            }
            #expect(witness == pair.witness)
        }
    }

    @Test func manyPrefixesOfEqualLengthAreComparedQuickly() throws {
        let patterns = (1000..<2500).map { "sku\($0)-:id" } + (1...3).map { ":id(int).p\($0)" }
        let table = try RouteTable(patterns: patterns)
        #expect(try table.bestMatch(for: DeepLink("w:/SKU2321-7"))?.declaration.pattern == "sku2321-:id")
        // One lookup for each pair of lengths, however many texts there are.
        #expect(table.worstVisits == 4 && table.isWorstVisitsExact)
    }

    /// With too many pairs to try, the result is a bound.
    @Test func manyPairsOfPrefixAndSuffixAreBounded() throws {
        let patterns = (100..<300).map { "p\($0)-:id" } + (100..<300).map { ":id(int).s\($0)" }
        let table = try RouteTable(patterns: patterns)
        let link = try DeepLink("w:/p150-7.s151")
        #expect(table.matches(for: link).map(\.declaration.pattern) == ["p150-:id"])
        #expect(table.worstVisits > 3 && !table.isWorstVisitsExact)
    }

    // MARK: Random tables

    private static let parts = [
        "a", "1", ":p", ":p(int)", ":p(a|b1)", ":p(slug)", "a:p", "a:p(int)", "a:p(alnum)", "a:p(1|b)", "ab:p",
        ":p-b", ":p(int)1", ":p(slug)b", ":p(a|1)b", "a:p-b", "1:p(int)", ":p-1", "-:p(int)", ":p(alnum)1b",
    ]

    private static let links: [DeepLink] = {
        let characters = ["a", "b", "1", "-"]
        var words: [String] = []
        var longest = [""]
        for _ in 0..<4 {
            longest = longest.flatMap { word in characters.map { word + $0 } }
            words += longest
        }
        let seconds = ["", "/a", "/a1", "/1", "/a-b", "/1-1", "/-1"]
        return words.flatMap { word in seconds.map { try! DeepLink("w:/" + word + $0) } }
    }()

    @Test(.timeLimit(.minutes(1)), arguments: 0..<rounds(all: 60, few: 12))
    func trieAgreesWithExhaustiveMatching(seed: Int) throws {
        var random = SplitMix64(state: UInt64(seed))
        var patterns: [String] = []
        for _ in 0..<Int.random(in: 1...16, using: &random) {
            let candidate = (0..<Int.random(in: 1...2, using: &random)).map { place in
                Self.parts.randomElement(using: &random)!.replacing(":p", with: ":p\(place)")
            }.joined(separator: "/")
            do {
                _ = try RouteTable(patterns: patterns + [candidate])
                patterns.append(candidate)
            } catch {
                // A reported conflict is real: the witness matches both with the same rank.
                guard case .conflict(let first, let second, let witness)? = error.issues.first else {
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
        for link in Self.links {
            let expected = matcher.ranked(link)
            if table.matches(for: link).map(\.ordinal) != expected.map(\.ordinal) {
                Issue.record("seed \(seed), \(patterns), \(link)")
            }
            // No conflict was missed: the ranks for one link all differ.
            if Set(expected.map(\.rank)).count != expected.count {
                Issue.record("seed \(seed), equal rank in \(patterns), \(link)")
            }
            if table.visits(for: link) > table.worstVisits {
                Issue.record("seed \(seed), more visits than the worst in \(patterns), \(link)")
            }
        }
        let visits = try table.visits(for: DeepLink("w:/" + table.worstLink))
        #expect(visits == table.worstVisits || !table.isWorstVisitsExact && visits < table.worstVisits, "seed \(seed)")
    }

    // MARK: Findings and links

    @Test func routeBesideAffixesIsReachable() throws {
        let table = try RouteTable(patterns: [":x", ":x(int)", "z:x", ":x~~", "7:x"])
        #expect(table.findings() == [])
    }

    @Test func listWithinAffixesIsUnreachable() throws {
        let table = try RouteTable(patterns: ["A-:x(1|2)", "a-1", "a-2"])
        #expect(
            table.findings().map(\.description) == [
                "r0: no link reaches \"A-:x(1|2)\": \"A-1\" matches \"a-1\" of r1 instead; remove it or the more specific routes"
            ])
    }

    @Test func changeOfTextLosesTheLinks() throws {
        let base = try RouteTable(patterns: ["p/:sku.html"])
        let head = try RouteTable(patterns: ["p/:sku.htm"])
        let changes = try head.changes(since: base, budget: .forOwnRoutes)
        #expect(changes.map(\.kind) == [.lost, .added])
        #expect(changes.first?.witnesses == ["p/zq7700013~.html"])
    }

    @Test func builtLinkContainsTheText() throws {
        let table = try RouteTable([RouteDeclaration(pattern: "p/A-:sku(int).html", routableID: "item")])
        let link = try table.link(to: "item", parameters: ["sku": "42"], form: .universal(host: "www.walmart.com"))
        #expect(link == "https://www.walmart.com/p/A-42.html")
        let error = #expect(throws: LinkBuildingError.self) {
            try table.link(to: "item", parameters: ["sku": "x"], form: .scheme("walmart"))
        }
        #expect(
            error
                == .unsuitableParameters("item", ["\"p/A-:sku(int).html\": \"x\" is not of type int"]))
    }

    @Test func explanationNamesTheSegment() throws {
        let router = DeepLinkRouter(configuration: .us)
        router.register(routables: [TestRoutable(id: "item", actionRoutes: ["p/A-:id(int)"])])
        let candidates = router.explain("walmart://p/B-1").candidates
        #expect(candidates.map(\.reason) == ["\"B-1\" does not match \"A-:id(int)\""])
    }
}
