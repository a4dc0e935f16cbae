import GlassBase
public import GlassSchema

extension PlatformConfig {
    /// Validates a configuration that is written in Swift by the rules for market files: types and ranges, string
    /// formats, and contradictions. Each finding has a key path.
    ///
    /// An empty required value is reported as not having the expected format: `platform.appInfo.name: expected …, got
    /// ""`.
    ///
    /// - Returns: The findings, sorted by key path; empty if the configuration is valid. O(values).
    public func findings() -> [Finding] {
        ConfigurationValidator.findings(
            in: ConfigurationNode(configurationValue), section: Self.declaration,
            path: ConfigurationPath([.key(Self.key)]))
    }

    /// Returns the findings, and logs the errors among them in one message.
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
