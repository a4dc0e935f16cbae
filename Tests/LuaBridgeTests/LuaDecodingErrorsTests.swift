import LuaBridge
import Testing

private struct Retry: Decodable, Equatable {
    var maxRetries: Int
    var backoff: Double?
    var codes: [Int]
}

private struct Settings: Decodable, Equatable {
    enum Level: String, Decodable { case low, high }
    enum Sized: String, Decodable, CaseIterable { case small, large }
    var name: String
    var retry: Retry
    var level: Level?
    var size: Sized
    var urls: [String: String]
    var tiers: [Int: String]
    var nested: [[Bool]]
}

/// `decodeReportingAll` reports every error, and decodes valid values like `decode`.
@Suite(.timeLimit(.minutes(5)))
struct LuaDecodingErrorsTests {
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

    @Test func validValueDecodesLikeDecode() throws {
        let value = try run(
            """
            return { name = 'x', retry = { maxRetries = 3, codes = { 1, 2 } }, level = 'high', size = 'small',
              urls = { a = 'b' }, tiers = { [10] = 'ten' }, nested = { { true }, {} } }
            """)[0]
        let expected = Settings(
            name: "x", retry: Retry(maxRetries: 3, backoff: nil, codes: [1, 2]), level: .high, size: .small,
            urls: ["a": "b"], tiers: [10: "ten"], nested: [[true], []])
        #expect(try LuaDecoder().decodeReportingAll(Settings.self, from: value) == expected)
        #expect(try LuaDecoder().decode(Settings.self, from: value) == expected)
    }
}
