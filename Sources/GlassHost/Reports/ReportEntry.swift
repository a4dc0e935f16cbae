import ArgumentParser
import GlassBase
import GlassMarketFiles
import GlassAuthoring
import GlassSchema
import GlassSites

/// An entry of a report: the data that the formats for other programs have in common, for findings and changes.
struct ReportEntry: Sendable {
    /// Another position of the entry.
    struct Related: Sendable {
        let position: SourcePosition
        let text: String
    }

    let rule: String
    let level: Finding.Severity
    /// The message, followed by the situation and the hint on separate lines.
    let message: String
    /// The position; nil if no file is concerned.
    let position: SourcePosition?
    /// The position just after it, in the same file.
    var end: SourcePosition?
    /// Identifies the entry, even if its line moves.
    let fingerprint: String
    /// Identifies the entry as long as its wording is unchanged; see `Finding.messageFingerprint`.
    let messageFingerprint: String
    /// Other positions of the entry.
    var related: [Related] = []
}

extension ReportEntry {
    /// Creates the entry for a finding.
    init(_ finding: Finding) {
        let key = finding.path.elements.isEmpty ? "" : "\(finding.displayPath): "
        let situation = finding.situation.map { "when: --context \($0.commandText)" }
        self.init(
            rule: finding.rule, level: finding.severity,
            message: ([key + finding.message] + [situation, finding.hint].compactMap(\.self)).joined(separator: "\n"),
            position: finding.position, end: finding.end, fingerprint: finding.fingerprint,
            messageFingerprint: finding.messageFingerprint)
        related = finding.related.map { Related(position: $0.position, text: $0.message) }
    }

    /// Creates the entry for a finding about a site. Its position is the file that was read, if that is in a folder.
    init(_ finding: SiteFinding, file: String?) {
        let place = [finding.subject, finding.file?.rawValue].compactMap(\.self).joined(separator: "/")
        let key = finding.key.map { "\($0): " } ?? ""
        // The message distinguishes two findings of one rule in a file, such as two certificates.
        let fingerprint = Change.fingerprint([finding.code.rawValue, place, finding.key ?? "", finding.message])
        self.init(
            rule: finding.code.rawValue, level: finding.severity,
            message: (["\(place): \(key)\(finding.message)"] + finding.links + [finding.hint].compactMap(\.self))
                .joined(separator: "\n"),
            position: file.map { SourcePosition(file: $0, line: 1) }, fingerprint: fingerprint,
            messageFingerprint: fingerprint)
    }

    /// Creates the entry for a change. An accepted change becomes a note that says so.
    init(_ change: Change) {
        var lines = ["\(change.market): \(change.summary)"]
        if let link = change.witness { lines.append("link: \(link)") }
        if !change.alsoIn.isEmpty { lines.append("also in \(change.alsoIn.listed)") }
        if let accepted = change.accepted { lines.append(accepted.sentence) }
        self.init(
            rule: change.rule, level: change.accepted == nil ? change.severity.ofFinding : .note,
            message: lines.joined(separator: "\n"), position: change.place, fingerprint: change.fingerprint,
            messageFingerprint: change.messageFingerprint)
        if change.after != nil, let before = change.before {
            related = [Related(position: before, text: "the previous position")]
        }
    }
}

extension Change.Acceptance {
    /// The reason, and the last day.
    var sentence: String { "accepted" + (expires.map { " until \($0)" } ?? "") + ": \(reason)" }
}

/// The value of `--as`: text, or a report format for another program.
enum ReportFormat: String, Sendable, CaseIterable, ExpressibleByArgument {
    case text
    /// The Static Analysis Results Interchange Format 2.1.0.
    case sarif
    /// Commands that a step of GitHub Actions prints.
    case github
    /// The code quality report of GitLab.
    case gitlab

    /// Rejects a report with `--format json`, which is a format of its own.
    func requireText(with options: GlobalOptions) throws {
        if self != .text, options.format == .json {
            throw ValidationError("--as \(rawValue) and --format json cannot be combined")
        }
    }
}

extension Console {
    /// Prints a report for another program.
    func report(
        _ entries: [ReportEntry], as form: ReportFormat, paths: ReportPaths, describe: (String) -> String?
    ) throws {
        switch form {
        case .text: return
        case .sarif: try document(json: SARIFLog(entries, paths: paths, describe: describe).json)
        case .github: for line in GitHubAnnotations(entries, paths: paths).lines { write(line + "\n") }
        case .gitlab: try document(json: CodeQualityReport(entries, paths: paths).issues)
        }
    }
}
