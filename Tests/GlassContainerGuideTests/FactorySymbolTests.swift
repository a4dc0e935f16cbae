import Foundation
import Testing

/// Compares the table in `Migration.md` with the names of Factory's public interface and with the code that compiles
/// here.
@Suite struct FactorySymbolTests {
    private static let repository = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// `type kind name` for each line of the fixture.
    private static func symbols() throws -> [String] {
        let file = repository.appendingPathComponent("Tests/GlassContainerGuideTests/Fixtures/factory_symbols.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst(2).map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return "\(fields[0] == "-" ? "global" : fields[0]) \(fields[1]) \(fields[2])"
        }
    }

    /// `type kind name` and the verdict for each row of the guide.
    private static func rows() throws -> [(symbol: String, verdict: String)] {
        let guide = repository.appendingPathComponent("Sources/GlassContainer/GlassContainer.docc/Migration.md")
        let lines = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n")
        let table = try #require(lines.firstIndex(of: "| type | kind | name | here |"))
        return lines[(table + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return ("\(cells[0]) \(cells[1]) \(cells[2].replacingOccurrences(of: "`", with: ""))", cells[3])
        }
    }

    @Test func guideListsEachSymbolOnce() throws {
        let symbols = try Self.symbols()
        #expect(symbols.count == 170)
        #expect(try Self.rows().map(\.symbol).sorted() == symbols.sorted())
    }

    @Test func everyRowHasVerdictAndReason() throws {
        for (symbol, verdict) in try Self.rows() {
            let isSame = verdict == "same" || verdict.hasPrefix("same; ") || verdict == "same, where there is SwiftUI"
            let hasReason = ["replaced: ", "refused: "].contains { verdict.hasPrefix($0) && verdict.count > $0.count }
            #expect(isSame || hasReason, "\(symbol): \(verdict)")
        }
    }

    /// The code in `FactorySymbolUses` compiles and runs; code that needs SwiftUI is type-checked against a stub.
    @MainActor
    @Test func symbolsMarkedSameAreUsedHere() async throws {
        let same = try Self.rows().filter { $0.verdict.hasPrefix("same") && !$0.verdict.hasSuffix("SwiftUI") }
        let used = await FactorySymbolUses.all()
        #expect(Set(used) == Set(same.map(\.symbol)))
    }
}
