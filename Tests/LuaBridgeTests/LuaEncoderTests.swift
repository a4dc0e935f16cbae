import LuaBridge
import Testing

private struct Retry: Codable, Equatable {
    var maxRetries: Int
    var backoff: Double?
    var codes: [Int]
}

private struct Settings: Codable, Equatable {
    enum Level: String, Codable { case low, high }
    enum Sized: String, Codable, CaseIterable { case small, large }
    var name: String
    var retry: Retry
    var level: Level?
    var size: Sized
    var urls: [String: String]
    var tiers: [Int: String]
    var nested: [[Bool]]
}

private final class Animal: Encodable {
    func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: Key.self)
        try keyed.encode("cat", forKey: .kind)
        var list = keyed.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        var inner = list.nestedContainer(keyedBy: Key.self)
        try inner.encode(UInt8(2), forKey: .kind)
        var nested = keyed.nestedContainer(keyedBy: Key.self, forKey: .nested)
        try nested.encode(Float(0.5), forKey: .kind)
    }

    enum Key: CodingKey { case kind, list, nested }
}

@Suite(.timeLimit(.minutes(5)))
struct LuaEncoderTests {
    private static let settings = Settings(
        name: "x", retry: Retry(maxRetries: 3, backoff: nil, codes: [1, 2]), level: .high, size: .small,
        urls: ["a": "b"], tiers: [10: "ten"], nested: [[true], []])

    @Test func whatIsEncodedDecodesAgain() throws {
        let value = try LuaEncoder().encode(Self.settings)
        #expect(try LuaDecoder().decode(Settings.self, from: value) == Self.settings)
        #expect(value.tableValue?["retry"] == ["maxRetries": 3, "codes": [1, 2]])
        #expect(try LuaEncoder().encode([1: "a", 2: "b"]) == ["a", "b"])
        #expect(try LuaEncoder().encode("text") == "text")
    }

    @Test func encodedValuesGoThroughLua() throws {
        let value = try LuaEncoder().encode(Self.settings)
        let state = try LuaState(profile: .config, limits: .config)
        let back = try state.perform { lua in
            try lua.call(lua.load(LuaSource("return ...", chunkName: "echo")), [value])[0]
        }
        #expect(try LuaDecoder().decode(Settings.self, from: back) == Self.settings)
    }

    @Test func nestedContainersNest() throws {
        #expect(
            try LuaEncoder().encode(Animal()) == [
                "kind": "cat", "list": [1, ["kind": 2]], "nested": ["kind": 0.5],
            ])
    }

    @Test func whatLuaCannotHoldIsAnError() {
        do {
            _ = try LuaEncoder().encode(["big": [UInt64.max]])
            Issue.record("expected a failure")
        } catch {
            #expect("\(error)" == "big[1]: 18446744073709551615 is larger than the integers of Lua")
        }
        do {
            _ = try LuaEncoder().encode(["list": [1, nil, 3]])
            Issue.record("expected a failure")
        } catch {
            #expect("\(error)" == "list[2]: a list of Lua cannot hold nil")
        }
    }

    // MARK: - All errors at once

    @Test func allErrorsAreReported() throws {
        let text = """
            { name = 5, retry = { maxRetries = "3", backoff = "fast", codes = { 1, "x", 2.5 } }, level = "middle",
              size = "huge", urls = { a = true, b = "fine", c = 3 }, tiers = { [10] = {} }, nested = { { 1 }, 2 } }
            """
        let value = try run("return " + text)[0]
        do {
            _ = try LuaDecoder().decodeReportingAll(Settings.self, from: value)
            Issue.record("expected failures")
        } catch {
            #expect(
                error.errors.map { $0.keyPath ?? "" } == [
                    "name", "retry.maxRetries", "retry.backoff", "retry.codes[2]", "retry.codes[3]", "level", "size",
                    "urls.a", "urls.c", "tiers[10]", "nested[1][1]", "nested[2]",
                ])
            #expect(error.description.hasPrefix("name: expected a string, got 5\nretry.maxRetries: expected"))
        }
    }

    @Test func missingKeysAreAllReported() {
        do {
            _ = try LuaDecoder().decodeReportingAll(Settings.self, from: ["name": "x", "retry": [:]])
            Issue.record("expected failures")
        } catch {
            #expect(
                error.errors.map { $0.keyPath ?? "" } == [
                    "retry.maxRetries", "retry.codes", "size", "urls", "tiers", "nested",
                ])
        }
    }

    @Test func aRightValueDecodesAsBefore() throws {
        let value = try LuaEncoder().encode(Self.settings)
        #expect(try LuaDecoder().decodeReportingAll(Settings.self, from: value) == Self.settings)
    }
}
