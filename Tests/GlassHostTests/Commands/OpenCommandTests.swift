import CommandTesting
import Foundation
import Testing

/// `open` with one link.
@Suite(.timeLimit(.minutes(3)))
struct OpenCommandTests {
    @Test(arguments: [
        (["open", "walmart://account"], 0, "routed account (account)\n  tab account › account\n"),
        (
            ["--market", "ca", "open", "walmart.ca://myaccount"], 0,
            "routed account (myaccount)\n  tab account › account\n"
        ),
        (
            ["--market", "ca", "open", "walmart.ca://account"], 1,
            """
            unroutable
              no route matches the link
              did you mean "myaccount"? ("account" → "myaccount", route of account)
              did you mean "walmart://account"? (route of account in us)

            """
        ),
        (
            ["open", "walmart://orders", "--hold", "signedIn"], 1,
            "waiting orders (orders)\n  the link waits for signedIn\n"
        ),
        (
            ["open", "https://help.walmart.com/x"], 1,
            "external\n  no route matches the link; its domain may open outside the app\n"
        ),
        (
            ["open", "https://www.walmart.com/ip/12", "--dry-run"], 0,
            "routed item (ip/:itemID(int))\n  itemID = 12\n  tab shop › item(itemID: 12)\n"
        ),
    ])
    func outcomeOfLinkIsPrinted(arguments: [String], status: Int32, output: String) throws {
        let run = try HostRun(arguments)
        #expect(run.status == status)
        #expect(run.output == output)
    }

    @Test(arguments: ["", "account", "walmart://ip/../x", "https://www.walmart.com@evil.com/account"])
    func invalidLinkIsRejected(link: String) throws {
        let run = try HostRun(["open", link, "--format", "json"])
        #expect(run.status == 1)
        #expect(try run.json()["outcome"] as? String == "refused")
    }

    @Test func jsonOfLinkHasAllKeys() throws {
        let run = try HostRun(["open", "walmart://cart?a=1&a=2&b", "--format", "json"])
        #expect(
            run.output.filter { !$0.isWhitespace }
                == """
                {"market":"us","navigation":{"screens":[{"name":"cart","parameters":{}}],"tab":"cart"},"nearMisses":[],"outcome":"routed","parameters":{},"pattern":"cart",\
                "query":[{"name":"a","value":"1"},{"name":"a","value":"2"},{"name":"b","value":null}],"reason":null,\
                "refusals":[],"routable":"cart","schema":1,"situations":[]}
                """)
    }

    @Test func unknownPreconditionExitsWith2() throws {
        let run = try HostRun(["open", "walmart://cart", "--hold", "signedin"])
        #expect(run.status == 2)
        #expect(run.errors == "--hold: this market has no precondition \"signedin\"; did you mean \"signedIn\"?\n")
    }

    @Test func marketComesFromEnvironmentUnlessNamed() throws {
        #expect(try HostRun(["open", "walmart.mx://mi-cuenta"], environment: ["GLASS_MARKET": "mx"]).status == 0)
        #expect(
            try HostRun(["open", "walmart://account", "-m", "us"], environment: ["GLASS_MARKET": "mx"]).status == 0)
    }

    @Test func editedPathRoutesWithoutCompiling() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = markets.appending(path: "ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacingOccurrences(of: "\"myaccount\"", with: "\"profile\"").write(
            to: file, atomically: true, encoding: .utf8)
        let run = try HostRun(["--markets", markets.path, "-m", "ca", "open", "walmart.ca://profile"])
        #expect(run.status == 0)
    }

    @Test(
        arguments: [
            ("walmart://account", "ca", 0, "walmart.ca://myaccount\n"),
            ("https://www.walmart.com/cart", "mx", 0, "https://www.walmart.com.mx/carrito\n"),
            ("walmart://pharmacy", "ca", 1, ""), ("walmart://nothing", "ca", 1, ""), ("walmart://account", "cq", 2, ""),
        ] as [(String, String, Int32, String)])
    func linkIsTranslatedIntoAnotherMarket(link: String, market: String, status: Int32, output: String) throws {
        let run = try HostRun(["open", link, "--translate-to", market])
        #expect(run.status == status)
        #expect(run.output == output)
    }
}
