import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting

@Suite(.timeLimit(.minutes(2)))
struct MarketMatrixTests {
    /// The states of a key in `us`, `aa` (extends `us`) and `bb` (extends `aa`).
    private static func states(_ first: String, _ second: String, of key: String) throws -> [MarketMatrix.State] {
        let loader = try MarketFixture([
            "aa.lua": "return { id = \"aa\", name = \"A\", extends = \"us\",\n\(first)\n}",
            "bb.lua": "return { id = \"bb\", name = \"B\", extends = \"aa\",\n\(second)\n}",
        ]).loader()
        let matrix = try MarketMatrix(try ["us", "aa", "bb"].map { try loader.load($0) })
        #expect(matrix.markets == ["us", "aa", "bb"])
        return try #require(matrix.rows.first { $0.path.description == key }).cells.map(\.state)
    }

    @Test(
        arguments: [
            ("", "", "currency", [.declared, .inherited(from: "us"), .inherited(from: "us")]),
            ("currency = \"EUR\"", "", "currency", [.declared, .overridden, .inherited(from: "aa")]),
            ("currency = \"USD\"", "currency = \"EUR\"", "currency", [.declared, .repeated, .overridden]),
            (
                "locales = append { \"de-AT\" }", "locales = append {}", "locales",
                [.declared, .overridden, .repeated]
            ),
            (
                "platform = { networking = { consumerKey = secret \"GLASS_US_CONSUMER_KEY\" } }",
                "platform = { networking = { consumerKey = secret \"GLASS_OTHER\" } }",
                "platform.networking.consumerKey",
                [.declared, .repeated, .overridden]
            ),
            (
                "platform = { userDefaultsRegistration = { defaults = { searchRadiusMiles = unset } } }", "",
                "platform.userDefaultsRegistration.defaults.searchRadiusMiles", [.declared, .removed, .removed]
            ),
            (
                "platform = { userDefaultsRegistration = { defaults = { own = 1 } } }", "",
                "platform.userDefaultsRegistration.defaults.own", [.missing, .declared, .inherited(from: "aa")]
            ),
            (
                "routables = { cart = {} }", "routables = { cart = { customPaths = { \"korb\" } } }", "routables.cart",
                [.declared, .repeated, .overridden]
            ),
            (
                "routables = { cart = false }", "routables = { cart = true }", "routables.cart",
                [.declared, .overridden, .overridden]
            ),
            (
                "", "routables = { own = { paths = { \"own\" }, handle = function() end } }", "routables.own",
                [.missing, .missing, .declared]
            ),
            (
                "routables = { own = { paths = { \"own\" }, handle = function() end } }", "routables = { own = unset }",
                "routables.own", [.missing, .declared, .removed]
            ),
        ] as [(String, String, String, [MarketMatrix.State])])
    func cellHasOriginOfKey(
        first: String, second: String, key: String, states: [MarketMatrix.State]
    ) throws {
        #expect(try Self.states(first, second, of: key) == states)
    }

    @Test func defaultsDoNotCountAsSet() throws {
        let us = try MarketFixture().loader().load("us")
        let text = try String(
            contentsOf: MarketFixture.repository.appending(path: "markets/us.lua"), encoding: .utf8)
        #expect(text.contains("      maxRetries = 3,\n") || text.contains("maxRetries = 3,"))
        let alone = text.replacing("id = \"us\"", with: "id = \"zz\"").replacing("maxRetries = 3,", with: "")
        let other = try MarketFixture(["zz.lua": alone]).loader().load("zz")
        let row = try #require(
            try MarketMatrix([us, other]).rows.first { $0.path.description == "platform.networking.retry.maxRetries" })
        #expect(row.cells.map(\.state) == [.declared, .missing])
        #expect(row.cells[1].defaultValue == .integer(3))
        #expect(row.isMissing)
        #expect(try MarketMatrix([us]).rows.allSatisfy { !$0.isMissing })
    }

    @Test func idAndExtendsAreNotKeys() throws {
        let loader = try MarketFixture().loader()
        let keys = Set(try MarketMatrix(try ["us", "ca"].map { try loader.load($0) }).rows.map(\.path.description))
        #expect(keys.isDisjoint(with: ["id", "extends"]))
        #expect(keys.contains("name"))
    }
}
