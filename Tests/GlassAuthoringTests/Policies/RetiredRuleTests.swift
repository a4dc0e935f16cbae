import GlassBase
import GlassSchema
import Testing

@testable import GlassMarketFiles
@testable import GlassAuthoring

/// A rule that goes breaks no project that named it. The tables of mistakes have the `accept` of a market file.
struct RetiredRuleTests {
    private func policies(_ text: String) -> PolicySet {
        let tree = MarketTree(revision: "main", path: "policies", files: ["a.lua": .text(Array(text.utf8))])
        return PolicySet(reading: MarketFolder(tree), rules: [])
    }

    @Test(arguments: FindingCode.retired.sorted())
    func severityOfRetiredRuleIsNote(rule: String) {
        let set = policies("glass.severity { \(rule) = 'breaking', undecided = 'breaking' }")
        #expect(set.failures.isEmpty && set.severities == ["undecided": .breaking])
        let ledger = AcceptanceTracker(set, today: "2026-01-01")
        #expect(
            ledger.findings(about: .market, isComplete: false).map(\.headline.plain) == [
                "main:policies/a.lua:1: note: the rule \(rule) no longer exists, so this severity has no effect [acceptUnused]"
            ])
        #expect(ledger.findings(about: .change, isComplete: true).isEmpty)
    }

    /// A project may give a policy of its own the name that has become free.
    @Test func policyTakesNameOfRetiredRule() {
        let set = policies(
            "glass.policy('similarHost', {}, function() end) glass.severity { similarHost = 'breaking' }")
        #expect(set.failures.isEmpty && set.severities == ["similarHost": .breaking])
        #expect(AcceptanceTracker(set, today: "2026-01-01").findings(about: .market, isComplete: false).isEmpty)
    }
}
