import Foundation
import GlassBase
import GlassDeepLinking
import Testing

@testable import GlassSites

/// Reads the files as written, like a system would, with Foundation's regular expressions instead of the evaluators
/// that the audit uses: an error in those, or in the writing, shows here.
@Suite struct SiteTextEvaluationTests {
    /// A file's text as a matcher for paths.
    private struct Reader {
        var rules: [(expression: NSRegularExpression, isExcluded: Bool)] = []

        /// The first matching rule decides.
        func claims(_ path: String) -> Bool {
            let path = path.isEmpty ? "/" : path
            let whole = NSRange(path.startIndex..., in: path)
            let first = rules.first { $0.expression.firstMatch(in: path, options: .anchored, range: whole) != nil }
            return first.map { !$0.isExcluded } ?? false
        }

        /// Reads `apple-app-site-association`.
        init(association text: String) throws {
            let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            let links = try #require(json?["applinks"] as? [String: Any])
            let defaults = try #require(links["defaults"] as? [String: Bool])
            let variables = links["substitutionVariables"] as? [String: [String]] ?? [:]
            let detail = try #require((links["details"] as? [[String: Any]])?.first)
            for component in try #require(detail["components"] as? [[String: Any]]) {
                var pattern = NSRegularExpression.escapedPattern(for: try #require(component["/"] as? String))
                    .replacing("\\*", with: ".*").replacing("\\?", with: ".")
                for (name, values) in variables {
                    let words = values.map(NSRegularExpression.escapedPattern).joined(separator: "|")
                    pattern = pattern.replacing("\\$\\(\(name)\\)", with: "(?:\(words))")
                }
                pattern = pattern.replacing("\\$\\(xdigit\\)", with: "[0-9a-fA-F]")
                let options: NSRegularExpression.Options = defaults["caseSensitive"] == false ? .caseInsensitive : []
                rules.append(
                    (
                        try NSRegularExpression(pattern: pattern + "\\z", options: options),
                        component["exclude"] as? Bool ?? false
                    ))
            }
        }

        /// Reads the first intent filter, like API level 31.
        init(filter text: String) throws {
            let filter = try #require(text.split(separator: "</intent-filter>").first)
            for line in filter.split(separator: "\n") {
                for attribute in ["path", "pathPattern", "pathAdvancedPattern"] {
                    guard let start = line.range(of: "android:\(attribute)=\"") else { continue }
                    let value = String(line[start.upperBound...].prefix { $0 != "\"" }).replacing("\\\\", with: "\\")
                    let pattern =
                        switch attribute {
                        case "path": NSRegularExpression.escapedPattern(for: value)
                        // The only form that is written is `PREFIX/..*`.
                        case "pathPattern": NSRegularExpression.escapedPattern(for: String(value.dropLast(3))) + "..*"
                        // Repetition does not backtrack: in a regular expression it is possessive.
                        default:
                            value.replacing("*", with: "*+").replacing("}", with: "}+").replacing("]+", with: "]++")
                        }
                    rules.append((try NSRegularExpression(pattern: pattern + "\\z"), false))
                }
            }
        }
    }

    @Test(arguments: SiteAuditTests.exactTables)
    func writtenAssociationClaimsExactlyItsLinks(_ patterns: [String]) throws {
        let files = try SiteFiles.make(patterns)
        let reader = try Reader(association: files.siteAssociation(host: "example.com"))
        for path in SiteAuditTests.allPaths where !path.contains("//") {
            #expect(reader.claims(path) == SiteAuditTests.isRouted(path, files), "\(path)")
        }
    }

    @Test(arguments: [
        ["a", "a/:x", "a/:x/b"], [":x/b", "a/:l(a|b)/b"], [":x/:y", "a"], ["b/:x/:y?", "1/a/b/:z(slug)"],
        ["a:x", "1/:l(a|b)b", "b/a/b:x(alnum)"],
    ])
    func writtenFilterClaimsExactlyItsLinks(_ patterns: [String]) throws {
        let files = try SiteFiles.make(patterns, options: SiteAuditTests.anyCase)
        let reader = try Reader(filter: files.intentFilters(package: "com.example.us.android"))
        for path in SiteAuditTests.allPaths {
            // A link without a path has nothing to compare.
            let isClaimed = !path.isEmpty && reader.claims(path)
            #expect(isClaimed == SiteAuditTests.isRouted(path, files), "\(path)")
        }
    }

    /// Both readings of one file, with links for every standard route.
    @Test func writtenFilesMatchAudit() throws {
        let patterns = StandardRoutables.parameters.flatMap { $0.feature.paths }
        let files = try SiteFiles.make(patterns, options: SiteAuditTests.anyCase)
        let filter = try Reader(filter: files.intentFilters(package: "com.example.us.android"))
        for pattern in patterns {
            for sample in try SiteSample.samples(of: RoutePattern(pattern), budget: .unlimited)
            where !sample.path.isEmpty {
                let isClaimed = try files.android[0].claim(sample, budget: .unlimited) != nil
                #expect(filter.claims(sample.decodedPath) == isClaimed, "\(sample.path)")
            }
        }
    }
}
