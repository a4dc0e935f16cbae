import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting

@Suite(.timeLimit(.minutes(2)))
struct MarketDifferenceTests {
    /// The lines of the difference between two markets that extend the United States.
    private static func lines(_ first: String, _ second: String, secrets: [String: String] = [:]) throws -> [String] {
        let fixture = try MarketFixture([
            "aa.lua": "return { id = \"aa\", name = \"A\", extends = \"us\",\n\(first)\n}",
            "bb.lua": "return { id = \"bb\", name = \"A\", extends = \"us\",\n\(second)\n}",
        ])
        let loader = fixture.loader(secrets: secrets)
        let difference = try MarketDifference([try loader.load("aa"), try loader.load("bb")])
        return difference.lines.map { $0.replacingOccurrences(of: fixture.folder.path, with: "markets") }
    }

    /// A line without the folders of the files in it.
    private static func withoutFolders(_ line: String) -> String {
        line.replacing(/[^ (]*\/(xx|t)\.lua/) { "\($0.1).lua" }
    }

    @Test(
        arguments: [
            ("", "", []),
            ("currency = \"EUR\"", "currency = \"CHF\"", ["currency: \"EUR\" in aa, \"CHF\" in bb"]),
            (
                "", "platform = { permissions = { notificationOptions = remove { \"badge\" } } }",
                ["platform.permissions.notificationOptions: only in aa: \"badge\""]
            ),
            (
                "locales = { \"en-US\", \"de-AT\" }", "locales = { \"de-AT\", \"en-US\" }",
                ["locales: the same elements in a different order"]
            ),
            (
                "", "platform = { userDefaultsRegistration = { defaults = {\n searchRadiusMiles = unset } } }",
                [
                    "platform.userDefaultsRegistration.defaults.searchRadiusMiles: 25.0 in aa, nothing in bb "
                        + "(removed at markets/bb.lua:3:22)"
                ]
            ),
            (
                "platform = { userDefaultsRegistration = { defaults = { own = true } } }", "",
                ["platform.userDefaultsRegistration.defaults.own: true in aa, nothing in bb"]
            ),
            (
                "platform = { networking = { consumerKey = secret \"GLASS_OTHER\" } }", "",
                [
                    "platform.networking.consumerKey: <secret GLASS_OTHER> in aa, <secret GLASS_US_CONSUMER_KEY> in bb; "
                        + "a different secret"
                ]
            ),
            (
                "", "routables = { account = { paths = { \"konto\" } } }",
                ["account: walmart://account in aa, walmart://konto in bb"]
            ),
            (
                "", "routables = { pharmacy = false }",
                [
                    "pharmacy: walmart://pharmacy and "
                        + "walmart://pharmacy/:section(refill|transfer|immunizations) in aa, nothing in bb"
                ]
            ),
            // Only the target of the link counts, not its scheme.
            (
                "", "deepLinking = { schemes = { \"bb\" } }",
                ["deepLinking.schemes: only in aa: \"walmart\"; only in bb: \"bb\""]
            ),
            (
                "", "routables = { cart = { waitForPreconditions = { \"signedIn\" } } }",
                ["cart: walmart://cart (waits for all) in aa, walmart://cart (waits for signedIn) in bb"]
            ),
        ] as [(String, String, [String])])
    func differenceIsOneLine(first: String, second: String, lines: [String]) throws {
        #expect(try Self.lines(first, second) == lines)
    }

    @Test func threeMarketsAreShownSideBySide() throws {
        let loader = try MarketFixture().loader()
        let difference = try MarketDifference(try ["us", "ca", "mx"].map { try loader.load($0) })
        let lines = difference.lines
        #expect(
            lines.contains(
                "account: walmart://account in us, walmart.ca://myaccount in ca, walmart.mx://mi-cuenta in mx"))
        #expect(lines.contains("platform.networking.retry.maxRetries: 3 in us, 4 in ca, 5 in mx"))
        let pharmacy = try #require(difference.links.first { $0.routable == "pharmacy" })
        #expect(
            pharmacy.sides.map { $0?.links.last } == [
                "walmart://pharmacy/:section(refill|transfer|immunizations)", nil, "walmart.mx://farmacia",
            ])
    }

    @Test func versionsListAddedAndRemovedValues() throws {
        func market(_ addition: String, _ secrets: [String: String]) throws -> Market {
            try MarketFixture([
                "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\",\n\(addition)\n}"
            ]).loader(secrets: secrets).load("xx")
        }
        let defaults = "platform = { userDefaultsRegistration = { defaults ="
        let before = try market(
            "\(defaults) { gone = 1 } } }, routables = { account = { paths = { \"a\" } }, scan = false }",
            ["GLASS_US_CONSUMER_KEY": "hunter2"])
        let after = try market(
            "\(defaults) { came = \"x\" } } }, locales = append { \"de-AT\" }, routables = { cart = false }",
            ["GLASS_US_CONSUMER_KEY": "hunter3"])
        let difference = MarketDifference(from: before, to: after)
        #expect(
            difference.lines == [
                "~ locales: + \"de-AT\"",
                "~ platform.networking.consumerKey: <secret GLASS_US_CONSUMER_KEY> → <secret GLASS_US_CONSUMER_KEY>"
                    + "; a different secret",
                "+ platform.userDefaultsRegistration.defaults.came: \"x\"",
                "- platform.userDefaultsRegistration.defaults.gone: 1",
                "~ account: walmart://a → walmart://account", "- cart: walmart://cart", "+ scan: walmart://scan",
            ])
        #expect(difference.summary == "4 keys and 3 links differ")
        #expect(!"\(difference)".contains("hunter"))
        #expect(MarketDifference(from: before, to: before).summary == "nothing differs")
    }

    @Test(
        arguments: [
            ("state:show(\"a\") return true", "state:show(\"a\")   return true -- layout\n", ""),
            (
                "state:show(\"a\") return true", "state:show(\"b\") return true", "xx.lua:3:90 and xx.lua:3:90"
            ),
            (
                "if link then state:show(screen) end return true", "if link then state:show(screen) end return true",
                "xx.lua:1:16 and xx.lua:1:16"
            ),
        ])
    func handlersAreComparedBySource(first: String, second: String, place: String) throws {
        func market(_ body: String, _ screen: String) throws -> Market {
            try MarketFixture([
                "xx.lua": """
                local screen = "\(screen)"
                return { id = "xx", name = "X", extends = "us",
                  routables = { promo = { paths = { "promo" }, handle = function(link, state) \(body) end } } }
                """
            ]).loader().load("xx")
        }
        let difference = MarketDifference(from: try market(first, "a"), to: try market(second, "b"))
        #expect(
            difference.lines.map(Self.withoutFolders)
                == (place.isEmpty
                    ? []
                    : [
                        "~ routables.promo.handle: a function (xx.lua:3:57) → a function (xx.lua:3:57); "
                            + "their texts first differ at \(place)"
                    ]))
    }

    @Test func manyElementsAreCounted() throws {
        let codes = (10...30).map { "\"a-\($0)\"" }.joined(separator: ", ")
        let lines = try Self.lines("", "deepLinking = { linkParameters = append { \(codes) } }")
        #expect(
            lines == [
                "deepLinking.linkParameters: only in bb: \"a-10\", \"a-11\", \"a-12\", \"a-13\" and 17 more"
            ])
    }

    @Test(
        arguments: [
            // A single value of one element, identified by the element's key wherever it is in the list.
            (
                "{ { name = \"store\", value = \"1003\", domain = \"a.ca\" } }",
                "{ { name = \"lang\", value = \"fr\", domain = \"a.ca\" }, { name = \"store\", value = \"1004\", domain = \"a.ca\" } }",
                [
                    "~ platform.cookieStorage.cookies: + { domain = \"a.ca\", name = \"lang\", path = \"/\", secure = true, "
                        + "value = \"fr\" }",
                    "~ platform.cookieStorage.cookies[name=store].value: \"1003\" → \"1004\"",
                ]
            ),
            (
                "{ { name = \"ab\", value = \"1\", domain = \"a.ca\" } }",
                "{ { name = \"ab\", value = \"1\", domain = \"a.ca\", lifetimeSeconds = 60 } }",
                ["+ platform.cookieStorage.cookies[name=ab].lifetimeSeconds: 60"]
            ),
            (
                "{ { name = \"a\", value = \"1\", domain = \"a.ca\" }, { name = \"b\", value = \"1\", domain = \"a.ca\" } }",
                "{ { name = \"b\", value = \"1\", domain = \"a.ca\" }, { name = \"a\", value = \"1\", domain = \"a.ca\" } }",
                ["~ platform.cookieStorage.cookies: the same elements in a different order"]
            ),
        ] as [(String, String, [String])])
    func nestedValuesDifferAtInnerPath(before: String, after: String, lines: [String]) throws {
        func market(_ cookies: String) throws -> Market {
            try MarketFixture([
                "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\", "
                    + "platform = { cookieStorage = { cookies = \(cookies) } } }"
            ]).loader().load("xx")
        }
        #expect(MarketDifference(from: try market(before), to: try market(after)).lines == lines)
    }

    @Test func threeMarketsListElementsNotInAll() throws {
        let loader = try MarketFixture().loader()
        let lines = try MarketDifference(try ["us", "ca", "mx"].map { try loader.load($0) }).lines
        let cookies = lines.filter { $0.hasPrefix("platform.cookieStorage.cookies") }
        #expect(
            cookies.contains(
                "platform.cookieStorage.cookies[name=assortmentStoreId].value: \"100\" in us, \"1003\" in ca, \"2345\" in mx"
            ),
            "\(cookies)")
        #expect(cookies.first?.hasPrefix("platform.cookieStorage.cookies: not in all; us: { domain = ") == true)
    }

    @Test func longTextsAreShownAroundFirstDifference() throws {
        let text = String(repeating: "wait ", count: 30)
        let lines = try Self.lines(
            "platform = { networking = { headers = { [\"X-Long\"] = \"\(text)for one more\" } } }",
            "platform = { networking = { headers = { [\"X-Long\"] = \"\(text)for two more\" } } }")
        #expect(
            lines == [
                "platform.networking.headers[\"X-Long\"]: \"… wait wait wait for one more\" in aa, "
                    + "\"… wait wait wait for two more\" in bb; they differ starting at character 155"
            ])
    }
}
