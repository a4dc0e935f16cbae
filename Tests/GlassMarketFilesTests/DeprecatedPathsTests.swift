import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting

/// `deprecated` of a routable: its syntax, and that it does not reach phones.
@Suite(.timeLimit(.minutes(1)))
struct DeprecatedPathsTests {
    @Test(arguments: [
        ("paths = { \"cart\" }, expires = \"2027-01-31\"", ""),
        (
            "paths = { \"cart\" }, expires = \"2027-02-29\"",
            "routables.cart.deprecated.expires: expected a date such as \"2027-01-31\", got \"2027-02-29\""
        ),
        ("paths = { \"cart\" }", "routables.cart.deprecated.expires: missing: expected a date such as \"2027-01-31\""),
        (
            "paths = { \":a(\" }, expires = \"2027-01-31\"",
            "routables.cart.deprecated.paths[1]: \":a(\" is not a pattern: "
        ),
    ])
    func deprecatedNamesPatternsAndDate(_ text: String, _ message: String) throws {
        let said = try MarketFixture.diagnostics(of: "routables = { cart = { deprecated = { \(text) } } }")
        if message.isEmpty { #expect(said.isEmpty) } else { #expect(said.contains(message), "\(said)") }
    }

    /// On 2026-11-27, at the end of the day in UTC.
    @Test(arguments: [
        ("cart = { deprecated = { paths = { \"cart\" }, expires = \"2024-02-29\" } }", "2:69", "cart", "2024-02-29"),
        ("cart = { deprecated = { paths = { \"cart\" }, expires = \"2026-11-26\" } }", "2:69", "cart", "2026-11-26"),
        (
            "sale = { paths = { \"sale\" }, show = { screen = \"sale\" }, "
                + "deprecated = { paths = { \"sale\" }, expires = \"2026-01-31\" } }", "2:117", "sale", "2026-01-31"
        ),
        ("cart = { deprecated = { paths = { \"cart\" }, expires = \"2026-11-27\" } }", "", "", ""),
        ("cart = { deprecated = { paths = { \"cart\" }, expires = \"2099-01-01\" } }", "", "", ""),
    ])
    func lastDayThatIsOverIsReported(_ text: String, _ place: String, _ id: String, _ day: String) throws {
        let fixture = try MarketFixture([
            "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\",\nroutables = { \(text) } }",
            "yy.lua": "return { id = \"yy\", name = \"Y\", extends = \"xx\" }",
        ])
        let loader = fixture.loader(limits: MarketFixture.patientLimits)
            .warning { ContextDate(secondsSince1970: 1_795_823_999) }
        func found(_ id: String) throws -> String {
            try loader.check(id).findings.filter { $0.code == .expiredPath }.map(\.description)
                .joined(separator: "\n").replacingOccurrences(of: fixture.folder.path, with: "markets")
        }
        let expected = """
            markets/xx.lua:\(place): warning: routables.\(id).deprecated.expires: these paths expired on \(day) [expiredPath]
              hint: remove the paths and the deprecated table, or change expires
            """
        #expect(try found("xx") == (place.isEmpty ? "" : expected))
        // A market that inherits it does not repeat it.
        #expect(try found("yy") == "")
    }

    @Test(arguments: ["2024-02-29", "2000-02-29", "2026-12-31", "0001-01-01"])
    func validDatesAreAccepted(_ text: String) { #expect(StringFormat.date.matches(text)) }

    @Test(arguments: [
        "1900-02-29", "2026-00-10", "2026-13-10", "2026-04-31", "2026-4-1", "26-04-01", "2026-04-01T00:00", "",
        "２０２６-01-01",
    ])
    func invalidDatesAreRejected(_ text: String) { #expect(!StringFormat.date.matches(text)) }

    @Test func deprecatedIsNotCompiled() throws {
        func compiled(_ cart: String) throws -> CompiledMarketWriter {
            let fixture = try MarketFixture([
                "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\", routables = { cart = \(cart) } }"
            ])
            return try CompiledMarketWriter(fixture.loader().load("xx"))
        }
        let deprecated = try compiled("{ deprecated = { paths = { \"cart\" }, expires = \"2027-01-31\" } }")
        let plain = try compiled("{}")
        #expect(deprecated.market == plain.market)
        #expect(!String(decoding: deprecated.map, as: UTF8.self).contains("deprecated"))
    }
}
