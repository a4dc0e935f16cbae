import GlassBase
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge
import TestSupport
import Testing

@testable import GlassMarketFiles
import MarketTesting
@testable import GlassAuthoring

/// The default time limits suffice, in a debug build as in a release.
@Suite(.timeLimit(.minutes(10)))
struct UsualLimitTests {
    /// The text of a market of maximum size that extends the United States and repeats one entry as often as possible.
    private static func largest(
        _ id: String, of base: String = "us", _ start: String, _ end: String, _ line: (Int) -> String
    ) -> String {
        let size = LuaLimits.config.sourceSize
        var text = "return { id = \"\(id)\", name = \"Large\", extends = \"\(base)\",\n\(start)\n"
        for number in 0... {
            let next = line(number)
            guard text.utf8.count + next.utf8.count + end.utf8.count + 2 <= size else { break }
            text += next
        }
        text += "\(end)}"
        return text + String(repeating: "\n", count: size - text.utf8.count)
    }

    @Test(arguments: ["values", "routables", "numbers"])
    func marketOfMaximumSizeIsValid(kind: String) throws {
        let source =
            switch kind {
            case "values":
                Self.largest("xx", "platform = { aniviaSuperAttributes = { attributes = {", "} } }") { "k\($0)=\"v\"," }
            case "routables":
                Self.largest("xx", "routables = {", "}") {
                    "r\($0) = { paths = { \"p\($0)\", \"q\($0)/:id\" }, show = { screen = \"s\" } },\n"
                }
            default:
                Self.largest("xx", "platform = { networking = { headers = {", "} } }") { "[\"H\($0)\"]=\"1\"," }
            }
        #expect(source.utf8.count == 65_536)
        let loader = try MarketFixture(["xx.lua": source]).loader()
        let check = try loader.check("xx")
        #expect(check.market != nil, "\(check.findings.filter { $0.severity == .error }.prefix(3))")
        // None of the additional checks is skipped for lack of time either.
        var bases = BaseComparison(by: loader)
        #expect(try bases.findings(of: check).filter { $0.code == .limit }.isEmpty)
        #expect(check.findings.filter { $0.code == .limit }.isEmpty)
    }

    /// Only their Lua code counts toward the limit of Lua, not the conversion of what it returns.
    @Test func chainOfMaximumSizeMarketsIsValid() throws {
        var files: [String: String] = [:]
        for number in 1...5 {
            files["x\(number).lua"] = Self.largest(
                "x\(number)", of: number == 1 ? "us" : "x\(number - 1)",
                "platform = { aniviaSuperAttributes = { attributes = {", "} } }"
            ) { "k\(number)_\($0)=\"v\"," }
        }
        let check = try MarketFixture(files).loader().check("x5")
        #expect(check.market != nil, "\(check.findings.filter { $0.severity == .error }.prefix(3))")
    }

    @Test func marketWith198DependentsIsValid() throws {
        var files: [String: String] = [:]
        for number in 0..<198 {
            files["m\(number).lua"] = """
                return { id = "m\(number)", name = "Market \(number)", extends = "us",
                  platform = { networking = { retry = { maxRetries = \(number % 10) } } } }
                """
        }
        let loader = try MarketFixture(files).loader()
        var bases = BaseComparison(by: loader)
        let dependents = files.keys.map { String($0.dropLast(4)) }.sorted()
        for id in ["us"] + someRows(of: dependents, kind: { _ in 0 }) {
            let check = try loader.check(id)
            #expect(check.market != nil, "\(check.findings)")
            #expect(try bases.findings(of: check).isEmpty)
        }
    }

    @Test func limitNamedByUserIsNotScaled() {
        #expect(LuaLimits.config.cpuTime == .milliseconds(200) * BuildSpeed.slowdownOfLua)
        #expect(LuaLimits.script.cpuTime == .seconds(30) * BuildSpeed.slowdownOfLua)
        #expect(PolicyRun.limits.cpuTime == .milliseconds(500) * BuildSpeed.slowdownOfLua)
        #expect(ScriptRunner.limits(seconds: 1, megabytes: 64).cpuTime == .seconds(1))
    }
}
