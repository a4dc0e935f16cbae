import Foundation
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import Testing
import MarketTesting

@Suite(.timeLimit(.minutes(1)))
struct ScriptSessionTests {
    private let fixture: MarketFixture
    private let session: ScriptSession

    init() throws {
        fixture = try MarketFixture()
        session = try ScriptSession(markets: fixture.loader(), market: "ca") { _ in }
    }

    @Test(arguments: [
        ("1 + 1", ["2"]), ("x = 3", []), ("return 1, nil, 'a'", ["1", "nil", "\"a\""]), ("", []),
        ("market.config.currency", ["\"CAD\""]), ("{ 1, { a = 2 } }", ["{ 1, { a = 2 } }"]),
        ("us.id, ca.config.currency", ["\"us\"", "\"CAD\""]),
    ])
    func inputReturnsValues(input: String, values: [String]) {
        #expect(session.evaluate(input) == .values(values))
    }

    @Test(arguments: ["for i = 1, 2 do", "f(", "x = {", "1 +", "x = [[a", "--[[ a"])
    func inputMayContinue(input: String) {
        #expect(session.evaluate(input) == .incomplete)
    }

    @Test func globalPersistsAndLocalDoesNot() {
        #expect(session.evaluate("x = 5 local y = 6") == .values([]))
        #expect(session.evaluate("x") == .values(["5"]))
        guard case .failure(let failure) = session.evaluate("y") else { return #expect(Bool(false), "y is defined") }
        #expect(failure.message == "undefined global 'y'")
    }

    @Test func longTableIsPrintedOnSeveralLines() {
        guard case .values(let values) = session.evaluate("market.config.platform.networking") else {
            return #expect(Bool(false), "no value")
        }
        #expect(values.first?.contains("\n  defaultService = \"orchestra\",\n") == true)
    }

    @Test(arguments: [
        ("market.con", ["market.config", "market.container"]), ("mar", ["market"]), ("market:o", ["market:open"]),
        ("market.config.platform.net", ["market.config.platform.networking"]), ("glass.ex", ["glass.expect"]),
        ("market.config.nothing.x", []), ("os.exit().x", []), ("x y.z", []), ("string.form", ["string.format"]),
    ])
    func wordIsCompleted(word: String, completions: [String]) {
        #expect(session.completions(of: word) == completions)
    }

    @Test(arguments: [
        ("market.container:get(\"", "NetworkInf", ["NetworkInformationProvider"]),
        ("x = market.container:has('", "NetworkInf", ["NetworkInformationProvider"]),
        ("glass.market ( \"", "", ["ca", "mx", "us"]), ("glass.market(\"", "x", []),
        ("market:open(\"", "mar", ["market"]), ("", "mar", ["market"]),
    ])
    func stringIsCompletedByItsContext(line: String, word: String, completions: [String]) {
        #expect(session.completions(of: word, behind: line) == completions)
    }

    /// Inputs that equal their printed form.
    @Test(arguments: [
        "nil", "true", "-1", "9223372036854775807", "math.mininteger", "1.0", "-0.0", "0.1", "1e+300", "5e-324",
        "math.huge", "-math.huge", "\"\"", "\"a\\n\\r\\t\\\"\\\\\"", "\"\\u{0}\\u{1}1\\u{7f}\"", "\"é€😀\"",
        "\"\\u{202e}\\u{feff}\"", "\"\\255\\0001\"", "{}", "{ 1, 2, { 3 }, x = { y = {} } }",
        "{ [0] = 1, [2.5] = 2, [\"\"] = 3, [\"a b\"] = 4, [\"end\"] = 5, [true] = 6 }",
    ])
    func valueIsPrintedAsInput(text: String) {
        #expect(session.evaluate(text) == .values([text]))
    }

    @Test(arguments: [
        "market.config", "market.routes", "{ [1] = 1, [3] = 3, a = string.rep('x', 300) }",
        "(function() local t = {} for i = 1, 500 do t[i] = { i, tostring(i) } end return t end)()",
        "(function() local t = {} for i = 1, 40 do t = { t } end return t end)()",
    ])
    func printedValueRoundTrips(text: String) throws {
        guard case .values(let first) = session.evaluate(text) else { return #expect(Bool(false), "no value") }
        #expect(session.evaluate(try #require(first.first)) == .values(first))
    }

    @Test(arguments: [
        ("0/0", "0/0"), ("print", "nil --[[ a function ]]"), ("market", "nil --[[ an object: market ]]"),
        ("{ print }", "{ nil --[[ a function ]] }"), ("coroutine.create(print)", "nil --[[ a coroutine ]]"),
    ])
    func valueWithoutLuaSyntaxIsDescribed(text: String, printed: String) {
        #expect(session.evaluate(text) == .values([printed]))
    }

    @Test func cyclicTableIsDescribed() {
        #expect(session.evaluate("t = {} t.x = { t } return { y = t }").isValue(containing: "contains itself"))
        // As a function argument, it is still an error.
        guard case .failure = session.evaluate("glass.expect(t):toEqual(1)") else {
            return #expect(Bool(false), "no failure")
        }
    }

    @Test func interruptedInputDoesNotAffectNext() {
        #expect(!session.interrupt())
        let session = session
        #expect(session.evaluate("x = 7") == .values([]))
        let thread = Thread {
            while !session.interrupt() {}
        }
        thread.start()
        #expect(session.evaluate("while true do end") == .interrupted)
        #expect(session.evaluate("x") == .values(["7"]))
        #expect(!session.interrupt())
    }

    @Test func reloadUsesSavedFileUnlessInvalid() throws {
        let file = fixture.folder.appending(path: "ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try fixture.write(text.replacingOccurrences(of: "name = \"Canada\"", with: "name = \"Kanada\""), to: "ca.lua")
        #expect(session.evaluate("market.name") == .values(["\"Canada\""]))
        #expect(try session.reload().lines == ["~ name: \"Canada\" → \"Kanada\""])
        #expect(session.evaluate("market.name") == .values(["\"Kanada\""]))
        #expect(try session.reload().isEmpty)
        try fixture.write("return {", to: "ca.lua")
        #expect(throws: MarketError.self) { try session.reload() }
        #expect(session.evaluate("market.name") == .values(["\"Kanada\""]))
        #expect(throws: MarketFolderError.self) { try session.select("xx") }
        #expect(session.marketID == "ca")
    }
}

extension ScriptSession.Outcome {
    /// Whether there is one value, which contains the text.
    fileprivate func isValue(containing text: String) -> Bool {
        if case .values(let values) = self { values.count == 1 && values[0].contains(text) } else { false }
    }
}
