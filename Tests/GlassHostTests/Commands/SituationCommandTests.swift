import CommandTesting
import Foundation
import GlassMarkets
import GlassSchema
import TestSupport
import Testing

@testable import GlassHost

/// What commands say of markets whose values depend on the situation.
@Suite(.timeLimit(.minutes(3)))
struct SituationCommandTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "markets"), withIntermediateDirectories: true)
        _ = try folder.write(Self.us, to: "markets/us.lua")
        _ = try folder.write(Self.ca, to: "markets/ca.lua")
        _ = try folder.write(Self.mx, to: "markets/mx.lua")
    }

    private static let us = """
        return {
          id = "us", name = "US", locales = { "en-US", "es-US" }, currency = "USD",
          attributes = { tier = { type = "choice", values = { "none", "gold" } } },
          overlays = {
            { name = "debugBuild", when = { build = "debug" }, checkout = { retries = 0 } },
            { name = "oldSystem", when = { osVersion = "< 18.2" }, checkout = { waits = false } },
          },
          deepLinking = { schemes = { "shop" } },
          checkout = {
            retries = 3,
            statuses = { 500 },
            greeting = vary { { when = { deviceClass = "tablet" }, value = "hello" }, default = "hi" },
            members = vary { { when = { audience = "staff" }, value = true }, default = false },
          },
          routables = {
            deals = vary {
              { when = { date = ">= 2026-11-27T00:00Z < 2026-12-01T00:00Z" },
                value = { paths = { "deals", "black-friday" }, show = { screen = "deals" } } },
              default = { paths = { "deals" }, show = { screen = "deals" } },
            },
          },
        }
        """

    private static let ca = """
        return {
          id = "ca", name = "Canada", extends = "us", locales = { "en-CA", "fr-CA" }, currency = "CAD",
          overlays = { { name = "debugBuild", checkout = { statuses = append { 599 } } } },
          deepLinking = { schemes = { "shop.ca" } },
          checkout = { retries = 4, greeting = perLocale { en = "hi", fr = "salut" } },
        }
        """

    private static let mx = """
        return {
          id = "mx", name = "Mexico", locales = { "es-MX" }, currency = "MXN", deepLinking = { schemes = { "shop.mx" } },
          routables = {},
        }
        """

    private static let now = ["--now", "2026-11-26T00:00:00Z"]

    private static let module = MarketModule("shop", sections: [Checkout.self], defaultMarket: "us")

    private func run(
        _ arguments: String..., environment: [String: String] = [:]
    ) throws -> CommandRun {
        try run(arguments, environment: environment)
    }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(
            arguments, of: RootCommand.self, HostSettings(module: Self.module), name: "glass-host",
            environment: environment, folder: folder.url)
    }

    // MARK: The options

    @Test func situationComesFromOptionsFileAndEnvironment() throws {
        func retries(_ arguments: [String], _ context: String? = nil) throws -> String {
            try CommandRun(
                ["show", "checkout.retries"] + arguments, of: RootCommand.self,
                HostSettings(module: Self.module), name: "glass-host",
                environment: context.map { ["GLASS_CONTEXT": $0] } ?? [:], folder: folder.url
            ).output
        }
        _ = try folder.write(
            #"{ "build": "beta", "osVersion": "17", "audience": ["staff"], "signedIn": true }"#, to: "a.json")
        #expect(try retries([]) == "checkout.retries = 3\n")
        #expect(try retries([], "build=debug") == "checkout.retries = 0\n")
        #expect(try retries(["--context-file", "a.json"], "build=debug") == "checkout.retries = 3\n")
        #expect(try retries(["--context-file", "a.json", "--context", "build=debug"]) == "checkout.retries = 0\n")
        // The last of several options decides, and the others keep theirs.
        #expect(try retries(["--context", "build=debug", "--context", "tier=gold"]) == "checkout.retries = 0\n")
        #expect(try retries(["--context", "build=debug", "--context", "build=beta"]) == "checkout.retries = 3\n")
        let before = try run("--context", "build=debug", "show", "checkout.retries")
        #expect(before.output == "checkout.retries = 0\n")
        #expect(try run("show", "checkout.waits", "--context-file", "a.json").output == "checkout.waits = false\n")
    }

    @Test(
        arguments: [
            (
                ["--context", "bulid=debug"],
                #"--context: market "us": there is no attribute "bulid"; did you mean "build"?"#
            ),
            (
                ["--context", "build=debgu"],
                #"--context: market "us": build: expected one of "debug", "beta", "release", got "debgu"; did you mean "debug"?"#
            ),
            (["--context", "signedIn=yes"], #"--context: market "us": signedIn: expected true or false, got "yes""#),
            (
                ["--context", "osVersion=v18"],
                #"--context: market "us": osVersion: "v18" is not a version; write "18""#
            ),
            (
                ["--context", "date=2026-11-28T00:00"],
                #"--context: market "us": date: 2026-11-28T00:00 has no time zone; write the zone, as in 2026-11-27T00:00 America/New_York"#
            ),
            (
                ["--context", "locale=fr-CA"],
                #"--context: market "us": locale: expected one of "en-US", "es-US", got "fr-CA""#
            ),
            (["--context-file", "wrong.json"], #"wrong.json: market "us": signedIn: expected true or false, got 3"#),
        ])
    func wrongAttributeIsUsageError(options: [String], message: String) throws {
        _ = try folder.write(#"{ "signedIn": 3 }"#, to: "wrong.json")
        let result = try CommandRun(
            ["show", "checkout.retries"] + options, of: RootCommand.self,
            HostSettings(module: Self.module), name: "glass-host",
            environment: [:], folder: folder.url)
        #expect(result.status == 64)
        #expect(result.errors == message + "\n")
        #expect(result.output.isEmpty)
    }

    @Test func textThatIsNoAttributeIsUsageError() throws {
        let option = try run("show", "--context", "debug")
        #expect(option.status == 64)
        #expect(
            option.errors.hasPrefix(
                #"Error: --context takes attributes such as build=debug,locale=fr-CA, got "debug""#))
        let variable = try run("show", environment: ["GLASS_CONTEXT": "debug"])
        #expect(variable.status == 64)
        #expect(variable.errors == "$GLASS_CONTEXT takes attributes such as build=debug,locale=fr-CA, got \"debug\"\n")
        let clock = try run("show", "--now", "tomorrow")
        #expect(clock.status == 64)
        #expect(clock.errors.hasPrefix(#"Error: --now: date: "tomorrow" is not a date; write the zone"#))
    }

    @Test func fileThatCannotBeReadIsNoUsageError() throws {
        _ = try folder.write(#"{ "build": "debug", "build": "beta" }"#, to: "twice.json")
        _ = try folder.write("[]", to: "list.json")
        _ = try folder.write(#"{ "build": null }"#, to: "null.json")
        _ = try folder.write("{ \"build\": \"" + String(repeating: "a", count: 70_000) + "\" }", to: "large.json")
        let missing = try run("show", "--context-file", "no.json")
        #expect((missing.status, missing.errors) == (2, "cannot read no.json: no such file or directory\n"))
        let twice = try run("show", "--context-file", "twice.json")
        #expect((twice.status, twice.errors) == (2, "twice.json:1:21: a duplicate member \"build\"\n"))
        let list = try run("show", "--context-file", "list.json")
        #expect(
            (list.status, list.errors) == (
                2, "list.json contains no object; write the attributes as in { \"build\": \"debug\" }\n"
            ))
        let null = try run("show", "--context-file", "null.json")
        #expect(null.status == 64)
        #expect(null.errors.hasPrefix("null.json: build: expected text, a number, true, false, or a list;"))
        #expect(try run("show", "--context-file", "large.json").status == 2)
    }

    /// A command about several markets leaves out what only some of them know.
    @Test func attributeOfOneMarketSuitsCommandAboutAll() throws {
        let all = try run("matrix", "--values", "--below", "checkout.greeting", "--context", "locale=fr-CA")
        #expect(all.status == 0)
        #expect(all.output.contains("checkout.greeting  \"salut\"  missing  \"hi\""), "\(all.output)")
        #expect(try run("check", "--context", "tier=gold").status == 0)
        let none = try run("check", "--context", "tire=gold")
        #expect(none.status == 64)
        #expect(none.errors == "--context: market \"ca\": there is no attribute \"tire\"; did you mean \"tier\"?\n")
        #expect(try run("show", "-m", "mx", "--context", "tier=gold").status == 64)
    }

    @Test func checkProvesAllSituationsWhateverTheContext() throws {
        let plain = try run("check", "--format", "json", "--now", "2026-11-26T00:00:00Z").json()
        let debug = try run(
            "check", "--context", "build=debug", "--format", "json", "--now", "2026-11-26T00:00:00Z"
        ).json()
        #expect((plain["findings"] as? NSArray) == (debug["findings"] as? NSArray))
        let later = try run("check", "us", "--now", "2027-01-01T00:00:00Z")
        #expect(later.status == 0)
        #expect(
            later.output.contains("warning: routables.deals: this condition can no longer be true: date >= 2026-11-27"))
    }

    // MARK: explain

    @Test func explainNamesWhatOtherSituationsSay() throws {
        let plain = try run("explain", "retries", "-m", "ca", "--context", "build=debug")
        #expect(
            plain.output == """
                checkout.retries = 4
                  from markets/ca.lua:5:26, in every situation
                  overrides 0  -- markets/us.lua:5:79, overlay debugBuild: build = "debug" holds, but ca says 4
                  overrides 3  -- markets/us.lua:10:15
                  How often it tries again.
                  accepts an integer from 0 to 10

                """)
        let overlay = try run("explain", "retries", "--context", "build=debug")
        #expect(
            overlay.output.hasPrefix(
                """
                checkout.retries = 0
                  from markets/us.lua:5:79, overlay debugBuild: build = "debug" holds
                  overrides 3  -- markets/us.lua:10:15

                """))
        let default3 = try run("explain", "retries")
        #expect(
            default3.output.hasPrefix(
                """
                checkout.retries = 3
                  from markets/us.lua:10:15
                  no 0  -- markets/us.lua:5:79, overlay debugBuild: build = "debug": it is "release"

                """))
        let unset = try run("explain", "waits")
        #expect(unset.output.contains("\n  depends on osVersion, which is not set\n"))
        #expect(!(try run("explain", "waits", "--context", "osVersion=18.4").output.contains("depends on")))
    }

    @Test func explainInJSONHasAlternatives() throws {
        let json = try run("explain", "waits", "--format", "json").json()
        let alternatives = try #require(json["alternatives"] as? [[String: Any]])
        #expect(alternatives.count == 1)
        #expect(Set(alternatives[0].keys) == ["condition", "holds", "overlay", "position", "value", "why"])
        #expect(alternatives[0]["condition"] as? String == "osVersion < 18.2")
        #expect(alternatives[0]["why"] as? String == "osVersion < 18.2: it is missing")
        #expect(alternatives[0]["holds"] as? Bool == false && alternatives[0]["value"] as? Bool == false)
        #expect(json["unset"] as? [String] == ["osVersion"])
    }

    /// Each situation that `--all` prints has the value that it prints beside it.
    @Test func explainAllListsReachableValues() throws {
        let all = try run("explain", "statuses", "--all", "-m", "ca")
        #expect(
            all.output == """
                checkout.statuses
                VALUE         SITUATION                FROM
                { 500, 599 }  --context build=debug    markets/ca.lua:3:63
                { 500 }       --context build=release  markets/us.lua:11:16

                """)
        for key in ["retries", "waits", "greeting", "statuses", "members"] {
            for market in ["us", "ca"] {
                let json = try run("explain", key, "--all", "-m", market, "--format", "json").json()
                let alternatives = try #require(json["alternatives"] as? [[String: Any]])
                #expect(!alternatives.isEmpty)
                for alternative in alternatives {
                    let context = try #require(alternative["context"] as? String)
                    let one = try run("explain", key, "-m", market, "--context", context, "--format", "json").json()
                    #expect(
                        one["value"] as? NSObject == alternative["value"] as? NSObject, "\(market) \(key) \(context)")
                }
            }
        }
        #expect(try run("explain", "shop://deals", "--all").status == 64)
    }

    @Test func linksFollowTheSituation() throws {
        #expect(try run("open", "shop://black-friday", "--now", "2026-11-26T00:00:00Z").status == 1)
        #expect(try run("open", "shop://black-friday", "--now", "2026-11-28T00:00:00Z").status == 0)
        #expect(try run("explain", "shop://black-friday", "--context", "date=2026-11-28T00:00:00Z").status == 0)
        let routes = try run("routes", "--now", "2026-11-28T00:00:00Z").output
        #expect(routes.contains("black-friday"))
    }

    // MARK: matrix and diff

    @Test func matrixHasColumnForEachSituation() throws {
        let text = try run("matrix", "--over", "build,locale", "-m", "ca", "--as", "csv")
        #expect(
            text.output
                == """
                key,"build=debug,locale=en-CA","build=debug,locale=fr-CA","build=beta,locale=en-CA","build=beta,locale=fr-CA","build=release,locale=en-CA","build=release,locale=fr-CA"\r
                checkout.greeting,hi,salut,hi,salut,hi,salut\r
                checkout.statuses,"{ 500, 599 }","{ 500, 599 }",{ 500 },{ 500 },{ 500 },{ 500 }\r

                """)
        let json = try run("matrix", "us", "--over", "build", "--format", "json").json()
        #expect(Set(json.keys) == ["schema", "market", "columns", "rows"])
        #expect(json["columns"] as? [String] == ["build=debug", "build=beta", "build=release"])
        #expect((json["rows"] as? [[String: Any]])?.map { $0["key"] as? String } == ["checkout.retries"])
    }

    /// The columns of a date are the times at which a value of the market changes.
    @Test func matrixOverDateHasColumnsOfMarket() throws {
        let json = try run("matrix", "us", "--over", "date", "--format", "json").json()
        let columns = try #require(json["columns"] as? [String])
        let times = columns.map { String($0.dropFirst("date=".count)) }
        #expect(times.count > 2 && times == times.sorted(), "\(times)")
        // The second before the first change, and then every change. Each differs from the one before.
        let rows = try #require(json["rows"] as? [[String: Any]])
        let shown = try columns.map { try run("show", "-m", "us", "--context", $0).output }
        #expect(Set(zip(shown, shown.dropFirst()).map { $0 == $1 }) == [false] && !rows.isEmpty)
    }

    @Test(
        arguments: [
            (
                "osVersion",
                "--over: osVersion has no list of values; choose from build, date, deviceClass, locale, platform, signedIn, tier, and set osVersion with --context"
            ),
            ("biuld", #"--over: market "us": there is no attribute "biuld"; did you mean "build"?"#),
            (
                "build,platform,deviceClass",
                "--over: there are more than 64 combinations; name fewer attributes, and set the others with --context"
            ),
        ])
    func matrixRefusesAttributesWithoutList(over: String, message: String) throws {
        let result = try run("matrix", "--over", over)
        #expect(result.status == 64)
        #expect(result.errors == message + "\n")
    }

    @Test func diffComparesEverySituation() throws {
        let us = Self.us.replacing("retries = 0", with: "retries = 1")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "old"), withIntermediateDirectories: true)
        _ = try folder.write(us, to: "old/us.lua")
        let text = try run("diff", "us", "--against", "old")
        #expect(
            text.output == """
                old/us.lua → markets/us.lua
                when --context build=debug
                keys
                  ~ checkout.retries: 1 → 0
                in other situations, 1 key differs

                """)
        #expect(try run("diff", "us", "--against", "old", "--exit-code").status == 1)
        let debug = try run("diff", "us", "--against", "old", "--context", "build=debug").output
        #expect(debug == "old/us.lua → markets/us.lua\nkeys\n  ~ checkout.retries: 1 → 0\n1 key differs\n")
        let json = try run("diff", "us", "--against", "old", "--format", "json").json()
        let comparison = try #require((json["comparisons"] as? [[String: Any]])?.first)
        let situations = try #require(comparison["situations"] as? [[String: Any]])
        #expect(situations.map { $0["context"] as? String } == ["build=debug"])
        #expect((situations[0]["keys"] as? [[String: Any]])?.map { $0["key"] as? String } == ["checkout.retries"])
        let same = try run("diff", "us", "us", "--exit-code")
        #expect((same.status, same.output) == (0, "us, us\nnothing differs\n"))
    }

    /// Two conditions that agree wherever only one of them is considered.
    @Test func diffFindsSituationsThatNeedBothSides() throws {
        let us = Self.us.replacing(
            #"when = { build = "debug" }, checkout"#,
            with: #"when = { build = "debug", platform = no "tvOS" }, checkout"#)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "old"), withIntermediateDirectories: true)
        _ = try folder.write(us, to: "old/us.lua")
        let text = try run("diff", "us", "--against", "old", "-q").output
        #expect(
            text == """
                old/us.lua → markets/us.lua
                when --context build=debug,platform=tvOS
                keys
                  ~ checkout.retries: 3 → 0

                """)
    }

    // MARK: Findings

    @Test func findingsNameTheSituation() throws {
        let us = Self.us.replacing(
            #"{ name = "oldSystem""#,
            with:
                #"{ name = "tablet", when = { deviceClass = "tablet" }, checkout = { retries = 9 } },\#n    { name = "oldSystem""#
        )
        _ = try folder.write(us, to: "markets/us.lua")
        let text = try run("check", "us", "--now", "2026-11-26T00:00:00Z")
        #expect(text.output.contains("\n  when: --context build=debug,deviceClass=tablet\n  hint: "), "\(text.output)")
        let json = try run("check", "us", "--format", "json", "--now", "2026-11-26T00:00:00Z").json()
        let findings = try #require(json["findings"] as? [[String: Any]])
        #expect(findings.map { $0["context"] as? String } == ["build=debug,deviceClass=tablet"])
        let sarif = try run("check", "us", "--as", "sarif", "--now", "2026-11-26T00:00:00Z").output
        #expect(sarif.contains(#"\nwhen: --context build=debug,deviceClass=tablet\n"#))
    }

    // MARK: export

    @Test func exportAsksForTheBuildOnWhichAnIdentifierDepends() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        _ = try folder.write(
            """
            return {
              id = "north", name = "North", extends = "us", locales = { "en-US" }, currency = "USD",
              deepLinking = { schemes = vary { { when = { build = "debug" }, value = { "n-debug" } }, default = { "n" } } },
            }
            """, to: "markets/north.lua")
        func export(_ context: String...) throws -> CommandRun {
            try HostRun(
                ["export", "info-plist", "-m", "north", "-q"] + context.flatMap { ["--context", $0] },
                folder: folder.url)
        }
        let open = try export()
        #expect(open.status == 64 && open.output.isEmpty)
        #expect(
            open.errors == #"""
                market "north": deepLinking.schemes depends on build; choose one with --context: { "n-debug" } with --context build=debug; { "n" } with --context build=release

                """#)
        #expect(try export("build=debug").output.contains("<string>n-debug</string>"))
        #expect(try export("build=beta").output.contains("<string>n</string>"))
        #expect(try export("platform=macOS").status == 64)
    }

    /// Only a file that lists paths, of a market whose paths depend on the situation, needs to name one.
    @Test(arguments: [
        (#"deals = { customPaths = { "a" } }"#, "links-md", true),
        (#"deals = { paths = { "a" } }"#, "aasa", true),
        ("deals = false", "intent-filters", true),
        ("deals = false", "assetlinks", false),
        ("deals = false", "info-plist", false),
        ("deals = false", "entitlements", false),
        (#"deals = { waitForPreconditions = false, show = { screen = "Deals" } }"#, "links-md", false),
    ])
    func exportNamesTheSituationOfItsRoutes(change: String, file: String, isNamed: Bool) throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        _ = try folder.write(
            """
            return {
              id = "north", name = "North", extends = "us",
              overlays = { { name = "tablets", when = { deviceClass = "tablet" }, routables = { \(change) } } },
            }
            """, to: "markets/north.lua")
        let warning =
            "warning: the routes of market \"north\" depend on deviceClass; these are the routes with deviceClass="
        func errors(_ options: String...) throws -> String {
            try HostRun(["export", file, "-m", "north"] + options, folder: folder.url).errors
        }
        #expect(try errors().contains(warning + "phone\n") == isNamed)
        #expect(try !errors("--context", "deviceClass=tablet").contains("depend on"))
        #expect(try errors("--labels").contains(warning) != change.contains("wait"))
    }

    // MARK: Links

    @Test func linkOfOtherSituationNamesItsContext() throws {
        let explained = try run(["explain", "shop://black-friday"] + Self.now)
        #expect(explained.status == 1)
        let line =
            "routed from 2026-11-27T00:00:00Z until 2026-12-01T00:00:00Z: --context date=2026-11-27T00:00:00Z\n"
        #expect(explained.output.hasSuffix(line), "\(explained.output)")
        let opened = try run(["open", "shop://black-friday"] + Self.now)
        #expect(opened.status == 1)
        #expect(opened.output == "unroutable\n  no route matches the link\n  \(line)")
        let context = try run("open", "shop://black-friday", "--context", "date=2026-11-27T00:00:00Z")
        #expect(context.status == 0)
        // After the days, only the past has the link.
        let later = try run("explain", "shop://black-friday", "--now", "2027-01-01T00:00:00Z").output
        #expect(later.contains("\nrouted with: --context date=2026-11-27T00:00:00Z\n"), "\(later)")
        let json = try run(["open", "shop://black-friday", "--format", "json"] + Self.now).json()
        let found = try #require((json["situations"] as? [[String: Any]])?.first)
        #expect(found["from"] as? String == "2026-11-27T00:00:00Z")
        #expect(found["until"] as? String == "2026-12-01T00:00:00Z")
        #expect(found["context"] as? String == "date=2026-11-27T00:00:00Z")
        #expect(try run(["explain", "shop://nowhere"] + Self.now).output.contains("routed") == false)
    }

    @Test func linkOfABuildNamesIt() throws {
        let text = Self.us.replacing(
            "checkout = { retries = 0 } },",
            with:
                "checkout = { retries = 0 }, routables = { lab = { paths = { \"lab\" }, show = { screen = \"lab\" } } } },"
        )
        _ = try folder.write(text, to: "markets/us.lua")
        let explained = try run("explain", "shop://lab")
        #expect(explained.output.hasSuffix("\nrouted with: --context build=debug\n"), "\(explained.output)")
        // What was given is part of it.
        let given = try run("explain", "shop://lab", "--context", "tier=gold")
        #expect(given.output.hasSuffix("\nrouted with: --context build=debug,tier=gold\n"), "\(given.output)")
        #expect(try run("open", "shop://lab", "--context", "build=debug").status == 0)
    }

    // MARK: Completion

    @Test(arguments: [
        ("bui", ["build="]), ("build=de", ["build=debug"]),
        ("build=beta,tier=", ["build=beta,tier=none", "build=beta,tier=gold"]),
    ])
    func contextIsCompleted(word: String, candidates: [String]) throws {
        let settings = HostSettings(module: Self.module)
        let markets = folder.url.appending(path: "markets").path
        let words = CompletionWords(
            ["glass-host", "show", "--markets", markets, "--context", word], index: 5, beginning: word)
        let found = try HostSettings.$current.withValue(settings) { try CompletionCandidates.attributes(words) }
        #expect(found == candidates)
    }

    // MARK: Scripts

    @Test func scriptsReadMarketsInSituations() throws {
        _ = try folder.write(
            """
            local us = glass.market("us", { build = "debug" })
            print(us.config.checkout.retries, us:with { build = "beta" }.config.checkout.retries)
            print(glass.market("ca"):with { locale = "fr-CA" }.config.checkout.greeting)
            print(us:with { audience = { "staff" } }.config.checkout.members)
            print(us:with { date = "2026-11-28T00:00:00Z" }:open("shop://black-friday").outcome)
            print(select(2, pcall(us.with, us, { bulid = "debug" })))
            print(select(2, pcall(us.with, us, { signedIn = "yes" })))
            print(select(2, pcall(us.with, us, "debug")))
            print(select(2, pcall(us.with, us, { build = { a = 1 } })))
            print(select(2, pcall(glass.market, "us", { tier = "gild" })))
            """, to: "s.lua")
        let result = try run("run", "s.lua")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 9, "\(result.output) \(result.errors)")
        #expect(lines.prefix(4) == ["0\t3", "salut", "true", "routed"])
        for (line, message) in zip(
            lines.dropFirst(4),
            [
                #"there is no attribute "bulid"; did you mean "build"?"#,
                #"signedIn: expected true or false, got "yes""#,
                #"market:with expects a table of attributes, such as { build = "debug" }"#,
                "market:with: build: expected text, a number, true, false, or a list of names",
                #"tier: expected one of "none", "gold", got "gild"; did you mean "gold"?"#,
            ])
        {
            #expect(line.hasSuffix(message), "\(line)")
        }
    }

    /// A market in a situation keeps its state for a test, and each test gets one of its own.
    @Test func situationKeepsItsStateInATest() throws {
        _ = try folder.write(
            """
            local debug = glass.market("us", { build = "debug" })
            glass.test("first", function()
              glass.expect(debug.config.checkout.retries):toBe(0)
              glass.expect(glass.market("us", { build = "debug" }):open("shop://deals").outcome):toBe("routed")
            end)
            glass.test("second", function() glass.expect(debug:with({ build = "beta" }).config.checkout.retries):toBe(3) end)
            """, to: "s_test.lua")
        let result = try run("test", "s_test.lua")
        #expect(result.status == 0, "\(result.output) \(result.errors)")
    }

    @Test func replReadsMarketsInSituations() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        _ = try folder.write(
            """
            return {
              id = "north", name = "North", extends = "us", locales = { "en-US" }, currency = "USD",
              overlays = { { name = "slow", when = { build = "beta" }, currency = "CAD" } },
            }
            """, to: "markets/north.lua")
        let plain = try HostProcess(
            ["repl", "-m", "north"], folder: folder.url,
            input: """
                market:with({ build = "beta" }).config.currency
                market.config.currency
                market:with { bulid = "beta" }

                """)
        #expect(plain.output == "\"CAD\"\n\"USD\"\n")
        #expect(plain.errors.hasPrefix(#"error: input:1:8: there is no attribute "bulid"; did you mean "build"?"#))
        #expect(plain.status == 1)
        let beta = try HostProcess(
            ["repl", "-m", "north", "--context", "build=beta"], folder: folder.url, input: "market.config.currency\n")
        #expect(beta.output == "\"CAD\"\n")
    }
}

private struct Checkout: MarketSection {
    var retries = 1
    var statuses: [Int] = []
    var waits = true
    var greeting = ""
    var members = false

    static let key = "checkout"
    static let summary = "How people pay."
    static let keys: [ConfigurationKey<Self>] = [
        .init("retries", \.retries, .integer(0...10), "How often it tries again."),
        .init("statuses", \.statuses, .list(of: .integer(400...599)), "The statuses for which it does."),
        .init("waits", \.waits, "Whether it waits for a network."),
        .init("greeting", \.greeting, .string(.any), "The first words."),
        .init("members", \.members, "Whether members come first."),
    ]
}
