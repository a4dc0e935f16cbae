import GlassAuthoring
import GlassSchema

/// A review as JSON.
struct ReviewOutput: Encodable {
    struct Side: Encodable {
        let name: String
        @Nullable var commit: String?

        init(_ side: Review.Side) {
            name = side.name
            commit = side.commit
        }
    }

    struct Place: Encodable {
        let file: String
        let line: Int
        @Nullable var column: Int?

        init(_ position: SourcePosition) {
            file = position.file
            line = position.line
            column = position.column
        }
    }

    struct Acceptance: Encodable {
        let reason: String
        @Nullable var expires: String?
    }

    struct ChangeOutput: Encodable {
        let rule: String
        let severity: String
        let market: String
        let alsoIn: [String]
        @Nullable var key: String?
        let summary: String
        @Nullable var before: Place?
        @Nullable var after: Place?
        @Nullable var witness: String?
        /// The line that contains the witness.
        @Nullable var recorded: Place?
        let fingerprint: String
        @Nullable var accepted: Acceptance?

        init(_ change: Change) {
            rule = change.rule
            severity = change.severity.rawValue
            market = change.market
            alsoIn = change.alsoIn
            key = change.path?.description
            summary = change.summary
            before = change.before.map(Place.init)
            after = change.after.map(Place.init)
            witness = change.witness
            recorded = change.recorded.map(Place.init)
            fingerprint = change.fingerprint
            accepted = change.accepted.map { Acceptance(reason: $0.reason, expires: $0.expires) }
        }
    }

    struct Counts: Encodable {
        let breaking: Int
        let risky: Int
        let note: Int
        let accepted: Int
    }

    let base: Side
    let head: Side
    let changes: [ChangeOutput]
    let unchanged: [String]
    let notices: [String]
    let counts: Counts

    init(_ review: Review) {
        base = Side(review.base)
        head = Side(review.head)
        changes = review.changes.map(ChangeOutput.init)
        unchanged = review.unchanged
        notices = review.notices
        counts = Counts(
            breaking: review.count(.breaking), risky: review.count(.risky), note: review.count(.note),
            accepted: review.changes.count { $0.accepted != nil })
    }
}
