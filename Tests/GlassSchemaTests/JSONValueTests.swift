import Foundation
@testable import GlassSchema
import Testing

struct JSONValueTests {
    private func written(_ value: ConfigurationValue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(JSONValue(value)), as: UTF8.self)
    }

    private func read(_ json: String) throws -> ConfigurationValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)).value
    }

    @Test(arguments: [
        "true", "7", "-2.5", "\"é\\\"\"", "[]", "[1,[true,\"a\"],{}]", "{\"a\":1,\"b\":{\"c\":[0.5]}}",
    ])
    func jsonValueRoundTrips(json: String) throws {
        #expect(try written(read(json)) == json)
    }

    @Test func nullIsOnlyAllowedAsAbsentMember() throws {
        #expect(try read("{\"a\":null,\"b\":1}") == .map(values: ["b": .integer(1)]))
        for json in ["null", "[1,null]", "{\"a\":[null]}"] {
            #expect(throws: DecodingError.self, "\(json)") { try read(json) }
        }
    }

    @Test func secretIsNotEncoded() throws {
        let secret = Secret(name: "KEY").resolved { _ in "hunter2" }
        #expect(try written(.map(values: ["key": .secret(secret)])) == "{\"key\":\"<secret KEY>\"}")
    }

    @Test func emptyTableIsEmptyList() throws {
        #expect(try written(.emptyTable) == "[]")
    }
}
