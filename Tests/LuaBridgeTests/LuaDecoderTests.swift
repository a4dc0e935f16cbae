import LuaBridge
import Testing

private struct Retry: Decodable, Equatable {
    var maxRetries: Int
    var backoff: Double?
    var codes: [Int]
}

private struct Settings: Decodable, Equatable {
    enum Level: String, Decodable { case low, high }
    var name: String
    var retry: Retry
    var levels: [Level]
    var urls: [String: String]
    var tiers: [Int: String]
}

@Suite(.timeLimit(.minutes(5)))
struct LuaDecoderTests {
    private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
        try LuaDecoder().decode(type, from: run("return " + text)[0])
    }

    @Test func structuresDecode() throws {
        let text = """
            { name = 'x', retry = { maxRetries = 3.0, codes = { 1, 2 } }, levels = { 'low', 'high' },
              urls = { a = 'b' }, tiers = { [10] = 'ten', [20] = 'twenty' } }
            """
        let expected = Settings(
            name: "x", retry: Retry(maxRetries: 3, backoff: nil, codes: [1, 2]), levels: [.low, .high],
            urls: ["a": "b"], tiers: [10: "ten", 20: "twenty"])
        #expect(try decode(Settings.self, text) == expected)
    }

    @Test func emptyTableDecodesAsListAndMap() throws {
        #expect(try decode([Int].self, "{}").isEmpty)
        #expect(try decode([String: Int].self, "{}").isEmpty)
    }

    @Test func numbersKeepTheirValues() throws {
        #expect(try decode(Int64.self, "math.mininteger") == .min)
        #expect(try decode(Double.self, "-0.0").sign == .minus)
        #expect(try decode(Int.self, "2^53") == 9_007_199_254_740_992)
        #expect(try decode(UInt8.self, "255") == 255)
    }

    static let failures: [(String, String)] = [
        ("{ maxRetries = '3', codes = {} }", "maxRetries: expected an integer, got \"3\""),
        (
            "{ maxRetries = 2^63, codes = {} }",
            "maxRetries: expected an integer from \(Int.min) to \(Int.max), got 9.223372036854776e+18"
        ),
        (
            "{ maxRetries = 1.5, codes = {} }",
            "maxRetries: expected an integer from \(Int.min) to \(Int.max), got 1.5"
        ),
        ("{ codes = {} }", "maxRetries: the key is missing"),
        ("{ maxRetries = 1, codes = { 1, 'x' } }", "codes[2]: expected an integer, got \"x\""),
        ("{ maxRetries = 1, codes = { 1, nil, 3 } }", "codes: expected a list, but [2] is missing and [3] is present"),
        ("{ maxRetries = 1, codes = { 1, x = 1 } }", "codes: expected a list, got a table with the key \"x\""),
        ("{ maxRetries = 1, codes = {}, backoff = 0/0 }", "backoff: expected a finite number, got "),
        ("{ maxRetries = 1, codes = {}, backoff = 1e309 }", "backoff: expected a finite number, got inf"),
        ("{ maxRetries = true, codes = {} }", "maxRetries: expected an integer, got true"),
        ("{ maxRetries = print, codes = {} }", "maxRetries: expected an integer, got a function"),
        ("{ maxRetries = 1, codes = 5 }", "codes: expected a list, got 5"),
        ("'hello'", "expected a table, got \"hello\""),
        ("{ [true] = 1 }", "a key must be a string or an integer, not a boolean"),
    ]

    @Test(arguments: failures)
    func failureNamesKeyPath(_ text: String, _ description: String) {
        do {
            _ = try decode(Retry.self, text)
            Issue.record("expected a failure")
        } catch {
            #expect("\(error)".hasPrefix(description))
        }
    }

    @Test func textMustBeUTF8() throws {
        do {
            _ = try decode([String: String].self, "{ label = '\\xff' }")
            Issue.record("expected a failure")
        } catch LuaError.notUTF8(let path, _) {
            #expect(path == "label")
        }
        #expect(throws: LuaError.self) { try decode([String: Int].self, "{ ['\\xff'] = 1 }") }
    }

    @Test func invalidEnumerationValueNamesKeyPath() throws {
        do {
            _ = try decode([String: Settings.Level].self, "{ level = 'huge' }")
            Issue.record("expected a failure")
        } catch LuaError.conversion(let path, _) {
            #expect(path == "level")
        }
    }
}
