import GlassBase
public import GlassSchema

extension PlatformConfig {
    /// What is wrong with a configuration that is written in Swift, by the rules that a market file is held to: types and
    /// ranges, forms of texts, and contradictions, each with its key path.
    ///
    /// A required value that was left empty is said to have no form: `platform.appInfo.name: expected …, got ""`.
    ///
    /// - Returns: The findings, sorted by key path; empty when all is well. O(values).
    public func findings() -> [Finding] {
        ConfigurationValidator.findings(
            in: ConfigurationNode(configurationValue), section: Self.declaration,
            path: ConfigurationPath([.key(Self.key)]))
    }

    /// The findings, after the errors among them were logged in one message.
    func loggedFindings() -> [Finding] {
        let findings = findings()
        let errors = findings.filter { $0.severity == .error }
        if !errors.isEmpty {
            let text = errors.map { "\($0.path): \($0.message)" }.joined(separator: "; ")
            SafeLogger(label: "glass.platform").warning("the configuration has \(errors.count) errors: \(text)")
        }
        return findings
    }
}
