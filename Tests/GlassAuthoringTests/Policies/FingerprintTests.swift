import Foundation
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassMarketFiles
import MarketTesting
@testable import GlassAuthoring

/// The properties that distinguish findings, and those that do not.
@Suite(.timeLimit(.minutes(5)))
struct FingerprintTests {
    /// A market that inherits values from the United States that every market should set.
    private static let inheriting = """
        return {
          id = "xx",
          name = "Test",
          extends = "us",
          routables = { home = { paths = { "inicio" } } },
          platform = { preferences = { suite = "group.x" }, cookieStorage = { sharedGroup = "group.x" } },
        }
        """

    /// All findings of a check, including those added after the load.
    private static func findings(_ files: [String: String], of id: String = "xx") throws -> [Finding] {
        let fixture = try MarketFixture(files)
        let loader = fixture.loader(limits: MarketFixture.patientLimits)
        let check = try loader.check(id)
        var bases = BaseComparison(by: loader)
        return try check.findings + check.undecided() + bases.findings(of: check)
    }

    private static func finding(_ text: String, from start: Int, to end: (line: Int, column: Int)?) -> Finding {
        let position = SourcePosition(file: "markets/us.lua", line: 1, column: start)
        var finding = Finding(.wrongType, at: position, path: "a.b", "expected a number")
        finding.line = SourceLine(of: position, in: Array(text.utf8))
        finding.end = end.map { SourcePosition(file: position.file, line: $0.line, column: $0.column) }
        return finding
    }

    // MARK: Equal findings

    @Test func rewordingKeepsFingerprint() throws {
        let found = try Self.findings(["xx.lua": Self.inheriting])
        #expect(found.contains { $0.code == .undecided } && found.contains { $0.code == .secretUnset })
        for finding in found {
            var reworded = finding
            reworded.message = "another sentence"
            reworded.hint = "another hint"
            #expect(reworded.fingerprint == finding.fingerprint, "\(finding)")
        }
    }

    @Test func lineAndFolderDoNotChangeFingerprint() throws {
        let one = try Self.findings(["xx.lua": Self.inheriting])
        let moved = try Self.findings(["xx.lua": "-- A comment.\n\n" + Self.inheriting.replacing("  ", with: "      ")])
        #expect(one.map(\.fingerprint) == moved.map(\.fingerprint))
        #expect(one.map(\.position) != moved.map(\.position))
    }

    // MARK: Different findings

    @Test func fingerprintIncludesReportedText() {
        let text = "  timeout = \"60\", -- seconds"
        let one = Self.finding(text, from: 13, to: (1, 17)).fingerprint
        #expect(one == Self.finding("timeout = \"60\"", from: 11, to: (1, 15)).fingerprint)
        #expect(one != Self.finding("timeout = \"61\"", from: 11, to: (1, 15)).fingerprint)
        // If something is missing, there is no reported text.
        #expect(
            Self.finding(text, from: 13, to: (1, 13)).fingerprint
                == Self.finding("another line", from: 4, to: (1, 4)).fingerprint)
        // Without an end, the reported text is the whole line.
        #expect(Self.finding(text, from: 13, to: nil).fingerprint != one)
        #expect(
            Self.finding(text, from: 13, to: nil).fingerprint
                == Self.finding("\t" + text + "\r", from: 3, to: nil).fingerprint)
    }

    @Test func reportedTextOfLongOrSeveralLinesIsUsed() {
        let far = String(repeating: "ü", count: 3000)
        #expect(
            Self.finding("\(far)wrong, and more", from: 3001, to: (1, 3006)).fingerprint
                == Self.finding("wrong", from: 1, to: (1, 6)).fingerprint)
        // A multiline text is identified by its first line.
        #expect(
            Self.finding("a = [[one\r\ntwo]]", from: 5, to: (2, 6)).fingerprint
                == Self.finding("a = [[one\nthree]]", from: 5, to: (2, 8)).fingerprint)
        #expect(
            Self.finding("a = [[one\ntwo]]", from: 5, to: (2, 6)).fingerprint
                != Self.finding("a = [[two\ntwo]]", from: 5, to: (2, 6)).fingerprint)
    }

    @Test func fingerprintIncludesTextOfDenial() {
        func denial(_ text: String) -> Finding {
            var finding = Self.finding("a", from: 1, to: (1, 2))
            finding.message = text
            finding.policy = "timeouts stay low"
            return finding
        }
        #expect(denial("one").fingerprint != denial("two").fingerprint)
        // As recorded by teams before fingerprints included the reported text.
        #expect(denial("one").fingerprint == denial("one").messageFingerprint)
    }

    @Test func fingerprintsInFileAreDistinct() throws {
        #expect(try Self.findings(["xx.lua": Self.inheriting]).sharedFingerprints == [])
    }

    @Test(arguments: ["us", "ca", "mx"])
    func fingerprintsInRealMarketAreDistinct(id: String) throws {
        let found = try Self.findings([:], of: id)
        #expect(!found.isEmpty)
        #expect(found.sharedFingerprints == [])
    }

    // MARK: Recorded fingerprints

    /// The fingerprint from `check` in the last release before fingerprints included data.
    @Test(arguments: [("cdeda110ce08", true), ("cdeda110ce09", false)])
    func acceptanceOfFormerFingerprintStillApplies(fingerprint: String, holds: Bool) throws {
        let undecided = try #require(try Self.findings(["xx.lua": Self.inheriting]).first { $0.code == .undecided })
        #expect(undecided.fingerprint != "cdeda110ce08")
        #expect(try Self.left(of: [undecided], accepting: [fingerprint]).findings == (holds ? [] : [undecided]))
        #expect(try Self.left(of: [undecided], accepting: [fingerprint]).told == (holds ? [] : [.acceptUnused]))
        // If both fingerprints are accepted, neither counts as unused.
        let both = try Self.left(of: [undecided], accepting: [undecided.fingerprint, fingerprint])
        #expect(both.findings.isEmpty)
        #expect(both.told == (holds ? [] : [.acceptUnused]))
        // Rewording invalidates the former fingerprint, but not the new one.
        var reworded = undecided
        reworded.message = "another sentence"
        #expect(try Self.left(of: [reworded], accepting: [fingerprint]).findings == [reworded])
        #expect(try Self.left(of: [reworded], accepting: [undecided.fingerprint]).findings.isEmpty)
    }

    private static func left(
        of findings: [Finding], accepting fingerprints: [String]
    ) throws -> (findings: [Finding], told: [FindingCode]) {
        let text = fingerprints.map {
            "glass.accept { fingerprint = '\($0)', reason = 'agreed', expires = '2026-12-31' }"
        }
        let fixture = try MarketFixture(["policies/a.lua": text.joined(separator: "\n")])
        let policies = PolicySet(reading: MarketFolder(path: fixture.folder.path + "/policies"))
        #expect(policies.failures.isEmpty)
        var ledger = AcceptanceTracker(policies, today: "2026-12-31")
        return (ledger.leavingOutAccepted(findings), ledger.findings(about: .market, isComplete: true).map(\.code))
    }
}
