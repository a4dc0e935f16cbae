import GlassBase
import GlassMarketFiles
import GlassAuthoring
import GlassSchema

/// The result of comparing the session's markets.
struct SessionReview {
    /// The review with the project's policies applied.
    let review: Review
    /// Policies that failed.
    let failures: [Finding]
    /// The path of the markets folder in the repository.
    let folder: String
}

extension Session {
    /// Compares two states of the markets.
    func review(
        _ range: ReviewedRange, links: [String] = [], policies named: String? = nil, allowsBrokenBase: Bool = false
    ) throws -> SessionReview {
        let compared = try range.folders(self)
        let policies = try policies(in: named, asOf: compared.base.side)
        var reviewer = Reviewer(base: compared.base, head: compared.head, today: FileAcceptances.today)
        reviewer.links = try RecordedLinkFiles(links, beside: options.markets).links()
        reviewer.siteInput = { $0.siteInput }
        let count = try reporting { try Set(compared.base.marketIDs() + compared.head.marketIDs()).count }
        // Two versions of each market.
        expect(markets: 2 * count)
        reviewer.account = account
        let result = try reporting { try reviewer.run() }
        if let unread = UnreadMarkets(result.unread, account) { throw unread.failure }
        guard result.brokenHead.isEmpty, allowsBrokenBase || result.brokenBase.isEmpty else {
            throw failure(of: result, allowsBrokenBase: allowsBrokenBase)
        }
        var review = result.review
        review.notices = compared.notices + policies.notices + review.notices + notices(of: result)
        let judged = review.judged(by: policies, base: compared.base, head: compared.head)
        return SessionReview(review: judged.review, failures: judged.failures, folder: compared.head.path)
    }

    /// Notices about markets that are not compared, if the comparison continues without them.
    private func notices(of result: Reviewer.Result) -> [String] {
        guard !result.brokenBase.isEmpty else { return [] }
        let ids = result.brokenBase.map(\.id).joined(separator: ", ")
        return ["\(ids): not compared because of errors in \(result.review.base.name)"]
    }

    private func failure(of result: Reviewer.Result, allowsBrokenBase: Bool) -> CommandFailure {
        let broken = result.brokenHead + (allowsBrokenBase ? [] : result.brokenBase)
        let lines = broken.flatMap { market -> [DisplayText] in
            let errors = market.findings.filter { $0.severity == .error }
            return ["market \"\(market.id)\" of \(market.side.name) cannot be loaded:"] + errors.map(console.text)
        }
        let advice: DisplayText =
            result.brokenHead.isEmpty
            ? "compare what loads with --allow-broken-base, or use another base"
            : "fix it first; check reports the same errors"
        var failure = CommandFailure(status: .impossible, (lines + [advice]).joined(separator: "\n"))
        failure.findings = broken.flatMap { $0.findings.filter { $0.severity == .error } }
        return failure
    }
}
