import Foundation
import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassPlatform
import GlassSchema
import TestSupport
import Testing

@testable import GlassMarketFiles
@testable import GlassMarkets
import MarketTesting

/// A market loaded from its compiled file equals the market loaded from its Lua files: in each value, service, route,
/// difference, explanation and link, and in each situation.
@Suite(.timeLimit(.minutes(10)))
struct CompiledSameTests {
    /// A market that is compiled.
    enum Sample: Sendable {
        case real(String)
        /// A random market.
        case generated(seed: UInt64)
        /// A market with `show` for a routable of its base market that has an inline function: an overridden value.
        case overridesFunction
        /// A market whose values depend on the situation.
        case varying(String)
    }

    /// The real markets, random ones, those of seeds that once revealed a difference, and markets that vary.
    static let samples: [Sample] =
        ["us", "ca", "mx"].map { .real($0) }
        + (0..<rounds(all: 8, few: 2)).map { _ in .generated(seed: UInt64.random(in: 0...UInt64.max)) }
        + [0, 1, 2, 8_973_807_762_225_044_343].map { .generated(seed: $0) } + [
            .overridesFunction, .varying("aa"), .varying("bb"),
        ]

    @Test(arguments: samples) func compiledMarketIsEqual(sample: Sample) throws {
        switch sample {
        case .real(let id):
            try requireSame(
                id, MarketFixture(), in: Self.contexts(["build", "locale", "date"]), links: Self.links, seed: 1)
        case .generated(let seed):
            try requireSame("g2", Self.generatedFixture(seed), links: Self.links, seed: seed)
        case .overridesFunction: try requireSame("xx", Self.overridingFixture(), links: 100, seed: 3)
        case .varying(let id):
            try requireSame(id, Self.varyingFixture(), in: Self.contexts(), links: 100, seed: 4)
        }
    }

    static let links = rounds(all: 10_000, few: 500)
    /// The only secret that is set.
    static let secrets: @Sendable (String) -> String? = { $0 == "GLASS_CA_CONSUMER_KEY" ? "hunter2" : nil }

    /// The registrations and their properties, without the instances created so far.
    private func services(of market: Market) -> [String] {
        market.container.registrations.map { "\($0.id) \($0.scope) \($0.requires.map { "\($0)" } ?? "")" }.sorted()
    }

    private static func loader(_ fixture: MarketFixture) -> MarketLoader {
        fixture.loader(secrets: ["GLASS_CA_CONSUMER_KEY": "hunter2"])
    }

    // MARK: Samples

    private static func generatedFixture(_ seed: UInt64) throws -> MarketFixture {
        for attempt in 0..<20 as Range<UInt64> {
            var generated = GeneratedMarket(seed: seed &+ attempt)
            let fixture = try MarketFixture(
                flags: false,
                [
                    "g1.lua": generated.file("g1", extending: "ca"), "g2.lua": generated.file("g2", extending: "g1"),
                ])
            // Some are invalid: patterns conflict, or a directive has no base value.
            if try loader(fixture).check("g2").market != nil { return fixture }
        }
        struct NoMarket: Error {}
        throw NoMarket()
    }

    private static func overridingFixture() throws -> MarketFixture {
        try MarketFixture(
            flags: false,
            [
                "yy.lua": """
                return { id = "yy", name = "Y", extends = "us", routables = {
                  debug = { paths = { "debug" }, handle = function() return true end },
                } }
                """,
                "xx.lua": """
                return { id = "xx", name = "X", extends = "yy", routables = {
                  debug = { handle = unset, show = { screen = "debug" } }, cart = { show = { screen = "c" } },
                  own = { paths = { "own" }, show = { screen = "own" } },
                } }
                """,
            ])
    }

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

    private static func varyingFixture() throws -> MarketFixture {
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
    private static func contexts(_ attributes: Set<String>? = nil) -> [MarketContext] {
        var contexts = [MarketContext()]
        let values: [(String, [ContextValue?])] = [
            ("build", [.text("debug"), .text("beta"), .text("release")]),
            ("loyaltyTier", [nil, .text("none"), .text("gold")]),
            ("locale", [.text("en-US"), .text("fr-CA")]),
            ("date", ["2029-11-22T23:59:59Z", "2029-11-23T00:00:00Z"].map { ContextDate($0).map { .date($0) } }),
        ]
        for (name, values) in values where attributes?.contains(name) ?? true {
            contexts = contexts.flatMap { context in
                values.map { value in
                    var context = context
                    context[name] = value
                    return context
                }
            }
        }
        return contexts
    }

    // MARK: Comparing

    /// Compiles a market and compares both forms.
    ///
    /// - Parameter contexts: The situations of a market that varies.
    private func requireSame(
        _ id: String, _ fixture: MarketFixture, in contexts: [MarketContext] = [], links: Int, seed: UInt64
    ) throws {
        let loader = Self.loader(fixture)
        let found = try loader.check(id)
        let lua = try #require(found.market, "\(found.findings)")
        let file = try CompiledMarketWriter(lua)
        let varies = lua.dependsOnSituation
        #expect(!String(decoding: file.market + file.map, as: UTF8.self).contains("hunter2"))
        #expect(!String(decoding: file.market + file.map, as: UTF8.self).contains(loader.folder.path))
        let read = try CompiledMarket(reading: file.market, name: "x.json", map: (file.map, "x.map.json"))
        #expect(read.mapProblem == nil)
        let check = CompiledMarkets(.platformInMemory, secrets: Self.secrets) { _ in file.market }.check(read)
        let market = try #require(check.market, "\(check.findings)")
        let folder = loader.folder.path + "/"

        // Compiling either form again gives the same bytes.
        #expect(try CompiledMarketWriter(loader.load(id)).market == file.market)
        let copy = try CompiledMarketWriter(market)
        #expect(copy.market == file.market && copy.map == file.map)

        // Configuration, findings and services.
        try expectSame(lua, market, folder, varies: varies)
        #expect(market.source == lua.source || varies)
        let said = check.findings.map { "\($0.code) \($0.path) \($0.message) \(place($0.position, folder) ?? "")" }
        #expect(
            said == found.findings.map { "\($0.code) \($0.path) \($0.message) \(place($0.position, folder) ?? "")" })
        #expect(services(of: market) == services(of: lua))

        // Differences.
        let base = try loader.load("us")
        let texts = try [lua, market].map {
            try MarketDifference([base, $0]).lines.map { $0.replacing(folder, with: "") }
        }
        #expect(texts[0] == texts[1])

        // Situations.
        var distinct: Set<ConfigurationNode> = []
        for context in contexts {
            let (one, other) = (try lua.with(context), try market.with(context))
            distinct.insert(one.source)
            try expectSame(one, other, folder, varies: true)
        }
        #expect(contexts.count < 24 || distinct.count >= 8)

        // Links: the same outcomes in sequence, so the navigation is also the same throughout.
        var random = GeneratedMarket(seed: seed)
        let links = (0..<links).map { _ in
            random.link(
                lua.definition.deepLinking.schemes, lua.definition.deepLinking.universalLinks, lua.routes.map(\.pattern)
            )
        }
        for market in [lua, market] { market.preconditions.satisfyAll() }
        var routed = 0
        for link in links {
            let (one, other) = (lua.open(link), market.open(link))
            #expect(one == other, "\(link)")
            if one.outcome == .routed { routed += 1 }
            guard one == other else { break }
        }
        #expect(routed > links.count / 20, "\(routed) of \(links.count)")
        // Held links wait for the same preconditions.
        for market in [lua, market] { try market.preconditions.reset("signedIn") }
        for link in links.prefix(200) { #expect(lua.open(link) == market.open(link), "\(link)") }
    }

    private func place(_ position: SourcePosition?, _ folder: String) -> String? {
        position.map { "\($0)".replacing(folder, with: "") }
    }

    /// Expects the same values and routes of both forms in a situation.
    ///
    /// - Parameter varies: Whether the file has conditions: its values have the positions of the Lua files, but its tables
    ///   and overridden values are not explained.
    private func expectSame(_ lua: Market, _ compiled: Market, _ folder: String, varies: Bool) throws {
        let context = compiled.context
        #expect(
            compiled.effective == lua.effective && compiled.definition == lua.definition
                && compiled.config == lua.config, "\(context)")
        #expect(
            compiled.routes.map { "\($0.pattern) \($0.routable) \($0.waitsFor) \(place($0.origin, folder) ?? "")" }
                == lua.routes.map { "\($0.pattern) \($0.routable) \($0.waitsFor) \(place($0.origin, folder) ?? "")" },
            "\(context)")
        #expect(try MarketDifference([lua, compiled]).isEmpty, "\(context)")
        var count = 0
        func compare(_ lua: ConfigurationNode, _ path: ConfigurationPath) throws {
            count += 1
            let node = try #require(compiled.source.node(at: path), "\(path) in \(context)")
            switch lua.value {
            case .map(let entries): for (key, entry) in entries { try compare(entry, path.appending(key)) }
            case .list(let nodes):
                if varies { return }
                for (offset, inner) in nodes.enumerated() { try compare(inner, path.appending(index: offset + 1)) }
            default: break
            }
            if case .map = lua.value, varies { return }
            #expect(place(node.position, folder) == place(lua.position, folder), "\(path) in \(context)")
            guard !varies else { return }
            #expect(place(node.keyPosition, folder) == place(lua.keyPosition, folder), "\(path)")
            #expect(
                node.overridden.map { "\($0.value.found) \(place($0.position, folder) ?? "")" }
                    == lua.overridden.map { "\($0.value.found) \(place($0.position, folder) ?? "")" }, "\(path)")
        }
        try compare(lua.source, ConfigurationPath())
        #expect(count > 50)
    }

    // MARK: Files

    /// The record does not exceed the nesting limit for JSON, and its formats accept the same values as the release's.
    @Test func recordedReleaseReadsRealMarkets() throws {
        let written = SchemaRecord(.platform, version: "24.3")
        let record = try SchemaRecord(reading: written.bytes, file: "24.3.json")
        #expect(record.json == written.json && record.digest == written.digest)
        let loader = try Self.loader(MarketFixture())
        for id in ["us", "ca", "mx"] {
            let market = try CompiledMarket(reading: CompiledMarketWriter(loader.load(id)).market, name: id)
            #expect(try record.findings(in: market).isEmpty)
        }
    }

    @Test func compiledMarketOnlyHasNamesOfSecrets() throws {
        let loader = try MarketFixture(flags: false).loader(secrets: ["GLASS_CA_CONSUMER_KEY": "hunter2"])
        let written = try CompiledMarketWriter(loader.load("ca"))
        let market = try CompiledMarkets(
            .platformInMemory, secrets: { "value of \($0)" }, reading: { _ in written.market }
        )
        .load("ca")
        #expect(try market.config.networking.consumerKey?.reveal() == "value of GLASS_CA_CONSUMER_KEY")
    }

    @Test func functionIsReportedAtItsPosition() throws {
        let fixture = try MarketFixture(
            flags: false,
            [
                "xx.lua": """
                return { id = "xx", name = "X", extends = "us", routables = {
                  debug = { paths = { "debug" }, handle = function() return true end },
                } }
                """
            ])
        let market = try fixture.loader().load("xx")
        do {
            _ = try CompiledMarketWriter(market)
            Issue.record("it was compiled")
        } catch {
            #expect(
                "\(error)".replacing(fixture.folder.path, with: "markets") == """
                    market "xx" cannot be compiled:
                    markets/xx.lua:2:43: error: routables.debug.handle: a function cannot be compiled: it is for scripts \
                    and tests, and stays in the Lua files [notPortable]
                      hint: write show = { … }, or handler = "name" for a function of the app
                    """)
        }
    }

    @Test func marketWithoutConditionsHasNoSuchSections() throws {
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
        let writer = try CompiledMarketWriter(try fixture.loader().load("aa"))
        let keys = try #require(try StrictJSON(reading: writer.market, limit: 1 << 20, numbers: .all).members).map(
            \.key)
        #expect(!["attributes", "conditions", "flags", "layers", "overlays"].contains(where: keys.contains))
    }

    /// Lua files can add to the locales of a base market, and a compiled market has all of them in one list.
    @Test func appendedLocalesAreOfferedToSituation() throws {
        let fixture = try MarketFixture([
            "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"ca\", locales = append { \"de-CA\" } }"
        ])
        let lua = try fixture.loader().load("xx")
        let bytes = try CompiledMarketWriter(lua).market
        let compiled = try CompiledMarkets(.platformInMemory, secrets: { _ in nil }, reading: { _ in bytes }).load("xx")
        for market in [lua, compiled] {
            guard case .locale(let offered)? = market.attributes.first(where: { $0.name == "locale" })?.type else {
                Issue.record("there is no locale")
                return
            }
            #expect(offered == ["en-CA", "fr-CA", "de-CA"])
            #expect(market.context["locale"] == .text("en-CA"))
        }
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
