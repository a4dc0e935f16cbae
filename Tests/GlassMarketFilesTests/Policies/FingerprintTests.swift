import Foundation
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassMarketFiles

/// What tells findings apart, and what does not.
@Suite(.timeLimit(.minutes(5)))
struct FingerprintTests {
    /// A market that extends the United States and leaves to it what a market should decide.
    private static let inheriting = """
        return {
          id = "xx",
          name = "Test",
          extends = "us",
          routables = { home = { paths = { "inicio" } } },
        }
        """

    /// All that a check says of a market, with what it says beside the findings of the load.
    private static func findings(_ files: [String: String], of id: String = "xx") throws -> [Finding] {
        let fixture = try MarketFixture(files)
        let loader = fixture.loader(limits: MarketFixture.patientLimits)
        let check = try loader.check(id)
        var bases = BaseComparison(by: loader)
        return check.findings + check.undecided + bases.findings(of: check)
    }

    // MARK: The same finding

    @Test func betterWordingChangesNone() throws {
        let found = try Self.findings(["xx.lua": Self.inheriting])
        #expect(found.contains { $0.code == .undecided } && found.contains { $0.code == .secretUnset })
        for finding in found {
            var reworded = finding
            reworded.message = "another sentence"
            reworded.hint = "another hint"
            #expect(reworded.fingerprint == finding.fingerprint, "\(finding)")
        }
    }

    @Test func neitherTheLineNorTheFolderChangesOne() throws {
        let one = try Self.findings(["xx.lua": Self.inheriting])
        let moved = try Self.findings(["xx.lua": "-- A comment.\n\n" + Self.inheriting.replacing("  ", with: "      ")])
        #expect(one.map(\.fingerprint) == moved.map(\.fingerprint))
        #expect(one.map(\.position) != moved.map(\.position))
    }
}
