import Foundation
import GlassBase
import GlassDeepLinking
import GlassPlatform
import GlassSchema
import Testing

@testable import GlassMarketFiles
@testable import GlassMarkets

/// A market whose values depend on the situation, loaded from its compiled file, equals the market of its Lua files in
/// every situation.
@Suite(.timeLimit(.minutes(5)))
struct CompiledSituationsSameTests {
    private static let us = """
        attributes = { loyaltyTier = { type = "choice", values = { "none", "gold" } } },
        conditions = {
          debug = { build = "debug" }, gold = { loyaltyTier = "gold" },
          blackFriday = { date = ">= 2029-11-23T00:00Z < 2029-11-27T00:00Z" },
        },
        overlays = {
          { name = "debugBuild", when = "debug", platform = {
            networking = { retry = { maxRetries = 0 }, headers = { ["WM-Debug"] = "1" } } } },
          { name = "sale", when = any { "blackFriday", { all = { "gold", "debug" } } },
            platform = { networking = { retry = { multiplier = unset } } },
            routables = { deals = { customPaths = { "sale" } }, offers = { paths = { "offers" }, show = { screen = "offers" } } } },
        },
        """
    private static let ca = """
        conditions = { gold = { loyaltyTier = "gold", build = no "beta" } },
        overlays = {
          { name = "debugBuild", platform = { networking = { retry = { statuses = append { 599 } } } } },
          { name = "gold", when = "gold", platform = { networking = { retry = { statuses = prepend { 425 } } } } },
        },
        """

    private static func fixture() throws -> MarketFixture {
        try MarketFixture(
            flags: false,
            [
                "aa.lua": """
                return { id = "aa", name = "A", extends = "us", locales = { "en-US", "fr-CA" }, \(us)
                  platform = { preferences = { keys = { language = { default = perLocale { en = "en", fr = "fr" } } } } } }
                """,
                "bb.lua": """
                return { id = "bb", name = "B", extends = "aa", \(ca)
                  routables = { scan = vary { { when = "blackFriday", value = false } } } }
                """,
            ])
    }

    /// Every combination of the values that the conditions tell apart.
    private static let contexts: [MarketContext] = {
        var contexts = [MarketContext()]
        let values: [(String, [ContextValue?])] = [
            ("build", [.text("debug"), .text("beta"), .text("release")]),
            ("loyaltyTier", [nil, .text("none"), .text("gold")]),
            ("locale", [.text("en-US"), .text("fr-CA")]),
            ("date", ["2029-11-22T23:59:59Z", "2029-11-23T00:00:00Z"].map { ContextDate($0).map { .date($0) } }),
        ]
        for (name, values) in values {
            contexts = contexts.flatMap { context in
                values.map { value in
                    var context = context
                    context[name] = value
                    return context
                }
            }
        }
        return contexts
    }()

    @Test(arguments: ["aa", "bb"]) func compiledMarketIsEqualInEverySituation(id: String) throws {
        let fixture = try Self.fixture()
        let loader = fixture.loader()
        let check = try loader.check(id)
        let lua = try #require(check.market, "\(check.findings)")
        let writer = try CompiledMarketWriter(lua)
        let file = try #require(writer.varied)
        let folder = loader.folder.path + "/"
        #expect(!String(decoding: file.market + file.map, as: UTF8.self).contains(folder))
        let read = try CompiledMarket(reading: file.market, name: "x.json", map: (file.map, "x.map.json"))
        #expect(read.mapProblem == nil)
        let market = try #require(CompiledMarkets(.platform, secrets: { _ in nil }) { _ in nil }.check(read).market)
        let again = try CompiledMarketWriter(market)
        #expect(again.varied?.market == file.market && again.varied?.map == file.map)

        var distinct: Set<ConfigurationNode> = []
        for context in Self.contexts {
            let (one, other) = (try lua.with(context), try market.with(context))
            distinct.insert(one.source)
            #expect(one.effective == other.effective && one.config == other.config, "\(context)")
            #expect(
                one.routes.map { "\($0.pattern) \($0.routable)" } == other.routes.map { "\($0.pattern) \($0.routable)" }
            )
            #expect(try MarketDifference([one, other]).isEmpty, "\(context)")
            // Each value is where the Lua files have it.
            func compare(_ node: ConfigurationNode, _ path: ConfigurationPath) throws {
                switch node.value {
                case .map(let entries): for (key, entry) in entries { try compare(entry, path.appending(key)) }
                case .list: break
                default:
                    let found = try #require(other.source.node(at: path), "\(path) in \(context)")
                    #expect(
                        found.position.map { "\($0)" } == node.position.map { "\($0)".replacing(folder, with: "") },
                        "\(path) in \(context)")
                }
            }
            try compare(one.source, ConfigurationPath())
        }
        #expect(distinct.count >= 8)
    }

    /// What an app of an earlier version gets is the market without its conditions, as it is by default.
    @Test func plainFileIsMarketOfDefaultSituation() throws {
        let fixture = try Self.fixture()
        let writer = try CompiledMarketWriter(try fixture.loader().load("bb"))
        let stripped = try MarketFixture([
            "aa.lua": """
            return { id = "aa", name = "A", extends = "us", locales = { "en-US", "fr-CA" },
              platform = { preferences = { keys = { language = { default = "en" } } } } }
            """,
            "bb.lua": "return { id = \"bb\", name = \"B\", extends = \"aa\" }",
        ])
        #expect(try CompiledMarketWriter(try stripped.loader().load("bb")).market == writer.market)
    }

    @Test func marketWithoutConditionsHasOneFile() throws {
        let fixture = try MarketFixture([
            "aa.lua": """
            return { id = "aa", name = "A", extends = "us", platform = vary { default = {} },
              overlays = {
                { name = "never", when = false, currency = "CAD" },
                { name = "debugBuild", when = false }, { name = "oldSystem", when = false },
              },
              flags = { newCheckout = unset, searchRanker = unset } }
            """
        ])
        #expect(try CompiledMarketWriter(try fixture.loader().load("aa")).files.map(\.generation) == [1])
    }

    @Test func functionInSituationIsRefused() throws {
        let fixture = try MarketFixture([
            "aa.lua": """
            return { id = "aa", name = "A", extends = "us",
              overlays = { { name = "own", when = { build = "debug" }, routables = {
                own = { paths = { "own" }, handle = function(link) return true end } } } } }
            """
        ])
        let found = try fixture.loader().check("aa").findings.filter { $0.severity == .error }
        #expect(found.map { "\($0.code) \($0.path)" } == ["variesTooOften routables.own.handle"])
    }
}
