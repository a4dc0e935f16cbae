import CommandTesting
import Foundation
import Testing
import TestSupport

/// A command has one limit for all markets, in counted steps: what does not fit is named, in the same way in every run.
@Suite(.timeLimit(.minutes(5)))
struct CommandLimitTests {
    private let folder: TestFolder
    private let markets: URL

    init() throws {
        folder = try TestFolder()
        markets = try folder.smallMarkets()
        for number in 1...6 { try write("m\(number)") }
    }

    private func write(_ id: String, _ more: String = "", in folder: URL? = nil) throws {
        let source = """
            return { id = "\(id)", name = "M", extends = "us",
              deepLinking = { schemes = { "\(id)" }, universalLinks = { "\(id).walmart.com" } },
              platform = { appInfo = { bundleIdentifier = "m.\(id)", android = { package = "m.\(id)" } } }, \(more) }
            """
        try Data(source.utf8).write(to: (folder ?? markets).appending(path: "\(id).lua"))
    }

    private func run(_ arguments: String...) throws -> HostRun { try HostRun(arguments, folder: folder.url) }

    /// Markets that compare sets of situations for some 200 ms each, in 370 bytes.
    private func writeExpensiveMarkets(_ ids: [String]) throws {
        for id in ids {
            let source = """
                local A = {} for i = 1, 32 do A["x" .. i] = { type = "boolean" } end
                local o = {} for i = 1, 64 do
                  local h, w = {}, {}
                  for k = 1, 100 do h["h" .. k] = "v" .. i end
                  for j = 1, 8 do w["x" .. ((i * j) % 32 + 1)] = i % 2 == 0 end
                  o[i] = { name = "o" .. i, when = w, platform = { networking = { headers = h } } }
                end
                return market { id = "\(id)", name = "Z", extends = "us", attributes = A,
                  deepLinking = { schemes = { "\(id)" } }, overlays = o }
                """
            try Data(source.utf8).write(to: markets.appending(path: "\(id).lua"))
        }
    }

    @Test func marketsThatDoNotFitAreNamed() throws {
        let some = try run("check", "--max-steps", "20000")
        #expect(some.status == 2)
        #expect(
            some.errors.contains(
                "m2, m3, m4, m5, m6, and us were not checked, because the markets before them used up the command's limit of "
                    + "20,000 steps; raise the limit, for example with --max-steps 36020000\n"), "\(some.errors)")
        #expect(try run("check", "--max-steps", "20000").errors == some.errors)
        let json = try run("check", "--max-steps", "20000", "--format", "json")
        #expect(json.status == 2)
        #expect(try json.json()["unchecked"] as? [String] == ["m2", "m3", "m4", "m5", "m6", "us"])
        let all = try run("check", "--max-steps", "36020000")
        #expect(all.status == 0, "\(all.errors)")
        #expect(try run("check").output == all.output)
    }

    @Test func compileWritesNothingUnlessAllFit() throws {
        let some = try run("compile", "--to", "out", "--max-steps", "20000")
        #expect(some.status == 2)
        #expect(some.errors.contains("were not checked"), "\(some.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "out").path))
        #expect(try run("compile", "--to", "out").status == 0)
    }

    @Test(arguments: [
        ["matrix"], ["flags"], ["schema", "swift"], ["export", "aasa", "--all", "--host", "www.walmart.com"],
        ["diff", "m1", "m2", "m3", "m4", "m5", "m6"], ["diff", "--against", "markets"],
    ])
    func resultsOfAllMarketsNeedEach(arguments: [String]) throws {
        let some = try HostRun(arguments + ["--max-steps", "20000"], folder: folder.url)
        #expect(some.status == 2)
        #expect(some.output == "")
        #expect(some.errors.contains("--max-steps"), "\(some.errors)")
        #expect(try HostRun(arguments, folder: folder.url).status != 2)
    }

    @Test func pagesSayWhichMarketsAreMissing() throws {
        let some = try run("inspect", "--as", "html", "--to", "pages", "--max-steps", "20000")
        #expect(some.status == 2)
        #expect(some.errors.contains("these markets are broken: "), "\(some.errors)")
        let index = try String(contentsOf: folder.url.appending(path: "pages/index.html"), encoding: .utf8)
        #expect(index.contains("s limit of 20,000 steps"), "\(index)")
    }

    @Test func reviewNamesMarketsThatDoNotFit() throws {
        try GitFixture(in: folder.url).commit()
        for number in 1...6 { try write("m\(number)", "locales = { \"en-US\", \"es-US\" }") }
        let some = try run("review", "HEAD", "--max-steps", "30000")
        #expect(some.status == 2)
        #expect(some.errors.contains("m3, m4, m5, m6, and us were not loaded"), "\(some.errors)")
        #expect(try run("review", "HEAD").status != 2)
    }

    // MARK: Markets that were not asked for

    @Test func namedMarketIsNotPaidForByOthers() throws {
        try writeExpensiveMarkets(["a1", "a2", "a3"])
        let named = try run("check", "us")
        #expect(named.status == 0, "\(named.errors)")
        #expect(named.output.contains("the named markets were not compared with "), "\(named.output)")
        #expect(try run("check", "us", "--strict").status == 2)
        let opened = try run("open", "us://nothing", "-m", "us")
        #expect(opened.status == 1, "\(opened.errors)")
        #expect(
            opened.errors
                == "note: the link was tried in only 1 of 9 other markets; to try it in another one, name that market with -m\n",
            "\(opened.errors)")
    }

    /// The market that a link belongs to is asked, however much the search for it took.
    @Test func expensiveMarketsLeaveEnoughForTheChosenOne() throws {
        try writeExpensiveMarkets((1...6).map { "z\($0)" })
        let chosen = try run("explain", "m2://nothing")
        #expect(chosen.status == 1, "\(chosen.errors)")
        #expect(chosen.errors.contains("z4, z5, and z6 were not loaded"), "\(chosen.errors)")
        let none = try run("open", "nosuch://nothing")
        #expect(none.status == 2)
        #expect(none.errors.hasPrefix("none of the loaded markets has the scheme \"nosuch\", and "), "\(none.errors)")
    }

    /// Lua has a limit of time, so a loop runs as many instructions as the machine can. It is still one market.
    @Test func endlessLoopTakesNoMoreThanItsShare() throws {
        try Data("while true do end".utf8).write(to: markets.appending(path: "a1.lua"))
        let checked = try run("check", "--format", "json")
        #expect(checked.status == 1, "\(checked.errors)")
        #expect(try checked.json()["unchecked"] as? [String] == [])
        #expect(try run("explain", "m6://nothing").errors == "")
    }

    /// What several threads share costs each market the same, whichever comes first.
    @Test func sharedFilesCostTheSameInEachRun() throws {
        let some = try run("check", "--max-steps", "40000", "--format", "json")
        for _ in 0..<5 {
            #expect(try run("check", "--max-steps", "40000", "--format", "json").output.contains("\"unchecked\""))
            #expect(
                try run("check", "--max-steps", "40000", "--format", "json").json()["unchecked"] as? [String]
                    == some.json()["unchecked"] as? [String])
        }
    }

    /// A comparison that does not fit is no comparison without findings.
    @Test func baseThatDoesNotFitIsNamed() throws {
        try write("zz")
        let all = try run("check", "zz", "--format", "json")
        #expect(all.status == 0, "\(all.output)")
        // The market's own load fits, and its base does not.
        let some = try run("check", "zz", "--max-steps", "7000", "--format", "json")
        #expect(some.status == 2)
        #expect(try some.json()["unchecked"] as? [String] == ["zz"], "\(some.output)")
    }

    /// A file with another version of a market says nothing about the folder's one.
    @Test func namedFileIsNoBaseOfTheFolder() throws {
        #expect(try run("compile", "us", "--to", "old").status == 0)
        let file = markets.appending(path: "us.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        let promo = "home = {}, promo = { paths = { \"promo/:id\" }, show = { screen = \"promo\" } },"
        try Data(text.replacing("home = {},", with: promo).utf8).write(to: file)
        try write(
            "zz",
            "routables = { promo = false, other = { paths = { \"promo/:id\" }, show = { screen = \"other\" } } }")
        for arguments in [["zz"], ["old/4/us.json", "zz"]] {
            let run = try HostRun(["check"] + arguments + ["--format", "json"], folder: folder.url)
            let findings = try #require(try run.json()["findings"] as? [[String: Any]], "\(run.errors)")
            #expect(findings.contains { $0["code"] as? String == "routeMoved" }, "\(arguments): \(run.output)")
        }
    }

    /// A situation is not judged by the markets that happened to fit.
    @Test func attributesOfUnreadMarketsAreNotUnknown() throws {
        try write("zz", "attributes = { loyalty = { type = \"boolean\" } }")
        let run = try run("watch", "--context", "loyalty=true", "--max-steps", "20000")
        #expect(run.status == 2, "\(run.errors)")
        #expect(run.errors.contains("were not loaded") && !run.errors.contains("no attribute"), "\(run.errors)")
    }

    @Test func limitIsAPositiveNumber() throws {
        let run = try run("check", "--max-steps", "0")
        #expect(run.status == 64)
        #expect(run.errors.contains("--max-steps takes a positive number, got 0"), "\(run.errors)")
    }
}
