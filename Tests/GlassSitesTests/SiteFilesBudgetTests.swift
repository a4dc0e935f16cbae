import GlassBase
import Testing

@testable import GlassSites

/// How the counted work for the files grows with the market, and how exceeding the budget is reported.
@Suite struct SiteFilesBudgetTests {
    /// A kind of table that is expensive where rules, hosts or links are compared one by one.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var hosts: @Sendable (Int) -> [String] = { _ in ["example.com"] }
        let patterns: @Sendable (Int) -> [String]
    }

    static let kinds: [Kind] = [
        Kind(testDescription: "routes with different prefixes") { count in (0..<count).map { "p\($0)/:id" } },
        Kind(testDescription: "routes with a common prefix") { count in (0..<count).map { "shop/p\($0)/:id/x\($0)" } },
        Kind(testDescription: "routes without parameters") { count in (0..<count).map { "a/p\($0)" } },
        Kind(testDescription: "lists") { count in (0..<count).map { "p\($0)/:l(a\($0)|b\($0)|c)" } },
        Kind(testDescription: "one list of many words") { count in
            [":l(\((0..<count).map { "w\($0)" }.joined(separator: "|")))"]
        },
        Kind(testDescription: "hosts", hosts: { count in (0..<count / 4).map { "h\($0).example.com" } }) { _ in
            ["a/:id", "b"]
        },
    ]

    private func input(_ kind: Kind, _ count: Int) throws -> SiteInput {
        SiteInput(markets: [
            try .make(
                "us", hosts: kind.hosts(count), schemes: ["example"], app: .us, patterns: kind.patterns(count))
        ])
    }

    private func steps(_ kind: Kind, _ count: Int, _ options: SiteFiles.Options) throws -> Int {
        let budget = WorkBudget(cpuTime: .seconds(600), bytes: .max)
        let files = try SiteFiles(input(kind, count), options: options, budget: budget)
        _ = try files.audit(budget: budget)
        return budget.steps(of: .exporting)
    }

    @Test(arguments: kinds, [false, true]) func workGrowsWithTheTable(kind: Kind, anyCase: Bool) throws {
        let options = SiteFiles.Options(androidMatchesAnyCase: anyCase)
        let (less, more) = try (steps(kind, 40, options), steps(kind, 80, options))
        #expect(less > 0 && more * 2 <= less * 5, "\(less) \(more)")
        #expect(try steps(kind, 40, options) == less, "the count differs from run to run")
    }

    @Test func exceededBudgetNamesPhaseAndLimit() throws {
        let input = try input(Self.kinds[0], 100)
        let error = #expect(throws: SiteFilesError.self) {
            try SiteFiles(input, budget: WorkBudget(work: [.exporting: 100]))
        }
        #expect(
            error?.description
                == "generating site and app files takes more than 100 steps; export fewer markets, hosts, or routes")
        let files = try SiteFiles(input)
        #expect(throws: WorkBudget.Exceeded(phase: .exporting, limit: .work(1_000))) {
            try files.audit(budget: WorkBudget(work: [.exporting: 1_000]))
        }
    }

    @Test func filesOfManyHostsAreLimited() throws {
        let input = try SiteInput(markets: [
            .make(
                "us", hosts: (0..<5_000).map { "h\($0).example.com" }, schemes: [], app: .us,
                patterns: (0..<500).map { "p\($0)/:id" })
        ])
        let error = #expect(throws: SiteFilesError.self) { try SiteFiles(input, budget: WorkBudget()) }
        #expect(error?.issues.count == 1)
    }

    /// The index may return false positives, but no false negatives.
    @Test(
        arguments: [
            (AndroidPathRule.path("/Cart"), "/Cart"), (.path("/cart/"), "/cart/"), (.path("/"), "/"),
            (.prefix("/ca"), "/cart"), (.pattern("/a/..*"), "/a/b/c"), (.pattern("/a\\.b/..*"), "/a.b/c"),
            (.advancedPattern("/a/[^/]+/{0,1}"), "/a/b/"), (.advancedPattern("/a/{0,1}"), "/a"),
            (.advancedPattern("/[cC][aA]/[0-9]+"), "/cA/1"), (.advancedPattern("/[aA]b*/c"), "/a/c"),
            (.advancedPattern("/ab{0,1}/c"), "/a/c"), (.advancedPattern("/[^/]+/c"), "/x/c"),
            (.advancedPattern(".*"), ""),
        ] as [(AndroidPathRule, String)])
    func matchingRuleIsFound(rule: AndroidPathRule, path: String) {
        #expect(rule.matches(path: path))
        #expect(LiteralPrefixIndex([LiteralPrefixIndex.prefix(of: rule)]).candidates(for: path) == [0])
    }
}
