import GlassBase
@testable import GlassMarketFiles
@testable import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing
import MarketTesting

/// What flags give, from the files of a market to a compiled one.
struct FlagEvaluationTests {
    private static let flags = """
        conditions = { internal = any { { audience = "associates" }, { environment = no "production" } } },
        layers = { search = { by = "installID" } },
        flags = {
          newCheckout = {
            kind = "release", owner = "checkout", expires = "2099-03-31", default = false,
            rules = {
              { name = "associates", when = "internal", value = true },
              { name = "ramp", when = { signedIn = true, appVersion = ">= 24.4" },
                rollout = { percent = 10, by = "customerID" }, value = true },
            },
          },
          ranker = {
            kind = "experiment", owner = "search", expires = "2099-01-31",
            variants = { control = "bm25", neural = "neural-2" }, default = "control", layer = "search", slots = { 0, 40 },
            rules = {
              { name = "trial", when = { locale = "en" },
                split = { by = "installID", weights = { { "control", 30 }, { "neural", 30 } } } },
            },
          },
          plain = { kind = "operations", owner = "o", default = { limit = 3 } },
          off = { kind = "operations", owner = "o", default = 1, enabled = false, rules = { { name = "r", value = 2 } } },
        },
        """
    private static let base = "return { id = \"yy\", name = \"Base\", extends = \"us\",\n\(flags)\n}"
    private static let own = """
        return { id = "xx", name = "Own", extends = "yy",
          conditions = { internal = { audience = "own" } },
          flags = {
            newCheckout = { rules = prepend { { name = "quebec", when = { region = "CA-QC" }, value = false } } },
            off = unset,
          },
        }
        """

    private static func loader() throws -> MarketLoader {
        try MarketFixture(flags: false, ["xx.lua": own, "yy.lua": base]).loader()
    }

    /// A unit within, or outside of, the first percent of a salt.
    private static func unit(_ salt: String, _ positions: Range<Int>) throws -> ContextValue {
        .text(
            try #require(
                (1...10_000).map { "unit\($0)" }.first { positions.contains(Bucketing.bucket(salt: salt, unit: $0)) }))
    }

    private static func text(_ evaluation: FlagSet.Flag.Evaluation?) -> String {
        guard let evaluation else { return "none" }
        return [
            evaluation.outcome.variant, evaluation.outcome.value.found, evaluation.reason.rawValue,
            evaluation.rule.map { "rule \($0 + 1)" }, evaluation.missingUnit.map { "without \($0)" },
            evaluation.isExposed ? "exposed" : nil,
        ].compactMap(\.self).joined(separator: " ")
    }

    @Test func rulesDecideFromTheTop() throws {
        let market = try Self.loader().load("yy")
        func value(_ flag: String, _ context: [String: ContextValue]) -> String {
            Self.text(market.flags.evaluate(flag, in: MarketContext(context)))
        }
        let version = ContextValue.version(try #require(ContextVersion("24.5")))
        let (first, last) = (try Self.unit("newCheckout", 0..<10_000), try Self.unit("newCheckout", 10_000..<100_000))
        #expect(value("newCheckout", [:]) == "false DEFAULT")
        #expect(value("newCheckout", ["audience": .set(["associates"])]) == "true TARGETING_MATCH rule 1")
        #expect(
            value("newCheckout", ["signedIn": .boolean(true), "appVersion": version])
                == "false DEFAULT without customerID")
        let person: [String: ContextValue] = ["signedIn": .boolean(true), "appVersion": version, "customerID": first]
        #expect(value("newCheckout", person) == "true SPLIT rule 2")
        #expect(value("newCheckout", person.merging(["customerID": last]) { $1 }) == "false DEFAULT")
        let nobody = person.merging(["customerID": .text("")]) { $1 }
        #expect(value("newCheckout", nobody) == "false DEFAULT without customerID")
        #expect(value("plain", [:]) == "a table with keys STATIC")
        #expect(value("off", [:]) == "1 DISABLED")
        #expect(value("nothing", [:]) == "none")
    }

    @Test func slotsOfLayerKeepOthersOut() throws {
        let flags = try Self.loader().load("yy").flags
        for number in 1...300 {
            let unit = "device\(number)"
            let isIn = Bucketing.bucket(salt: "search", unit: unit) < 40_000
            let bucket = Bucketing.bucket(salt: "ranker", unit: unit)
            let expected =
                !isIn || bucket >= 60_000
                ? "control \"bm25\" DEFAULT"
                : bucket < 30_000 ? "control \"bm25\" SPLIT rule 1 exposed" : "neural \"neural-2\" SPLIT rule 1 exposed"
            #expect(Self.text(flags.evaluate("ranker", in: MarketContext(["installID": .text(unit)]))) == expected)
        }
        let french = MarketContext(["installID": .text("device1"), "locale": .text("es-US")])
        #expect(Self.text(flags.evaluate("ranker", in: french)) == "control \"bm25\" DEFAULT")
    }

    /// Flags merge like any map, rules like any list, and a condition is that of the market which evaluates it.
    @Test func flagsAreInherited() throws {
        let market = try Self.loader().load("xx")
        #expect(market.flags.set.flags.keys.sorted() == ["newCheckout", "plain", "ranker"])
        #expect(market.flags.set.flags["newCheckout"]?.rules.map(\.name) == ["quebec", "associates", "ramp"])
        func value(_ context: [String: ContextValue]) -> String {
            Self.text(market.flags.evaluate("newCheckout", in: MarketContext(context)))
        }
        #expect(value(["audience": .set(["own"])]) == "true TARGETING_MATCH rule 2")
        #expect(value(["audience": .set(["associates"])]) == "false DEFAULT")
        #expect(value(["audience": .set(["own"]), "region": .text("CA-QC")]) == "false TARGETING_MATCH rule 1")
    }

    /// Only a flag changes, so that the market stays; a subscriber of a market that is replaced goes on.
    @Test func storeKeepsMarketWhenOnlyFlagsChange() throws {
        let store = MarketStore(try Self.loader())
        store.reload("yy")
        let market = try #require(store.market("yy"))
        let causes = Lock<[FlagChange.Cause]>([])
        _ = market.flags.session.observe { cause, _ in causes.withLock { $0.append(cause) } }
        #expect(market.flags.evaluate("newCheckout", in: nil)?.outcome.value == .boolean(false))
        try store.update(context: MarketContext(["audience": .set(["associates"])]))
        #expect(store.market("yy") === market)
        #expect(market.flags.evaluate("newCheckout", in: nil)?.outcome.value == .boolean(true))
        #expect(causes.withLock { $0 } == [.context])
        let session = market.flags.session
        store.reload("yy", force: true)
        let next = try #require(store.market("yy"))
        #expect(next !== market && next.flags.session === session)
        #expect(next.flags.evaluate("newCheckout", in: nil)?.outcome.value == .boolean(true))
    }

    // MARK: Compiled

    @Test func compiledFlagsDecideInTheSameWay() throws {
        for id in ["xx", "yy"] {
            let market = try Self.loader().load(id)
            let bytes = try CompiledMarketWriter(market).market
            let compiled = try CompiledMarkets(.platformInMemory, reading: { _ in bytes }).load(id)
            #expect(compiled.flags.set.flags.keys.sorted() == market.flags.set.flags.keys.sorted())
            #expect(try CompiledMarketWriter(compiled).market == bytes)
            var random = SystemRandomNumberGenerator()
            for _ in 0..<300 {
                var context = MarketContext([
                    "installID": .text("i\(random.next())"),
                    "region": .text(["CA", "CA-QC", "US"].randomElement(using: &random) ?? "US"),
                    "audience": .set(Set(["own", "associates"].filter { _ in Bool.random(using: &random) })),
                    "signedIn": .boolean(Bool.random(using: &random)),
                    "locale": .text(["en-US", "es-US"].randomElement(using: &random) ?? "en-US"),
                ])
                context["appVersion"] = ContextVersion("24.\(Int.random(in: 3...5, using: &random))").map {
                    .version($0)
                }
                if Bool.random(using: &random) { context["customerID"] = .text("c\(random.next())") }
                for name in market.flags.set.flags.keys {
                    #expect(
                        Self.text(market.flags.evaluate(name, in: context))
                            == Self.text(compiled.flags.evaluate(name, in: context)), "\(name) in \(context)")
                }
            }
        }
    }

    @Test func percentageInConditionIsCompiled() throws {
        let fixture = try MarketFixture(
            flags: false,
            [
                "zz.lua": """
                return { id = "zz", name = "Z", extends = "us",
                  conditions = { pilot = { rollout = { percent = 5, by = "installID" } } },
                  overlays = { { name = "pilot", when = "pilot", currency = "CAD" } },
                }
                """
            ])
        let bytes = try CompiledMarketWriter(try fixture.loader().load("zz")).market
        let keys = try #require(try StrictJSON(reading: bytes, limit: 1 << 20, numbers: .all).members).map(\.key)
        #expect(keys.contains("conditions") && !keys.contains("flags") && !keys.contains("layers"))
        let compiled = try CompiledMarkets(.platformInMemory, reading: { _ in bytes }).load("zz")
        let unit = try Self.unit("pilot", 0..<5000)
        #expect(try compiled.with(MarketContext(["installID": unit])).definition.currency == "CAD")
        #expect(compiled.definition.currency == "USD")
    }

    @Test(arguments: [
        (#""percent":10"#, #""like":"somebody","percent":10"#), (#""kind":"release""#, #""kind":"someday""#),
        (#""signedIn":true"#, #""phaseOfMoon":true"#), (#""percent":10"#, #""percent":1000"#),
    ])
    func unknownFormsAreRefused(found: String, replacement: String) throws {
        let market = try Self.loader().load("yy")
        let text = String(decoding: try CompiledMarketWriter(market).market, as: UTF8.self)
        #expect(text.contains(found))
        let other = Array(text.replacing(found, with: replacement).utf8)
        let error = #expect(throws: CompiledMarketError.self) {
            try CompiledMarkets(.platformInMemory, reading: { _ in other }).load("yy")
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("a later format than 4"), "\(String(describing: error))")
    }
}
