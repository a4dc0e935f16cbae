import GlassSchema

/// A report in the Static Analysis Results Interchange Format, as
/// [OASIS](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html) specifies it.
struct SARIFLog {
    let json: JSONObject

    /// Creates the report of one run of this program.
    init(_ entries: [ReportEntry], paths: ReportPaths, describe: (String) -> String?) {
        let rules = Set(entries.map(\.rule)).sorted()
        let indices = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1, $0) })
        let descriptions: [JSONObject] = rules.map { rule in
            ["id": rule, "shortDescription": Self.text(describe(rule) ?? "A policy of the project: \(rule)")]
        }
        let driver: JSONObject = ["name": "glass-host", "rules": descriptions]
        let run: JSONObject = [
            "tool": ["driver": driver],
            "results": entries.map { Self.result($0, ruleIndex: indices[$0.rule] ?? 0, paths) },
            // Columns of findings count Unicode scalars.
            "columnKind": "unicodeCodePoints",
        ]
        json = [
            "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
            "version": "2.1.0",
            "runs": [run],
        ]
    }

    private static func text(_ text: String) -> JSONObject { ["text": text] }

    private static func result(_ entry: ReportEntry, ruleIndex: Int, _ paths: ReportPaths) -> JSONObject {
        var result: JSONObject = [
            "ruleId": entry.rule,
            "ruleIndex": ruleIndex,
            "level": entry.level.rawValue,
            "message": text(entry.message),
            // Readers show a result at one location.
            "locations": [location(entry.position, entry.end, paths)],
            // A reader that identifies results by the first fingerprint needs it until it has stored the second.
            "partialFingerprints": ["glassHost/v1": entry.messageFingerprint, "glassHost/v2": entry.fingerprint],
        ]
        if !entry.related.isEmpty {
            result["relatedLocations"] = entry.related.map { related in
                var location = location(related.position, nil, paths)
                location["message"] = text(related.text)
                return location
            }
        }
        return result
    }

    private static func location(
        _ position: SourcePosition?, _ end: SourcePosition?, _ paths: ReportPaths
    ) -> JSONObject {
        let (uri, isRelative) = paths.reference(to: position?.file)
        var artifact: JSONObject = ["uri": uri]
        if isRelative { artifact["uriBaseId"] = "%SRCROOT%" }
        let place: JSONObject = ["artifactLocation": artifact, "region": region(position, end)]
        return ["physicalLocation": place]
    }

    private static func region(_ position: SourcePosition?, _ end: SourcePosition?) -> JSONObject {
        let line = max(1, position?.line ?? 1)
        var region: JSONObject = ["startLine": line]
        guard let position, let start = position.column.map({ max(1, $0) }) else { return region }
        region["startColumn"] = start
        guard let end, end.file == position.file, let column = end.column, end.line >= line,
            end.line > line || column >= start
        else { return region }
        region["endLine"] = end.line
        // The column after the last character (3.30.8).
        region["endColumn"] = column
        return region
    }
}
