import GlassSchema

/// A report in the Static Analysis Results Interchange Format, as
/// [OASIS](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html) specifies it.
struct SARIFLog: Encodable {
    private let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    private let version = "2.1.0"
    private let runs: [Run]

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version
        case runs
    }

    /// Creates the report of one run of this program.
    init(_ entries: [ReportEntry], paths: ReportPaths, describe: (String) -> String?) {
        let rules = Set(entries.map(\.rule)).sorted()
        let indices = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
        runs = [
            Run(
                tool: .init(
                    driver: .init(
                        rules: rules.map { rule in
                            Rule(
                                id: rule,
                                shortDescription: Text(describe(rule) ?? "A policy of the project: \(rule)"))
                        })),
                results: entries.map { entry in
                    Result(entry, ruleIndex: indices[entry.rule] ?? 0, paths: paths)
                })
        ]
    }

    private struct Run: Encodable {
        let tool: Tool
        let results: [Result]
        /// Columns of findings count Unicode scalars.
        let columnKind = "unicodeCodePoints"
    }

    private struct Tool: Encodable {
        let driver: Driver

        struct Driver: Encodable {
            let name = "glass-host"
            let rules: [Rule]
        }
    }

    private struct Rule: Encodable {
        let id: String
        let shortDescription: Text
    }

    private struct Text: Encodable {
        let text: String

        init(_ text: String) { self.text = text }
    }

    private struct Result: Encodable {
        let ruleId: String
        let ruleIndex: Int
        let level: String
        let message: Text
        /// Readers show a result at one location.
        let locations: [Location]
        var relatedLocations: [Location]?
        let partialFingerprints: [String: String]

        init(_ entry: ReportEntry, ruleIndex: Int, paths: ReportPaths) {
            ruleId = entry.rule
            self.ruleIndex = ruleIndex
            level = entry.level.rawValue
            message = Text(entry.message)
            locations = [Location(entry.position, entry.end, paths)]
            if !entry.related.isEmpty {
                relatedLocations = entry.related.map { related in
                    var location = Location(related.position, nil, paths)
                    location.message = Text(related.text)
                    return location
                }
            }
            // A reader that identifies results by the first fingerprint needs it until it has stored the second.
            partialFingerprints = ["glassHost/v1": entry.formerFingerprint, "glassHost/v2": entry.fingerprint]
        }
    }

    private struct Location: Encodable {
        let physicalLocation: PhysicalLocation
        var message: Text?

        init(_ position: SourcePosition?, _ end: SourcePosition?, _ paths: ReportPaths) {
            let (uri, isRelative) = paths.reference(to: position?.file)
            physicalLocation = PhysicalLocation(
                artifactLocation: .init(uri: uri, uriBaseId: isRelative ? "%SRCROOT%" : nil),
                region: Region(position, end))
        }
    }

    private struct PhysicalLocation: Encodable {
        let artifactLocation: Artifact
        let region: Region

        struct Artifact: Encodable {
            let uri: String
            let uriBaseId: String?
        }
    }

    private struct Region: Encodable {
        let startLine: Int
        var startColumn: Int?
        var endLine: Int?
        /// The column after the last character (3.30.8).
        var endColumn: Int?

        init(_ position: SourcePosition?, _ end: SourcePosition?) {
            startLine = max(1, position?.line ?? 1)
            startColumn = position?.column.map { max(1, $0) }
            guard let position, let end, end.file == position.file, let column = end.column,
                end.line > startLine || column >= startColumn ?? 1, end.line >= startLine, startColumn != nil
            else { return }
            endLine = end.line
            endColumn = column
        }
    }
}
