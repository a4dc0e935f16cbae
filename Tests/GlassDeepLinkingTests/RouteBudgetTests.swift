import GlassBase
import Testing

@testable import GlassDeepLinking

@Suite struct RouteBudgetTests {
    /// A kind of table that is expensive where patterns are compared pairwise.
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let patterns: @Sendable (Int) -> [String]
    }

    static let kinds: [Kind] = [
        Kind(testDescription: "lists of a hundred words") { count in
            (0..<count / 20).map { list in ":p(\((0..<100).map { "w\(list * 100 + $0)" }.joined(separator: "|")))" }
        },
        Kind(testDescription: "literals next to lists") { count in
            (0..<count).flatMap { ["l\($0)", ":p(l\($0)|m\($0))/k\($0)"] }
        },
        Kind(testDescription: "lists that may cover each other") { count in
            (0..<count).map { "a/:x\($0)(a\($0)|b\($0))/c" }
        },
        Kind(testDescription: "two lists per pattern") { count in
            (0..<count).map { ":a(a\($0)|b\($0))/:b(c\($0)|d\($0))" }
        },
        Kind(testDescription: "two lists, one of them shared") { count in
            (0..<count).map { ":a(one|two)/:b(c\($0)|d\($0))" }
        },
        Kind(testDescription: "a wide tree") { count in
            (0..<count).map { "cat\($0 % 20)/page\($0 % 300)/:id/act\($0)" }
        },
        Kind(testDescription: "patterns that all conflict") { count in
            (0..<count).map { ":a(all|w\($0))" }
        },
    ]

    private func steps(_ patterns: [String]) -> [Int] {
        let budget = WorkBudget.forOwnRoutes
        let declarations = patterns.enumerated().map { RouteDeclaration(pattern: $1, routableID: "r", index: $0) }
        do {
            let table = try RouteTable(declarations, budget: budget)
            _ = try table.findings(budget: budget)
            _ = try table.findings(against: table, budget: budget)
        } catch {
            // The steps up to that point count as well.
        }
        return [.routes, .conflicts, .worstCase, .comparing].map { budget.steps(of: $0) }
    }

    @Test(arguments: kinds, [1, 2]) func workGrowsWithTheTable(kind: Kind, factor: Int) {
        let (once, twice) = (steps(kind.patterns(500 * factor)), steps(kind.patterns(1000 * factor)))
        for (less, more) in zip(once, twice) { #expect(more * 2 <= less * 5 + 100, "\(once) → \(twice)") }
        #expect(steps(kind.patterns(500 * factor)) == once)
    }

    @Test(arguments: [WorkBudget.Phase.routes, .conflicts, .worstCase])
    func expensiveTableIsRejectedWithPhase(phase: WorkBudget.Phase) {
        let budget = WorkBudget(work: [phase: 100])
        let declarations = (0..<200).map { RouteDeclaration(pattern: "a\($0)/:b(c\($0)|d)/e", routableID: "r") }
        let error = #expect(throws: RouteTableError.self) {
            try RouteTable(declarations, budget: budget)
        }
        #expect(error?.exceeded == .init(phase: phase, limit: .work(100)))
        #expect(
            error?.description == "\(phase.name) takes more than 100 steps; use fewer or simpler patterns")
    }

    @Test func firstHundredIssuesAreListedAndOthersCounted() {
        let error = #expect(throws: RouteTableError.self) {
            try RouteTable(patterns: Array(repeating: "%", count: 13_000))
        }
        #expect(error?.issues.count == 100)
        #expect(error?.omittedCount == 12_900)
        #expect(error?.description.hasSuffix("\nand 12900 more") == true)
        let clashes = #expect(throws: RouteTableError.self) {
            try RouteTable(patterns: Array(repeating: "a", count: 1_000))
        }
        #expect(clashes?.issues.count == 100)
        #expect(clashes?.omittedCount == 899)
    }

    @Test func patternWithManyWordsCompilesInLinearTime() throws {
        let words = (0..<1_300).map { String($0, radix: 36) + "w" }
        let table = try RouteTable(patterns: [":p(" + words.joined(separator: "|") + ")"])
        #expect(try table.bestMatch(for: DeepLink("w://" + words[1_299].uppercased())) != nil)
        #expect(try table.bestMatch(for: DeepLink("w://nothing")) == nil)
    }

    @Test func patternLengthIsLimited() {
        let long = String(repeating: "a", count: RoutePattern.lengthLimit)
        #expect(throws: Never.self) { try RoutePattern(long) }
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern(long + "a") }
        #expect(error?.message == "8193 bytes exceed the limit of 8192 for a pattern; shorten it")
        #expect(error.map { $0.caretLines.utf8.count < 400 } == true)
    }
}
