import GlassSchema

/// A change of one market, before it is known which other markets it affects.
struct PendingChange: Sendable {
    let rule: ChangeRule
    var severity: Change.Severity
    let market: String
    let path: ConfigurationPath?
    let subject: String
    /// The data from which the fingerprint is computed, instead of the summary.
    let values: [String]
    private(set) var summary: String
    let before: SourcePosition?
    let after: SourcePosition?
    var witness: String?
    var recorded: SourcePosition?
    /// A situation that shows the change; nil if the default situation does.
    private(set) var situation: MarketContext?
    /// The text that is the same in each market that one change affects; the summary may name a market's own scheme.
    let propagationKey: String
    /// Whether the paths of the positions are already relative to the repository.
    let isShown: Bool

    init(
        _ rule: ChangeRule, _ severity: Change.Severity? = nil, market: String, path: ConfigurationPath? = nil,
        subject: String = "", values: [String] = [], _ summary: String, before: SourcePosition? = nil,
        after: SourcePosition? = nil,
        witness: String? = nil, recorded: SourcePosition? = nil, propagationKey: String? = nil, isShown: Bool = false
    ) {
        self.rule = rule
        self.severity = severity ?? rule.severity
        self.market = market
        self.path = path
        self.subject = subject
        self.values = values
        self.summary = summary
        self.before = before
        self.after = after
        self.witness = witness
        self.recorded = recorded
        self.propagationKey = propagationKey ?? summary
        self.isShown = isShown
    }

    /// What the change is, without the markets and files in which it was found.
    struct Identity: Hashable {
        private let rule: ChangeRule
        private let path: ConfigurationPath?
        private let subject: String
        private let values: [String]
        private let text: String

        fileprivate init(_ draft: PendingChange) {
            (rule, path, subject, values) = (draft.rule, draft.path, draft.subject, draft.values)
            text = draft.propagationKey
        }
    }

    var identity: Identity { Identity(self) }

    /// The change as one that a situation shows, but the default situation does not.
    func shown(in situation: MarketContext) -> PendingChange {
        var draft = self
        draft.situation = situation
        draft.summary += " when \(situation)"
        return draft
    }

    /// The properties that all drafts of one cause share. A change of a default has no position, and is a separate
    /// cause in each market.
    private struct Cause: Hashable {
        let rule: ChangeRule
        let path: ConfigurationPath?
        let propagationKey: String
        let before: SourcePosition?
        let after: SourcePosition?
        let market: String?

        init(_ draft: PendingChange) {
            (rule, path, propagationKey) = (draft.rule, draft.path, draft.propagationKey)
            (before, after) = (draft.before, draft.after)
            market = draft.before == nil && draft.after == nil ? draft.market : nil
        }
    }

    /// Merges the drafts of each cause into one change, reported for the market whose file contains it, or else for the
    /// market with the fewest base markets.
    static func reported(
        _ drafts: [PendingChange], depths: [String: Int], base: ReviewedFolder, head: ReviewedFolder
    ) -> [Change] {
        var order: [Cause] = []
        var groups: [Cause: [PendingChange]] = [:]
        for draft in drafts {
            let cause = Cause(draft)
            if groups[cause] == nil { order.append(cause) }
            groups[cause, default: []].append(draft)
        }
        return order.compactMap { cause in
            guard let group = groups[cause] else { return nil }
            let place = cause.after ?? cause.before
            let owner =
                group.first { place?.file.hasSuffix("/\($0.market).lua") == true }
                ?? group.min { (depths[$0.market] ?? 0, $0.market) < (depths[$1.market] ?? 0, $1.market) }
            // A proof in one market is enough.
            let worst = group.max { $0.severity < $1.severity }
            guard let owner, let worst else { return nil }
            let reported = worst.severity > owner.severity ? worst : owner
            var change = Change(
                reported.rule, reported.severity, market: owner.market, path: reported.path, subject: reported.subject,
                values: reported.values, reported.summary,
                before: reported.isShown ? reported.before : base.shown(reported.before),
                after: reported.isShown ? reported.after : head.shown(reported.after), witness: reported.witness,
                recorded: reported.recorded)
            change.situation = reported.situation?.commandText
            change.alsoIn = group.map(\.market).filter { $0 != owner.market }.sorted()
            return change
        }
    }
}
