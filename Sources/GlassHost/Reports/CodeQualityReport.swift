import GlassMarketFiles
import GlassReview
import GlassSchema

/// A code quality report of [GitLab](https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format).
struct CodeQualityReport {
    /// One problem.
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

    /// Where a problem is.
    struct Location: Encodable {
        let path: String
        let lines: Lines
    }

    /// The lines that a problem is in.
    struct Lines: Encodable {
        let begin: Int
    }

    /// The problems; the report is a list of them.
    let issues: [Issue]

    /// Creates a report.
    init(_ entries: [ReportEntry], paths: ReportPaths) {
        // GitLab shows problems of one fingerprint as one.
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

    /// By scalars: a line feed behind a carriage return is another character to Swift only.
    private static func oneLine(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n").map { String(String.UnicodeScalarView($0)) }.joined(separator: "; ")
    }

    /// The word that GitLab has, from `info` to `blocker`.
    private static func severity(_ level: ReportEntry.Level) -> String {
        switch level {
        case .error: "blocker"
        case .warning: "major"
        case .note: "info"
        }
    }
}
