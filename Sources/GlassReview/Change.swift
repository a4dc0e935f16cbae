import GlassMarkets
package import GlassSchema

/// What a change of market files does, as a reviewer is told it.
package struct Change: Sendable, Hashable {
    /// How bad a change is.
    package enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Worth knowing, and nobody has to do anything.
        case note
        /// Somebody has to look: what it does cannot be decided here.
        case risky
        /// Something that worked does not work any more, and there is a proof.
        case breaking

        /// Orders by how bad they are.
        package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .risky: 1
            case .breaking: 2
            }
        }
    }

    /// That somebody decided to live with a change.
    package struct Acceptance: Sendable, Hashable {
        /// Why.
        package var reason: String
        /// The last day on which it holds, as `2026-12-31`; nil for ever.
        package var expires: String?

        /// Creates an acceptance.
        package init(reason: String, expires: String? = nil) {
            self.reason = reason
            self.expires = expires
        }
    }

    /// The id of the rule that found it: that of a ``ChangeRule``, or of a policy's.
    package var rule: String
    /// How bad it is.
    package var severity: Severity
    /// The market whose files were changed.
    package var market: String
    /// The other markets that it reaches, because they extend the first one and write nothing else there.
    package var alsoIn: [String] = []
    /// The key concerned, where it is one.
    package var path: ConfigurationPath?
    /// What changed and what that does: one sentence, without a full stop. What it was made of is not escaped.
    package var summary: String
    /// Where it stood in the base; the path is that below the repository, or as the user named the folder where there is
    /// no repository. Nil for what is new.
    package var before: SourcePosition?
    /// Where it stands now; nil for what is gone.
    package var after: SourcePosition?
    /// A link that shows it: opened on both sides, with different results.
    package var witness: String?
    /// The line of a file of recorded links that the witness was read from; nil for one that was made for the purpose.
    package var recorded: SourcePosition?
    /// 12 hexadecimal digits that say which change it is: the same after a rebase and however it is worded, and for no
    /// other of the review. They are made of the rule, the market, the key and what the change is about as data.
    package var fingerprint: String
    /// The fingerprint that earlier versions computed from the summary. An `accept` that names it applies for as long as
    /// the summary is unchanged.
    package var formerFingerprint: String
    /// That somebody decided to live with it; nil where nobody did. It then fails nothing.
    package var accepted: Acceptance?

    /// Creates a change. Its fingerprint is computed from the rule, the market, the key, the subject and the values (what
    /// was there and what is there now, a name, a pattern). The summary is not part of it, so rewording the summary does
    /// not change it.
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
        formerFingerprint = Self.fingerprint(what + [summary])
    }

    /// The first digits of the digest of some texts.
    package static func fingerprint(_ parts: [String]) -> String {
        var digest = SHA256Digest()
        // A length before each, so that no two lists of texts are the same bytes.
        for part in parts { digest.update(Array("\(part.utf8.count):\(part)".utf8)) }
        return String(digest.hexadecimal().prefix(12))
    }

    /// Where a reader is sent: the place now, else where it stood.
    package var place: SourcePosition? { after ?? before }
}
