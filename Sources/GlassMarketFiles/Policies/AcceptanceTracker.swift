import GlassBase
package import GlassSchema

/// Which `accept` of a project's policies was for something, on a day.
package struct AcceptanceTracker: Sendable {
    private let acceptances: [PolicyAcceptance]
    /// The same by what they name: each finding asks for its own.
    private let byFingerprint: [String: [PolicyAcceptance]]
    private let today: String
    private var used: Set<String> = []

    /// Begins without any use.
    package init(_ policies: PolicySet, today: String) {
        acceptances = policies.acceptances
        byFingerprint = Dictionary(grouping: policies.acceptances, by: \.fingerprint)
        self.today = today
    }

    /// Why something is accepted. An accept may name it by the fingerprint that it had before, which was made of its
    /// wording: teams keep what they wrote down.
    package mutating func acceptance(
        of fingerprint: String, formerly former: String? = nil, as subject: Policy.Subject
    ) -> PolicyAcceptance? {
        var held: PolicyAcceptance?
        for name in [fingerprint, former].compactMap(\.self) {
            let found = byFingerprint[name, default: []].filter { ($0.subject ?? subject) == subject }
            // Also what the other one holds for already is for something.
            if !found.isEmpty { used.insert(name) }
            held = held ?? found.first { !$0.isExpired(on: today) }
        }
        return held
    }

    /// Leaves out what is accepted. What a market cannot be used with is not: only a policy's own errors are.
    package mutating func leavingOutAccepted(_ findings: [Finding]) -> [Finding] {
        findings.filter { finding in
            guard finding.severity != .error || finding.policy != nil else { return true }
            return acceptance(of: finding.fingerprint, formerly: finding.formerFingerprint, as: .market) == nil
        }
    }

    /// What is to say about the accepts themselves: those whose last day is over, and those that were for nothing.
    package func findings(about subject: Policy.Subject, isComplete: Bool) -> [Finding] {
        acceptances.filter { ($0.subject ?? subject) == subject }.compactMap { acceptance in
            let what = "\(acceptance.fingerprint) (\(acceptance.reason.quotedForMessage))"
            // The reason is the team's own text, and tells two accepts of one thing apart.
            let subject = "\(acceptance.fingerprint) \(acceptance.reason)"
            if acceptance.isExpired(on: today) {
                return Finding(
                    .acceptExpired, severity: .warning, at: acceptance.position, subject: subject,
                    "the accept of \(what) expired on \(acceptance.expires)",
                    hint: "fix what it accepts and remove it, or agree on another day")
            }
            guard isComplete, !used.contains(acceptance.fingerprint) else { return nil }
            return Finding(
                .acceptUnused, severity: .note, at: acceptance.position, subject: subject,
                "the accept of \(what) matches nothing",
                hint: "remove it")
        }.sortedByPosition()
    }
}
