import CommandTesting
import Foundation
import TestSupport
import Testing

/// The commands `diff` and `matrix`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ComparingTests {
    // MARK: diff

    @Test func twoMarketsDifferInKeysAndLinks() throws {
        let run = try HostRun(["diff", "us", "ca"], environment: ["GLASS_CA_CONSUMER_KEY": "hunter2"])
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "us, ca")
        #expect(lines.contains("  currency: \"USD\" in us, \"CAD\" in ca"))
        #expect(lines.contains("  account: walmart://account in us, walmart.ca://myaccount in ca"))
        #expect(
            lines.contains(
                "  flyers: nothing in us, walmart.ca://flyers and walmart.ca://flyers/:week(int) in ca"))
        #expect(
            lines.contains(
                "  platform.networking.consumerKey: <secret GLASS_US_CONSUMER_KEY> in us, "
                    + "<secret GLASS_CA_CONSUMER_KEY> in ca; a different secret"))
        #expect(!run.output.contains("hunter2"))
        #expect(lines.last?.hasSuffix(" keys and 5 links differ; in other situations, 3 more keys differ") == true)
        #expect(try HostRun(["diff", "us", "ca", "--exit-code", "-q"]).status == 1)
        let same = try HostRun(["diff", "us", "us", "--exit-code"])
        #expect(same.status == 0)
        #expect(same.output == "us, us\nnothing differs\n")
    }

    @Test func jsonHasEachSideWithPosition() throws {
        let json = try HostRun(["diff", "us", "ca", "mx", "--format", "json"]).json()
        #expect(Set(json.keys) == ["schema", "comparisons", "onlyHere", "onlyThere"])
        let comparison = try #require((json["comparisons"] as? [[String: Any]])?.first)
        #expect(Set(comparison.keys) == ["labels", "keys", "links", "flags", "situations"])
        #expect(comparison["labels"] as? [String] == ["us", "ca", "mx"])
        let keys = try #require(comparison["keys"] as? [[String: Any]])
        let miles = try #require(keys.first { ($0["key"] as? String)?.hasSuffix("searchRadiusMiles") == true })
        #expect(Set(miles.keys) == ["key", "kind", "parts", "secret", "sides"])
        #expect((miles["parts"] as? [Any])?.isEmpty == true)
        let cookies = try #require(keys.first { $0["key"] as? String == "platform.cookieStorage.cookies" })
        let parts = try #require(cookies["parts"] as? [[String: Any]])
        #expect(Set(parts[0].keys) == ["path", "kind", "sides"])
        let value = try #require(
            parts.first { $0["path"] as? String == "platform.cookieStorage.cookies[name=assortmentStoreId].value" })
        #expect(value["kind"] as? String == "values")
        #expect((value["sides"] as? [[String: Any]])?.map { $0["value"] as? String } == ["100", "1003", "2345"])
        #expect(miles["kind"] as? String == "removed")
        let sides = try #require(miles["sides"] as? [[String: Any]])
        #expect(Set(sides[0].keys) == ["state", "value", "position"])
        #expect(sides.map { $0["state"] as? String } == ["value", "removed", "removed"])
        #expect(sides[0]["value"] as? Double == 25 && sides[1]["value"] is NSNull)
        #expect(sides[1]["position"] as? String == "markets/ca.lua:21:63")
        let account = try #require(
            (comparison["links"] as? [[String: Any]])?.first { $0["routable"] as? String == "account" })
        #expect(
            (account["sides"] as? [[String: Any]])?.map { $0["links"] as? [String] } == [
                ["walmart://account"], ["walmart.ca://myaccount"], ["walmart.mx://mi-cuenta"],
            ])
    }

    @Test func markdownHasTwoTables() throws {
        let run = try HostRun(["diff", "us", "ca", "--as", "markdown"])
        #expect(run.status == 0)
        #expect(
            run.output.hasPrefix(
                "## us, ca\n\n| key | us | ca |\n|---|---|---|\n| `currency` | `\"USD\"` | `\"CAD\"` |\n"))
        #expect(
            run.output.contains(
                "\n\n| link | us | ca |\n|---|---|---|\n| `account` | `walmart://account` | `walmart.ca://myaccount` |\n"
            ))
        #expect(run.output.contains("`walmart://plus/:section(benefits\\|join\\|manage)` | *nothing* |"))
    }

    @Test func otherFolderIsTheOlderSide() throws {
        let folder = try TestFolder()
        let old = try folder.markets()
        let file = old.appending(path: "ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing("\"CAD\"", with: "\"CHF\"").replacing("\"myaccount\"", with: "\"profile\"").write(
            to: file, atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(at: old.appending(path: "mx.lua"))
        _ = try folder.write(
            "return { id = \"qc\", extends = \"ca\", name = \"Q\" }", to: "markets/qc.lua")
        let one = try HostRun(["diff", "ca", "--against", old.path])
        #expect(
            one.output == """
                \(old.path)/ca.lua → markets/ca.lua
                keys
                  ~ currency: "CHF" → "CAD"
                links
                  ~ account: walmart.ca://profile → walmart.ca://myaccount
                1 key and 1 link differ

                """)
        #expect(one.status == 0)
        let all = try HostRun(["diff", "--against", old.path, "--exit-code", "-q"])
        #expect(all.status == 1)
        #expect(all.output.hasSuffix("mx: only in markets\nqc: only in \(old.path)\n"))
        let json = try HostRun(["diff", "--against", old.path, "--format", "json"]).json()
        #expect(json["onlyHere"] as? [String] == ["mx"] && json["onlyThere"] as? [String] == ["qc"])
        #expect((json["comparisons"] as? [[String: Any]])?.count == 2)
        #expect(try HostRun(["diff", "ca", "--against", "markets", "--exit-code"]).status == 0)
    }

    @Test(
        arguments: [
            (["diff"], 64, "name two markets, or a folder or git reference with --against"),
            (["diff", "us"], 64, "name two markets, or a folder or git reference with --against"),
            (["diff", "us", "ca", "--as", "markdown", "--format", "json"], 64, "cannot be combined"),
            (["diff", "us", "cq"], 2, "there is no market \"cq\" in markets; did you mean \"ca\"?"),
            (["diff", "cq", "--against", "markets"], 2, "there is no market \"cq\""),
            (["diff", "--against", "/nowhere"], 2, "cannot read the markets folder /nowhere"),
            (["dif", "us", "ca"], 64, "there is no command \"dif\"; did you mean \"diff\"?"),
            (["matrx"], 64, "did you mean \"matrix\"?"), (["wacth"], 64, "did you mean \"watch\"?"),
            (["matrix", "cq"], 2, "did you mean \"ca\"?"),
            (
                ["matrix", "--below", "platform.networking.retry.maxAttempts"], 2,
                "no market declares \"platform.networking.retry.maxAttempts\"; it was renamed to maxRetries"
            ),
            (["matrix", "--below", "platfrom"], 2, "no market declares \"platfrom\"; did you mean \"platform\"?"),
            (["matrix", "--except", "a..b"], 64, "is not a key path"),
            (
                ["matrix", "--as", "csv", "--format", "json"], 64,
                "--as csv and --format json cannot be combined"
            ),
            (["watch", "cq"], 2, "there is no market \"cq\" in markets; did you mean \"ca\"?"),
            (["watch", "--markets", "/nowhere"], 2, "cannot read the markets folder /nowhere"),
            (["watch", "--settle", "99999"], 64, "--settle takes 0 to 60000 milliseconds"),
            (["watch", "--pol"], 64, "Unknown option '--pol'"),
        ] as [([String], Int32, String)])
    func invalidArgumentsAreReported(arguments: [String], status: Int32, message: String) throws {
        let run = try HostRun(arguments)
        #expect(run.status == status)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.output == "")
    }

    @Test func marketWithErrorsIsNotCompared() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        _ = try folder.write("return { id = \"bad\", extends = \"us\", nmae = 1 }", to: "markets/bad.lua")
        let run = try HostRun(["diff", "us", "bad", "--exit-code", "--markets", markets.path])
        #expect(run.status == 2)
        #expect(run.errors.contains("/bad.lua:1:38: error: nmae: unknown key"))
        #expect(try HostRun(["matrix", "--missing", "--markets", markets.path]).status == 2)
    }

    @Test(arguments: ["diff", "matrix", "watch"])
    func helpHasExamples(command: String) throws {
        let run = try HostRun([command, "--help"])
        #expect(run.status == 0)
        #expect(run.output.contains("EXAMPLES\n  glass-host \(command)"))
    }

    // MARK: matrix

    @Test func matrixIsAligned() throws {
        let run = try HostRun(["matrix", "--below", "platform.permissions"])
        #expect(run.status == 0)
        #expect(
            run.output
                == """
                KEY                                                  ca          mx          us
                platform.permissions.allowsBackgroundLocationUpdates  inherited   overridden  declared
                platform.permissions.locationLevel                    inherited   overridden  declared
                platform.permissions.notificationOptions              overridden  inherited   declared
                3 keys

                """.replacing("KEY      ", with: "KEY       "))
    }

    @Test func matrixShowsValues() throws {
        let run = try HostRun(["matrix", "--values", "--below", "platform.networking.retry.maxRetries"])
        #expect(run.status == 0)
        #expect(
            run.output == """
                KEY                                   ca  mx  us
                platform.networking.retry.maxRetries  4   5   3
                1 key

                """)
        let narrow = try HostRun(["matrix", "--values"], environment: ["COLUMNS": "40"])
        #expect((narrow.output.split(separator: "\n").map(\.count).max() ?? 0) <= 40)
    }

    @Test func matrixIsPrintedAsMarkdown() throws {
        let run = try HostRun(["matrix", "--as", "markdown", "--below", "currency"])
        #expect(
            run.output
                == "| key | ca | mx | us |\n|---|---|---|---|\n| `currency` | overridden | overridden | declared |\n")
        let values = try HostRun(["matrix", "--as", "markdown", "--values", "--below", "routables.flyers"])
        #expect(values.output.contains("| `routables.flyers` | `{ paths = { \"flyers\", "), "\(values.output)")
        #expect(values.output.hasSuffix(" | *missing* | *missing* |\n"), "\(values.output)")
    }

    /// An RFC 4180 reader gets the markets' values, and a spreadsheet gets no formula.
    @Test func matrixRoundTripsThroughCSV() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        _ = try folder.write(
            """
            return { id = "qc", extends = "ca", name = "=cmd|' /C calc'!A0", currency = "CAD",
              platform = { userDefaultsRegistration = { defaults = {
                quoted = 'say "hi", twice', line = "a\\nb\\27[31m", minus = -5, empty = "" } } } }
            """, to: "markets/qc.lua")
        let run = try HostRun(
            ["matrix", "qc", "us", "--values", "--as", "csv", "--quiet"], folder: folder.url)
        #expect(run.status == 0, "\(run.errors)")
        let rows = Dictionary(
            uniqueKeysWithValues: CSVReader.rows(of: run.output).map { ($0[0], Array($0.dropFirst())) })
        let defaults = "platform.userDefaultsRegistration.defaults"
        #expect(rows["key"] == ["qc", "us"])
        #expect(rows["name"] == ["'=cmd|' /C calc'!A0", "United States"])
        #expect(rows["\(defaults).quoted"] == ["say \"hi\", twice", ""])
        #expect(rows["\(defaults).line"] == ["a\\nb\\u{1b}[31m", ""])
        #expect(rows["\(defaults).minus"] == ["-5", ""])
        #expect(rows["\(defaults).empty"] == ["\"\"", ""])
        #expect(rows["\(defaults).searchRadiusMiles"] == ["", "25.0"])
        #expect(rows["platform.networking.consumerKey"]?.first == "<secret GLASS_CA_CONSUMER_KEY>")
        #expect(rows["locales"] == ["{ \"en-CA\", \"fr-CA\" }", "{ \"en-US\", \"es-US\" }"])
        #expect(!run.output.utf8.contains(0x1B))
        let states = try HostRun(["matrix", "--as", "csv", "--below", "currency"])
        #expect(states.output == "key,ca,mx,us\r\ncurrency,overridden,overridden,declared\r\n")
    }

    @Test(arguments: [30, 40, 60, 80])
    func matrixFitsTerminalWidth(width: Int) throws {
        let run = try HostRun(["matrix", "-q"], environment: ["COLUMNS": "\(width)"])
        let longest = run.output.split(separator: "\n").map(\.count).max() ?? 0
        #expect(longest <= width)
        #expect(run.output.contains("D declared"))
    }

    @Test func missingKeysFailTheCommand() throws {
        let run = try HostRun(["matrix", "--missing"])
        #expect(run.status == 1)
        #expect(run.output.contains("\nmx is missing routables.flyers, declared at markets/ca.lua:96:14\n"))
        #expect(run.output.hasSuffix("4 keys are missing in a market\n"))
        let decided = try HostRun([
            "matrix", "--missing", "--except", "routables.cashi", "--except", "routables.flyers", "--except",
            "platform.userDefaultsRegistration.defaults",
        ])
        #expect(decided.status == 0)
        #expect(decided.output == "no keys are missing\n")
        #expect(try HostRun(["matrix", "us", "--missing"]).status == 0)
        let json = try HostRun(["matrix", "--missing", "--format", "json"]).json()
        #expect(json["markets"] as? [String] == ["ca", "mx", "us"])
        let rows = try #require(json["rows"] as? [[String: Any]])
        #expect(rows.count == 4)
        #expect(Set(rows[0].keys) == ["key", "missing", "cells"])
        let cells = try #require(rows[0]["cells"] as? [[String: Any]])
        #expect(Set(cells[0].keys) == ["state", "from", "value", "position", "defaultValue"])
        #expect(cells.map { $0["state"] as? String } == ["declared", "declared", "missing"])
    }

    @Test func inheritedCellNamesItsMarket() throws {
        let json = try HostRun(["matrix", "ca", "us", "--below", "routables.scan", "--format", "json"]).json()
        let cells = ((json["rows"] as? [[String: Any]])?.first?["cells"] as? [[String: Any]]) ?? []
        #expect(cells.map { $0["state"] as? String } == ["inherited", "declared"])
        #expect(cells.first?["from"] as? String == "us")
    }

    @Test(arguments: [["diff", "us", "ca"], ["matrix"]])
    func brokenMarketShowsItsError(arguments: [String]) throws {
        let folder = try TestFolder()
        let file = try folder.markets().appending(path: "ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing("maxRetries", with: "maxRetires").write(to: file, atomically: true, encoding: .utf8)
        let run = try HostRun(arguments, folder: folder.url)
        #expect(run.status == 2)
        #expect(
            run.errors == """
                market "ca" cannot be loaded:
                markets/ca.lua:51:17: error: platform.networking.retry.maxRetires: unknown key [unknownKey]
                   51 |       retry = { maxRetires = 4, statuses = append { 520 } },
                      |                 ^
                  hint: did you mean "maxRetries"?

                """)
    }

    @Test func longListsInMarkdownShowOnlyDifferences() throws {
        let run = try HostRun(["diff", "us", "ca", "--as", "markdown"])
        let row = try #require(run.output.split(separator: "\n").first { $0.contains("deepLinking.queryParameters") })
        #expect(
            row == """
                | `deepLinking.queryParameters` | *no extra elements* \
                | extra: `{ eventName = "flyerOpened", qualifiesTracking = true, value = "flyer" }` |
                """)
    }

    // MARK: Limits

    @Test func oversizedResultIsNotPrinted() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let ids = ["zw", "zx", "zy", "zz"]
        for id in ids {
            // A control character takes six bytes in JSON.
            let text = """
                local t = {} for i = 1, 9 do t["k" .. i] = string.rep("\\27", 100000) .. "\(id)" end
                return { id = "\(id)", name = "Z", extends = "us",
                  platform = { userDefaultsRegistration = { defaults = t } } }
                """
            try Data(text.utf8).write(to: markets.appending(path: "\(id).lua"))
        }
        let run = try HostRun(["matrix"] + ids + ["--format", "json", "--markets", markets.path])
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(
            run.errors
                == "the result exceeds the output limit of 16 MB: narrow the query\n"
        )
        let one = try HostRun(["matrix", "zy", "--format", "json", "--markets", markets.path])
        #expect(one.status == 0)
        #expect(one.output.utf8.count > 4 << 20)
    }

    /// A regression test: each function was once searched for from the beginning of its file, and each link of a route
    /// in all rules.
    @Test(arguments: [["diff", "zy", "zz"], ["matrix", "zy", "zz"], ["export", "aasa", "-m", "zz"]])
    func commandsOnLargeMarketFinish(arguments: [String]) throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        for (side, id) in ["zy", "zz"].enumerated() {
            let text = """
                local keys, own = {}, {}
                for i = 1, 2000 do keys["k" .. i] = i * \(side + 1) end
                for r = 1, 8 do
                  local paths = {}
                  for i = 1, 100 do paths[i] = "p" .. r * 100 + i .. "/\(side)/:id" end
                  own["own" .. r] = { paths = paths, handle = function(link, state) return true end }
                end
                return { id = "\(id)", name = "Z", extends = "us", routables = own,
                  platform = { userDefaultsRegistration = { defaults = keys } } }
                """
            try Data(text.utf8).write(to: markets.appending(path: "\(id).lua"))
        }
        let run = try HostRun(arguments + ["--markets", markets.path])
        if HostProcess.isSanitized, run.errors.contains("ms of CPU time") { return }
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.output.isEmpty)
    }
}
