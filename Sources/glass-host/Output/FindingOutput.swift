import GlassSchema

/// A finding as JSON.
struct FindingOutput: Encodable {
    let severity: String
    let code: String
    let file: String?
    let line: Int?
    let column: Int?
    let key: String?
    let message: String
    let hint: String?

    init(_ finding: Finding) {
        severity = finding.severity.rawValue
        code = finding.code.rawValue
        file = finding.position?.file
        line = finding.position?.line
        column = finding.position?.column
        key = finding.path.elements.isEmpty ? nil : finding.path.description
        message = finding.message
        hint = finding.hint
    }
}
