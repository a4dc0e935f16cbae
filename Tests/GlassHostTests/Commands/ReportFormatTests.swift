import Foundation
import GlassBase
import GlassMarketFiles
import GlassAuthoring
import GlassSchema
import TestSupport
import Testing

@testable import GlassHost

/// Reports for other programs, parsed like those programs do.
struct ReportFormTests {
    private static let paths = ReportPaths(root: "/repo", current: "/repo/app", fallback: "markets")
    private static let hostile = "a%b\r\n::error::c,d:e \u{1B}[31m\u{202E}<b>&\"'|`\\é😀@x%\u{301},\u{301}:\u{301}"

    private static func finding(
        _ index: Int = 0, _ severity: Finding.Severity = .error, _ message: String = "wrong",
        file: String = "markets/us.lua",
        column: Int? = 3, end: Int? = 9
    ) -> Finding {
        var finding = Finding(
            .wrongType, severity: severity, at: SourcePosition(file: file, line: 7, column: column),
            path: ConfigurationPath([.key("k\(index)")]), message, hint: "do this")
        finding.end = end.map { SourcePosition(file: file, line: 7, column: $0) }
        return finding
    }

    private static func entries(_ findings: [Finding]) -> [ReportEntry] { findings.map(ReportEntry.init) }

    /// Findings of each severity, many of them with the same fingerprint.
    private static let many = (0..<3000).map { index in
        finding(index / 3, [.note, .warning, .error][index % 3], hostile, file: "markets/\(index % 40).lua")
    }

    // MARK: Paths

    @Test(arguments: [
        ("markets/us.lua", "app/markets/us.lua", "app/markets/us.lua"),
        ("./markets//us.lua", "app/markets/us.lua", "app/markets/us.lua"),
        ("../us.lua", "us.lua", "us.lua"), ("/repo/a/../b.lua", "b.lua", "b.lua"),
        ("../../else/us.lua", "/else/us.lua", "file:///else/us.lua"),
        ("/repo", "/repo", "file:///repo"), ("/report/x", "/report/x", "file:///report/x"),
        ("../../../../..", "/", "file:///"),
        ("m:n/ü b%.lua", "app/m:n/ü b%.lua", "app/m%3An/%C3%BC%20b%25.lua"),
    ])
    func pathsAreRelativeToRepository(file: String, path: String, uri: String) {
        #expect(Self.paths.path(of: file) == path)
        #expect(Self.paths.reference(to: file).uri == uri)
        #expect(Self.paths.reference(to: file).isRelative == !path.hasPrefix("/"))
        #expect(Self.paths.path(of: nil) == "app/markets")
    }

    // MARK: SARIF

    private func sarif(_ findings: [Finding]) throws -> [String: Any] {
        let log = SARIFLog(Self.entries(findings), paths: Self.paths) { FindingCode(rawValue: $0)?.summary }
        return try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(log.json)) as? [String: Any])
    }

    @Test func sarifResultHasFieldsForCodeScanning() throws {
        let log = try sarif([Self.finding(1, .error, Self.hostile), Self.finding(2, .note, column: nil, end: nil)])
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        #expect(run["columnKind"] as? String == "unicodeCodePoints")
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(rules.map { $0["id"] as? String } == ["wrongType"])
        #expect(
            (rules[0]["shortDescription"] as? [String: String])?["text"]
                == "The value does not have the type that the schema requires.")
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.map { $0["level"] as? String } == ["error", "note"])
        let first = results[0]
        #expect(first["ruleId"] as? String == "wrongType")
        #expect(first["ruleIndex"] as? Int == 0)
        #expect((first["message"] as? [String: String])?["text"] == "k1: \(Self.hostile)\ndo this")
        #expect((first["partialFingerprints"] as? [String: String])?["glassHost/v1"]?.count == 12)
        let wrong = Self.finding(1, .error, Self.hostile)
        #expect(
            first["partialFingerprints"] as? [String: String]
                == ["glassHost/v1": wrong.messageFingerprint, "glassHost/v2": wrong.fingerprint])
        let locations = try #require(first["locations"] as? [[String: Any]])
        #expect(locations.count == 1)
        let place = try #require(locations[0]["physicalLocation"] as? [String: Any])
        #expect(
            place["artifactLocation"] as? [String: String] == ["uri": "app/markets/us.lua", "uriBaseId": "%SRCROOT%"])
        #expect(
            place["region"] as? [String: Int] == ["startLine": 7, "startColumn": 3, "endLine": 7, "endColumn": 9])
        let second = try #require(
            ((results[1]["locations"] as? [[String: Any]])?[0])?["physicalLocation"] as? [String: Any])
        #expect(second["region"] as? [String: Int] == ["startLine": 7])
    }

    @Test func emptySARIFAndMissingPositionAreValid() throws {
        #expect(try (sarif([])["runs"] as? [[String: Any]])?.first?["results"] as? [String] == [])
        let log = try sarif([Finding(.unreadable, at: nil, "x")])
        let result = try #require(((log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])?.first)
        let place = try #require(
            (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
        #expect((place["artifactLocation"] as? [String: String])?["uri"] == "app/markets")
        #expect(place["region"] as? [String: Int] == ["startLine": 1])
    }

    @Test func allFindingsAreIncluded() throws {
        let results = try #require(
            (sarif(Self.many)["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
        #expect(results.count == 3000)
    }

    @Test func changeUsesOlderPosition() throws {
        let change = Change(
            .linkLost, market: "ca", path: "routables.account", "a link opens nothing",
            before: SourcePosition(file: "markets/ca.lua", line: 3, column: 5),
            after: SourcePosition(file: "markets/ca.lua", line: 4, column: 6), witness: "walmart.ca://account")
        let entry = ReportEntry(change)
        #expect(entry.level == .error)
        #expect(entry.position?.line == 4)
        #expect(entry.related.map(\.position.line) == [3])
        #expect(entry.message == "ca: a link opens nothing\nlink: walmart.ca://account")
        #expect(entry.fingerprint == change.fingerprint)
        var accepted = change
        accepted.accepted = Change.Acceptance(reason: "agreed", expires: "2026-12-31")
        #expect(ReportEntry(accepted).level == .note)
        #expect(ReportEntry(accepted).message.hasSuffix("\naccepted until 2026-12-31: agreed"))
    }

    // MARK: GitHub

    /// A command as parsed by GitHub's runner: the line up to the second `::`, its properties, its message.
    private struct Command: Equatable {
        let name: String
        var properties: [String: String] = [:]
        let message: String

        init?(_ line: String) {
            guard line.hasPrefix("::"), let end = line.dropFirst(2).firstRange(of: "::") else { return nil }
            let head = line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound]
            let parts = head.split(separator: " ", maxSplits: 1)
            name = String(parts[0])
            // By bytes, like the runner's language: in Swift, a combining accent merges with the comma before it.
            func decoded(_ text: String, _ codes: [String: String]) -> String {
                let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
                return parts.dropFirst().reduce(String(parts[0]) ?? "") { result, part in
                    let code = String(decoding: part.prefix(2), as: UTF8.self)
                    let rest = String(decoding: part.dropFirst(2), as: UTF8.self)
                    let known = codes[code] ?? (code == "25" ? "%" : nil)
                    return result + (known.map { $0 + rest } ?? "%" + String(decoding: part, as: UTF8.self))
                }
            }
            for property in parts.count > 1 ? parts[1].split(separator: ",") : [] {
                let pair = property.split(separator: "=", maxSplits: 1).map(String.init)
                properties[pair[0]] = decoded(
                    pair.count > 1 ? pair[1] : "", ["0D": "\r", "0A": "\n", "3A": ":", "2C": ","])
            }
            message = decoded(String(line[end.upperBound...]), ["0D": "\r", "0A": "\n"])
        }
    }

    private func commands(_ findings: [Finding]) throws -> [Command] {
        try GitHubAnnotations(Self.entries(findings), paths: Self.paths).lines.map { line in
            #expect(!line.plain.contains("\n") && !line.plain.contains("\r"))
            return try #require(Command(line.plain))
        }
    }

    @Test func annotationRoundTrips() throws {
        let command = try #require(
            try commands([Self.finding(1, .warning, Self.hostile, file: "markets/a,b:c%,\u{301}.lua")]).first)
        #expect(command.name == "warning")
        #expect(
            command.properties == [
                "file": "app/markets/a,b:c%,\u{301}.lua", "line": "7", "col": "3", "endColumn": "8",
                "title": "wrongType",
            ])
        #expect(command.message == "k1: \(DisplayText(lines: Self.hostile).plain)\ndo this")
    }

    @Test func worstTenPerSeverityAreReportedAndOthersCounted() throws {
        let commands = try commands(Self.many)
        #expect(
            commands.map(\.name) == Array(repeating: "error", count: 10) + Array(repeating: "warning", count: 10)
                + Array(repeating: "notice", count: 10))
        #expect(
            commands.last?.message
                == "2971 more that GitHub does not show here: 990 errors, 990 warnings, 991 notes")
        #expect(try self.commands(Array(Self.many.prefix(30))).count == 30)
        let eleven = try self.commands((0..<11).map { Self.finding($0) })
        #expect(eleven.map(\.name) == Array(repeating: "error", count: 10) + ["notice"])
        #expect(eleven.last?.message == "1 more that GitHub does not show here: 1 error")
        #expect(try self.commands([]).isEmpty)
    }

    // MARK: GitLab

    @Test func codeQualityReportHasUniqueFingerprints() throws {
        let report = CodeQualityReport(
            Self.entries(Self.many + [Finding(.unreadable, at: nil, "x")]), paths: Self.paths)
        let list = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(report.issues)) as? [[String: Any]])
        #expect(list.count == 3001)
        #expect(Set(list.compactMap { $0["fingerprint"] as? String }).count == 3001)
        #expect(Set(list.compactMap { $0["severity"] as? String }) == ["blocker", "major", "info"])
        for issue in list.prefix(3) + list.suffix(1) {
            let location = try #require(issue["location"] as? [String: Any])
            #expect(((location["lines"] as? [String: Int])?["begin"] ?? 0) > 0)
            #expect((location["path"] as? String)?.hasPrefix("app/markets") == true)
        }
        let lines = Self.hostile.utf8.split(separator: 10).map { String(decoding: Array($0), as: UTF8.self) }
        #expect(list[0]["description"] as? String == "k0: \(lines.joined(separator: "; ")); do this")
        #expect(list[0]["check_name"] as? String == "wrongType")
        // The first keeps its own fingerprint, so that an additional one changes none of the others.
        #expect(list[0]["fingerprint"] as? String == Self.many[0].fingerprint)
    }

    @Test func everyRuleIsDescribed() {
        for code in FindingCode.allCases { #expect(code.summary.hasSuffix("."), "\(code)") }
    }
}
