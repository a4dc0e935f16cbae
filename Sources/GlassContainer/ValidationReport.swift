/// What `Container.validate(requiring:)` found, and what it could not look at.
public struct ValidationReport: Sendable, Hashable, CustomStringConvertible {
    /// Everything that is wrong, sorted by file and line.
    public let findings: [ValidationFinding]
    /// The services whose registrations do not declare what they require, so that nothing behind them was checked.
    public let notChecked: [RegistrationInfo]

    /// Whether nothing is wrong; what was not checked does not count.
    public var isValid: Bool { findings.isEmpty }

    /// The findings of one kind.
    /// - Parameter kind: The kind.
    /// - Returns: The findings, sorted by file and line.
    public func findings(_ kind: ValidationFinding.Kind) -> [ValidationFinding] {
        findings.filter { $0.kind == kind }
    }

    /// Each finding, then a line for each service that was not checked.
    public var description: String {
        let notes = notChecked.map { "\($0.site): note: \($0.id) declares no requirements and was not checked" }
        let lines = findings.map(\.description) + notes
        return lines.isEmpty ? "valid" : lines.joined(separator: "\n")
    }
}
