import GlassBase
package import GlassSchema

/// Which `accept` of a project's policies was for something, on a day.
package struct PolicyLedger: Sendable {
    private let acceptances: [PolicyAcceptance]
    private let today: String
    private var used: Set<String> = []

    /// Begins without any use.
    package init(_ policies: PolicySet, today: String) {
        acceptances = policies.acceptances
        self.today = today
    }

    /// Why something is accepted.
    package mutating func acceptance(of fingerprint: String, as subject: Policy.Subject) -> PolicyAcceptance? {
        let found = acceptances.filter {
            $0.fingerprint == fingerprint && ($0.subject ?? subject) == subject
        }
        if !found.isEmpty { used.insert(fingerprint) }
        return found.first { !$0.isExpired(on: today) }
    }

    /// Leaves out what is accepted. What a market cannot be used with is not: only a policy's own errors are.
    package mutating func leavingOutAccepted(_ findings: [Finding]) -> [Finding] {
        findings.filter { finding in
            guard finding.severity != .error || finding.policy != nil else { return true }
            return acceptance(of: finding.fingerprint, as: .market) == nil
        }
    }

    /// What is to say about the accepts themselves: those whose last day is over, and those that were for nothing.
    package func findings(about subject: Policy.Subject, isComplete: Bool) -> [Finding] {
        acceptances.filter { ($0.subject ?? subject) == subject }.compactMap { acceptance in
            let what = "\(acceptance.fingerprint) (\(acceptance.reason.quotedForMessage))"
            if acceptance.isExpired(on: today) {
                return Finding(
                    .acceptExpired, severity: .warning, at: acceptance.position,
                    "the accept of \(what) expired on \(acceptance.expires)",
                    hint: "mend what it accepts and remove it, or agree on another day")
            }
            guard isComplete, !used.contains(acceptance.fingerprint) else { return nil }
            return Finding(
                .acceptUnused, severity: .note, at: acceptance.position, "the accept of \(what) matches nothing",
                hint: "remove it")
        }.sortedByPosition()
    }
}
