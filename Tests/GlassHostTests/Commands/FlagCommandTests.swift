import CommandTesting
import Foundation
import GlassMarkets
import TestSupport
import Testing

@testable import GlassHost

/// What commands say of flags.
@Suite(.timeLimit(.minutes(3)))
struct FlagCommandTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "markets"), withIntermediateDirectories: true)
        _ = try folder.write(Self.us, to: "markets/us.lua")
        _ = try folder.write(Self.ca, to: "markets/ca.lua")
    }

    private static let us = """
        return {
          id = "us", name = "US", locales = { "en-US", "es-US" }, currency = "USD",
          deepLinking = { schemes = { "shop" } }, routables = {},
          conditions = { internal = { audience = "associates" } },
          layers = { search = { by = "installID" } },
          flags = {
            newCheckout = {
              kind = "release", owner = "checkout", expires = "2027-03-31", doc = "One-page checkout.", default = false,
              rules = {
                { name = "associates", when = "internal", value = true },
                { name = "ramp", when = { appVersion = ">= 24.4" }, rollout = { percent = 10, by = "customerID" }, value = true },
              },
            },
            ["search.ranker"] = {
              kind = "experiment", owner = "search", expires = "2026-11-20", layer = "search", slots = { 0, 40 },
              variants = { control = "bm25", neural = "neural-2" }, default = "control",
              rules = { { name = "trial", split = { by = "installID", weights = { { "control", 50 }, { "neural", 50 } } } } },
            },
            banner = { kind = "operations", owner = "home", default = { text = "hi" } },
          },
        }
        """

    private static let ca = """
        return {
          id = "ca", name = "Canada", extends = "us", locales = { "en-CA", "fr-CA" }, currency = "CAD",
          deepLinking = { schemes = { "shop.ca" } },
          conditions = { internal = { audience = "associates-ca" } },
          flags = {
            newCheckout = { rules = prepend { { name = "quebec", when = { region = "CA-QC" }, value = false } } },
            ["search.ranker"] = unset, banner = unset,
          },
        }
        """

    private static let now = ["--now", "2026-11-27T12:00:00Z"]

    private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(
            arguments + Self.now, of: RootCommand.self, HostSettings(module: MarketModule("shop", defaultMarket: "us")),
            name: "glass-host",
            environment: environment, folder: folder.url)
    }

    // MARK: flags

    @Test func tableHasValueReasonAndLife() throws {
        #expect(
            try run("flags", "-m", "us", "--context", "appVersion=24.5").output == """
                FLAG           VALUE             WHY                             KIND        OWNER     EXPIRES                     SHARES
                banner         { text = "hi" }   STATIC                          operations  home      -                           -
                newCheckout    false             DEFAULT, customerID is missing  release     checkout  2027-03-31 (124 days left)  ramp 10% of customerID
                search.ranker  "bm25" (control)  DEFAULT, installID is missing   experiment  search    2026-11-20 (expired)        0% to 40% of the layer search; trial control 50%, neural 50% of installID

                """)
    }

    @Test func withoutMarketAllAreListed() throws {
        let all = try run("flags", "newCheckout")
        #expect(
            all.output == """
                MARKET  FLAG         VALUE  WHY      KIND     OWNER     EXPIRES                     SHARES
                ca      newCheckout  false  DEFAULT  release  checkout  2027-03-31 (124 days left)  ramp 10% of customerID
                us      newCheckout  false  DEFAULT  release  checkout  2027-03-31 (124 days left)  ramp 10% of customerID

                """)
        // A flag of one market is no error for the other.
        let one = try run("flags", "banner")
        #expect(one.status == 0 && one.output.contains("us      banner") && !one.output.contains("ca      "))
        #expect(try run("flags", "banner", environment: ["GLASS_MARKET": "ca"]).status == 1)
        let json = try run("flags", "--format", "json").json()
        #expect(Set(json.keys) == ["schema", "markets"])
        #expect((json["markets"] as? [[String: Any]])?.map { $0["market"] as? String } == ["ca", "us"])
    }

    @Test func jsonFollowsTheContract() throws {
        _ = try folder.write(
            #"{ "appVersion": "24.5", "audience": ["associates"], "installID": "i-1" }"#, to: "a.json")
        let json = try run(
            "-m", "us", "flags", "search.ranker", "newCheckout", "nothing", "--context-file", "a.json", "--format",
            "json")
        #expect(json.status == 1)
        #expect(
            json.errors == "the market us has no flag \"nothing\"; the flags are banner, newCheckout, search.ranker\n")
        let object = try json.json()
        #expect(object["market"] as? String == "us" && object["schema"] as? Int == 1)
        let flags = try #require(object["flags"] as? [[String: Any]])
        #expect(flags.map { $0["name"] as? String } == ["newCheckout", "nothing", "search.ranker"])
        for flag in flags { #expect(Set(flag.keys) == ["name", "value", "variant", "reason", "rule", "error"]) }
        #expect(flags[0]["value"] as? Bool == true && flags[0]["reason"] as? String == "TARGETING_MATCH")
        #expect(flags[0]["rule"] as? String == "associates" && flags[0]["variant"] is NSNull)
        #expect(flags[1]["value"] is NSNull && flags[1]["reason"] as? String == "ERROR")
        #expect(flags[1]["error"] as? String == "FLAG_NOT_FOUND")
        #expect(flags[2]["value"] as? String != nil && flags[2]["error"] is NSNull)
    }

    /// A rule with a share of nobody does not hold, and the service of the app says the same.
    @Test func missingUnitHasErrorCode() throws {
        let json = try run("flags", "newCheckout", "-m", "us", "--context", "appVersion=24.5", "--format", "json")
            .json()
        let flag = try #require((json["flags"] as? [[String: Any]])?.first)
        #expect(flag["reason"] as? String == "DEFAULT" && flag["rule"] is NSNull)
        #expect(flag["error"] as? String == "TARGETING_KEY_MISSING" && flag["value"] as? Bool == false)
    }

    @Test func unknownNameIsErrorWithSuggestion() throws {
        let near = try run("flags", "newChekout", "-m", "us")
        #expect(near.status == 1 && near.output.isEmpty)
        #expect(near.errors == "the market us has no flag \"newChekout\"; did you mean \"newCheckout\"?\n")
        let all = try run("flags", "newChekout")
        #expect(all.errors == "no market has a flag \"newChekout\"; did you mean \"newCheckout\"?\n")
        let markets = try run("flags", "-m", "uss")
        #expect(markets.status == 2)
    }

    @Test func marketWithoutFlagsHasEmptyList() throws {
        _ = try folder.write(
            """
            return { id = "mx", name = "Mexico", locales = { "es-MX" }, currency = "MXN",
              deepLinking = { schemes = { "shop.mx" } }, routables = {} }
            """, to: "markets/mx.lua")
        #expect(try run("flags", "-m", "mx").output == "no flags\n")
        #expect((try run("flags", "-m", "mx", "--format", "json").json()["flags"] as? [Any])?.isEmpty == true)
    }

    // MARK: explain

    @Test func explainShowsEachRule() throws {
        let context = "region=CA-ON,appVersion=24.5,customerID=100234"
        #expect(
            try run("explain", "newCheckout", "-m", "ca", "--context", context).output == """
                flags.newCheckout = false  (DEFAULT)
                  no    quebec      region = "CA-QC": it is "CA-ON"  -- markets/ca.lua:6:39
                  no    associates  internal (markets/ca.lua:4:18): audience = "associates-ca": it is empty  -- markets/us.lua:10:9
                  no    ramp        appVersion >= 24.4 holds; customerID is at 12.971%, not below 10%  -- markets/us.lua:11:9
                  else  false  -- markets/us.lua:8:107
                  One-page checkout.
                  release of checkout, until 2027-03-31 (124 days left)
                  in an app, a forced value or a provider takes precedence over the market

                """)
        let quebec = try run("explain", "newCheckout", "-m", "ca", "--context", "region=CA-QC,appVersion=24.5")
        #expect(
            quebec.output.hasPrefix(
                """
                flags.newCheckout = false  (TARGETING_MATCH)
                  yes   quebec      region = "CA-QC" holds  -- markets/ca.lua:6:39
                  skip  associates
                """))
    }

    @Test func explainShowsVariantsAndSlots() throws {
        func steps(_ installID: String) throws -> [[String: Any]] {
            let json = try run(
                "explain", "flags[\"search.ranker\"]", "--context", "installID=\(installID)", "--format", "json"
            ).json()
            let flag = try #require(json["flag"] as? [String: Any])
            return try #require(flag["steps"] as? [[String: Any]])
        }
        var seen: Set<String> = []
        for number in 0..<40 {
            let steps = try steps("i-\(number)")
            #expect(steps.map { $0["name"] as? String } == ["layer search", "trial"])
            let percent = try #require(steps[0]["percent"] as? Double)
            #expect(steps[0]["holds"] as? Bool == (percent < 40))
            let why = try #require(steps[1]["why"] as? String)
            if percent >= 40 {
                #expect(steps[1]["holds"] is NSNull)
                seen.insert("skipped")
            } else {
                let place = try #require(steps[1]["percent"] as? Double)
                let share = place < 50 ? "in control from 0% to 50%" : "in neural from 50% to 100%"
                #expect(why.hasSuffix(share))
                seen.insert(share)
            }
        }
        #expect(seen.count == 3)
    }

    @Test func explainSaysWhatIsUnsetOrDisabled() throws {
        let unset = try run("explain", "newCheckout", "--context", "appVersion=24.5").output
        #expect(unset.contains("\n  no    ramp        appVersion >= 24.4 holds; customerID is missing  -- "))
        #expect(unset.contains("\n  depends on customerID, which is not set\n"))
        _ = try folder.write(
            Self.us.replacing("doc = \"One-page checkout.\"", with: "enabled = false"), to: "markets/us.lua")
        let disabled = try run("explain", "newCheckout", "-m", "us").output
        #expect(disabled.hasPrefix("flags.newCheckout = false  (DISABLED)\n  skip  associates"))
        #expect(disabled.contains("\n  else  false, because enabled = false  -- "))
        // Keys inside of a flag are explained like all others.
        #expect(
            try run("explain", "flags.newCheckout.owner").output.hasPrefix("flags.newCheckout.owner = \"checkout\"\n"))
    }

    // MARK: diff and matrix

    @Test func diffSaysWhoMoves() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "old"), withIntermediateDirectories: true)
        _ = try folder.write(Self.us, to: "old/us.lua")
        _ = try folder.write(
            Self.us.replacing("percent = 10", with: "percent = 25")
                .replacing("{ \"control\", 50 }, { \"neural\", 50 }", with: "{ \"control\", 20 }, { \"neural\", 70 }"),
            to: "markets/us.lua")
        #expect(
            try run("diff", "us", "--against", "old").output == """
                old/us.lua → markets/us.lua
                keys
                  ~ flags.newCheckout.rules[name=ramp].rollout.percent: 10 → 25
                  ~ flags["search.ranker"].rules[name=trial].split.weights[1]: - 50, + 20
                  ~ flags["search.ranker"].rules[name=trial].split.weights[2]: - 50, + 70
                flags
                  newCheckout, rule ramp: 10% → 25%: 15% gain, none lose
                  search.ranker, rule trial: control 50%, neural 50% → control 20%, neural 70%: 30% change from control to neural, none gain, 10% lose
                2 keys differ

                """)
        let json = try run("diff", "us", "--against", "old", "--format", "json").json()
        let comparison = try #require((json["comparisons"] as? [[String: Any]])?.first)
        let flags = try #require(comparison["flags"] as? [[String: Any]])
        let moves = try #require(flags.last?["moves"] as? [[String: Any]])
        #expect(moves.map { $0["percent"] as? Double } == [30, 10])
        #expect(moves.map { $0["to"] as? String } == ["neural", nil])
        let markdown = try run("diff", "us", "--against", "old", "--as", "markdown").output
        #expect(markdown.contains("- newCheckout, rule ramp: 10% → 25%: 15% gain, none lose"))
    }

    @Test func flagThatASideLacksIsOneLine() throws {
        let lines = try run("diff", "us", "ca").output.split(separator: "\n")
        for name in ["flags.banner", "flags[\"search.ranker\"]"] {
            let own = lines.filter { $0.contains(name) }
            #expect(
                own.count == 1 && own[0].hasPrefix("  \(name): {") && own[0].contains(" in us, nothing in ca"), "\(own)"
            )
        }
    }

    // MARK: schema swift

    @Test func swiftHasTypedKeyForEachFlag() throws {
        let more =
            "[\"max-items\"] = { kind = \"operations\", owner = \"home\", default = 3, doc = \"How many\\nitems.\" }, "
            + "default = { kind = \"permission\", owner = \"home\", default = 0.5 },"
        _ = try folder.write(Self.us.replacing("banner =", with: "\(more) banner ="), to: "markets/us.lua")
        #expect(
            try run("schema", "swift").output == #"""
                // The flags of the markets. Generated by the host's `schema swift` command. Do not edit.

                import GlassFlags

                extension FlagKey where Value == Bool {
                    /// One-page checkout. Release of checkout, until 2027-03-31.
                    static let newCheckout = FlagKey("newCheckout", default: false)
                }

                extension FlagKey where Value == Int {
                    /// How many\nitems. Operations of home.
                    static let maxItems = FlagKey("max-items", default: 3)
                }

                extension FlagKey where Value == Double {
                    /// Permission of home.
                    static let `default` = FlagKey("default", default: 0.5)
                }

                extension FlagKey where Value == String {
                    /// Experiment of search, until 2026-11-20.
                    static let searchRanker = FlagKey("search.ranker", default: "bm25")
                }

                extension FlagKey where Value == FlagObject {
                    /// Operations of home.
                    static let banner = FlagKey("banner", default: ["text": "hi"])
                }

                """#)
    }

    @Test(
        arguments: [
            (
                "newCheckout = { kind = \"operations\", owner = \"x\", default = 1 }",
                "the flag newCheckout is integer in mx and boolean in us; give it one type, or one of them another name\n"
            ),
            (
                "[\"new-checkout\"] = { kind = \"operations\", owner = \"x\", default = false }",
                "the flags new-checkout and newCheckout are both newCheckout in Swift; choose another name for one of them\n"
            ),
        ])
    func conflictHasNoCode(flag: String, message: String) throws {
        _ = try folder.write(
            """
            return { id = "mx", name = "Mexico", locales = { "es-MX" }, currency = "MXN", flags = { \(flag) },
              deepLinking = { schemes = { "shop.mx" } }, routables = {} }
            """, to: "markets/mx.lua")
        try FileManager.default.removeItem(at: folder.url.appending(path: "markets/ca.lua"))
        let result = try run("schema", "swift")
        #expect((result.status, result.errors, result.output) == (1, message, ""))
    }

    // MARK: Scripts

    @Test func scriptReadsFlagsInSituation() throws {
        _ = try folder.write(
            """
            local market = glass.market("ca", { region = "CA-QC" })
            local flag = market:flag("newCheckout")
            print(flag.value, flag.reason, flag.rule, flag.variant)
            local other = market:with { region = "CA-ON", appVersion = "24.5" }
            print(other:flag("newCheckout").reason, other:flag("newCheckout").missingUnit)
            for name, value in pairs(other:flags()) do print(name, value) end
            print(select(2, pcall(function() market:flag("newChekout") end)))
            """, to: "flags.lua")
        let result = try run("run", "flags.lua")
        #expect(result.errors == "")
        #expect(
            result.output.hasPrefix(
                """
                false\tTARGETING_MATCH\tquebec\tnil
                DEFAULT\tcustomerID
                newCheckout\tfalse

                """))
        #expect(result.output.contains("the market ca has no flag \"newChekout\"; did you mean \"newCheckout\"?"))
    }

    @Test func namesOfFlagsAreCompleted() throws {
        func names(_ words: String...) throws -> [String] {
            try CommandRun(
                ["---completion", "flags", "--", "positional@0", "\(words.count)", "\(words.last?.count ?? 0)"]
                    + ["glass-host"] + words, of: RootCommand.self,
                HostSettings(module: MarketModule("shop", defaultMarket: "us")),
                name: "glass-host", environment: [:], folder: folder.url
            ).output.split(separator: "\n").map(String.init)
        }
        #expect(try names("flags", "") == ["banner", "newCheckout", "search.ranker"])
        #expect(try names("flags", "-m", "ca", "") == ["newCheckout"])
    }
}
