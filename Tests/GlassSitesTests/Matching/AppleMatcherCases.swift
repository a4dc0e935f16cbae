import Foundation
import GlassBase
import GlassDeepLinking
import Testing

@testable import GlassSites

/// Cases for `Tests/AppleMatcher/run`, which queries a Mac: files with links, and our matcher's result for each.
@Suite struct AppleMatcherCases {
    private static let app = "ABCDE12345.com.example.app"

    private struct Case {
        let file: String
        let links: [(link: String, outcome: AssociationMatcherTests.Outcome)]
        let about: String
    }

    /// The recorded rules, each in its own file.
    private static var rules: [Case] {
        let components = AssociationMatcherTests.components + AssociationMatcherTests.variables
        let files =
            components.map { ($0, AssociationMatcherTests.file($0.text)) }
            + AssociationMatcherTests.files.map {
                ($0, "{\"applinks\":\($0.text)}")
            }
        return files.map { row, text in
            Case(file: text.replacing("APP", with: app), links: row.links, about: row.text)
        }
    }

    /// Exported files of tables, with the links that the audit checks.
    private static func exports() throws -> [Case] {
        let standard = StandardRoutables.parameters.flatMap { $0.feature.paths }
        return try ([standard] + SiteAuditTests.exactTables).map { patterns in
            let files = try SiteFiles.make(patterns)
            var links: [(String, AssociationMatcherTests.Outcome)] = []
            for pattern in patterns {
                for sample in try SiteSample.samples(of: RoutePattern(pattern), budget: .unlimited)
                where !sample.hasEmptySegment {
                    let isClaimed = try files.association[0].claim(sample, budget: .unlimited) != nil
                    links.append((sample.suffix, isClaimed ? .opens : .stays))
                }
            }
            return Case(
                file: try files.siteAssociation(host: "example.com"), links: links,
                about: "exported for \(patterns.prefix(5).joined(separator: ", "))")
        }
    }

    /// Writes the cases if the environment names a folder; otherwise checks that there are some of each kind.
    @Test func casesAreWritten() throws {
        let cases = try Self.rules + Self.exports()
        var rows: [String] = []
        for (index, one) in cases.enumerated() {
            for (link, outcome) in one.links {
                let about = one.about.replacing("\t", with: " ").replacing("\n", with: " ")
                rows.append("\(index).json\thttps://example.com\(link)\t\(outcome)\t\(about)")
            }
        }
        for outcome in ["opens", "stays", "unknown"] { #expect(rows.contains { $0.contains("\t\(outcome)\t") }) }
        guard let path = ProcessInfo.processInfo.environment["GLASS_APPLE_MATCHER_CASES"] else { return }
        let folder = URL(filePath: path)
        for (index, one) in cases.enumerated() {
            try Data(one.file.utf8).write(to: folder.appending(path: "\(index).json"))
        }
        try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: folder.appending(path: "cases.tsv"))
    }
}
