import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting

/// One mistake does not hide another: errors in merging, values, patterns, conflicts and handlers are all reported in
/// the same run.
@Suite(.timeLimit(.minutes(5)))
struct AllAtOnceTests {
    /// Mistakes from other stages, with the messages that they get wherever they occur.
    private static let others = """
        routables = {
          acount = { paths = { "a/:b(" } },
          home = { paths = { "cart" } },
          deals = { waitForPreconditions = { "signedin" } },
          promo = { paths = { "promo" }, handler = "openPromo" },
        },
        """

    @Test(arguments: [
        "currency = 5,",
        "currencie = \"USD\",",
        "platform = { address = { regions = include \"shared/none.lua\" } },",
        "platform = { address = { regions = include \"shared/broken.lua\" } },",
        "platform = { address = include \"shared/failing.lua\" },",
        "locales = append(include \"shared/none.lua\"),",
        "locales = { include \"shared/none.lua\" },",
        "deepLinking = { schemes = {} },",
        "platform = { networking = { retry = { maxAttempts = 3 } } },",
        "platform = { preferences = { keys = { storeId = unset } } },",
    ])
    func mistakeDoesNotHideFindingsOfRoutables(mistake: String) throws {
        let text = try MarketFixture.diagnostics(
            of: mistake + "\n" + Self.others,
            files: [
                "shared/broken.lua": "return { code = = }", "shared/failing.lua": "return { code = nil + 1 }",
            ])
        let headlines = text.split(separator: "\n").filter { $0.hasPrefix("markets/") }
        #expect(
            headlines.dropFirst().map(\.rest) == [
                "routables.acount: unknown routable: the app does not define it, and the market defines no show "
                    + "or handler for it [unknownRoutable]",
                "routables.acount.paths[1]: pattern \"a/:b(\": the parenthesis is not closed; add \")\" [invalidPattern]",
                "routables.home.paths[1]: \"cart\" conflicts with \"cart\" of cart (markets/us.lua:161:12): both match "
                    + "\"cart\" with equal rank [routeConflict]",
                "routables.deals.waitForPreconditions[1]: the app has no precondition \"signedin\", so these links "
                    + "would never open [unknownPrecondition]",
                "routables.promo.handler: the app has no handler \"openPromo\" [unknownHandler]",
            ], "\(text)")
    }

    @Test(arguments: [
        // An empty path among valid ones, a list of the wrong type, a routable of the wrong type.
        ("home = { paths = { \"\", \"cart\" } },", ["home.paths[1]", "home.paths[2]"]),
        ("home = { paths = \"inicio\", customPaths = { \"cart\" } },", ["home.customPaths[1]", "home.paths"]),
        ("home = { paths = { \"cart\" }, waitForPreconditions = 3 },", ["home.paths[1]", "home.waitForPreconditions"]),
        ("home = 3, deals = { paths = { \"cart\" } },", ["deals.paths[1]", "home"]),
        ("home = { paths = { \"a(\", \"cart\" } },", ["home.paths[1]", "home.paths[2]"]),
        // A routable with a misspelled action is not also reported as having none.
        ("promo = { paths = { \"cart\" }, handel = function() end },", ["promo.handel", "promo.paths[1]"]),
        ("promo = { paths = { \"cart\" }, handle = 3 },", ["promo.handle", "promo.paths[1]"]),
        ("promo = { paths = { \"cart\" }, show = { screen = 3 } },", ["promo.paths[1]", "promo.show.screen"]),
        // If the paths are unknown, they conflict with nothing.
        ("home = { paths = { \"x\" } }, deals = { paths = 3 }, help = { paths = { \"deals\" } },", ["deals.paths"]),
    ])
    func intactPartsOfRoutableAreChecked(routables: String, paths: [String]) throws {
        let fixture = try MarketFixture([
            "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\",\nroutables = { \(routables) } }"
        ])
        let errors = try fixture.loader().check("xx").findings.filter { $0.severity == .error }
        #expect(errors.map(\.path.description).sorted() == paths.map { "routables.\($0)" }, "\(errors)")
    }

    @Test func errorDoesNotHideWarnings() throws {
        let text = try MarketFixture.diagnostics(
            of: """
                currency = 5,
                routables = { item = { customPaths = { "i/:name" } }, home = { customPaths = { "h/:a", "h/:b(int)" } },
                  deals = { customPaths = { "h/*rest", "x/:a(b|c)", "x/b", "x/c" } } },
                """)
        #expect(text.contains("item needs itemID, which this pattern does not provide"))
        #expect(text.contains("no link reaches \"x/:a(b|c)\""), "\(text)")
    }

    @Test func includeFailingInLoopIsReportedOnce() throws {
        let fixture = try MarketFixture([
            "xx.lua": "local l = {}\nfor i = 1, 1000 do l[i] = include \"none.lua\" end\nreturn { id = \"xx\", l = l }"
        ])
        let findings = try fixture.loader().check("xx").findings
        #expect(findings.filter { $0.code == .include }.map(\.position?.line) == [2])
    }

    @Test func failedIncludeIsNotReportedAtItsUses() throws {
        let fixture = try MarketFixture([
            "xx.lua": """
            local regions = include "none.lua"
            return { id = "xx", name = regions.name, extends = "us" }
            """,
            "yy.lua": "return include \"none.lua\"",
        ])
        #expect(
            try fixture.diagnostics("xx")
                == "markets/xx.lua:1:25: error: cannot read markets/none.lua: no such file or directory [include]\n"
                + "  hint: create the file, or correct the path")
        #expect(
            try fixture.diagnostics("yy")
                == "markets/yy.lua:1:16: error: cannot read markets/none.lua: no such file or directory [include]\n"
                + "  hint: create the file, or correct the path")
    }

    /// All that compares names relies on the limit.
    @Test func longNamesOfLocalesAreReported() throws {
        let fixture = try MarketFixture([
            "xx.lua": """
            local long = ("x"):rep(300)
            return { id = "xx", name = "X", extends = "us", platform = { errors = { offline = {
              title = perLocale { [long] = "a", default = "b" }, message = "c" } } } }
            """
        ])
        let errors = try fixture.loader().check("xx").findings.filter { $0.severity == .error }
        #expect(errors.map(\.code) == [.tooLarge], "\(errors)")
        #expect(errors.first?.message.hasSuffix("has 300 bytes; the maximum is 256") == true, "\(errors)")
    }

    @Test func routablesAreCheckedWithoutBaseMarket() throws {
        let fixture = try MarketFixture([
            "xx.lua": """
            return { id = "xx", name = "X", extends = "uss", routables = {
              flyers = { waitForPreconditions = { "hasFlyers" } },
              home = { paths = { "a(" } },
              deals = { customPaths = { "help" } }, help = {},
            } }
            """
        ])
        let errors = try fixture.loader().check("xx").findings.filter { $0.severity == .error }
        #expect(errors.map(\.path.description) == ["extends", "routables.home.paths[1]"], "\(errors)")
    }

    @Test func marketWrittenFromScratchNeedsOneRound() throws {
        let fixture = try MarketFixture(["xx.lua": "return {}"])
        let first = try fixture.loader().check("xx").findings.filter { $0.severity == .error }
        // Reports each key that every market needs, and with those keys the market is valid. Whether it needs a postal
        // code depends on its form.
        #expect(
            first.map(\.path.description) == [
                "currency", "deepLinking.schemes", "id", "locales", "name", "platform.address.country",
                "platform.address.fieldOrder", "platform.address.regions", "platform.address.requiredFields",
                "platform.aniviaSuperAttributes.tenant", "platform.appInfo.appStoreIdentifier",
                "platform.appInfo.build",
                "platform.appInfo.bundleIdentifier", "platform.appInfo.name", "platform.appInfo.teamIdentifier",
                "platform.appInfo.version", "platform.environment.default", "platform.environment.environments",
                "platform.networking.defaultService", "platform.preferences.keys", "platform.preferences.suite",
                "platform.userDefaultsRegistration.suite", "routables",
            ], "\(first.map(\.description).joined(separator: "\n"))")
        try fixture.write(
            """
            return {
              id = "xx", name = "X", currency = "EUR", locales = { "fr-FR" }, deepLinking = { schemes = { "walmart.xx" } },
              platform = {
                address = {
                  country = "FR", fieldOrder = { "street", "city", "postalCode" }, requiredFields = { "street" },
                  postalCodeExample = "75001", postalCodePattern = "[0-9]{5}", regions = { { code = "75", name = "Paris" } },
                },
                analytics = { sinks = { "app" } },
                aniviaSuperAttributes = { tenant = "xx" },
                appInfo = {
                  name = "X", appStoreIdentifier = "1", build = 1, bundleIdentifier = "com.x", version = "1.0",
                  teamIdentifier = "0123456789",
                  android = { package = "com.x", certificateDigests = { "\(Array(repeating: "00", count: 32).joined(separator: ":"))" } },
                },
                environment = {
                  default = "production", environments = { production = { services = { api = "https://api.example.com" } } },
                },
                networking = { defaultService = "api" },
                preferences = { suite = "group.com.x", keys = { storeID = { type = "integer" } } },
                userDefaultsRegistration = { suite = "group.com.x" },
              },
              routables = { home = true },
            }
            """, to: "xx.lua")
        let text = try fixture.diagnostics("xx")
        #expect(text == "")
    }
}

extension Substring {
    /// The text after the position and the severity.
    fileprivate var rest: String {
        guard let range = range(of: "error: ") else { return String(self) }
        return String(self[range.upperBound...])
    }
}
