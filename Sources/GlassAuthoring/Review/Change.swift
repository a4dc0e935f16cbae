import GlassMarkets
package import GlassSchema

/// A change to market files and its effect, as reported to a reviewer.
package struct Change: Sendable, Hashable {
    /// The severity of a change, and of what a policy denies.
    package enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Something that worked no longer does, and there is proof, or a policy says that it must not remain.
        case breaking
        /// Needs a human decision, because the effect cannot be judged automatically.
        case risky
        /// Worth knowing; no action is needed.
        case note

        /// The severity that corresponds to that of a finding.
        package init(_ severity: Finding.Severity) {
            switch severity {
            case .error: self = .breaking
            case .warning: self = .risky
            case .note: self = .note
            }
        }

        /// The corresponding severity of a finding.
        package var ofFinding: Finding.Severity {
            switch self {
            case .breaking: .error
            case .risky: .warning
            case .note: .note
            }
        }

        /// Orders by severity.
        package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .risky: 1
            case .breaking: 2
            }
        }
    }

    /// A decision to accept a change.
    package struct Acceptance: Sendable, Hashable {
        /// The reason.
        package var reason: String
        /// The last day on which it applies, such as `2026-12-31`; nil if it never expires.
        package var expires: String?

        /// Creates an acceptance.
        package init(reason: String, expires: String? = nil) {
            self.reason = reason
            self.expires = expires
        }
    }

    /// The id of the rule that found it: a ``ChangeRule``, or a policy.
    package var rule: String
    /// The severity.
    package var severity: Severity
    /// The market whose files were changed.
    package var market: String
    /// The other markets that it affects, because they extend the first one and do not override the change.
    package var alsoIn: [String] = []
    /// The key that changed, if any.
    package var path: ConfigurationPath?
    /// What changed, and its effect: one sentence, without a period. Interpolated values are not escaped.
    package var summary: String
    /// The position in the base; nil if the base has no such line. The path is relative to the repository or, without a
    /// repository, based on the folder as the user named it.
    package var before: SourcePosition?
    /// The position in the head; nil if the head has no such line.
    package var after: SourcePosition?
    /// A link that proves the change: opened on both sides, with different results.
    package var witness: String?
    /// A situation that shows the change, as `--context` takes it; nil if the default situation does.
    package var situation: String?
    /// The line of a file of recorded links that contains the witness; nil if the witness was generated.
    package var recorded: SourcePosition?
    /// 12 hexadecimal digits that identify the change, regardless of rebases and wording, and that are unique in the
    /// review. Computed from the rule, the market, the key, and the data of the change.
    package var fingerprint: String
    /// The fingerprint of the rule, the market, the key, and the summary; see `Finding.messageFingerprint`. An `accept`
    /// that names it applies for as long as the summary is unchanged.
    package var messageFingerprint: String
    /// The acceptance of the change, which then no longer fails a review; nil if it was not accepted.
    package var accepted: Acceptance?

    /// Creates a change. Its fingerprint is computed from the rule, the market, the key, the subject, and the values,
    /// such as the old and the new value, a name, or a pattern. The summary is not part of it, so rewording the summary
    /// does not change it.
    package init(
        rule: String, severity: Severity, market: String, path: ConfigurationPath? = nil, subject: String = "",
        values: [String] = [], _ summary: String, before: SourcePosition? = nil, after: SourcePosition? = nil,
        witness: String? = nil,
        recorded: SourcePosition? = nil
    ) {
        self.rule = rule
        self.severity = severity
        self.market = market
        self.path = path
        self.summary = summary
        self.before = before
        self.after = after
        self.witness = witness
        self.recorded = recorded
        let what = [rule, market, path?.description ?? "", subject]
        fingerprint = Self.fingerprint(["2"] + what + values)
        messageFingerprint = Self.fingerprint(what + [summary])
    }

    /// The first digits of the digest of some strings, which must not depend on line numbers.
    package static func fingerprint(_ parts: [String]) -> String {
        var digest = SHA256Digest()
        // Each string is preceded by its length, so that different lists never have the same bytes.
        for part in parts { digest.update(Array("\(part.utf8.count):\(part)".utf8)) }
        return String(digest.hexadecimal().prefix(12))
    }

    /// The position to show: in the head, or else in the base.
    package var place: SourcePosition? { after ?? before }
}
