import GlassBase
import Testing

@testable import GlassDeepLinking

@Suite struct RouteTableTests {
    struct Ranked: Sendable {
        let patterns: [String]
        let link: String
        /// The positions of the matching patterns, the most specific first.
        let order: [Int]
    }

    @Test(arguments: [
        // Literal, typed, plain, catch-all, whatever the order of declaration.
        Ranked(patterns: ["a/*r", "a/:p", "a/:t(int)", "a/1"], link: "w://a/1", order: [3, 2, 1, 0]),
        Ranked(patterns: ["a/*r", "a/:p", "a/:t(int)", "a/1"], link: "w://a/2", order: [2, 1, 0]),
        Ranked(patterns: ["a/*r", "a/:p", "a/:t(int)", "a/1"], link: "w://a/b/c", order: [0]),
        // The first difference from the left decides.
        Ranked(patterns: [":p/b/c", "a/:q/:r", "a/*r"], link: "w://a/b/c", order: [1, 2, 0]),
        // Backtracking at the root and below.
        Ranked(patterns: ["a/b", ":x/c"], link: "w://a/c", order: [1]),
        Ranked(patterns: ["s/a/b", "s/:x/c"], link: "w://s/a/c", order: [1]),
        Ranked(patterns: ["a/:x/b/:y/c", "*r"], link: "w://a/1/b/2/d", order: [1]),
        // Two typed segments have equal rank, so the rest decides.
        Ranked(patterns: [":x(int)/:y", ":z(slug)/b"], link: "w://1/b", order: [1, 0]),
        Ranked(patterns: [":x(int)/*r", ":z(alnum)/:b", ":u(1|2)/:t(slug)"], link: "w://1/b", order: [2, 1, 0]),
        // A required query decides only where the paths have equal rank.
        Ranked(patterns: ["s", "s?q", "s?q&r"], link: "w://s?r=1&q=2", order: [2, 1, 0]),
        Ranked(patterns: ["s", "s?q", "s?q&r"], link: "w://s?q=2", order: [1, 0]),
        Ranked(patterns: ["s", "s?q"], link: "w://s?q=", order: [0]),
        Ranked(patterns: ["s", "s?q"], link: "w://s?Q=1", order: [0]),
        Ranked(patterns: [":p?q", "s"], link: "w://s?q=1", order: [1, 0]),
        Ranked(patterns: ["s/*r?q", "s/*r"], link: "w://s/x/y?q=1", order: [0, 1]),
        // Optional segments and catch-alls.
        Ranked(patterns: ["a/:b?", "a/*r"], link: "w://a", order: [0]),
        Ranked(patterns: ["a/:b?", "a/*r"], link: "w://a/x", order: [0, 1]),
        Ranked(patterns: ["a/:b??q"], link: "w://a", order: []),
        Ranked(patterns: ["a/:b??q"], link: "w://a?q=1", order: [0]),
        Ranked(patterns: ["", "*r"], link: "w://", order: [0]),
        // Case and bytes.
        Ranked(patterns: ["Account/MINE"], link: "w://aCCount/mine", order: [0]),
        Ranked(patterns: ["ip/caf\u{E9}"], link: "w://ip/cafe\u{301}", order: []),
        Ranked(patterns: ["ip/caf\u{E9}"], link: "w://ip/caf%C3%A9", order: [0]),
        Ranked(patterns: ["a/b"], link: "w://a%20b", order: []),
        Ranked(patterns: ["a/b/c"], link: "w://a/b%2Fc", order: []),
        Ranked(patterns: [":l(en|fr)/x"], link: "https://h/EN/x", order: [0]),
    ])
    func rankFollowsRules(row: Ranked) throws {
        // Escapes in the host are covered by the tests of the gate; these links are about the path.
        let text = row.link.hasPrefix("w://a%20b") ? "w:/a%20b" : row.link
        let link = try DeepLink(text)
        let table = try RouteTable(patterns: row.patterns)
        #expect(table.matches(for: link).map(\.ordinal) == row.order)
        #expect(table.bestMatch(for: link)?.ordinal == row.order.first)
    }

    @Test func parametersAreThoseOfWinningRoute() throws {
        let table = try RouteTable(patterns: [":x/b", "*rest", "c/:id(int)", "d/:opt?"])
        let lost = try #require(table.bestMatch(for: DeepLink("w://p/q")))
        #expect(lost.parameters == RouteParameters(["rest": "p/q"]))
        let won = try #require(table.bestMatch(for: DeepLink("w://C/42")))
        #expect(won.parameters.dictionary == ["id": "42"])
        let absent = try #require(table.bestMatch(for: DeepLink("w://d")))
        #expect(absent.parameters.isEmpty)
        let cased = try #require(table.bestMatch(for: DeepLink("w://d/KeepsCase")))
        #expect(cased.parameters["opt"] == "KeepsCase")
    }

    struct Clash: Sendable {
        let first: String
        let second: String
        let witness: String
    }

    @Test(arguments: [
        Clash(first: "account", second: "account", witness: "account"),
        Clash(first: "account", second: "/Account/", witness: "account"),
        Clash(first: "", second: "/", witness: ""),
        Clash(first: "ip/:a", second: "ip/:b", witness: "ip/x"),
        Clash(first: "help/*a", second: "help/*b", witness: "help/x"),
        Clash(first: "a/:b?", second: "a", witness: "a"),
        Clash(first: "a/:b?", second: "a/:c?", witness: "a/x"),
        Clash(first: "a/:b", second: "a/:c?", witness: "a/x"),
        Clash(first: ":a(int)", second: ":b(int)", witness: "1"),
        Clash(first: ":a(int)", second: ":b(slug)", witness: "1"),
        Clash(first: ":a(int)", second: ":b(alnum)", witness: "1"),
        Clash(first: ":a(slug)", second: ":b(alnum)", witness: "1"),
        Clash(first: ":a(uuid)", second: ":b(slug)", witness: "00000000-0000-4000-8000-000000000000"),
        Clash(first: ":a(en|fr)", second: ":b(FR|de)", witness: "fr"),
        Clash(first: ":a(slug)", second: ":b(é|x-y)", witness: "x-y"),
        Clash(first: "s?x", second: "s?y", witness: "s?x=1&y=1"),
        Clash(first: "s?x&y", second: "s?y&z", witness: "s?x=1&y=1&z=1"),
        Clash(first: "50 off/ñ?x", second: "50 OFF/ñ?x", witness: "50%20off/%C3%B1?x=1"),
        Clash(
            first: ":a(int)/b/:c(uuid)", second: ":d(alnum)/B/:e(slug)",
            witness: "1/b/00000000-0000-4000-8000-000000000000"),
    ])
    func conflictHasWitnessThatBothMatch(row: Clash) throws {
        let error = #expect(throws: RouteTableError.self) { try RouteTable(patterns: [row.first, row.second]) }
        #expect(
            error?.description
                == "r1: pattern \"\(row.second)\" conflicts with \"\(row.first)\" of r0: both match \"\(row.witness)\" "
                + "with equal rank; change or remove one")
        for pattern in [row.first, row.second] {
            // `w:/` rather than `w://`, because a host may not contain escapes.
            let link = try DeepLink("w:/" + row.witness)
            #expect(try RouteTable(patterns: [pattern]).bestMatch(for: link) != nil)
        }
    }

    @Test(arguments: [
        [":a(int)", ":b(uuid)"], [":a(uuid)", ":b(alnum)"], [":a(en|fr)", ":b(de|es)"], [":a(int)", ":b(en|fr)"],
        ["a/:b", "a/:c/d"], ["s", "s?q"], ["s?x", "s?x&y"], ["a/:b(int)", "a/:c"], ["a/b", "A/:c"],
        ["a/*r", "a/:b?"], ["é", "É"], ["caf\u{E9}", "cafe\u{301}"], [":a(int)/b", ":a(int)/c"],
        [":a(int)/b", ":c(slug)/d"],
    ])
    func patternsWithDifferentRankOrLanguageCoexist(patterns: [String]) {
        #expect(throws: Never.self) { try RouteTable(patterns: patterns) }
    }

    @Test func allIssuesAreReportedTogether() {
        let declarations = [
            RouteDeclaration(pattern: "account", routableID: "account", index: 0),
            RouteDeclaration(pattern: "ip/:", routableID: "item", index: 0),
            RouteDeclaration(pattern: "ACCOUNT", routableID: "orders", index: 3),
            RouteDeclaration(pattern: String(repeating: "a/", count: 33), routableID: "deep", index: 0),
            RouteDeclaration(pattern: "Account", routableID: "home", index: 1),
        ]
        let error = #expect(throws: RouteTableError.self) { try RouteTable(declarations) }
        #expect(
            error?.description == """
                item: pattern "ip/:": the parameter has no name; write one, such as ":id"
                deep: pattern "\(String(repeating: "a/", count: 33))" has 33 segments, but a link may have at most 32; shorten it
                orders: pattern "ACCOUNT" conflicts with "account" of account: both match "account" with equal rank; change or remove one
                home: pattern "Account" conflicts with "account" of account: both match "account" with equal rank; change or remove one
                """)
        #expect(error?.issues.map { $0.declarations.last?.index } == [0, 0, 3, 1])
    }

    /// All patterns of that depth with a literal or a parameter per segment: each level doubles the nodes that one link
    /// visits.
    static func binaryPatterns(depth: Int) -> [String] {
        (0..<(1 << depth)).map { number in
            (0..<depth).map { number >> $0 & 1 == 0 ? "a" : ":p\($0)" }.joined(separator: "/")
        }
    }

    @Test(.timeLimit(.minutes(1))) func tableAtVisitLimitIsBuilt() throws {
        let table = try RouteTable(patterns: RouteTableTests.binaryPatterns(depth: 11))
        #expect(table.worstVisits == 4_095)
        #expect(table.isWorstVisitsExact)
        #expect(table.worstLink == Array(repeating: "a", count: 11).joined(separator: "/"))
        #expect(try table.visits(for: DeepLink("w://" + table.worstLink)) == 4_095)
        // A miss: one segment more than any route has.
        let miss = try DeepLink("w://" + table.worstLink + "/a")
        #expect(table.bestMatch(for: miss) == nil)
        #expect(table.visits(for: miss) <= 4_095)
    }

    @Test(.timeLimit(.minutes(1))) func tableAboveVisitLimitIsRejected() throws {
        let patterns = RouteTableTests.binaryPatterns(depth: 12)
        let error = #expect(throws: RouteTableError.self) { try RouteTable(patterns: patterns) }
        #expect(
            error?.description == "matching \"a/a/a/a/a/a/a/a/a/a/a/a\" visits 8191 nodes, but the limit is 4096; "
                + "use fewer alternatives in the same position: \"a/a/a/a/a/a/a/a/a/a/a/a\" of r0, "
                + "\":p0/a/a/a/a/a/a/a/a/a/a/a\" of r1, \"a/:p1/a/a/a/a/a/a/a/a/a/a\" of r2 and 4093 more")
    }

    @Test(.timeLimit(.minutes(1))) func tableWithoutSharedSuffixesIsCounted() throws {
        // Each pattern has its literal at another position, from ten words: many states, few of them distinct.
        var patterns: [String] = []
        for place in 0..<8 {
            for word in 0..<10 {
                let before = (0..<place).map { ":p\($0)" }
                let after = (place + 1..<8).map { ":p\($0)" }
                patterns.append((before + ["w\(word)"] + after).joined(separator: "/"))
            }
        }
        let table = try RouteTable(patterns: patterns)
        #expect(table.isWorstVisitsExact)
        #expect(try table.visits(for: DeepLink("w://" + table.worstLink)) == table.worstVisits)
    }

    @Test(.timeLimit(.minutes(1))) func largeTablesAreBuiltAndSearched() throws {
        let patterns = (0..<20_000).map { "feature\($0)/:id" }
        let table = try RouteTable(patterns: patterns)
        #expect(table.worstVisits == 3)
        #expect(try table.bestMatch(for: DeepLink("w://feature19999/7"))?.ordinal == 19_999)
        #expect(try table.bestMatch(for: DeepLink("w://feature20000/7")) == nil)
    }

    @Test func boundReplacesExactResultIfTooExpensive() throws {
        var vocabulary = RouteVocabulary()
        let forms = try RouteTableTests.binaryPatterns(depth: 6).enumerated().map { ordinal, text in
            vocabulary.form(of: try RoutePattern(text), ordinal: ordinal)
        }
        let builder = RouteTrieBuilder(forms, vocabulary)
        let exact = try RouteWorstCase(builder, budget: .unlimited).solve()
        let bounded = try RouteWorstCase(builder, workLimit: 3, budget: .unlimited).solve()
        #expect(exact.isExact && exact.visits == 127)
        #expect(!bounded.isExact && bounded.visits >= exact.visits)
        #expect(!bounded.link.isEmpty)
    }

    @Test func emptyTableMatchesNothing() throws {
        #expect(try RouteTable.empty.bestMatch(for: DeepLink("w://a")) == nil)
        #expect(try RouteTable([]).worstVisits == 1)
    }
}
