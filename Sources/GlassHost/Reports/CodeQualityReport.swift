import GlassMarketFiles
import GlassAuthoring
import GlassSchema

/// A code quality report of [GitLab](https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format).
struct CodeQualityReport {
    /// An entry of the report.
    struct Issue: Encodable {
        let description: String
        let checkName: String
        let fingerprint: String
        let severity: String
        let location: Location

        private enum CodingKeys: String, CodingKey {
            case description
            case checkName = "check_name"
            case fingerprint
            case severity
            case location
        }
    }

    /// The location of an entry.
    struct Location: Encodable {
        let path: String
        let lines: Lines
    }

    /// The lines of an entry.
    struct Lines: Encodable {
        let begin: Int
    }

    /// The entries, of which the report is a list.
    let issues: [Issue]

    /// Creates a report.
    init(_ entries: [ReportEntry], paths: ReportPaths) {
        // GitLab shows entries with the same fingerprint as one.
        var counts: [String: Int] = [:]
        issues = entries.map { entry in
            let count = counts[entry.fingerprint, default: 0] + 1
            counts[entry.fingerprint] = count
            let fingerprint =
                count == 1 ? entry.fingerprint : Change.fingerprint([entry.fingerprint, "\(count)"])
            return Issue(
                description: Self.oneLine(entry.message), checkName: entry.rule, fingerprint: fingerprint,
                severity: Self.severity(entry.level),
                location: Location(
                    path: paths.path(of: entry.position?.file),
                    lines: Lines(begin: max(1, entry.position?.line ?? 1))))
        }
    }

    /// Splits by scalars: in Swift, a line feed after a carriage return is part of one character.
    private static func oneLine(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n").map { String(String.UnicodeScalarView($0)) }.joined(separator: "; ")
    }

    /// GitLab's name for a severity, from `info` to `blocker`.
    private static func severity(_ level: ReportEntry.Level) -> String {
        switch level {
        case .error: "blocker"
        case .warning: "major"
        case .note: "info"
        }
    }
}
