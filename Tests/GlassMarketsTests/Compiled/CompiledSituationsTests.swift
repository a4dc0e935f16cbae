import GlassBase
import GlassSchema
import Testing

@testable import GlassMarkets

/// Compiled markets whose values depend on the situation: reading, using, and refusing them.
@Suite(.timeLimit(.minutes(2)))
struct CompiledSituationsTests {
    static let build = #""build":{"pace":"build","type":"choice","values":["debug","beta","release"]}"#
    static let loyalty = #""loyaltyTier":{"own":true,"pace":"live","type":"choice","values":["none","gold"]}"#
    static let points = #"{"$vary":{"else":3,"first":[[0,7]]}}"#

    /// The text of a market for the module `base`.
    static func text(
        attributes: String = build, conditions: String = #"{"build":"debug"}"#, points: String = points,
        routables: String = "{}", more: String = "", schema: String = "4", digest: String? = nil
    ) -> String {
        let digest = digest ?? SchemaRecord(MarketSchema(.base)).digest
        return """
            {"attributes":{\(attributes)},"conditions":[\(conditions)],"currency":"USD","deepLinking":{"schemes":["t"]},\
            "id":"t","locales":["en-US","es-US"],"module":"base","name":"T",\(more)"points":{"perDollar":\(points)},\
            "routables":\(routables),"schema":\(schema),"schemaDigest":"\(digest)"}
            """
    }

    static func load(_ text: String) throws -> Market {
        try CompiledMarkets(.base, secrets: { "value of \($0)" }, reading: { _ in Array(text.utf8) }).load("t")
    }

    private func points(_ market: Market) -> Int { market[Points.self].perDollar }

    // MARK: Using

    @Test func marketFollowsSituation() throws {
        let market = try Self.load(
            Self.text(
                attributes: Self.build + "," + Self.loyalty,
                conditions: #"{"build":"debug","loyaltyTier":"gold"},{"loyaltyTier":"gold"}"#,
                points: #"{"$vary":{"else":3,"first":[[0,9],[1,7]]}}"#,
                routables: #"{"$vary":{"else":{},"first":[[1,{"flyers":{"paths":["gold"]}}]]}}"#))
        #expect(points(market) == 3 && market.routes.isEmpty)
        let gold = try market.with(MarketContext(["loyaltyTier": .text("gold")]))
        #expect(points(gold) == 7 && gold.routes.map { "\($0.pattern)" } == ["gold"])
        #expect(points(try gold.with(MarketContext(["build": .text("debug")]))) == 9)
        #expect(points(try market.with(MarketContext(["build": .text("debug")]))) == 3)
        #expect(throws: MarketContextError.self) { try market.with(MarketContext(["loyaltyTier": .boolean(true)])) }
        #expect(throws: MarketContextError.self) { try market.with(MarketContext(["shoeSize": .number(42)])) }
    }

    @Test func localeIsOneOfMarket() throws {
        let text = Self.text(
            attributes: #""locale":{"pace":"live","type":"locale"}"#, conditions: #"{"locale":"es"}"#)
        let market = try Self.load(text)
        var context = MarketContext()
        context.languages = ["es-MX"]
        #expect(points(market) == 3)
        #expect(points(try market.with(MarketContext(["locale": .text("es-US")]))) == 7)
        let store = MarketStore(CompiledMarkets(.base, reading: { _ in Array(text.utf8) }), context: context)
        store.reload("t")
        #expect(store.market("t").map(points) == 7)
    }

    @Test func nextChangeIsDateOfConditions() throws {
        let market = try Self.load(
            Self.text(
                attributes: #""date":{"pace":"live","type":"date"}"#,
                conditions: #"{"date":">= 2026-11-27T00:00:00Z < 2026-12-01T00:00:00Z"}"#))
        let situations = try #require(market.origin.situations)
        let dates = ["2026-11-01T00:00:00Z", "2026-11-28T00:00:00Z", "2026-12-02T00:00:00Z"].compactMap {
            ContextDate($0)
        }
        #expect(
            dates.map { situations.nextChange(after: $0)?.description } == [
                "2026-11-27T00:00:00Z", "2026-12-01T00:00:00Z", nil,
            ])
        #expect(try dates.map { points(try market.with(MarketContext(["date": .date($0)]))) } == [3, 7, 3])
    }

    @Test func marketCompilesToSameBytesAgain() throws {
        let text = Self.text(routables: #"{"flyers":{"$vary":{"first":[[0,{"paths":["f"]}]]}}}"#)
        let writer = try CompiledMarketWriter(try Self.load(text))
        #expect(writer.market == Array(text.utf8))
        // Also from another situation.
        let debug = try Self.load(text).with(MarketContext(["build": .text("debug")]))
        #expect(try CompiledMarketWriter(debug).market == writer.market)
    }

    /// A condition that only decides between equal values is not in the file, nor are alternatives that change nothing.
    @Test func whatChangesNothingIsOmitted() throws {
        let text = Self.text(
            conditions: #"{"build":"beta"},{"build":"debug"}"#,
            points: #"{"$vary":{"else":3,"first":[[0,3],[1,7]]}}"#)
        let writer = try CompiledMarketWriter(try Self.load(text))
        #expect(writer.market == Array(text.utf8))  // beta comes before debug, so it says something
        let situations = try #require(try Self.load(Self.text()).origin.situations)
        let same = VariedValue([
            .init(situations.deciding[0], ConfigurationNode(.integer(3))),
            .init(.always, ConfigurationNode(.integer(3))),
        ])
        #expect(try VariedFormWriter().json(of: same, at: "points") == .integer(.init(3)))
    }

    @Test func foreignSecretInAlternativeIsRefused() throws {
        let text = Self.text(points: #"{"$vary":{"else":3,"first":[[0,{"$secret":"OTHER_KEY"}]]}}"#)
        let check = try CompiledMarkets(.base, reading: { _ in Array(text.utf8) }).check("t")
        #expect(check.market == nil && check.findings.map(\.code).contains(.secretNotAllowed))
    }

    // MARK: Attributes of the app

    @Test func attributeThatAppDoesNotHaveIsRefused() throws {
        let text = Self.text(
            attributes: #""storeFormat":{"pace":"live","type":"text"}"#, conditions: #"{"storeFormat":"hyper"}"#)
        let check = try CompiledMarkets(.base, reading: { _ in Array(text.utf8) }).check("t")
        #expect(check.market == nil)
        #expect(
            check.findings.map(\.description) == [
                """
                t.json:1: error: attributes.storeFormat: the app has no such attribute [unknownAttribute]
                  hint: update the app, or compile the market with the version that the app has
                """
            ])
    }

    @Test func attributeOfAnotherTypeIsRefused() throws {
        let text = Self.text(
            attributes: #""build":{"pace":"build","type":"integer"}"#, conditions: #"{"build":7}"#)
        let check = try CompiledMarkets(.base, reading: { _ in Array(text.utf8) }).check("t")
        #expect(check.market == nil && check.findings.map(\.code) == [.wrongType])
    }

    // MARK: Invalid files

    struct Bad: Sendable, CustomTestStringConvertible {
        let text: String
        let said: String
        var testDescription: String { said }
    }

    private static let later =
        ", so the file needs a later format than 4: update the app, or compile the market with the version that the app has"

    static let bad: [Bad] = [
        Bad(
            text: text(attributes: #""x":{"pace":"live","type":"colour"}"#),
            said: "t.json: attributes.x.type: unknown type \"colour\"" + later),
        Bad(
            text: text(attributes: #""x":{"pace":"hourly","type":"text"}"#),
            said: "t.json: attributes.x.pace: unknown pace \"hourly\"" + later),
        Bad(
            text: text(conditions: #"{"build":{"like":"d"}}"#),
            said: "t.json: conditions[1].build.like: unknown test \"like\"" + later),
        Bad(
            text: text(conditions: #"{"rollout":10}"#),
            said: "t.json: conditions[1].rollout: expected a table with keys such as percent and by, got 10" + later),
        Bad(
            text: text(conditions: #"{"build":"nightly"}"#),
            said: "t.json: conditions[1].build: expected one of \"debug\", \"beta\", \"release\", got \"nightly\""
                + later),
        Bad(text: text(conditions: #""debug""#), said: "t.json: conditions[1]: unknown condition \"debug\"" + later),
        Bad(
            text: text(attributes: loyalty), said: "t.json: conditions[1].build: unknown attribute \"build\"" + later),
        Bad(
            text: text(attributes: ""),
            said: "t.json: attributes: expected an object with attributes: create it again"),
        Bad(
            text: text(conditions: ""), said: "t.json: conditions: expected a list of conditions: create it again"),
        Bad(
            text: text(conditions: "true"),
            said: "t.json: conditions[1]: the condition is not in its canonical form, or is out of order: "
                + "create it again"),
        Bad(
            text: text(conditions: #"{"build":["debug"]}"#),
            said: "t.json: conditions[1]: the condition is not in its canonical form, or is out of order: "
                + "create it again"),
        Bad(
            text: text(conditions: #"{"build":"debug"},{"build":"beta"}"#),
            said: "t.json: conditions[2]: the condition is not in its canonical form, or is out of order: "
                + "create it again"),
        Bad(
            text: text(conditions: #"{"build":"beta"},{"build":"debug"}"#),
            said: "t.json: conditions[2]: no value depends on the condition: create it again"),
        Bad(
            text: text(attributes: build + "," + loyalty),
            said: "t.json: attributes.loyaltyTier: no condition tests it: create it again"),
        Bad(
            text: text(attributes: #""build":{"pace":"build","personal":false,"type":"text"}"#),
            said: "t.json: attributes.build: the attribute is not in its canonical form: create it again"),
        Bad(
            text: text(points: #"{"$vary":{"else":3,"first":[]}}"#),
            said:
                "t.json: points.perDollar: a varied value must have a list of alternatives, and may have one other value: "
                + "create it again"),
        Bad(
            text: text(points: #"{"$vary":{"else":3,"first":[[0,7]],"last":1}}"#),
            said:
                "t.json: points.perDollar: a varied value must have a list of alternatives, and may have one other value: "
                + "create it again"),
        Bad(
            text: text(points: #"{"$vary":{"else":3,"first":[[1,7]]}}"#),
            said:
                "t.json: points.perDollar: an alternative must have a value and the number of a "
                + "condition that no other one has: create it again"),
        Bad(
            text: text(points: #"{"$vary":{"else":3,"first":[[0,7],[0,8]]}}"#),
            said:
                "t.json: points.perDollar: an alternative must have a value and the number of a "
                + "condition that no other one has: create it again"),
        Bad(
            text: text(points: #"{"$vary":{"else":3,"first":[[0,3]]}}"#),
            said: "t.json: points.perDollar: the last alternative has no effect: create it again"),
        Bad(
            text: text(points: #"{"$vary":{"first":[[0]]}}"#),
            said: "t.json: points.perDollar: the last alternative has no effect: create it again"),
        Bad(
            text: text(points: #"{"$vary":{"first":[[0,\#(points)]]}}"#),
            said: "t.json: points.perDollar[\"$vary\"][1]: an alternative cannot be a varied value itself: "
                + "create it again"),
        Bad(
            text: text(points: "[\(points)]"),
            said: "t.json: points.perDollar[1]: \"$vary\" is not a valid value form: create it again"),
        Bad(
            text: text(
                points: #"{"$vary":{"first":[\#((0...64).map { "[\($0),1]" }.joined(separator: ","))]}}"#),
            said: "t.json: points.perDollar: a value has 65 alternatives; the maximum is 64: create it again"),
        Bad(
            text: text(conditions: String(repeating: "1,", count: 4096) + "1"),
            said: "t.json: conditions: there are 4,097 conditions; the maximum is 4,096: create it again"),
        Bad(
            text: text(attributes: (0...64).map { "\"a\($0)\":1" }.joined(separator: ",")),
            said: "t.json: attributes: the conditions test 65 attributes; the maximum is 64: create it again"),
        Bad(
            text: text(
                conditions: String(repeating: #"{"no":"#, count: 20) + "true" + String(repeating: "}", count: 20)),
            said: "t.json: conditions[1]: the condition is not in its canonical form, or is out of order: "
                + "create it again"),
        Bad(
            text: text(conditions: #"{"any":[\#(Array(repeating: "true", count: 257).joined(separator: ","))]}"#),
            said: "t.json: conditions[1].any: expected at most 256 elements, got 257" + later),
        Bad(
            text: text().replacing(#""conditions":[{"build":"debug"}],"#, with: ""),
            said:
                "t.json: points.perDollar: an alternative must have a value and the number of a "
                + "condition that no other one has: create it again"),
    ]

    @Test(arguments: bad) func invalidFileIsReported(bad: Bad) {
        #expect { try CompiledMarket(reading: Array(bad.text.utf8), name: "t.json") } throws: { error in
            if "\(error)" != bad.said { print("got: \(error)") }
            return "\(error)" == bad.said
        }
    }

    /// Nothing traps, and no change of a byte makes another spelling of the same market.
    @Test func truncatedOrCorruptFilesNeverTrap() throws {
        let bytes = Array(
            Self.text(
                attributes: Self.build + #","date":{"pace":"live","type":"date"},"# + Self.loyalty,
                conditions:
                    #"{"any":[{"build":"debug"},{"loyaltyTier":"gold"}]},{"date":">= 2026-11-27T00:00:00Z"}"#,
                points: #"{"$vary":{"else":3,"first":[[1,7],[0,8]]}}"#
            ).utf8)
        _ = try CompiledMarket(reading: bytes, name: "t.json")
        for end in bytes.indices {
            #expect(throws: CompiledMarketError.self) {
                try CompiledMarket(reading: Array(bytes[..<end]), name: "t.json")
            }
        }
        func json(_ bytes: [UInt8]) throws -> StrictJSON {
            try StrictJSON(reading: bytes, limit: CompiledMarket.longest, numbers: .all)
        }
        var read = 0
        for index in bytes.indices {
            for byte in [bytes[index] ^ 1, bytes[index] ^ 0x20, 0x22, 0x2C, 0x30, 0x39, 0xFF] where byte != bytes[index]
            {
                let changed = Array(bytes[..<index]) + [byte] + bytes[(index + 1)...]
                do {
                    let markets = CompiledMarkets(.base, reading: { _ in changed })
                    guard let market = try markets.check("t").market else { continue }
                    read += 1
                    do {
                        _ = try market.with(MarketContext(["build": .text("debug")]))
                    } catch is MarketError {
                    } catch is MarketContextError {}
                    // Neither conditions nor varied values have another spelling.
                    let (one, other) = (
                        try json(changed), try json(CompiledMarketWriter(market).market)
                    )
                    for key in ["attributes", "conditions", "points"] {
                        #expect(one[key] == other[key], "\(String(decoding: changed, as: UTF8.self))")
                    }
                } catch is CompiledMarketError {}
            }
        }
        #expect(read > 0)
    }

    // MARK: Releases

    private func record(_ change: (String) -> String = { $0 }) throws -> SchemaRecord {
        let text = change(String(decoding: SchemaRecord(.base, version: "24.3").bytes, as: UTF8.self))
        return try SchemaRecord(reading: Array(text.utf8), file: "24.3.json")
    }

    @Test func releaseIsAskedAboutEachAlternative() throws {
        let text = Self.text(
            points: #"{"$vary":{"else":3,"first":[[0,11]]}}"#,
            routables: #"{"$vary":{"else":{},"first":[[0,{"deals":{"$vary":{"first":[[0,true]]}}}]]}}"#, digest: "newer"
        )
        let market = try CompiledMarket(reading: Array(text.utf8), name: "t.json")
        #expect(
            try record().findings(in: market).map { "\($0.severity) \($0.code) \($0.path)" } == [
                "error outOfRange points.perDollar", "error unknownRoutable routables.deals",
            ])
    }

    @Test func releaseWithoutAttributeIsReported() throws {
        let market = try CompiledMarket(reading: Array(Self.text().utf8), name: "t.json")
        #expect(try record().findings(in: market).isEmpty)
        #expect(
            try record { $0.replacing("\"build\",", with: "") }.findings(in: market).map { "\($0.code) \($0.path)" }
                == ["unknownAttribute attributes.build"])
    }
}
