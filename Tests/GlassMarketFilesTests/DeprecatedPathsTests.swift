import GlassMarkets
import GlassSchema
import Testing

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
