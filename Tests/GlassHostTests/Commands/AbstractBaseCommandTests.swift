import CommandTesting
import Foundation
import GlassBase
import GlassMarkets
import TestSupport
import Testing

@testable import GlassHost

/// What commands say of files that are only bases of markets.
@Suite(.timeLimit(.minutes(3)))
struct AbstractBaseCommandTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "markets"), withIntermediateDirectories: true)
        try write(
            """
            return {
              abstract = true, currency = "USD",
              routables = { home = { paths = { "home" }, show = { screen = "home" } } },
            }
            """, to: "root")
        try write("return { abstract = true, extends = \"root\", currency = \"EUR\" }", to: "europe")
        try write(Self.market("fr", extends: "europe"), to: "fr")
        try write(Self.market("pr", extends: "root"), to: "pr")
    }

    private static func market(_ id: String, extends base: String) -> String {
        """
        return {
          id = "\(id)", name = "\(id)", extends = "\(base)", locales = { "\(base == "europe" ? "fr-FR" : "en-US")" },
          deepLinking = { schemes = { "shop.\(id)" } },
        }
        """
    }

    private func write(_ text: String, to id: String) throws { _ = try folder.write(text, to: "markets/\(id).lua") }

    private func run(_ arguments: String...) throws -> CommandRun { try run(arguments) }

    private func run(_ arguments: [String]) throws -> CommandRun {
        try CommandRun(
            arguments, of: RootCommand.self, HostSettings(module: MarketModule("shop")), name: "glass-host",
            environment: [:], folder: folder.url)
    }

    @Test func baseIsCheckedButNoMarket() throws {
        let run = try run("check")
        #expect(run.output == "2 markets, 2 abstract bases: 0 errors, 0 warnings\n")
        #expect(run.status == 0)
        let json = try self.run("check", "--format", "json").json()
        #expect((json["markets"] as? [[String: Any]])?.map { $0["id"] as? String } == ["fr", "pr"])
        #expect((json["bases"] as? [[String: Any]])?.map { $0["id"] as? String } == ["europe", "root"])
        #expect(try self.run("check", "europe").output == "0 markets, 1 abstract base: 0 errors, 0 warnings\n")
        try write("return { abstract = true, curency = \"EUR\" }", to: "europe")
        let wrong = try self.run("check", "europe")
        #expect(wrong.status == 1)
        #expect(wrong.output.contains("markets/europe.lua:1:27: error: curency: unknown key [unknownKey]\n"))
    }

    @Test(arguments: [
        ["open", "shop://home", "-m", "root"], ["explain", "currency", "-m", "root"], ["routes", "-m", "root"],
        ["show", "-m", "root"], ["export", "aasa", "-m", "root"], ["diff", "root", "fr"], ["matrix", "root"],
        ["services", "-m", "root"], ["compile", "root", "--to", "out"],
    ])
    func useAsMarketIsErrorThatNamesMarkets(arguments: [String]) throws {
        let run = try run(arguments)
        #expect(run.status == 2)
        #expect(
            run.errors
                == "\"root\" in markets is an abstract base, not a market; use a market that extends it: fr, pr\n")
    }

    @Test func baseIsNotListed() throws {
        #expect(try run("matrix", "--format", "json").json()["markets"] as? [String] == ["fr", "pr"])
        #expect(try run("compile", "--to", "out", "-q").status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: "out/4").path)
        #expect(files.filter { !$0.hasSuffix(".map.json") }.sorted() == ["fr.json", "pr.json"])
        _ = try folder.write("print(table.concat(glass.markets(), \" \"))", to: "s.lua")
        #expect(try run("run", "s.lua").output == "fr pr\n")
    }

    @Test func markIsNotPartOfMarket() throws {
        for command in [["show"], ["show", "--format", "json"], ["diff", "fr", "pr"], ["matrix"]] {
            let arguments = command + (command[0] == "show" ? ["-m", "fr"] : [])
            #expect(try !run(arguments).output.contains("abstract"), "\(command)")
        }
        #expect(try run("show", "currency", "-m", "fr").output == "currency = \"EUR\"\n")
        #expect(try run("explain", "currency", "-m", "fr").output.contains("from markets/europe.lua:1:"))
        _ = try run("compile", "--to", "out", "-q")
        let compiled = try String(contentsOf: folder.url.appending(path: "out/4/fr.json"), encoding: .utf8)
        #expect(!compiled.contains("abstract"))
    }

    @Test func folderWithOnlyBasesHasNoMarket() throws {
        for id in ["fr", "pr"] {
            try FileManager.default.removeItem(at: folder.url.appending(path: "markets/\(id).lua"))
        }
        #expect(try run("check").output == "0 markets, 2 abstract bases: 0 errors, 0 warnings\n")
        for command in [["open", "shop://home"], ["routes"], ["matrix"]] {
            let run = try run(command)
            #expect(run.status == 2)
            #expect(
                run.errors == "there is no market in markets, only the abstract bases europe, root; "
                    + "add a market that extends one\n")
        }
        #expect(
            try run("routes", "-m", "root").errors
                == "\"root\" in markets is an abstract base, not a market; no market extends it\n")
    }

    @Test func newMarketAddsWhatBaseLacks() throws {
        let run = try run("new", "it", "--extends", "europe", "-q")
        #expect(run.status == 0, "\(run.errors)")
        let text = try String(contentsOf: folder.url.appending(path: "markets/it.lua"), encoding: .utf8)
        #expect(
            text == """
                -- Italy: everything else is inherited from the abstract base europe.lua.

                return market {
                  id = "it", name = "Italy", extends = "europe",

                  locales = { "it-IT" },
                  deepLinking = {
                    schemes = undecided { "shop.it" },
                  },
                }

                """)
        #expect(try self.run("check", "it").status == 0)
        #expect(try self.run("test", "-q").status == 0)
    }

    @Test func marketThatBecomesAbstractIsRemoved() throws {
        let old = folder.url.appending(path: "old")
        try FileManager.default.copyItem(at: folder.url.appending(path: "markets"), to: old)
        try write(
            "return { abstract = true, extends = \"root\", deepLinking = { schemes = { \"shop.pr\" } } }", to: "pr")
        let run = try run("diff", "--against", "old")
        #expect(run.output.contains("pr"), "\(run.output)")
        let json = try self.run("diff", "--against", "old", "--format", "json").json()
        #expect("\(json)".contains("pr"))
    }

    @Test func thirtyMarketsAreGroupedAndReadable() throws {
        for base in ["asia", "latam"] {
            try write("return { abstract = true, extends = \"root\", name = \"\(base)\" }", to: base)
        }
        for number in 0..<30 {
            let id = "m\(number / 10)\(number % 10)"
            try write(Self.market(id, extends: ["asia", "europe", "latam"][number % 3]), to: id)
        }
        let table = try run("check", "-v").output.split(separator: "\n").map { $0.split(separator: " ").prefix(2) }
        #expect(table[0] == ["MARKET", "EXTENDS"])
        #expect(table[1] == ["m00", "asia"] && table[11] == ["fr", "europe"] && table[22] == ["m02", "latam"])
        #expect(table[32] == ["pr", "root"])
        let markets = try #require(try run("matrix", "--format", "json").json()["markets"] as? [String])
        #expect(markets.first == "m00" && markets[10] == "fr" && markets.last == "pr")
    }

    @Test func matrixGroupsColumnsThatDoNotFit() throws {
        try write("return { abstract = true, extends = \"root\", name = \"asia\" }", to: "asia")
        for number in 0..<30 {
            let id = "m\(number / 10)\(number % 10)"
            let base = ["asia", "europe"][number % 2]
            try write(Self.market(id, extends: base), to: id)
        }
        let run = try CommandRun(
            ["matrix", "--below", "routables"], of: RootCommand.self, HostSettings(module: MarketModule("shop")),
            name: "glass-host", environment: ["COLUMNS": "80"], folder: folder.url)
        let asia = stride(from: 0, to: 30, by: 2).map { "m\($0 / 10)\($0 % 10)" }
        let europe = ["fr"] + stride(from: 1, to: 30, by: 2).map { "m\($0 / 10)\($0 % 10)" }
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
        let titles = lines.filter { $0.hasPrefix("markets that extend ") }.map { $0.dropFirst(20) }
        #expect(titles == ["asia", "asia", "europe", "europe", "root"])
        // Thirteen columns of five characters fit beside a key of fourteen.
        let heads = lines.filter { $0.hasPrefix("KEY ") }.map { $0.split(separator: " ").dropFirst().map(String.init) }
        let columns = [asia.prefix(13), asia.dropFirst(13), europe.prefix(13), europe.dropFirst(13)].map { Array($0) }
        #expect(heads == columns + [["pr"]])
        for (index, line) in lines.enumerated() where line.hasPrefix("KEY ") {
            let states = lines[index + 1].split(separator: " ")
            #expect(states.first == "routables.home" && states.dropFirst().allSatisfy { $0 == "·" }, "\(states)")
        }
        #expect(
            run.output.hasSuffix(
                "\nKEY             pr\nroutables.home  ·\n"
                    + "D declared  · inherited  O overridden  = same again  - removed  ! missing\n1 key\n"))
    }

    @Test func valuesOfManyMarketsAreListedByKey() throws {
        for number in 0..<30 {
            let id = "m\(number / 10)\(number % 10)"
            let text = Self.market(id, extends: "europe")
            try write(number % 2 == 0 ? text.replacing("name", with: "currency = \"CHF\", name") : text, to: id)
        }
        let run = try CommandRun(
            ["matrix", "--values", "--below", "currency"], of: RootCommand.self,
            HostSettings(module: MarketModule("shop")), name: "glass-host", environment: ["COLUMNS": "80"],
            folder: folder.url)
        #expect(
            run.output == """
                currency
                  "EUR"  fr, m01, m03, m05, m07, m09, m11, m13, m15, m17, m19, m21, m23, m25,
                    m27, m29
                  "CHF"  m00, m02, m04, m06, m08, m10, m12, m14, m16, m18, m20, m22, m24, m26,
                    m28
                  "USD"  pr
                1 key

                """)
    }

    @Test func sharedWarningsAreFolded() throws {
        for number in 0..<12 {
            try write(
                """
                return {
                  id = "m\(number)", name = "m", extends = "fr", currency = "EUR",
                  deepLinking = { schemes = { "shop.m\(number)" } },
                }
                """, to: "m\(number)")
        }
        let run = try run("check")
        #expect(
            run.output == """
                markets/m0.lua:2:36: warning: extends: locales is inherited from "fr" [undecided]
                    2 |   id = "m0", name = "m", extends = "fr", currency = "EUR",
                      |                                    ^
                  hint: set it explicitly, even to the same value, or write inherit = true in its table
                  also in m1.lua, m10.lua, m11.lua, m2.lua, m3.lua, m4.lua, m5.lua, m6.lua and 3 more
                14 markets, 2 abstract bases: 0 errors, 12 warnings

                """)
        #expect(try self.run("check", "-v").output.components(separatedBy: "is inherited from").count == 13)
    }
}
