import CommandTesting
import Foundation
import GlassBase
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The exports of a market full of markup are parsed with each format's own parser and compared with the JSON output.
@Suite(.timeLimit(.minutes(2)))
struct ReadBackTests {
    private let folder: HostileFolder

    init() throws {
        folder = try HostileFolder()
    }

    private func output(_ arguments: String...) throws -> String {
        try HostRun(arguments, folder: folder.url).output
    }

    private func json(_ arguments: String...) throws -> [String: Any] {
        try HostRun(arguments + ["--format", "json"], folder: folder.url).json()
    }

    @Test func differenceTableHasSameKeys() throws {
        let tables = try MarkdownTable.all(in: output("diff", "us", "zz", "--as", "markdown"))
        let comparison = try #require((json("diff", "us", "zz")["comparisons"] as? [[String: Any]])?.first)
        let keys = try #require(comparison["keys"] as? [[String: Any]])
        #expect(tables.first?.rows.map { MarkdownTable.code($0[0]) } == keys.map { $0["key"] as? String })
        let name = try #require(tables.first?.rows.first { MarkdownTable.code($0[0]) == "name" })
        // A difference shows a hundred characters of a value.
        #expect(MarkdownTable.code(name[2]) == HostileFolder.text.quoted.prefix(99) + "…")
    }

    @Test func linksPageHasEveryRoute() throws {
        let table = try #require(try MarkdownTable.all(in: output("export", "links-md", "-m", "zz")).first)
        let routes = try #require(try json("routes", "-m", "zz")["routes"] as? [[String: Any]])
        let shown = Set(table.rows.map { [MarkdownTable.code($0[0]), MarkdownTable.code($0[1])] })
        let expected = routes.map { route in
            [route["routable"] as? String, (route["pattern"] as? String).map { DisplayText($0).plain }]
        }
        #expect(shown == Set(expected))
        #expect(expected.contains([Optional("own"), "own/é\\u{202e}/:a"]))
    }

    @Test func referenceHasOnlyCompleteRows() throws {
        #expect(try MarkdownTable.all(in: output("schema", "markdown")).count > 20)
    }

    @Test func propertyListsAreValid() throws {
        func list(_ file: String) throws -> [String: Any]? {
            try PropertyListSerialization.propertyList(
                from: Data(output("export", file, "-m", "zz").utf8), format: nil) as? [String: Any]
        }
        let types = try #require(try list("info-plist")?["CFBundleURLTypes"] as? [[String: Any]])
        #expect(types.first?["CFBundleURLSchemes"] as? [String] == ["shop.zz"])
        #expect(try list("entitlements")?["com.apple.developer.associated-domains"] is [String])
    }

    @Test func intentFiltersAreValidXML() throws {
        let text = try output("export", "intent-filters", "-m", "zz")
        let document = try XMLDocument(
            xmlString: "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\">\(text)</manifest>")
        let schemes = try document.nodes(forXPath: "//data/@*[local-name()='scheme']").map(\.stringValue)
        #expect(schemes.contains("shop.zz"))
    }

    @Test(arguments: ["aasa", "assetlinks"])
    func siteFilesAreValidJSON(file: String) throws {
        let run = try HostRun(["export", file, "-m", "zz"], folder: folder.url)
        #expect(throws: Never.self, "\(run.errors)") {
            try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        }
    }

    @Test func junitReportHasTestNames() throws {
        _ = try output("test", "scripts/hostile_test.lua", "--junit", "report.xml")
        let document = try XMLDocument(contentsOf: folder.url.appending(path: "report.xml"), options: [])
        let names = try document.nodes(forXPath: "//testcase/@name").compactMap(\.stringValue)
        let files = try #require(try json("test", "scripts/hostile_test.lua")["files"] as? [[String: Any]])
        let expected = (files[0]["tests"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        // Characters that XML cannot contain are escaped.
        func readable(_ name: String) -> String {
            name.unicodeScalars.reduce(into: "") { text, scalar in
                let isCarried = scalar.value >= 0x20 || "\n\r\t".unicodeScalars.contains(scalar)
                if isCarried { text.unicodeScalars.append(scalar) } else { text += scalar.escape }
            }
        }
        #expect(names == expected.map(readable) + ["the script runs to its end"])
    }

    @Test func diagramHasEveryService() throws {
        let nodes = try #require(try json("graph", "-m", "zz")["nodes"] as? [[String: Any]])
        let dot = try output("graph", "-m", "zz", "--as", "dot")
        let label = /^  n(\d+) \[label="((?:[^"\\]|\\.)*)"\];$/.anchorsMatchLineEndings()
        let labels = dot.matches(of: label).map { String($0.2) }
        #expect(labels == nodes.map { "\($0["service"] as? String ?? "")\\n\($0["scope"] as? String ?? "")" })
        let edges = dot.matches(of: /^  n\d+ -> n\d+;$/.anchorsMatchLineEndings()).count
        #expect(dot.split(separator: "\n").count == labels.count + edges + 2)
        let mermaid = try MermaidGraph(parsing: String(output("graph", "-m", "zz", "--as", "mermaid").dropLast()))
        #expect(mermaid.labels == nodes.map { "\($0["service"] as? String ?? "") · \($0["scope"] as? String ?? "")" })
        #expect(mermaid.edges.count == edges)
    }
}

/// A table in a Markdown document, parsed strictly: every row has as many cells as the header.
private struct MarkdownTable {
    let head: [String]
    var rows: [[String]] = []

    struct Malformed: Error {
        let row: String
    }

    static func all(in document: String) throws -> [MarkdownTable] {
        var tables: [MarkdownTable] = []
        var last: MarkdownTable?
        for line in document.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [""] {
            guard line.hasPrefix("|") else {
                if let last { tables.append(last) }
                last = nil
                continue
            }
            if line.allSatisfy({ "|- ".contains($0) }) { continue }
            let cells = try cells(of: line)
            guard last != nil else {
                last = MarkdownTable(head: cells)
                continue
            }
            guard cells.count == last?.head.count else { throw Malformed(row: line) }
            last?.rows.append(cells)
        }
        return tables
    }

    /// The cells between unescaped bars, with escaped bars unescaped (GFM, 4.10).
    private static func cells(of line: String) throws -> [String] {
        var cells = [""]
        var isEscaped = false
        for character in line.dropFirst() {
            if character == "|", isEscaped {
                cells[cells.count - 1].removeLast()
                cells[cells.count - 1].append("|")
            } else if character == "|" {
                cells.append("")
            } else {
                cells[cells.count - 1].append(character)
            }
            isEscaped = character == "\\"
        }
        guard cells.removeLast().isEmpty, cells.allSatisfy({ $0.first == " " && $0.last == " " }) else {
            throw Malformed(row: line)
        }
        return cells.map { String($0.dropFirst().dropLast()) }
    }

    /// The text of a code span that is a whole cell; `nil` for other cells.
    static func code(_ cell: String) -> String? {
        let fence = cell.prefix { $0 == "`" }
        guard !fence.isEmpty, cell.hasSuffix(fence), cell.count > 2 * fence.count else { return nil }
        let text = cell.dropFirst(fence.count).dropLast(fence.count)
        guard !text.contains(fence) || fence.count == 1 && !text.contains("`") else { return nil }
        let hasSpaces = text.first == " " && text.last == " " && !text.allSatisfy { $0 == " " }
        return String(hasSpaces ? text.dropFirst().dropLast() : text)
    }
}

extension String {
    /// The text as quoted in a finding: at most 60 characters of it.
    fileprivate var quoted: String {
        var text = "\""
        for (offset, scalar) in unicodeScalars.enumerated() {
            if offset == 60 { return text + "…\"" }
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            if scalar.needsEscape { text += scalar.escape } else { text.unicodeScalars.append(scalar) }
        }
        return text + "\""
    }
}
