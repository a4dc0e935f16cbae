import GlassAuthoring
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What a card says about a market: what `check` says of it without the project's policies, the most important first.
struct CardFindings {
    private var bases: BaseComparison

    init(by catalog: any MarketCatalog) {
        bases = BaseComparison(by: catalog)
    }

    /// The findings of a market that loads, without those that its files accept. The secrets that are not set come last.
    mutating func findings(of check: MarketCheck) -> [Finding] {
        var ledger = AcceptanceTracker(check.acceptances, today: PolicyDate.today)
        let left = ledger.leavingOutAccepted((check.report() + bases.findings(of: check)).sortedByPosition())
        return left.filter { $0.severity == .error } + left.filter { $0.severity != .error && $0.code != .secretUnset }
            + left.filter { $0.severity != .error && $0.code == .secretUnset }
    }
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
