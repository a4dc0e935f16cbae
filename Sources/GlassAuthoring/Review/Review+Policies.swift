import GlassBase
package import GlassMarkets
package import GlassSchema

extension Review {
    /// The result of applying a project's policies to a review.
    package struct PolicyReview: Sendable {
        /// The review, with the policies' denials and severities, and with acceptances.
        package let review: Review
        /// Policies that failed. If there are any, there is no verdict.
        package let failures: [Finding]
    }

    /// The pseudo-market for findings about the policies themselves.
    static let policiesName = "policies"

    /// Applies the policies of a project to the review.
    ///
    /// Policies for changes run on each change, as the rules found it. Policies for markets run on each market that a
    /// change affects; denials that already existed in the base are not attributed to the change.
    package func judged(
        by policies: PolicySet, today: String,
        markets: (String) throws -> (base: Market?, head: Market?),
        shown: (SourcePosition?) -> SourcePosition? = { $0 }
    ) rethrows -> PolicyReview {
        guard !policies.isEmpty else { return PolicyReview(review: self, failures: []) }
        var policies = policies
        var failures = policies.failures
        let verdict = policies.verdict(onChanges: changes.map(\.policySubject))
        failures += verdict.failures
        var all = changes.map { change in
            var change = change
            if let severity = policies.severities[change.rule] { change.severity = severity }
            return change
        }
        all += verdict.denials.map { changes[$0.change].denied(by: $0.policy, $0.denial) }
        var reported = MergedDenials()
        let reached = Set(changes.flatMap { [$0.market] + $0.alsoIn }).sorted()
        for id in policies.policies.contains(where: { $0.subject == .market }) ? reached : [] {
            let (base, head) = try markets(id)
            guard let head else { continue }
            let denied = policies.verdict(on: head)
            failures += denied.failures
            policies.leaveOut(denied.failed)
            let known = Set(
                denied.findings.isEmpty ? [] : base.map { policies.verdict(on: $0).findings.map(\.fingerprint) } ?? [])
            for finding in denied.findings where !known.contains(finding.fingerprint) {
                reported.add(finding, of: head)
            }
        }
        all += reported.changes(shown: shown)
        // Readers see the fingerprints of the whole review, in which duplicates have been changed, so acceptances must
        // match those.
        var tracker = AcceptanceTracker(policies, today: today)
        let accepted = replacing(all).changes.map { change in
            var change = change
            if let acceptance = tracker.acceptance(
                of: change.fingerprint, or: change.messageFingerprint, as: .change)
            {
                change.accepted = Change.Acceptance(reason: acceptance.reason, expires: acceptance.expires)
            }
            return change
        }
        let remarks = tracker.findings(about: .change, isComplete: true).map { finding in
            Change(
                rule: finding.rule, severity: Change.Severity(finding.severity), market: Self.policiesName,
                values: [finding.subject], finding.message, after: shown(finding.position))
        }
        return PolicyReview(review: replacing(accepted + remarks), failures: failures.sortedByPosition())
    }
}

/// The policies' denials about markets. A denial that several markets share, because they read the same file, is merged
/// into one.
private struct MergedDenials {
    private struct Place: Hashable {
        let position: SourcePosition?
        let rule: String
        let path: ConfigurationPath
        let message: String
        /// Set for a denial without a position, which belongs to each market separately.
        let market: String?
    }

    private var order: [Place] = []
    private var denials: [Place: (finding: Finding, markets: [String], owner: String?)] = [:]

    /// Adds a policy's denial about a market.
    mutating func add(_ finding: Finding, of market: Market) {
        let place = Place(
            position: finding.position, rule: finding.rule, path: finding.path, message: finding.message,
            market: finding.position == nil ? market.id : nil)
        if denials[place] == nil { order.append(place) }
        denials[place, default: (finding, [], nil)].markets.append(market.id)
        if finding.position?.file == market.source.position?.file { denials[place]?.owner = market.id }
    }

    /// The denials as changes, each reported for the market whose file contains it, or else for the first market that
    /// reads the file.
    func changes(shown: (SourcePosition?) -> SourcePosition?) -> [Change] {
        order.compactMap { place in
            guard let (finding, markets, owner) = denials[place], let market = owner ?? markets.first else {
                return nil
            }
            var change = Change(
                rule: finding.rule, severity: Change.Severity(finding.severity), market: market,
                path: finding.path.elements.isEmpty ? nil : finding.path, values: [finding.message], finding.message,
                after: shown(finding.position))
            change.alsoIn = markets.filter { $0 != market }
            change.situation = finding.situation?.commandText
            return change
        }
    }
}

extension Change {
    /// The change as a policy sees it.
    var policySubject: ScriptValue {
        var fields: [String: ScriptValue] = [
            "rule": .string(rule), "severity": .string(severity.rawValue), "market": .string(market),
            "alsoIn": .list(alsoIn.map { .string($0) }), "text": .string(summary), "fingerprint": .string(fingerprint),
        ]
        if let path { fields["path"] = .string(path.description) }
        if let witness { fields["link"] = .string(witness) }
        if let before { fields["from"] = .string("\(before)") }
        if let after { fields["to"] = .string("\(after)") }
        return .map(fields)
    }

    /// A policy's denial of the change, as a separate change.
    fileprivate func denied(by policy: Policy, _ denial: PolicyDenial) -> Change {
        // The text of a policy belongs to the project: it distinguishes two denials of one change, and no update of
        // this host rewords it.
        func denied(_ fingerprint: String) -> Change {
            Change(
                rule: policy.name, severity: policy.severity, market: market, path: denial.path ?? path,
                subject: fingerprint, values: [denial.text], denial.text, before: before, after: after,
                witness: witness, recorded: recorded)
        }
        var change = denied(fingerprint)
        change.messageFingerprint = denied(messageFingerprint).messageFingerprint
        return change
    }
}
