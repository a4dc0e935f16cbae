import GlassMarketFiles
import GlassAuthoring
import GlassSchema

/// A code quality report of [GitLab](https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format).
struct CodeQualityReport {
    /// The entries, of which the report is a list.
    let issues: [JSONObject]

    /// Creates a report.
    init(_ entries: [ReportEntry], paths: ReportPaths) {
        // GitLab shows entries with the same fingerprint as one.
        var counts: [String: Int] = [:]
        issues = entries.map { entry in
            let count = counts[entry.fingerprint, default: 0] + 1
            counts[entry.fingerprint] = count
            let fingerprint =
                count == 1 ? entry.fingerprint : Change.fingerprint([entry.fingerprint, "\(count)"])
            let lines: JSONObject = ["begin": max(1, entry.position?.line ?? 1)]
            let location: JSONObject = ["path": paths.path(of: entry.position?.file), "lines": lines]
            return [
                "description": Self.oneLine(entry.message), "check_name": entry.rule, "fingerprint": fingerprint,
                "severity": Self.severity(entry.level), "location": location,
            ]
        }
    }

    /// Splits by scalars: in Swift, a line feed after a carriage return is part of one character.
    private static func oneLine(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n").map { String(String.UnicodeScalarView($0)) }.joined(separator: "; ")
    }

    /// GitLab's name for a severity, from `info` to `blocker`.
    private static func severity(_ level: Finding.Severity) -> String {
        switch level {
        case .error: "blocker"
        case .warning: "major"
        case .note: "info"
        }
    }
}
