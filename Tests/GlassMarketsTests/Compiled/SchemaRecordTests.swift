import GlassBase
import GlassSchema
import Testing

@testable import GlassMarkets

/// A record of the schema that a release reads, and the findings for markets that it could not read.
@Suite struct SchemaRecordTests {
    private func record() throws -> SchemaRecord {
        try SchemaRecord(reading: SchemaRecord(.base, version: "24.3").bytes, file: "24.3.json")
    }

    @Test func recordRoundTrips() throws {
        let record = try record()
        #expect(record.json == SchemaRecord(.base, version: "24.3").json)
        #expect(record.version == "24.3" && record.module == "base" && record.format == CompiledMarket.format)
        #expect(record.routables == ["flyers"] && record.handlers == ["openBadge"] && record.preconditions == ["ready"])
    }

    @Test func digestCoversDeclarations() throws {
        let digest = SchemaRecord(.base, version: "1").digest
        #expect(digest == SchemaRecord(.base, version: "2").digest && digest == MarketSchema(.base).digest)
        #expect(try record().digest == digest)
        #expect(MarketSchema(MarketModule("base")).digest != digest)
    }

    @Test(
        arguments: [
            ("", "", []),
            (#""points":{"perDollar":11},"#, "", ["error outOfRange points.perDollar"]),
            (#""points":{"perEuro":1},"#, "", ["warning unknownKey points.perEuro"]),
            (#""vary":{},"#, "", ["error unknownKey vary"]),
            ("", #""deals":true"#, ["error unknownRoutable routables.deals"]),
            ("", #""deals":false"#, []),
            ("", #""deals":{"paths":["d"],"show":{"screen":"d"}}"#, []),
            ("", #""deals":{"paths":["d"],"handler":"openBadge"}"#, []),
            ("", #""deals":{"paths":["d"],"handler":"openMap"}"#, ["error unknownHandler routables.deals.handler"]),
            (
                "", #""flyers":{"waitForPreconditions":["ready","grown"]}"#,
                ["error unknownPrecondition routables.flyers.waitForPreconditions[2]"]
            ),
        ] as [(String, String, [String])])
    func marketUnreadableForReleaseIsReported(section: String, routable: String, said: [String]) throws {
        let text = CompiledMarketTests.text(section, digest: "newer", routables: "{\(routable)}")
        let market = try CompiledMarket(reading: Array(text.utf8), name: "t.json")
        let findings = try record().findings(in: market)
        #expect(findings.map { "\($0.severity) \($0.code) \($0.path)" } == said)
    }

    /// A release reads one format, so it refuses each other one, whatever the market contains.
    @Test(arguments: [1, 3, 5]) func releaseWithAnotherFormatIsReported(format: Int) throws {
        let text = String(decoding: SchemaRecord(.base, version: "24.3").bytes, as: UTF8.self)
            .replacing("\"schema\":4", with: "\"schema\":\(format)")
        let record = try SchemaRecord(reading: Array(text.utf8), file: "24.3.json")
        let market = try CompiledMarket(
            reading: Array(CompiledMarketTests.text(#""points":{"perDollar":11},"#).utf8), name: "t.json")
        #expect(
            try record.findings(in: market).map { "\($0.severity) \($0.path): \($0.message)" }
                == ["error schema: the release reads format \(format), but the market has format 4"])
        #expect(record.digest == SchemaRecord(.base, version: "1").digest || format < 4)
    }

    @Test(arguments: [
        ("{}", "r.json: schema: expected a format number of at least 1: create it again"),
        (#"{"schema":1}"#, "r.json: module: expected a string: create it again"),
        (
            #"{"handlers":[],"keys":{"keys":{}},"module":"m","preconditions":[],"routables":[],"schema":4,"secretPrefixes":[],"version":"1"}"#,
            "r.json: attributes: expected a list of names: create it again"
        ),
        (
            #"{"attributes":[],"handlers":[],"keys":{"keys":{"a":{"kind":"list"}}},"module":"m","preconditions":[],"routables":[],"schema":4,"secretPrefixes":[],"version":"1"}"#,
            "r.json: keys.a: expected a type: create it again"
        ),
        (
            #"{"attributes":[],"handlers":[],"keys":{"keys":{"a":{"formerly":["b"],"kind":"scalar"},"b":{"kind":"scalar"}}},"module":"m","preconditions":[],"routables":[],"schema":4,"secretPrefixes":[],"version":"1"}"#,
            "r.json: keys.b: the name \"b\" appears twice: create it again"
        ),
        (
            #"{"attributes":[],"handlers":[],"keys":{"keys":{"a":{"kind":"integer","least":2,"most":1}}},"module":"m","preconditions":[],"routables":[],"schema":4,"secretPrefixes":[],"version":"1"}"#,
            "r.json: keys.a: a range ends before it begins: create it again"
        ),
    ]) func invalidRecordIsReported(text: String, said: String) {
        #expect { try SchemaRecord(reading: Array(text.utf8), file: "r.json") } throws: { "\($0)" == said }
    }
}
