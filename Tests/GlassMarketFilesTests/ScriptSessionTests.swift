import Foundation
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import Testing

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
    ])
    func anInputGivesItsValues(input: String, values: [String]) {
        #expect(session.evaluate(input) == .values(values))
    }

    @Test(arguments: ["for i = 1, 2 do", "f(", "x = {", "1 +", "x = [[a", "--[[ a"])
    func anInputMayGoOn(input: String) {
        #expect(session.evaluate(input) == .incomplete)
    }

    @Test func aGlobalLivesOnAndALocalDoesNot() {
        #expect(session.evaluate("x = 5 local y = 6") == .values([]))
        #expect(session.evaluate("x") == .values(["5"]))
        guard case .failure(let failure) = session.evaluate("y") else { return #expect(Bool(false), "y is known") }
        #expect(failure.message == "undefined global 'y'")
    }

    @Test func aLongTableTakesSeveralLines() {
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
    func aWordIsCompleted(word: String, completions: [String]) {
        #expect(session.completions(of: word) == completions)
    }

    @Test func reloadingTakesWhatWasSavedUnlessItIsBroken() throws {
        let file = fixture.folder.appending(path: "ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try fixture.write(text.replacingOccurrences(of: "name = \"Canada\"", with: "name = \"Kanada\""), to: "ca.lua")
        #expect(session.evaluate("market.name") == .values(["\"Canada\""]))
        try session.reload()
        #expect(session.evaluate("market.name") == .values(["\"Kanada\""]))
        try fixture.write("return {", to: "ca.lua")
        #expect(throws: MarketError.self) { try session.reload() }
        #expect(session.evaluate("market.name") == .values(["\"Kanada\""]))
        #expect(throws: MarketFolderError.self) { try session.select("xx") }
        #expect(session.marketID == "ca")
    }
}
