import GlassBase
import GlassMarketFiles
import GlassReview
import GlassSchema

/// One thing that a report says: what the forms for other programs have in common, whatever found it.
struct ReportEntry: Sendable {
    /// How bad it is.
    enum Level: String, Sendable, CaseIterable {
        case error
        case warning
        case note
    }

    /// Another place that it is about.
    struct Related: Sendable {
        let position: SourcePosition
        let text: String
    }

    /// Which rule found it.
    let rule: String
    /// How bad it is.
    let level: Level
    /// What is wrong, and on further lines what to do.
    let message: String
    /// Where; nil when no file is concerned.
    let position: SourcePosition?
    /// The place just behind it, in the same file.
    var end: SourcePosition?
    /// Which thing it is, wherever its line moves.
    let fingerprint: String
    /// The same as it was while it was made of the wording.
    let formerFingerprint: String
    /// Other places that it is about.
    var related: [Related] = []
}

extension ReportEntry {
    /// A finding as an entry.
    init(_ finding: Finding) {
        let key = finding.path.elements.isEmpty ? "" : "\(finding.displayPath): "
        self.init(
            rule: finding.rule, level: Level(finding.severity),
            message: ([key + finding.message] + [finding.hint].compactMap(\.self)).joined(separator: "\n"),
            position: finding.position, end: finding.end, fingerprint: finding.fingerprint,
            formerFingerprint: finding.formerFingerprint)
        related = finding.related.map { Related(position: $0.position, text: $0.message) }
    }

    /// A change as an entry. One that is accepted is a note that says so.
    init(_ change: Change) {
        var lines = ["\(change.market): \(change.summary)"]
        if let link = change.witness { lines.append("link: \(link)") }
        if !change.alsoIn.isEmpty { lines.append("also in \(change.alsoIn.listed)") }
        if let accepted = change.accepted { lines.append(accepted.sentence) }
        self.init(
            rule: change.rule, level: change.accepted == nil ? Level(change.severity) : .note,
            message: lines.joined(separator: "\n"), position: change.place, fingerprint: change.fingerprint,
            formerFingerprint: change.formerFingerprint)
        if change.after != nil, let before = change.before {
            related = [Related(position: before, text: "where it stood")]
        }
    }
}

extension Change.Acceptance {
    /// Why, and until when.
    var sentence: String { "accepted" + (expires.map { " until \($0)" } ?? "") + ": \(reason)" }
}

extension ReportEntry.Level {
    fileprivate init(_ severity: Finding.Severity) {
        switch severity {
        case .error: self = .error
        case .warning: self = .warning
        case .note: self = .note
        }
    }

    fileprivate init(_ severity: Change.Severity) {
        switch severity {
        case .breaking: self = .error
        case .risky: self = .warning
        case .note: self = .note
        }
    }
}

/// A form of a report for another program.
enum ReportFormat: String, Sendable, CaseIterable {
    /// The Static Analysis Results Interchange Format 2.1.0.
    case sarif
    /// Commands that a step of GitHub Actions prints.
    case github
    /// The code quality report of GitLab.
    case gitlab
}

extension Console {
    /// Prints a report for another program.
    func report(
        _ entries: [ReportEntry], as form: ReportFormat, paths: ReportPaths, describe: (String) -> String?
    ) throws {
        switch form {
        case .sarif: try document(json: SARIFLog(entries, paths: paths, describe: describe))
        case .github: for line in GitHubAnnotations(entries, paths: paths).lines { write(line + "\n") }
        case .gitlab: try document(json: CodeQualityReport(entries, paths: paths).issues)
        }
    }
}
