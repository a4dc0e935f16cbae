import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting

/// Findings and errors that refer to files that a market or script has not read.
@Suite(.timeLimit(.minutes(1)))
struct ForeignFilesTests {
    private static let planted = "PLANTED-TEXT"

    /// Checks a market next to a file outside its folder.
    private func check(_ market: String) throws -> MarketCheck {
        let fixture = try MarketFixture(["zz.lua": market.replacing("OUTSIDE", with: "../outside-of-it.txt")])
        try Data("\(Self.planted)\n".utf8).write(
            to: fixture.folder.deletingLastPathComponent().appending(path: "outside-of-it.txt"))
        return try fixture.loader().check("zz")
    }

    @Test(arguments: [
        // The market's own include.
        """
        _G["incl" .. "ude"] = function() return { nosuch = 1 } end
        return { id = "zz", name = "Z", extends = "us", platform = { networking = include "OUTSIDE" } }
        """,
        // Texts that resemble positions.
        "error(\"OUTSIDE:1: bad\", 0)",
        "error(\"/proc/self/environ:1:3: bad\", 0)",
        "error({}, 0)",
        "local ok, e = pcall(include, \"OUTSIDE\") error(e, 0)",
        "return { id = \"zz\", [\"/proc/self/environ:1: x\"] = 1 }",
    ])
    func findingsDoNotPointIntoUnreadFiles(_ market: String) throws {
        let check = try check(market)
        #expect(check.findings.hasErrors)
        for finding in check.findings {
            #expect(finding.position.map { $0.file.hasSuffix(".lua") } ?? true, "\(finding)")
            #expect(finding.line?.text.contains(Self.planted) != true)
            // Files that were read are quoted.
            if finding.position?.file.hasSuffix("zz.lua") == true { #expect(finding.line != nil, "\(finding)") }
        }
    }

    @Test func marketThatLinksOutsideFolderIsRejected() throws {
        let fixture = try MarketFixture()
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.appending(path: "zz.lua").path, withDestinationPath: "/proc/self/environ")
        let error = #expect(throws: MarketFolderError.self) { try fixture.loader().check("zz") }
        #expect(error?.localizedDescription == error?.description)
        #expect(error == .symlinkOutsideFolder("zz.lua", folder: fixture.folder.path))
        // A link that stays inside the folder is a normal market, except for its ID.
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.appending(path: "yy.lua").path, withDestinationPath: "ca.lua")
        #expect(try fixture.loader().check("yy").findings.contains { $0.code == .idMismatch })
    }

    @Test func excerptIsFromEvaluatedText() throws {
        let fixture = try MarketFixture(["zz.lua": "return {\n  id = \"zz\", nosuch = 1,\n}"])
        let check = try fixture.loader().check("zz")
        try fixture.write("return {\n  \(Self.planted)\n}", to: "zz.lua")
        let finding = try #require(check.findings.first { $0.code == .unknownKey })
        #expect(finding.line?.text == "  id = \"zz\", nosuch = 1,")
        #expect(finding.line?.column == finding.position?.column)
    }

    @Test(arguments: [
        "error(\"/proc/self/environ:1: bad\", 0)", "error(\"../outside-of-it.txt:1: bad\", 0)",
        "glass.test(\"t\", function() error(\"/proc/self/environ:1: bad\", 0) end)",
    ])
    func scriptErrorDoesNotPointIntoOtherFiles(_ script: String) throws {
        let fixture = try MarketFixture(["scripts/s.lua": script])
        let path = fixture.folder.appending(path: "scripts/s.lua").path
        let run = try ScriptRunner(markets: fixture.loader(), output: { _ in }).run(path)
        let failure = try #require(run.failure ?? run.report.tests.first?.failure)
        #expect(failure.place?.file ?? path == path)
        #expect(failure.line.map { script.contains($0.text) } ?? true)
    }

    @Test func scriptErrorShowsLinesOfScriptModuleAndMarket() throws {
        let market = """
            return { id = "zz", name = "Z", extends = "us", routables = { own = {
              paths = { "own" },
              handle = function() error("in the market") end,
            } } }
            """
        let fixture = try MarketFixture([
            "zz.lua": market, "scripts/lib.lua": "return function()\n  error('in the module')\nend",
            "scripts/s.lua": """
            glass.test("script", function() error("in the script") end)
            glass.test("module", function() require("lib")() end)
            """,
        ])
        let path = fixture.folder.appending(path: "scripts/s.lua").path
        let tests = try ScriptRunner(markets: fixture.loader(), output: { _ in }).run(path).report.tests
        #expect(tests.map { $0.failure?.line?.text.contains("error(") } == [true, true])
        #expect(tests.compactMap { $0.failure?.place?.file.split(separator: "/").last } == ["s.lua", "lib.lua"])
    }

    @Test func scriptOrModuleThatLinksOutsideFolderIsNotRun() throws {
        let fixture = try MarketFixture(["scripts/s.lua": "require(\"out\")", "other.lua": "return 1"])
        let scripts = fixture.folder.appending(path: "scripts").path
        for name in ["out.lua", "linked.lua"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(scripts)/\(name)", withDestinationPath: "../other.lua")
        }
        let runner = ScriptRunner(markets: fixture.loader(), output: { _ in })
        let failure = try #require(try runner.run("\(scripts)/s.lua").failure)
        #expect(failure.message.hasSuffix("out.lua: it is a symbolic link that leads outside its folder"))
        let error = #expect(throws: ScriptRunnerError.self) { try runner.run("\(scripts)/linked.lua") }
        #expect(error?.description.hasSuffix("linked.lua: it is a symbolic link that leads outside its folder") == true)
    }

    /// A market is a file directly in the folder; the error lists the available ones on one line.
    @Test func onlyFirstMarketsAreListed() throws {
        let fixture = try MarketFixture(
            Dictionary(uniqueKeysWithValues: (100..<400).map { ("m\($0).lua", "return 1") }))
        for id in ["none", "shared/ca_regions", "../m100", ".m100", ""] {
            let error = #expect(throws: MarketFolderError.self) { try fixture.loader().check(id) }
            guard case .noSuchMarket = error else {
                Issue.record("\(id): \(String(describing: error))")
                continue
            }
            #expect("\(error.map { "\($0)" } ?? "")".utf8.count < 1024 + fixture.folder.path.utf8.count)
        }
        #expect(try fixture.loader().check("m100").findings.map(\.code) == [.notATable])
    }
}
