import GlassSchema

/// A finding as JSON.
struct FindingOutput: Encodable {
    let severity: String
    let code: String
    @Nullable var file: String?
    @Nullable var line: Int?
    @Nullable var column: Int?
    /// The line of the file.
    @Nullable var source: String?
    @Nullable var key: String?
    let message: String
    @Nullable var hint: String?
    /// The calls that led to an error while a file ran, the innermost first.
    let traceback: [String]

    init(_ finding: Finding) {
        severity = finding.severity.rawValue
        code = finding.code.rawValue
        file = finding.position?.file
        line = finding.position?.line
        column = finding.position?.column
        source = SourceExcerpt(finding)?.text
        key = finding.path.elements.isEmpty ? nil : finding.path.description
        message = finding.message
        hint = finding.hint
        traceback = finding.traceback
    }
}
