/// The findings of `Container.validate(requiring:)`, and the services that it couldn't check.
public struct ValidationReport: Sendable, Hashable, CustomStringConvertible {
    /// All findings, sorted by file and line.
    public let findings: [ValidationFinding]
    /// The services whose registrations don't declare their requirements, so that their dependencies weren't checked.
    public let notChecked: [RegistrationInfo]

    /// Whether there are no findings. Services that weren't checked don't count.
    public var isValid: Bool { findings.isEmpty }

    /// Returns the findings of one kind.
    /// - Parameter kind: The kind.
    /// - Returns: The findings, sorted by file and line.
    public func findings(_ kind: ValidationFinding.Kind) -> [ValidationFinding] {
        findings.filter { $0.kind == kind }
    }

    /// Each finding, then a line for each service that wasn't checked.
    public var description: String {
        let notes = notChecked.map { "\($0.site): note: \($0.id) declares no requirements and was not checked" }
        let lines = findings.map(\.description) + notes
        return lines.isEmpty ? "valid" : lines.joined(separator: "\n")
    }
}
