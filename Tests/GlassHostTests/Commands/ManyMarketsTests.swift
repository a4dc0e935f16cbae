import CommandTesting
import Foundation
import Testing

/// Commands over many large markets hold one at a time where possible, and otherwise limit the total.
@Suite(.timeLimit(.minutes(3)))
struct ManyMarketsTests {
    private let folder: TestFolder

    /// Thirty markets with 12 MB of Lua memory each.
    init() throws {
        folder = try TestFolder()
        let markets = try folder.smallMarkets()
        for number in 1...30 {
            let source = """
                local keep = {} for i = 1, 4 do keep[i] = ("x"):rep(3000000) end
                return { id = "m\(number)", name = "M", extends = "us",
                  deepLinking = { schemes = { "m\(number)" }, universalLinks = { "m\(number).walmart.com" } },
                  platform = { appInfo = { bundleIdentifier = "m.m\(number)", android = { package = "m.m\(number)" } } },
                  routables = { own = { paths = { "own" }, handle = function() return #keep > 0 end } } }
                """
            try Data(source.utf8).write(to: markets.appending(path: "m\(number).lua"))
        }
    }

    @Test(arguments: [["matrix"], ["diff"] + (1...30).map { "m\($0)" }])
    func marketsHeldTogetherAreLimited(arguments: [String]) throws {
        let run = try HostRun(arguments, folder: folder.url)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(
            run.errors == """
                loading markets takes more than 256 MB of memory: the markets are too large for \
                `\(arguments[0])`

                """)
        #expect(try HostRun(arguments.prefix(1) + ["us", "m1", "m2"], folder: folder.url).status == 0)
    }

    @Test func marketsProcessedInSequenceAreNotLimited() throws {
        let explained = try HostRun(["explain", "m7://own", "-m", "m1"], folder: folder.url)
        #expect(explained.status == 1, "\(explained.errors.suffix(300))")
        #expect(explained.output.hasSuffix("routed by: m7\n"))
        let exported = try HostRun(["export", "aasa", "--all", "--host", "www.walmart.com"], folder: folder.url)
        #expect(exported.status == 0, "\(exported.errors.suffix(300))")
        #expect(exported.output.contains("\"appIDs\""))
        let other = try HostRun(["diff", "--against", "markets"], folder: folder.url)
        #expect(other.status == 0, "\(other.errors.suffix(300))")
    }
}
