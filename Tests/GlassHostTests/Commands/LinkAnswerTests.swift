import CommandTesting
import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import TestSupport
import Testing

@testable import GlassHost

/// What a link does is one answer, whoever is asked.
@Suite(.timeLimit(.minutes(3)))
struct LinkAnswerTests {
    private let folder: TestFolder

    /// A copy of the shipped markets.
    init() throws {
        folder = try TestFolder()
        let markets = HostRun.repository.appending(path: "markets")
        try FileManager.default.copyItem(at: markets, to: folder.url.appending(path: "markets"))
    }

    private func edit(_ id: String, _ text: String, _ replacement: String) throws {
        let file = folder.url.appending(path: "markets/\(id).lua")
        let old = try String(contentsOf: file, encoding: .utf8)
        #expect(old.contains(text))
        try old.replacing(text, with: replacement).write(to: file, atomically: true, encoding: .utf8)
    }

    private func run(_ arguments: String...) throws -> HostRun { try HostRun(arguments, folder: folder.url) }

    private func json(_ arguments: String...) throws -> [String: Any] {
        try HostRun(arguments + ["--format", "json"], folder: folder.url).json()
    }

    /// The keys that the results of `open` and `explain` share.
    private static let shared = [
        "market", "outcome", "reason", "routable", "pattern", "parameters", "query", "navigation", "situations",
    ]

    private func same(_ one: [String: Any], _ other: [String: Any]) -> Bool {
        Self.shared.allSatisfy { key in
            NSDictionary(dictionary: ["value": one[key] ?? NSNull()]).isEqual(to: ["value": other[key] ?? NSNull()])
        }
    }

    @Test func declinedLinkIsDeclinedByEveryCommand() throws {
        try edit("ca", "en/ip/:slug/:itemID(int)", "en/ip/:slug/:itemID")
        let link = "walmart.ca://en/ip/x/abc"
        let explained = try run("explain", link)
        #expect(explained.status == 1)
        #expect(explained.output.hasPrefix("\(link): unroutable\n"), "\(explained.output)")
        #expect(
            explained.output.contains("- en/ip/:slug/:itemID (item): matches, but item declines the link\n"),
            "\(explained.output)")
        let opened = try json("open", link)
        #expect(opened["reason"] as? String == "declined")
        #expect(same(try json("explain", link), opened))
        #expect(same(try json("open", link, "--dry-run"), opened))
        // And what is wrong is said at the pattern, with what to write.
        let checked = try run("check", "ca")
        #expect(
            checked.output.contains("item takes a whole number as itemID, so it declines links with any other value"),
            "\(checked.output)")
        #expect(checked.output.contains("hint: write \"en/ip/:slug/:itemID(int)\""))
        try edit("ca", "en/ip/:slug/:itemID", "en/ip/:slug/:itemID(int)")
        #expect(try !run("check", "ca").output.contains("itemID"))
    }

    @Test func situationThatDeclinesIsNotNamed() throws {
        try edit("mx", "account = {", "item = { customPaths = { \"articulo/:itemID\" } }, account = {")
        for command in ["open", "explain"] {
            let run = try run(command, "walmart.mx://articulo/abc")
            #expect(run.status == 1)
            #expect(!run.output.contains("--context"), "\(run.output)")
            #expect((try json(command, "walmart.mx://articulo/abc")["situations"] as? [Any])?.isEmpty == true)
        }
        // One that opens the link is.
        #expect(try run("open", "walmart.mx://buen-fin").output.contains("routed from 2029-11-16"))
    }

    @Test func suggestionOpensTheFeatureInTheMarketThatWasAsked() throws {
        try edit("ca", "\"myaccount\"", "\"mon-compte\"")
        let run = try run("open", "walmart.ca://myaccount")
        #expect(run.status == 1)
        #expect(run.output.contains("did you mean \"walmart.ca://mon-compte\"? (route of account)\n"), "\(run.output)")
        let misses = try #require(try json("open", "walmart.ca://myaccount")["nearMisses"] as? [[String: Any]])
        #expect(misses.count == 1)
        for miss in misses {
            let link = try #require(miss["suggestion"] as? String)
            #expect(try self.run("open", link).status == 0, "\(link)")
        }
    }

    @Test func marketThatAllowsTheDomainIsChosen() throws {
        try edit(
            "mx", "allowedDomains = {", "allowedDomains = { { name = \"sklep.example.pl\", allowSubdomains = true },")
        let opened = try json("open", "https://shop.sklep.example.pl/zzz")
        #expect(opened["outcome"] as? String == "external")
        #expect(opened["market"] as? String == "mx")
    }

    @Test func chosenMarketIsNamed() throws {
        let note = "note: using us, the default of 3 markets; choose another with -m\n"
        #expect(try run("show", "currency").errors == note)
        #expect(try run("explain", "maxRetries").errors == note)
        #expect(try run("show", "currency", "-m", "us").errors.isEmpty)
        #expect(try run("show", "currency", "--quiet").errors.isEmpty)
        #expect(try run("show", "currency", "--format", "json").errors.isEmpty)
    }

    @Test func staticPageSaysWhatCheckSays() throws {
        try edit("ca", "locales = { \"en-CA\", \"fr-CA\" }", "locales = { \"en-CA\", \"fr-CA\", \"pl-PL\" }")
        let message = "is not a locale of CA (Canada), the market's country"
        #expect(try run("check", "ca").output.contains(message))
        #expect(try run("inspect", "--as", "html", "--to", "pages").status == 0)
        let page = try String(contentsOf: folder.url.appending(path: "pages/index.html"), encoding: .utf8)
        #expect(page.contains("▲ Works, with 1 warning") && page.contains(message.replacing("'", with: "&apos;")))
    }

    /// A rollout is stopped with a share of 0%, or prepared with it.
    @Test func shareOfNobodyIsANote() throws {
        try edit("us", "percent = 10,", "percent = 0,")
        let checked = try run("check", "us")
        #expect(checked.status == 0)
        #expect(
            checked.output.contains(
                "note: flags.newCheckout.rules[2].rollout.percent: 0% includes nobody [invalidPercent]\n"),
            "\(checked.output)")
        #expect(checked.output.hasSuffix("1 market: 0 errors, 2 warnings, 1 note\n"), "only its unset secrets")
    }

    /// Links that open, and links that nearly do.
    @Test func commandsAgreeAboutGeneratedLinks() throws {
        var random = SplitMix64(state: 53)
        var links: [String] = []
        for id in ["us", "ca", "mx"] {
            let routes = try #require(try json("routes", "-m", id)["routes"] as? [[String: Any]])
            let scheme = id == "us" ? "walmart" : "walmart.\(id)"
            for route in routes {
                guard let pattern = route["pattern"] as? String else { continue }
                let parts = pattern.split(separator: "?")[0].split(separator: "/").map { part in
                    guard part.contains(":") || part.hasPrefix("*") else { return String(part) }
                    return ["7", "abc", "a-b", "%20", "12x", ""].randomElement(using: &random) ?? ""
                }
                links.append("\(scheme)://\(parts.joined(separator: "/"))")
            }
        }
        let page = try InspectCommandTests.Page()
        for _ in 0..<rounds(all: 200, few: 12) {
            guard let link = links.randomElement(using: &random) else { return }
            let (opened, explained) = (try json("open", link), try json("explain", link))
            #expect(same(opened, explained), "\(link)")
            // The page asks all markets, and says of this one what the commands say.
            let id = opened["market"] as? String ?? ""
            let column = try page.columns(link)[id]
            var shown = column?["explanation"] as? [String: Any] ?? [:]
            shown["situations"] = column?["situations"]
            #expect(same(shown, opened), "\(link)")
            for miss in opened["nearMisses"] as? [[String: Any]] ?? []
            where miss["market"] as? String == opened["market"] as? String {
                let suggestion = miss["suggestion"] as? String ?? ""
                let written = miss["written"] as? String ?? ""
                let corrected = suggestion.contains("://") ? suggestion : link.replacing(written, with: suggestion)
                #expect(try run("open", corrected).status == 0, "\(link): \(corrected)")
            }
            for situation in opened["situations"] as? [[String: Any]] ?? [] {
                let context = situation["context"] as? String ?? ""
                #expect(try run("open", link, "--context", context).status == 0, "\(link): \(context)")
            }
        }
    }

    /// The sheet of a market lists links that do what it says of them.
    @Test(arguments: ["us", "ca", "mx"])
    func sheetSaysWhatPageSays(id: String) throws {
        let page = try InspectCommandTests.Page()
        let sheet = try LinkSheet(page.answers.loader.load(id), WorkBudget(cpuTime: LinkSheet.cpuTime))
        let entries = sheet.features.flatMap(\.entries)
        let step = rounds(all: 1, few: 6)
        for entry in entries.enumerated().filter({ $0.offset % step == 0 }).map(\.element) {
            guard let link = entry.links.first, let sentence = entry.sentence else { continue }
            let told = try page.columns(link.url)[id]?["sentence"] as? [String: Any]
            #expect(told?["text"] as? String == sentence.text, "\(link.url)")
            #expect(try run("open", link.url, "-m", id).status == (sentence.kind == .opens ? 0 : 1), "\(link.url)")
        }
    }

    /// A link that begins like those of no market has a reason in each of them.
    @Test func linkOfNoMarketHasAllReasons() throws {
        let opened = try run("open", "walmrt.ca://cart")
        #expect(opened.status == 1)
        #expect(
            opened.output == """
                unroutable
                  ca: this market has no scheme "walmrt.ca"; its scheme is "walmart.ca"
                  mx: this market has no scheme "walmrt.ca"; its scheme is "walmart.mx"
                  us: this market has no scheme "walmrt.ca"; its scheme is "walmart"
                  did you mean "walmart.ca://cart"? (route of cart in ca)

                """)
        for link in ["walmrt.ca://cart", "https://www.walmrt.ca/ip/x/1", "https://www.nowhere.com"] {
            let (opened, explained) = (try json("open", link), try json("explain", link))
            let markets = (opened["refusals"] as? [[String: Any]])?.compactMap { $0["market"] as? String } ?? []
            #expect(Set(markets) == ["us", "ca", "mx"], "\(link)")
            #expect(explained["refusals"] as? NSArray == opened["refusals"] as? NSArray)
        }
        #expect((try json("open", "walmart.ca://zzz")["refusals"] as? [Any])?.isEmpty == true)
        #expect((try json("open", "foo://bar", "-m", "us")["refusals"] as? [Any])?.isEmpty == true)
    }

    /// A script's explanation is that of opening the link, and opens nothing in the script's market.
    @Test func scriptExplainsWhatOpens() throws {
        try edit("ca", "en/ip/:slug/:itemID(int)", "en/ip/:slug/:itemID")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "scripts"), withIntermediateDirectories: true)
        try """
        local m = glass.market "ca"
        local declined = m:explain "walmart.ca://en/ip/x/abc"
        local routed = m:explain "walmart.ca://cart"
        print(declined.outcome, declined.reason, routed.outcome, m:open("walmart.ca://cart").outcome)
        """.write(to: folder.url.appending(path: "scripts/a.lua"), atomically: true, encoding: .utf8)
        let ran = try run("run", "scripts/a.lua")
        #expect(ran.output == "unroutable\tdeclined\trouted\trouted\n", "\(ran.output)\(ran.errors)")
    }

    /// No other market answers for one with errors.
    @Test func linkOfBrokenMarketIsNotAnsweredByAnotherOne() throws {
        try edit("mx", "maxRetries = 5", "maxRetires = 5")
        for command in [["open"], ["open", "--dry-run"], ["explain"], ["routes"]] {
            let run = try HostRun(command + ["walmart.mx://carrito"], folder: folder.url)
            #expect(run.status == 1 && run.output.isEmpty, "\(command): \(run.output)")
            #expect(run.errors.contains("market \"mx\" cannot be loaded"), "\(run.errors)")
        }
        // What a file without any readable value owns is not known.
        try "this is no Lua".write(
            to: folder.url.appending(path: "markets/mx.lua"), atomically: true, encoding: .utf8)
        let unknown = try run("open", "walmart.mx://carrito")
        #expect(unknown.status == 2)
        #expect(unknown.errors.hasPrefix("no market has the scheme \"walmart.mx\", and mx cannot be loaded"))
        #expect(try run("open", "walmart.ca://cart").status == 0)
    }

    /// The situations of a compiled file are its own, and not those of the folder's market.
    @Test func compiledFileAnswersForItself() throws {
        let file = folder.url.appending(path: "markets/mx.lua")
        let text = try Data(contentsOf: file)
        try removeConditions(of: file)
        #expect(try run("compile", "mx", "--to", "plain").status == 0)
        try text.write(to: file)
        #expect(try run("compile", "--to", "c").status == 0)
        let link = "walmart.mx://buen-fin"
        #expect(try run("open", link).output.contains("routed from 2029-11-16"))
        for command in ["open", "explain"] {
            #expect(!(try run(command, link, "-m", "plain/4/mx.json").output.contains("routed")))
            let varied = try run(command, link, "-m", "c/4/mx.json").output
            #expect(varied.contains("routed from 2029-11-16T00:00:00 until 2029-11-20"), "\(varied)")
        }
    }

    @Test func webLinkHasItsDays() throws {
        let link = "https://www.walmart.com.mx/buen-fin"
        for command in ["open", "explain"] {
            let said = try run(command, link).output
            #expect(said.contains("routed from 2029-11-16T00:00:00 until 2029-11-20"), "\(said)")
        }
    }

    /// A situation names only what is needed, and a day that is over only if there is no other.
    @Test func situationNamesOnlyWhatIsNeeded() throws {
        try """
        return { id = "qc", name = "QC", extends = "ca", deepLinking = { schemes = { "walmart.qc" } }, overlays = {
          { name = "off", when = { date = ">= 2027-01-01T00:00:00Z < 2027-01-02T00:00:00Z" }, routables = { help = false } },
          { name = "past", when = { date = "< 2020-01-01T00:00:00Z" },
            routables = { past = { paths = { "past" }, show = { screen = "past" } } } },
          { name = "dbg", when = { build = "debug" }, routables = { dbg = { paths = { "dbg" }, show = { screen = "dbg" } } } },
          { name = "combo", when = { all = { { build = "debug" }, { date = ">= 2027-05-01T00:00:00Z" } } },
            routables = { combo = { paths = { "combo" }, show = { screen = "combo" } } } },
        } }
        """.write(to: folder.url.appending(path: "markets/qc.lua"), atomically: true, encoding: .utf8)
        func situations(_ path: String, _ options: String...) throws -> [String] {
            let json = try HostRun(
                ["open", "walmart.qc://\(path)", "--format", "json"] + options, folder: folder.url
            ).json()
            return (json["situations"] as? [[String: Any]] ?? []).compactMap { $0["context"] as? String }
        }
        #expect(try situations("dbg") == ["build=debug"])
        #expect(try situations("combo") == ["build=debug,date=2027-05-01T00:00:00Z"])
        #expect(try situations("help", "--now", "2027-01-01T12:00:00Z") == ["date=2027-01-02T00:00:00Z"])
        // If only the past has the link, a day of the past.
        #expect(try situations("past").map { $0.hasPrefix("date=") && !$0.contains("build") } == [true])
    }

    /// A suggestion opens in the market that a user gets, also if it shares a scheme.
    @Test func suggestionHasOwnScheme() throws {
        try """
        return { id = "pr", name = "PR", extends = "us",
          deepLinking = { schemes = { "walmart", "walmart.pr" }, universalLinks = { "www.walmart.com" } },
          routables = { account = { paths = { "micuenta" } } } }
        """.write(to: folder.url.appending(path: "markets/pr.lua"), atomically: true, encoding: .utf8)
        #expect(try run("open", "walmart.pr://account").output.contains("did you mean \"walmart.pr://micuenta\"?"))
        #expect(try run("open", "walmart://account", "--translate-to", "pr").output == "walmart.pr://micuenta\n")
        #expect(try run("open", "walmart.pr://micuenta").status == 0)
        // Its shared identifiers are on its card, as in `check`.
        #expect(try run("inspect", "--as", "html", "--to", "pages").status == 0)
        let page = try String(contentsOf: folder.url.appending(path: "pages/index.html"), encoding: .utf8)
        for finding in try json("check", "pr")["findings"] as? [[String: Any]] ?? []
        where finding["code"] as? String == "sharedIdentity" {
            // Without the position, which a page shows by itself.
            let message = (finding["message"] as? String ?? "").components(separatedBy: " (")[0]
            #expect(page.contains(message.replacing("\"", with: "&quot;")) || page.contains(message), "\(message)")
        }
        let isShared = (try json("check", "pr")["findings"] as? [[String: Any]])?.contains {
            $0["code"] as? String == "sharedIdentity"
        }
        #expect(isShared == true)
    }

    /// A link that opens another screen is a difference.
    @Test func differenceOfScreenIsShown() throws {
        try FileManager.default.copyItem(
            at: folder.url.appending(path: "markets"), to: folder.url.appending(path: "old"))
        try edit("ca", "screen = \"flyers\"", "screen = \"circulars\", tab = \"shop\"")
        let diff = try run("diff", "ca", "--against", "old", "--exit-code")
        #expect(diff.status == 1)
        #expect(diff.output.contains("~ routables.flyers.show.screen: \"flyers\" → \"circulars\""), "\(diff.output)")
    }
}
