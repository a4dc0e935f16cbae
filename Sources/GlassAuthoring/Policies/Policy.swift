package import GlassSchema

/// A rule of the project, declared in a policy file.
package struct Policy: Sendable, Hashable {
    /// The subject of a policy.
    package enum Subject: String, Sendable, Hashable, CaseIterable {
        /// A market, in `check` and in `review`.
        case market = "check"
        /// A change of markets, in `review`.
        case change = "review"
    }

    /// The policy's name, which output shows as the rule. It differs from the names of all other policies and of the
    /// built-in rules.
    package let name: String
    /// The severity of its denials.
    package let severity: Change.Severity
    package let subject: Subject
    /// The position of its declaration.
    package let position: SourcePosition
    /// The file that declares it, by its path relative to the folder of the policies.
    let file: String
}

/// An `accept` in a policy file: a finding or change that is tolerated until a date.
package struct PolicyAcceptance: Sendable, Hashable {
    /// Identifies the finding or change.
    package let fingerprint: String
    package let reason: String
    /// The last day on which it applies, such as `2026-12-31`.
    package let expires: String
    /// The subject that it applies to; nil for both.
    package let subject: Policy.Subject?
    /// The position of the entry.
    package let position: SourcePosition

    /// Whether its last day has passed.
    package func isExpired(on today: String) -> Bool { expires < today }
}
