import Foundation
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

@testable import GlassMarketFiles
import MarketTesting
import GlassAuthoring

/// Markets that git checked out with Windows line endings.
@Suite(.timeLimit(.minutes(5)))
struct CarriageReturnTests {
    /// A market with several kinds of mistakes, also in multiline texts.
    private static let wrong = """
        -- A comment
        return {
          id = "xx",
          name = [[two
        lines]],
          extends = "us",
          currency = "XYZ",
          unknown = {
            1,
          },
          routables = { home = { paths = { "a b" } }, nowhere = {} },
          platform = { networking = { retry = { maxRetries = 99 } } },
        }
        """

    /// A folder with the real markets, and one with the same files but with Windows line endings.
    private static func folders(_ files: [String: String] = [:]) throws -> (unix: MarketFixture, windows: MarketFixture)
    {
        let (unix, windows) = (try MarketFixture(files), try MarketFixture(files))
        let names = try FileManager.default.subpathsOfDirectory(atPath: windows.folder.path)
        var count = 0
        for name in names where name.hasSuffix(".lua") {
            let bytes = try Data(contentsOf: windows.folder.appending(path: name))
            #expect(!bytes.contains(UInt8(ascii: "\r")))
            try windows.write(
                Data(bytes.flatMap { $0 == UInt8(ascii: "\n") ? [UInt8(ascii: "\r"), $0] : [$0] }), to: name)
            count += 1
        }
        #expect(count >= 4)
        return (unix, windows)
    }

    /// The findings about a market, with positions and fingerprints, relative to the folder.
    private static func said(_ findings: [Finding], of fixture: MarketFixture) -> [String] {
        findings.map { finding in
            let text =
                "\(finding)\n\(finding.end.map { "\($0)" } ?? "")\n\(finding.fingerprint)\n\(finding.line?.text ?? "")"
            return text.replacing(fixture.folder.path, with: "markets")
        }
    }

    private static func loader(_ fixture: MarketFixture) -> MarketLoader {
        fixture.loader(limits: MarketFixture.patientLimits)
    }

    @Test(arguments: ["us", "ca", "mx"])
    func realMarketIsEqual(id: String) throws {
        let (unix, windows) = try Self.folders()
        let (one, other) = (try Self.loader(unix).check(id), try Self.loader(windows).check(id))
        #expect(!one.findings.isEmpty)
        #expect(Self.said(one.findings, of: unix) == Self.said(other.findings, of: windows))
        let (market, same) = (try #require(one.market), try #require(other.market))
        #expect(market.effective == same.effective)
        #expect(market.source == same.source)
        #expect(market.config == same.config)

        // The compiled form does not depend on the line endings either, including the positions of values.
        let (written, again) = (try CompiledMarketWriter(market), try CompiledMarketWriter(same))
        #expect(written.market == again.market)
        #expect(written.map == again.map)
        let newest = again.market
        let compiled = CompiledMarkets(.platformInMemory, secrets: { _ in nil }) { _ in newest }
        #expect(try compiled.load(id).effective == market.effective)
    }

    @Test func mistakesAreReportedAtSamePositions() throws {
        let (unix, windows) = try Self.folders(["xx.lua": Self.wrong])
        let found = try Self.loader(unix).check("xx").findings
        #expect(found.count >= 4)
        #expect(Self.said(found, of: unix) == Self.said(try Self.loader(windows).check("xx").findings, of: windows))
    }

    @Test func multilineTextIsEqual() throws {
        let text = "return { id = \"xx\", extends = \"us\", name = [[\nOne\nTwo]] }\n"
        let (unix, windows) = try Self.folders(["xx.lua": text])
        let names = try [unix, windows].map { try Self.loader($0).check("xx").market?.definition.name }
        #expect(names == ["One\nTwo", "One\nTwo"])
    }
}
