import GlassBase
package import GlassMarketFiles
package import GlassMarkets
package import GlassSchema

/// Tracks which acceptances match a finding, those of policy files and those of market files, to report unused and
/// expired ones.
package struct AcceptanceTracker: Sendable {
    private let acceptances: [PolicyAcceptance]
    /// The acceptances by fingerprint, because each finding looks up its own.
    private let byFingerprint: [String: [PolicyAcceptance]]
    private let notes: [Finding]
    private let today: String
    private var used: Set<String> = []
    /// The acceptances of market files.
    package private(set) var files: FileAcceptances

    /// Creates a tracker in which no acceptance has been used.
    package init(_ policies: PolicySet, today: String) {
        acceptances = policies.acceptances
        byFingerprint = Dictionary(grouping: policies.acceptances, by: \.fingerprint)
        notes = policies.notes
        self.today = today
        files = FileAcceptances(today: today)
    }

    /// Adds the acceptances of a market's files.
    package mutating func add(_ acceptances: [MarketAcceptance]) { files.add(acceptances) }

    /// The acceptance of a finding or change, if any. An `accept` may also name the fingerprint of the message, because
    /// teams keep the entries that they have.
    package mutating func acceptance(
        of fingerprint: String, or messageFingerprint: String? = nil, as subject: Policy.Subject
    ) -> PolicyAcceptance? {
        var held: PolicyAcceptance?
        for name in [fingerprint, messageFingerprint].compactMap(\.self) {
            let found = byFingerprint[name, default: []].filter { ($0.subject ?? subject) == subject }
            // An entry counts as used even if another one already applies.
            if !found.isEmpty { used.insert(name) }
            held = held ?? found.first { !$0.isExpired(on: today) }
        }
        return held
    }

    /// Removes accepted findings. Errors that make a market unusable cannot be accepted; errors of a policy can.
    package mutating func leavingOutAccepted(_ findings: [Finding]) -> [Finding] {
        findings.filter { finding in
            if files.accepts(finding) { return false }
            guard finding.severity != .error || finding.policy != nil else { return true }
            return acceptance(of: finding.fingerprint, or: finding.messageFingerprint, as: .market) == nil
        }
    }

    /// The findings about the acceptances themselves: those that have expired, and those that match nothing. Also those
    /// about severities of removed rules.
    ///
    /// - Parameters:
    ///   - subject: What was examined.
    ///   - isComplete: Whether all markets were, so that an acceptance without a finding is unused.
    ///   - unexamined: The rules that were not examined, whose acceptances in market files may be used elsewhere.
    package func findings(
        about subject: Policy.Subject, isComplete: Bool, unexamined: Set<FindingCode> = []
    ) -> [Finding] {
        let ofFiles =
            subject == .market ? files.findings(isComplete: isComplete, unexamined: unexamined) + notes : []
        return (ofFiles + findingsOfPolicies(about: subject, isComplete: isComplete)).sortedByPosition()
    }

    private func findingsOfPolicies(about subject: Policy.Subject, isComplete: Bool) -> [Finding] {
        acceptances.filter { ($0.subject ?? subject) == subject }.compactMap { acceptance in
            let what = "\(acceptance.fingerprint) (\(acceptance.reason.quotedForMessage))"
            // The reason is written by the team, and distinguishes two acceptances of the same finding.
            let subject = "\(acceptance.fingerprint) \(acceptance.reason)"
            if acceptance.isExpired(on: today) {
                return Finding(
                    .acceptExpired, severity: .warning, at: acceptance.position, subject: subject,
                    "the accept for \(what) expired on \(acceptance.expires)",
                    hint: "fix the finding and remove the accept, or extend its date")
            }
            guard isComplete, !used.contains(acceptance.fingerprint) else { return nil }
            return Finding(
                .acceptUnused, severity: .note, at: acceptance.position, subject: subject,
                "the accept for \(what) matches nothing",
                hint: "remove it")
        }
    }
}
