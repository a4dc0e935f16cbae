import Foundation
import GlassContainer
import GlassDeepLinking
import GlassPlatform
import GlassSchema
import TestSupport
import Testing

@testable import GlassMarketFiles
@testable import GlassMarkets

/// A market loaded from its compiled file equals the market loaded from its Lua files: in each value, service, route,
/// difference, explanation and link.
@Suite(.timeLimit(.minutes(10)))
struct CompiledSameTests {
    static let links = rounds(all: 10_000, few: 500)
    /// The only secret that is set.
    static let secrets: @Sendable (String) -> String? = { $0 == "GLASS_CA_CONSUMER_KEY" ? "hunter2" : nil }

    /// The registrations and their properties, without the instances created so far.
    private func services(of market: Market) -> [String] {
        market.container.registrations.map { "\($0.id) \($0.scope) \($0.requires.map { "\($0)" } ?? "")" }.sorted()
    }

    private func loader(_ fixture: MarketFixture) -> MarketLoader {
        fixture.loader(secrets: ["GLASS_CA_CONSUMER_KEY": "hunter2"])
    }

    @Test(arguments: ["us", "ca", "mx"]) func compiledRealMarketIsEqual(id: String) throws {
        try requireSame(id, loader(MarketFixture(flags: false)), .platform, links: Self.links, seed: 1)
    }

    @Test(arguments: 0..<rounds(all: 8, few: 2)) func compiledGeneratedMarketIsEqual(round: Int) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")  // to reproduce a failure
        try requireSameGenerated(seed)
    }

    /// Seeds that once revealed a difference.
    @Test(arguments: [0, 1, 2] as [UInt64]) func compiledMarketOfKnownSeedIsEqual(seed: UInt64) throws {
        try requireSameGenerated(seed)
    }

    private func requireSameGenerated(_ seed: UInt64) throws {
        for attempt in 0..<20 as Range<UInt64> {
            var generated = GeneratedMarket(seed: seed &+ attempt)
            let fixture = try MarketFixture(
                flags: false,
                [
                    "g1.lua": generated.file("g1", extending: "ca"), "g2.lua": generated.file("g2", extending: "g1"),
                ])
            // Some are invalid: patterns conflict, or a directive has no base value.
            guard try loader(fixture).check("g2").market != nil else { continue }
            return try requireSame("g2", loader(fixture), .platform, links: Self.links, seed: seed)
        }
        Issue.record("no seed from \(seed) on generates a market")
    }

    /// Compiles a market and compares both forms.
    private func requireSame(
        _ id: String, _ loader: MarketLoader, _ module: MarketModule, links: Int, seed: UInt64
    ) throws {
        let lua = try loader.load(id)
        let written = try CompiledMarketWriter(lua)
        let secrets = Self.secrets
        #expect(!String(decoding: written.market + written.map, as: UTF8.self).contains("hunter2"))
        #expect(!String(decoding: written.market + written.map, as: UTF8.self).contains(loader.folder.path))
        let source = CompiledMarkets(module, secrets: secrets) { _ in written.market }
        let read = try CompiledMarket(reading: written.market, name: "x.json", map: (written.map, "x.map.json"))
        let check = source.check(read)
        let market = try #require(check.market, "\(check.findings)")
        let folder = loader.folder.path + "/"
        func place(_ position: SourcePosition?) -> String? { position.map { "\($0)".replacing(folder, with: "") } }

        // Compiling either form again gives the same bytes.
        #expect(try CompiledMarketWriter(loader.load(id)).market == written.market)
        #expect(try CompiledMarketWriter(market).market == written.market)
        #expect(try CompiledMarketWriter(market).map == written.map)

        // Configuration, findings and services.
        #expect(market.effective == lua.effective && market.definition == lua.definition && market.config == lua.config)
        #expect(market.source == lua.source)
        let said = check.findings.map { "\($0.code) \($0.path) \($0.message) \(place($0.position) ?? "")" }
        let luaFindings = try loader.check(id).findings
        #expect(said == luaFindings.map { "\($0.code) \($0.path) \($0.message) \(place($0.position) ?? "")" })
        #expect(services(of: market) == services(of: lua))

        // Routes and differences.
        #expect(
            market.routes.map { "\($0.pattern) \($0.routable) \($0.waitsFor) \(place($0.origin) ?? "")" }
                == lua.routes.map { "\($0.pattern) \($0.routable) \($0.waitsFor) \(place($0.origin) ?? "")" })
        #expect(try MarketDifference([lua, market]).isEmpty)
        let base = try loader.load("us")
        let texts = try [lua, market].map {
            try MarketDifference([base, $0]).lines.map { $0.replacing(folder, with: "") }
        }
        #expect(texts[0] == texts[1])

        // Explanations: the position of each value, and the overridden values.
        var count = 0
        func compare(_ lua: ConfigurationNode, _ path: ConfigurationPath) throws {
            count += 1
            let node = try #require(market.source.node(at: path))
            #expect(place(node.position) == place(lua.position) && place(node.keyPosition) == place(lua.keyPosition))
            #expect(
                node.overridden.map { "\($0.value.found) \(place($0.position) ?? "")" }
                    == lua.overridden.map { "\($0.value.found) \(place($0.position) ?? "")" })
            switch lua.value {
            case .map(let entries): for (key, entry) in entries { try compare(entry, path.appending(key)) }
            case .list(let nodes):
                for (offset, inner) in nodes.enumerated() { try compare(inner, path.appending(index: offset + 1)) }
            default: break
            }
        }
        try compare(lua.source, ConfigurationPath())
        #expect(count > 50)

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

    /// The record does not exceed the nesting limit for JSON, and its formats accept the same values as the release's.
    @Test func recordedReleaseReadsRealMarkets() throws {
        let written = SchemaRecord(.platform, version: "24.3")
        let record = try SchemaRecord(reading: written.bytes, file: "24.3.json")
        #expect(record.json == written.json && record.digest == written.digest)
        let loader = try loader(MarketFixture(flags: false))
        for id in ["us", "ca", "mx"] {
            let market = try CompiledMarket(reading: CompiledMarketWriter(loader.load(id)).market, name: id)
            #expect(try record.findings(in: market).isEmpty)
        }
    }

    @Test func compiledMarketOnlyHasNamesOfSecrets() throws {
        let loader = try MarketFixture(flags: false).loader(secrets: ["GLASS_CA_CONSUMER_KEY": "hunter2"])
        let written = try CompiledMarketWriter(loader.load("ca"))
        let market = try CompiledMarkets(.platform, secrets: { "value of \($0)" }, reading: { _ in written.market })
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
                    and tests, and stays in the Lua files
                      hint: write show = { … }, or handler = "name" for a function of the app
                    """)
        }
    }

    /// The base market used a function, which this market overrides with `show`: the function is an overridden value.
    @Test func overriddenFunctionIsExplained() throws {
        let fixture = try MarketFixture(
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
        try requireSame("xx", loader(fixture), .platform, links: 100, seed: 3)
    }
}
