import CommandTesting
import Foundation
import GlassMarkets
import TestSupport
import Testing

@testable import GlassHost

/// Which market a command uses if the user names none.
@Suite(.timeLimit(.minutes(3)))
struct MarketChoiceTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "markets"), withIntermediateDirectories: true)
        try write("aa", schemes: ["shop"], host: "www.shop.com")
        try write("bb", schemes: ["shop.bb", "both"], host: "www.shop.bb")
        try write("cc", schemes: ["shop.cc", "both"], host: "www.shop.bb", extends: "bb")
    }

    private func write(_ id: String, schemes: [String], host: String, extends base: String? = nil) throws {
        _ = try folder.write(
            """
            return {
              id = "\(id)", name = "\(id.uppercased())", locales = { "en-US" }, currency = "USD",\
            \(base.map { " extends = \"\($0)\"," } ?? "")
              deepLinking = {
                schemes = { \(schemes.map { "\"\($0)\"" }.joined(separator: ", ")) }, universalLinks = { "\(host)" },
              },
              preconditions = { ready = { doc = "Ready." } },
              routables = {
                deals = {
                  paths = { "deals/:id" }, show = { tab = "home", screen = "\(id)" }, waitForPreconditions = { "ready" },
                },
              },
            }
            """, to: "markets/\(id).lua")
    }

    private func run(
        _ arguments: String..., defaultMarket: String? = nil, environment: [String: String] = [:]
    ) throws -> CommandRun {
        try CommandRun(
            arguments, of: RootCommand.self, HostSettings(module: MarketModule("shop", defaultMarket: defaultMarket)),
            name: "glass-host", environment: environment, folder: folder.url)
    }

    private static let opened = (
        aa: "routed deals (deals/:id)\n  id = 1\n  tab home › aa(id: 1)\n",
        bb: "routed deals (deals/:id)\n  id = 1\n  tab home › bb(id: 1)\n",
        cc: "routed deals (deals/:id)\n  id = 1\n  tab home › cc(id: 1)\n"
    )

    @Test func schemeOrHostOfLinkDecides() throws {
        #expect(try run("open", "shop.cc://deals/1").output == Self.opened.cc)
        #expect(try run("open", "https://www.shop.com/deals/1").output == Self.opened.aa)
        #expect(try run("open", "shop.bb://deals/1").output == Self.opened.bb)
        #expect(try run("open", "shop.bb://deals/1").errors.isEmpty)
        #expect(try run("routes", "shop.cc://deals/1", "--format", "json").json()["market"] as? String == "cc")
        #expect(try run("explain", "shop.cc://deals/1", "--format", "json").json()["market"] as? String == "cc")
    }

    /// As on phones, the market that lists a host precedes one with a wildcard, and a longer wildcard a shorter one.
    @Test func hostPrecedesWildcard() throws {
        try write("dd", schemes: ["shop.dd"], host: "*.shop.bb")
        try write("ee", schemes: ["shop.ee"], host: "*.stores.shop.bb")
        func market(_ host: String) throws -> String? {
            let run = try run("explain", "https://\(host)/deals/1", "--format", "json")
            #expect(run.errors.isEmpty)
            return try run.json()["market"] as? String
        }
        #expect(try market("m.shop.bb") == "dd")
        #expect(try market("berlin.stores.shop.bb") == "ee")
        #expect(try market("stores.shop.bb") == "dd")
        #expect(
            try self.run("open", "https://www.shop.bb/deals/1").errors
                == "note: bb, cc have the host \"www.shop.bb\"; using bb, choose another with -m\n")
    }

    @Test func severalMarketsThatFitAreNamed() throws {
        let run = try run("open", "both://deals/1")
        // The one that the other extends.
        #expect(run.output == Self.opened.bb)
        #expect(
            run.errors == "note: bb, cc have the scheme \"both\"; using bb, choose another with -m\n")
        let other = try self.run("open", "both://deals/1", defaultMarket: "cc")
        #expect(other.output == Self.opened.cc)
        let host = try self.run("open", "https://www.shop.bb/deals/1")
        #expect(
            host.errors == "note: bb, cc have the host \"www.shop.bb\"; using bb, choose another with -m\n")
        #expect(try self.run("open", "both://deals/1", "-q").errors.isEmpty)
        #expect(try self.run("open", "both://deals/1", "--format", "json").errors.isEmpty)
    }

    @Test func linkOfNoMarketIsForDefaultOrAnError() throws {
        let run = try run("open", "other://deals/1")
        #expect(run.status == 2)
        #expect(run.errors == "no market has the scheme \"other\"; choose one with -m: aa, bb, cc\n")
        let usual = try self.run("open", "other://deals/1", "--format", "json", defaultMarket: "bb")
        #expect(usual.status == 1)
        #expect(try usual.json()["market"] as? String == "bb")
        _ = try folder.write("return {", to: "markets/cc.lua")
        #expect(
            try self.run("explain", "shop.cc://deals/1").errors
                == "no market has the scheme \"shop.cc\", and cc cannot be loaded; choose one with -m: aa, bb, cc\n")
    }

    @Test func namedMarketWins() throws {
        #expect(try run("open", "shop.cc://deals/1", "-m", "aa").status == 1)
        #expect(try run("open", "both://deals/1", "-m", "cc").output == Self.opened.cc)
        let environment = ["GLASS_MARKET": "cc"]
        #expect(try run("open", "both://deals/1", environment: environment).output == Self.opened.cc)
        #expect(try run("open", "both://deals/1", "-m", "bb", environment: environment).output == Self.opened.bb)
        // The environment is stronger than the link.
        #expect(try run("open", "shop.bb://deals/1", environment: environment).status == 1)
        #expect(
            try run("routes", "--format", "json", defaultMarket: "aa", environment: environment).json()["market"]
                as? String == "cc")
    }

    @Test func defaultOfModuleAndOnlyMarketFollow() throws {
        #expect(try run("routes", "--format", "json", defaultMarket: "bb").json()["market"] as? String == "bb")
        for command in [["routes"], ["show"], ["services"], ["explain", "currency"]] {
            let run = try CommandRun(
                command, of: RootCommand.self, HostSettings(module: MarketModule("shop")), name: "glass-host",
                environment: [:], folder: folder.url)
            #expect(run.status == 2)
            #expect(run.errors == "there are several markets; choose one with -m: aa, bb, cc\n")
        }
        // A default that the folder does not have is ignored.
        #expect(try run("routes", defaultMarket: "us").status == 2)
        for id in ["bb", "cc"] {
            try FileManager.default.removeItem(at: folder.url.appending(path: "markets/\(id).lua"))
        }
        #expect(try run("routes", "--format", "json", defaultMarket: "us").json()["market"] as? String == "aa")
        #expect(try run("open", "other://deals/1", "--format", "json").json()["market"] as? String == "aa")
    }

    @Test func firstDefaultOfCombinedModulesCounts() {
        let first = MarketModule("one", defaultMarket: "aa")
        #expect(MarketModule("app").including(first, MarketModule("two", defaultMarket: "bb")).defaultMarket == "aa")
        #expect(MarketModule("app", defaultMarket: "cc").including(first).defaultMarket == "cc")
        #expect(MarketModule("app").defaultMarket == nil)
    }

    @Test func routesTakesOnlyLinks() throws {
        let run = try run("routes", "aa")
        #expect(run.status == 64)
        #expect(run.errors.contains("\"aa\" is not a link; name a market with --market"))
    }

    @Test func explainSaysWhatLinkWaitsForAndWhereItGoes() throws {
        let run = try run("explain", "shop.bb://deals/1")
        #expect(
            run.output == """
                shop.bb://deals/1: routed
                gate: passed
                scheme: shop.bb
                segments: deals | 1
                + deals/:id (deals): matches, most specific
                waits for: ready
                goes to: tab home › bb(id: 1)

                """)
        let held = try self.run("explain", "shop.bb://deals/1", "--hold", "ready", "--format", "json")
        #expect(held.status == 1)
        let json = try held.json()
        #expect(json["outcome"] as? String == "waiting")
        #expect(json["preconditions"] as? [String] == ["ready"])
        #expect((json["navigation"] as? [String: Any])?["tab"] as? String == "home")
    }
}
