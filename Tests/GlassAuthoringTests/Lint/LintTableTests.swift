import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import TestSupport
import Testing

@testable import GlassAuthoring

/// Values that cannot be meant, three of each kind, with the message of each and what its fix makes of the file.
@Suite(.timeLimit(.minutes(5)))
struct LintTableTests {
    static let mistakes = TableMistake.all(in: LintTable.text)

    @Test func everyKindOccursThreeTimes() {
        #expect(Self.mistakes.kindsNotThreeTimes.isEmpty)
    }

    @Test(arguments: mistakes)
    func mistakeIsReportedOnceWithFix(mistake: TableMistake) throws {
        let file = mistake.isFile ? mistake.source : LintFixture.file(mistake.source)
        let fixture = LintFixture(["xx.lua": file])
        let found = try fixture.findings()
        #expect(fixture.text(of: found) == mistake.text)
        let edits = found.compactMap(\.fix).flatMap(\.edits).sorted { $0.bytes.lowerBound > $1.bytes.lowerBound }
        var bytes = Array(file.utf8)
        for edit in edits { bytes.replaceSubrange(edit.bytes, with: Array(edit.text.utf8)) }
        let fixed = String(decoding: bytes, as: UTF8.self)
        let expected = mistake.fixed.map { mistake.isFile ? $0 : LintFixture.file($0) }
        #expect(fixed == expected ?? file)
        if expected != nil { #expect(try LintFixture(["xx.lua": fixed]).findings().isEmpty) }
    }

    /// What an editor writes to accept a warning leaves out that warning, and nothing else.
    @Test(arguments: mistakes)
    func warningCanBeAccepted(mistake: TableMistake) throws {
        let file = mistake.isFile ? mistake.source : LintFixture.file(mistake.source)
        let found = try LintFixture(["xx.lua": file]).findings()
        let outline = Outline(Array(file.utf8))
        for finding in found where finding.position?.file.hasSuffix("/xx.lua") == true {
            guard let edits = outline.acceptance(of: finding) else {
                #expect(finding.severity != .warning || !finding.code.canBeAccepted, "\(finding)")
                continue
            }
            var bytes = Array(file.utf8)
            for edit in edits.reversed() { bytes.replaceSubrange(edit.bytes, with: Array(edit.text.utf8)) }
            let left = try LintFixture(["xx.lua": String(decoding: bytes, as: UTF8.self)]).findings()
            #expect(!left.contains { $0.code == .invalidAccept }, "\(String(decoding: bytes, as: UTF8.self))")
            #expect(!left.contains { $0.code == finding.code && $0.message == finding.message })
            #expect(left.filter { $0.code == finding.code }.count <= found.filter { $0.code == finding.code }.count)
        }
    }

    @Test(arguments: ["us", "ca", "mx"])
    func shippedMarketsAreMeant(id: String) throws {
        let fixture = LintFixture()
        #expect(fixture.text(of: try fixture.findings(id)) == "")
    }
}
