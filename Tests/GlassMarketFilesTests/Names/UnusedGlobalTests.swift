@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting

/// Globals that a market file sets without effect.
@Suite(.timeLimit(.minutes(2)))
struct UnusedGlobalTests {
    private static func diagnostics(_ text: String, _ files: [String: String] = [:]) throws -> String {
        let market = "return { id = \"xx\", name = \"X\", extends = \"us\", currency = \"USD\" }"
        var all = files
        all["xx.lua"] = text.contains("return {") ? text : text + "\n" + market
        return try MarketFixture(all).diagnostics("xx", limits: MarketFixture.patientLimits)
    }

    @Test func keyOutsideTableIsReported() throws {
        #expect(
            try Self.diagnostics("currency = \"CAD\"")
                == """
                markets/xx.lua:1:1: warning: the global "currency" is set but never read [unusedGlobal]
                  hint: if it is a key of the market, move it into the table that the file returns; if it is a variable of this file, write local currency
                """)
    }

    @Test(arguments: [
        "local currency = \"CAD\"",
        "rate = 2\nlocal half = rate / 2",
        "function helper() return 1 end\nlocal one = helper()",
        "helpers = {}\nhelpers.rate = 1",
        // Any of them may be read by name.
        "rate = 2\nfor name in pairs(_G) do end",
        "rate = 2\nreturn { id = \"xx\", name = \"X\" .. rate, extends = \"us\", currency = \"USD\" }",
    ])
    func globalThatIsReadIsNotReported(text: String) throws {
        #expect(try Self.diagnostics(text) == "")
    }

    @Test func unusedGlobalIsReportedOnceAtFirstPosition() throws {
        let lines = try Self.diagnostics("a, b = 1, 2\na = 3\nfunction c() end").split(separator: "\n")
        #expect(
            lines.filter { $0.contains("warning") }.map { $0.prefix(22) } == [
                "markets/xx.lua:1:1: wa", "markets/xx.lua:1:4: wa", "markets/xx.lua:3:10: w",
            ])
    }

    @Test func globalSetByIncludedFileIsNotReported() throws {
        let market = "include \"rates.lua\"\nreturn { id = \"xx\", name = \"X\", extends = \"us\", currency = \"USD\" }"
        #expect(try Self.diagnostics(market, ["rates.lua": "rate = 2\nreturn {}"]) == "")
    }

    @Test(arguments: ["rate", "_ENV.rate", "_G.rate"])
    func globalReadByBaseMarketIsNotReported(expression: String) throws {
        let base = "local n = \(expression)\nreturn { id = \"aa\", name = \"A\", extends = \"us\", currency = \"USD\" }"
        let market = "rate = 2\nreturn { id = \"xx\", name = \"X\", extends = \"aa\" }"
        #expect(try Self.diagnostics(market, ["aa.lua": base]) == "")
    }
}
