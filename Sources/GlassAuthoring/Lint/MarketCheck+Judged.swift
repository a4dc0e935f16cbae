import GlassBase
package import GlassMarkets
package import GlassSchema
import GlassMarketFiles

extension MarketCheck {
    /// Findings about the market without those that the project's policies or the market's files accept, with those of
    /// the policies.
    ///
    /// - Parameters:
    ///   - findings: The findings, including those that the market's files accept.
    ///   - policies: The policies.
    ///   - verdict: What the policies find in the market; nil for a market that does not load.
    ///   - isComplete: Whether these are all findings about the market, so that the files' acceptances without a finding
    ///     are unused.
    package func judged(
        _ findings: [Finding], by policies: PolicySet, _ verdict: PolicySet.Verdict?, isComplete: Bool
    ) -> [Finding] {
        var tracker = AcceptanceTracker(policies, today: FileAcceptances.today)
        tracker.add(acceptances)
        let all = findings + (verdict?.findings ?? []) + (verdict?.notes ?? [])
        let left = tracker.leavingOutAccepted(all.map(policies.judged))
        let ofFiles = tracker.files.findings(isComplete: isComplete, unexamined: Self.needingOthers)
            // A base market's file is examined with the base market.
            .filter { $0.position?.file == market?.source.position?.file }
            .withLines(of: files).withPlacesAndFixes(in: files, budget: .unlimited)
        return left + ofFiles + policies.failures + (verdict?.failures ?? [])
    }

    /// The rules whose findings come from other markets or from a built app.
    private static let needingOthers: Set<FindingCode> = [.bundleMismatch, .sharedIdentity, .foreignName]
}
