import Foundation
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassMarketFiles
import MarketTesting

/// `return market { … }` is equivalent to `return { … }`: the call gives editors the type of the table.
struct MergeDirectiveTests {
    private static func fixture(_ change: (String) -> String) throws -> MarketFixture {
        let fixture = try MarketFixture()
        for id in ["us", "ca", "mx"] {
            let file = fixture.folder.appending(path: "\(id).lua")
            try fixture.write(change(try String(contentsOf: file, encoding: .utf8)), to: "\(id).lua")
        }
        return fixture
    }

    private static func named(_ text: String) -> String { text.replacing("\nreturn {", with: "\nreturn market {") }

    @Test(arguments: ["us", "ca", "mx"])
    func marketInMarketCallIsEqual(id: String) throws {
        let (plain, named) = (try Self.fixture { $0 }, try Self.fixture(Self.named))
        let (one, other) = (try plain.loader().load(id), try named.loader().load(id))
        #expect(one.effective.value == other.effective.value)
        #expect(one.routes.map(\.pattern) == other.routes.map(\.pattern))
        let path = ConfigurationPath(stringLiteral: "platform.appInfo.version")
        #expect(other.source.node(at: path)?.position?.line == one.source.node(at: path)?.position?.line)
        #expect(other.source.node(at: path)?.position?.column == one.source.node(at: path)?.position?.column)
    }

    @Test(arguments: [
        "currensy = \"EUR\",", "platform = { networking = { retry = { maxRetires = 4 } } },",
        "routables = { acount = false },", "currency = currensy,", "locales = append { 3 },",
        "platform = { networking = { retry = { maxRetries = \"4\" } } },", "currency = \"USD\" name = 3,",
    ])
    func mistakeIsReportedAtSamePosition(lines: String) throws {
        func findings(_ start: String) throws -> String {
            try MarketFixture(["xx.lua": "\(start)\n  id = \"xx\", name = \"X\", extends = \"us\",\n\(lines)\n}"])
                .diagnostics("xx")
        }
        let plain = try findings("return {")
        #expect(try findings("return market {") == plain)
        #expect(!plain.isEmpty)
    }

    @Test(arguments: [
        ("return market(3)", "market expects a table"), ("return market()", "market expects a table"),
        ("return market \"xx\"", "market expects a table"),
        ("return market(include \"no.lua\")", "no.lua: no such file or directory"),
    ])
    func onlyTableIsAcceptedAsMarket(text: String, said: String) throws {
        #expect(try MarketFixture(["xx.lua": text]).diagnostics("xx").contains(said))
    }

    @Test func localNamedMarketIsAllowed() throws {
        let text =
            "local market = { id = \"xx\", name = \"X\", extends = \"us\" }\nmarket.currency = \"USD\"\nreturn market"
        #expect(try !MarketFixture(["xx.lua": text]).diagnostics("xx").contains("error"))
    }
}
