import Foundation
import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassSchema
import Testing

@testable import GlassMarkets

/// Valid compiled markets, and how files that aren't valid are handled.
@Suite(.timeLimit(.minutes(2)))
struct CompiledMarketTests {
    /// The text of a market for the module `base`.
    static func text(
        _ more: String = "", id: String = "t", schema: String = "4", digest: String? = nil, routables: String = "{}"
    ) -> String {
        let digest = digest ?? SchemaRecord(MarketSchema(.base)).digest
        return """
            {"currency":"USD","deepLinking":{"schemes":["t"]},"id":"\(id)","locales":["en-US"],"module":"base","name":"T",\
            \(more)"routables":\(routables),"schema":\(schema),"schemaDigest":"\(digest)"}
            """
    }

    static func source(_ text: String, map: String? = nil) -> CompiledMarkets {
        CompiledMarkets(.base, secrets: { "value of \($0)" }, reading: { $0 == "t" ? Array(text.utf8) : nil })
    }

    private func check(_ text: String) throws -> MarketCheck { try Self.source(text).check("t") }

    private func texts(_ text: String) throws -> [String] { try check(text).findings.map(\.description) }

    // MARK: A market

    @Test func marketHasValuesServicesAndLinks() throws {
        let market = try Self.source(
            Self.text(
                #""points":{"perDollar":{"$number":"3.0"}},"#,
                routables: #"{"flyers":{"paths":["f"]},"own":{"paths":["own/:id"],"show":{"screen":"own"}}}"#)
        ).load("t")
        #expect(market.id == "t" && market[Points.self].perDollar == 3)
        #expect((market.container.get() as any Counter).perDollar == 3)
        market.preconditions.satisfyAll()
        #expect(market.open("t://f").outcome == .routed)
        #expect(market.open("t://own/7").navigation.screens.map(\.parameters) == [["id": "7"]])
        #expect(market.open("t://flyers").outcome == .unroutable(.noRoute))
    }

    /// An extension keeps a few services; a routable that needs another service gets no links.
    @Test func moduleWithFewerServicesLoadsSameMarket() throws {
        let module = MarketModule.base.overriding(routables: [CountingFlyers.self])
        let text = Self.text(digest: "another", routables: #"{"flyers":true}"#)
        let kept = try CompiledMarkets(module.keeping((any Unrelated).self), reading: { _ in Array(text.utf8) }).load(
            "t")
        #expect(kept.module.services.count == 1 && kept.routes.isEmpty)
        let market = try CompiledMarkets(module.keeping((any Counter).self), reading: { _ in Array(text.utf8) }).load(
            "t")
        market.preconditions.satisfyAll()
        #expect(market.open("t://count").navigation.screens.map(\.name) == ["count 2"])
    }

    @Test func readerReturnsHeaderOfFile() throws {
        let market = try CompiledMarket(reading: Array(Self.text().utf8), name: "4/t.json")
        #expect(market.id == "t" && market.module == "base" && market.name == "4/t.json")
        #expect(market.schemaDigest.utf8.count == 64 && market.digest.utf8.count == 64)
        #expect(market.source.node(at: "currency")?.position == SourcePosition(file: "4/t.json", line: 1))
        #expect(market.source.node(at: "schema") == nil)
    }

    // MARK: Invalid files

    struct Bad: Sendable, CustomTestStringConvertible {
        let text: String
        let said: String
        var testDescription: String { said }
    }

    private static func former(_ format: Int) -> String {
        "t.json has the format \(format), which was used before the first release; this version reads 4: "
            + "compile the market again"
    }

    static let bad: [Bad] = [
        Bad(text: "", said: "t.json:1:1: the JSON ends inside a value: create it again"),
        Bad(text: "<!doctype html>", said: "t.json:1:1: '<' where a value is expected: create it again"),
        Bad(text: "[]", said: "t.json: expected an object: create it again"),
        Bad(text: "{}", said: "t.json: schema: expected a format number of at least 1: create it again"),
        Bad(text: text(schema: "0"), said: "t.json: schema: expected a format number of at least 1: create it again"),
        Bad(
            text: text(schema: "1.0"), said: "t.json: schema: expected a format number of at least 1: create it again"),
        Bad(
            text: text(schema: "5"),
            said:
                "t.json has the format 5, but this version reads 4: update the app, or compile the "
                + "market with the version that the app has"),
        Bad(text: text(schema: "1"), said: former(1)), Bad(text: text(schema: "2"), said: former(2)),
        Bad(text: text(schema: "3"), said: former(3)),
        Bad(
            text: text(id: "../t"),
            said: "t.json: id: expected an id of lowercase letters, digits, and hyphens, such as \"ca\", got \"../t\": "
                + "create it again"),
        Bad(text: #"{"schema":4}"#, said: "t.json: id: expected a string: create it again"),
        Bad(text: text(#""points":null,"#), said: "t.json: points: null is not allowed: create it again"),
        Bad(
            text: text(#""points":{"perDollar":3.0},"#),
            said:
                "t.json: points.perDollar: a number without a fraction must be written as {\"$number\":\"3.0\"}: "
                + "create it again"),
        Bad(
            text: text(#""points":{"perDollar":12345678901234567890},"#),
            said: "t.json: points.perDollar: the integer 12345678901234567890 has more than 64 bits: create it again"
        ),
        Bad(
            text: text(#""points":{"perDollar":{"$number":"3"}},"#),
            said:
                "t.json: points.perDollar: \"3\" is not the spelling of a number without a fraction: create it again"
        ),
        Bad(
            text: text(#""points":{"perDollar":{"$number":"inf"}},"#),
            said: "t.json: points.perDollar: \"inf\" is not the spelling of a number without a fraction: "
                + "create it again"),
        Bad(
            text: text(#""points":{"$secret":""},"#),
            said: "t.json: points: \"\" is not a valid name of a secret: create it again"),
        Bad(
            text: text(#""points":{"$secret":7},"#),
            said: "t.json: points: \"$secret\" is not a valid value form: create it again"),
        Bad(
            text: text(#""points":{"$table":{"a":1}},"#),
            said: "t.json: points: \"$table\" is not a valid value form: create it again"),
        Bad(
            text: text(#""points":{"$opaque":"a function"},"#),
            said: "t.json: points: \"$opaque\" is not a valid value form: create it again"),
        Bad(
            text: text(#""points":{"$vary":[]},"#),
            said: "t.json: points: \"$vary\" is not a valid value form: create it again"),
        Bad(
            text: text(#""points":{"$secret":"A","perDollar":1},"#),
            said: "t.json: points: \"$secret\" is not a valid value form: create it again"),
        Bad(
            text: text("\"points\":{\"\u{E9}\":1,\"e\u{301}\":2},"),
            said: "t.json: points: two keys are equal to \"\u{E9}\": create it again"),
        Bad(
            text: text("\"points\":{\"\(String(repeating: "k", count: 257))\":1},"),
            said: "t.json: points: a key has 257 bytes; the maximum is 256: create it again"),
        Bad(
            text: text("\"points\":[\(String(repeating: "0,", count: 10_000))0],"),
            said: "t.json: points: a list has 10,001 elements; the maximum is 10,000: create it again"),
        Bad(
            text: text("\"points\":{\((0...10_000).map { "\"k\($0)\":0" }.joined(separator: ","))},"),
            said: "t.json: points: a table has 10,001 keys; the maximum is 10,000: create it again"),
        Bad(
            text: String(repeating: " ", count: CompiledMarket.longest + 1),
            said: "t.json has more than 1,048,576 bytes, which is the maximum for a compiled market: create it again"),
    ]

    @Test(arguments: bad) func invalidFileIsReported(bad: Bad) {
        #expect { try CompiledMarket(reading: Array(bad.text.utf8), name: "t.json") } throws: { "\($0)" == bad.said }
    }

    @Test(arguments: [
        (String(repeating: "[", count: 200_000), "more than 32 nested arrays and objects"),
        (String(repeating: #"{"a":"#, count: 200_000), "more than 32 nested arrays and objects"),
        (#"{"schema":1,"schema":1}"#, #"a duplicate member "schema""#),
        (#"{"schema":1}{}"#, "there is content after the JSON value"),
        (#"{"schema":1,"id":"\ud800"}"#, "half of a surrogate pair"),
    ]) func invalidJSONIsReportedWithPosition(text: String, said: String) {
        #expect {
            try CompiledMarket(reading: Array(text.utf8), name: "t.json")
        } throws: { error in
            guard case CompiledMarketError.malformed("t.json", line: 1, _, let problem) = error else { return false }
            return problem == said
        }
    }

    /// More values than any market has, in a file of permitted size.
    @Test func endlessListsAreRejected() {
        let lists = (0..<20).map { _ in "[\(String(repeating: "0,", count: 9_998))0]" }.joined(separator: ",")
        #expect {
            try CompiledMarket(reading: Array(Self.text("\"points\":[\(lists)],").utf8), name: "t.json")
        } throws: { "\($0)".contains("the market has more than 160,000 values") }
    }

    @Test func truncatedOrCorruptFilesNeverTrap() throws {
        let bytes = Array(
            Self.text(
                #""points":{"perDollar":{"$number":"3.0"}},"#,
                routables: #"{"flyers":true,"own":{"paths":["own/:id"],"show":{"screen":"own"}}}"#
            ).utf8)
        for end in bytes.indices {
            #expect(throws: CompiledMarketError.self) {
                try CompiledMarket(reading: Array(bytes[..<end]), name: "t.json")
            }
        }
        var read = 0
        for index in bytes.indices {
            for byte in [bytes[index] ^ 1, bytes[index] ^ 0x20, 0, 0x22, 0xFF] {
                let changed = Array(bytes[..<index]) + [byte] + bytes[(index + 1)...]
                do {
                    _ = try CompiledMarkets(.base, reading: { _ in changed }).check("t")
                    read += 1
                } catch is CompiledMarketError {}
            }
        }
        #expect(read > 0)
    }

    // MARK: Findings

    @Test func invalidValuesAreFindings() throws {
        #expect(
            try texts(Self.text(#""points":{"perDollar":11},"#)) == [
                "t.json:1: error: points.perDollar: expected an integer from 0 to 10, got 11 [outOfRange]"
            ])
        #expect(
            try texts(Self.text(routables: #"{"flyer":true}"#)).first?.contains("the app does not define it")
                == true)
        let other = try check(Self.text(id: "u"))
        #expect(other.market == nil && other.id == "t")
        #expect(
            other.findings.map(\.description) == [
                """
                t.json:1: error: id: the file of market "t" has the id "u" [idMismatch]
                  hint: recompile it, or restore the file name
                """
            ])
    }

    @Test func unknownKeyIsErrorForCompilersOwnApp() throws {
        let check = try check(Self.text(#""points":{"perEuro":1},"#))
        #expect(check.market == nil)
        #expect(check.findings.map(\.code) == [.unknownKey] && check.findings.hasErrors)
    }

    @Test func unknownKeyFromNewerCompilerIsWarning() throws {
        let check = try check(
            Self.text(#""points":{"perDollar":4,"perEuro":1},"searching":{"index":"a"},"#, digest: "newer"))
        let market = try #require(check.market)
        #expect(market[Points.self].perDollar == 4)
        #expect(
            check.findings.map { "\($0.severity) \($0.code) \($0.path)" } == [
                "warning unknownKey points.perEuro", "warning unknownKey searching",
            ])
        #expect(market.effective.node(at: "points.perEuro") == nil)
    }

    /// These keys change the meaning of other keys, so an app that doesn't know them must not load the market.
    @Test(arguments: ["overlays", "vary"])
    func reservedKeyIsAlwaysError(key: String) throws {
        #expect(try check(Self.text("\"\(key)\":{},", digest: "newer")).market == nil)
    }

    /// A market without them has no such keys, so that it has one spelling.
    @Test(arguments: [
        ("attributes", "expected an object with attributes"), ("conditions", "expected a list of conditions"),
        ("flags", "there are no flags"), ("layers", "there are no flags"),
    ])
    func emptySectionIsRefused(key: String, said: String) {
        #expect {
            try check(Self.text("\"\(key)\":{},"))
        } throws: {
            "\($0)" == "t.json: \(key): \(said): create it again"
        }
    }

    @Test func otherFindingsFromNewerCompilerStayErrors() throws {
        let check = try check(Self.text(#""points":{"perDollar":"3","perEuro":1},"#, digest: "newer"))
        #expect(check.market == nil)
        #expect(Set(check.findings.map(\.code)) == [.unknownKey, .wrongType])
    }

    // MARK: The map

    private func map(_ market: [UInt8], keys: String, digest: String? = nil) -> [UInt8] {
        Array(
            #"{"keys":{\#(keys)},"market":"\#(digest ?? CompiledMarket.digest(of: market))","removed":{},"schema":4}"#
                .utf8)
    }

    @Test func findingsHavePositionsFromMap() throws {
        let market = Array(Self.text(#""points":{"perDollar":11},"#).utf8)
        let map = map(
            market,
            keys: #""points.perDollar":{"at":"ca.lua:3:14","beat":[{"at":"us.lua:9:0","value":4}],"key":"ca.lua:3:1"}"#)
        let compiled = try CompiledMarket(reading: market, name: "t.json", map: (map, "t.map.json"))
        #expect(
            Self.source("").check(compiled).findings.map(\.description) == [
                "ca.lua:3:14: error: points.perDollar: expected an integer from 0 to 10, got 11 [outOfRange]"
            ])
        let node = try #require(compiled.source.node(at: "points.perDollar"))
        #expect(node.overridden == [.init(value: .integer(4), position: SourcePosition(file: "us.lua", line: 9))])
    }

    @Test func unusableMapIsWarning() throws {
        let market = Array(Self.text().utf8)
        for (map, said) in [
            (map(market, keys: "", digest: "another"), "t.map.json is the map of another version of this market"),
            (Array("{".utf8), "t.map.json:1:2: the JSON ends inside a value: create it again"),
            (
                map(market, keys: #""id":{"at":7}"#),
                "t.map.json: a position must be written as FILE:LINE:COLUMN: create it again"
            ),
            (
                map(market, keys: #""id":{"at":"a:b"}"#),
                "t.map.json: a position must be written as FILE:LINE:COLUMN: create it again"
            ),
        ] {
            let check = Self.source("").check(
                try CompiledMarket(reading: market, name: "t.json", map: (map, "t.map.json")))
            #expect(check.market != nil)
            #expect(check.findings.map { "\($0.severity) \($0.message)" } == ["warning \(said)"])
        }
    }
}

/// Resolves a service during initialization.
private struct CountingFlyers: MarketRoutable {
    static let feature = Feature(id: "flyers", paths: ["count"], "Counts.")
    static let requires: [Any.Type] = [(any Counter).self]
    let counter: any Counter
    init(container: Container, configuration: NoConfiguration) { counter = container.get() }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.show("count \(counter.perDollar)")
        return true
    }
}
