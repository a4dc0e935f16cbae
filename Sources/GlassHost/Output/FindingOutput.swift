import GlassMarketFiles
import GlassSchema

/// A finding as JSON.
struct FindingOutput: Encodable {
    let severity: String
    let code: String
    /// The fingerprint by which an `accept` in a policy file refers to the finding.
    let fingerprint: String
    @Nullable var file: String?
    @Nullable var line: Int?
    @Nullable var column: Int?
    /// The position just after the text that the finding refers to.
    @Nullable var end: Place?
    /// The edits that apply the hint.
    @Nullable var fix: Fix?
    /// The source line.
    @Nullable var source: String?
    @Nullable var key: String?
    let message: String
    @Nullable var hint: String?
    /// The calls that led to a runtime error, innermost first.
    let traceback: [String]
    /// Other positions that the finding refers to.
    let related: [Related]

    /// Another position that the finding refers to.
    struct Related: Encodable {
        let file: String
        let line: Int
        @Nullable var column: Int?
        let message: String

        init(_ place: Finding.RelatedPosition) {
            file = place.position.file
            line = place.position.line
            column = place.position.column
            message = place.message
        }
    }

    /// A position in the finding's file.
    struct Place: Encodable {
        let line: Int
        @Nullable var column: Int?

        init(_ position: SourcePosition) {
            line = position.line
            column = position.column
        }
    }

    /// A fix for the file.
    struct Fix: Encodable {
        let title: String
        /// Whether `fix` applies it.
        let sure: Bool
        let edits: [Edit]

        init(_ fix: GlassSchema.Fix) {
            title = fix.title
            sure = fix.isUnambiguous
            edits = fix.edits.map {
                Edit(file: $0.start.file, start: Place($0.start), end: Place($0.end), text: $0.text)
            }
        }
    }

    /// A range of a file, and the text that replaces it.
    struct Edit: Encodable {
        let file: String
        let start: Place
        let end: Place
        let text: String
    }

    init(_ finding: Finding) {
        severity = finding.severity.rawValue
        code = finding.rule
        fingerprint = finding.fingerprint
        file = finding.position?.file
        line = finding.position?.line
        column = finding.position?.column
        end = finding.end.map(Place.init)
        fix = finding.fix.map(Fix.init)
        source = SourceExcerpt(finding)?.text
        key = finding.path.elements.isEmpty ? nil : finding.path.description
        message = finding.message
        hint = finding.hint
        traceback = finding.traceback
        related = finding.related.map(Related.init)
    }
}
