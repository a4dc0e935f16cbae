import GlassAuthoring
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What a card says about a market: what `check` says of it, the most important first.
struct CardFindings {
    private var bases: BaseComparison
    private var policies: PolicySet
    private let values: MarketContext
    private let shared: [String: [Finding]]

    /// - Parameters:
    ///   - policies: The policies of the project.
    ///   - values: The values of attributes that the policies keep.
    ///   - shared: What a comparison of all markets finds in each of them.
    ///   - loaded: Markets that are loaded for other reasons.
    init(
        by catalog: any MarketCatalog, _ policies: PolicySet, keeping values: MarketContext,
        shared: [String: [Finding]] = [:], sharing loaded: RecentMarkets = RecentMarkets()
    ) {
        self.shared = shared
        bases = BaseComparison(by: catalog, sharing: loaded)
        self.policies = policies
        self.values = values
    }

    /// The findings of a market, without those that its files or the policies accept. The secrets that are
    /// not set come last.
    mutating func findings(of check: MarketCheck) throws(WorkBudget.Exceeded) -> [Finding] {
        let verdict = check.market.map { policies.verdict(on: $0, keeping: values) }
        let found = check.judged(
            check.report() + (try bases.findings(of: check)) + (shared[check.id] ?? []), by: policies, verdict,
            isComplete: check.market != nil
        ).withoutConsequences.sortedByPosition()
        if let verdict { policies.leaveOut(verdict.failed) }
        return found.filter { $0.severity == .error }
            + found.filter { $0.severity != .error && $0.code != .secretUnset }
            + found.filter { $0.severity != .error && $0.code == .secretUnset }
    }
}

/// What is known of a revision of a market.
struct CardReport: Sendable {
    let revision: MarketRevision
    /// What `check` says of the market alone.
    let findings: [Finding]
    /// What is compared with other markets; empty for a market of which nothing can be read.
    let known: KnownMarkets
    let acceptances: [MarketAcceptance]
}

extension [Finding] {
    /// The findings with those about unset secrets in one, as in the output of `check`.
    var withSecretsInOne: [Finding] {
        let secrets = filter { $0.code == .secretUnset && $0.severity == .warning }
        guard secrets.count > 1, let first = secrets.first else { return self }
        let all = Finding(
            .secretUnset, severity: .warning, at: first.position,
            "\(secrets.count.counted("secret")) are not set", hint: "glass-host check --verbose lists them")
        return filter { $0.code != .secretUnset || $0.severity != .warning } + [all]
    }
}
