import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

@testable import GlassAuthoring

/// Values that are unusual, but meant.
@Suite(.timeLimit(.minutes(5)))
struct LintFalseAlarmTests {
    @Test(arguments: [
        "resourceTimeoutSeconds = 3600", "resourceTimeoutSeconds = 7200", "resourceTimeoutSeconds = 36000",
        "resourceTimeoutSeconds = 86400", "resourceTimeoutSeconds = 432000", "resourceTimeoutSeconds = 2592000",
        "resourceTimeoutSeconds = 1800", "resourceTimeoutSeconds = 30", "requestTimeoutSeconds = 600",
        "memoryCacheMegabytes = 128", "memoryCacheMegabytes = 64, diskCacheMegabytes = 0",
        "memoryCacheMegabytes = 0, diskCacheMegabytes = 0",
    ])
    func sessionIsMeant(text: String) throws { try expectNothing("platform = { urlSession = { \(text) } },") }

    @Test(arguments: [
        "networking = { trackingSampleRate = 0.01 }", "networking = { retry = { jitter = 1, multiplier = 1 } }",
        "networking = { retry = { maxRetries = 0, initialDelaySeconds = 0 } }",
        "networking = { retry = { maxRetries = 10, maximumDelaySeconds = 60 } }",
        "quimby = { refreshSeconds = 86400, timeoutSeconds = 60 }", "quimby = { refreshSeconds = 3 }",
        "analytics = { collector = { intervalSeconds = 0.5 } }",
        "analytics = { collector = { intervalSeconds = 3600 } }",
        "cookieStorage = { cookies = { { name = \"a\", value = \"1\", domain = \".walmart.com\", lifetimeSeconds = 3600 } } }",
        "cookieStorage = { cookies = { { name = \"a\", value = \"1\", domain = \".walmart.com\" } } }",
        "userDefaultsRegistration = { defaults = { pollMilliseconds = 5000, timeoutSeconds = 5000 } }",
        "environment = { default = \"production\" }",
        "urlSession = { headers = { [\"Accept-Language\"] = \"en-US, es-US;q=0.9, fr;q=0.1, *;q=0.05\" } }",
        "environment = { default = \"qa\", environments = { qa = { services = { orchestra = \"https://qa.walmart.ca\", "
            + "identity = \"https://id.qa.walmart.ca\", media = \"https://i5.qa.walmart.ca\", quimby = \"https://q.qa.walmart.ca\" } "
            + "}, production = unset, staging = unset } }",
        "environment = { default = vary { { when = { build = no \"release\" }, value = \"staging\" }, default = \"production\" } }",
        "environment = { default = vary { { when = { audience = \"associates\" }, value = \"staging\" }, default = \"production\" } }",
    ])
    func platformIsMeant(text: String) throws {
        let found = try findings("platform = { \(text) },").filter {
            $0.code != .variesTooOften && $0.code != .inconsistent
        }
        #expect(found.map(\.description) == [])
    }

    @Test(arguments: [
        // New screens, also with names near those of others.
        "wine = { paths = { \"wine\" }, show = { screen = \"wine\" } }",
        "items = { paths = { \"items\" }, show = { screen = \"items\" } }",
        "item2 = { paths = { \"item2\" }, show = { screen = \"item2\" } }",
        "crt = { paths = { \"crt\" }, show = { screen = \"crt\" } }",
        "wine = { paths = { \"wine\" }, show = { screen = \"item\", tab = \"shop\" } }",
        "wine = { paths = { \"wine\" }, show = { screen = \"cellar\", tab = \"drinks\" } }",
        "cart = { deprecated = { paths = { \"cart\" }, expires = \"2099-12-31\" } }",
        "cart = { customPaths = { \"basket\" }, deprecated = { paths = { \"basket\" }, expires = \"2099-12-31\" } }",
        // What a custom scheme can carry.
        "wine = { paths = { \"Wine\", \"wine_list\", \"wine.list\", \"wine/rot und weiß\", \"wine/año\" }, show = { screen = \"wine\" } }",
        "wine = { paths = { \":region\", \"wine\" }, show = { screen = \"wine\" } }",
        "wine = { paths = { \"/\", \"wine\" }, show = { screen = \"wine\" } }, home = false",
        // Parameters that are read, or only make a link readable.
        "wine = { paths = { \"wine/:year\" }, show = { screen = \"wine\" } }",
        "wine = { paths = { \"wine/:slug/:id\" }, show = { screen = \"wine\", parameters = { id = \"{id}\" } } }",
        "wine = { paths = { \"wine/:_year/:id\" }, show = { screen = \"wine\", parameters = { id = \"{id}\" } } }",
        "wine = { paths = { \"wine/:title(slug)\" }, show = { screen = \"wine\", parameters = {} } }",
        "wine = { paths = { \"wine/*rest\" }, show = { screen = \"wine\", parameters = { from = \"link\" } } }",
        "wine = { paths = { \"wine\", \"wine/:year\" }, show = { screen = \"wine\", parameters = { year = \"{year}\" } } }",
        "wine = { paths = { \"wine\", \"wine/:year\" }, show = { screen = \"wine\", parameters = { year = \"{year|new}\" }, requires = { \"year\" } } }",
        "wine = { paths = { \"wine/:year?\" }, show = { screen = \"wine\", requires = { \"year\" } } }",
        "wine = { paths = { \"wine/:year\" }, handle = function(link, state) state:show(\"wine\", link.parameters) end }",
        "wine = { paths = { \"wine/:year\" }, handle = function(link, state) state:show(link.parameters[\"year\"]) end }",
        "wine = { paths = { \"wine/:year\" }, handle = function(link, state) for n, v in pairs(link.parameters) do state:show(n, { v = v }) end end }",
        "wine = { paths = { \"wine/:year\" }, handle = function(l, state) local year = l.rawParameters.year state:show(year) end }",
        "wine = { paths = { \"wine/:year\" }, handle = function(link, state) state:show(link.path) end }",
        // The app's own code reads what it wants.
        "search = { paths = { \"search/:q/:page\" } }",
        "wine = { paths = { \"wine/:year\" }, show = { screen = \"wine\", parameters = vary { { when = { build = \"debug\" }, value = {} }, default = { year = \"{year}\" } } } }",
    ])
    func routableIsMeant(text: String) throws { try expectNothing("routables = { \(text) },") }

    /// A link that waits for all preconditions waits for those of the market.
    @Test func preconditionIsUsedByDefault() throws {
        try expectNothing("preconditions = { ageVerified = { doc = \"The shopper is of age.\" } },")
    }

    @Test func statedScreensAreAll() throws {
        let file = LintFixture.file(
            """
            routables = {
              wine = { paths = { "wine" }, show = { tab = "drinks", screen = "celar" } },
              beer = { paths = { "beer" }, show = { tab = "shop", screen = "brewery" } },
              home = { show = { tab = "home" }, paths = { "home" } },
            },
            """)
        let fixture = LintFixture(["xx.lua": file])
        func found(_ module: MarketModule) throws -> [String] {
            try #require(fixture.loader(module).check("xx").market).meaning
        }
        #expect(try found(.platform) == [])
        #expect(
            try found(.platform.showing(screens: ["cellar", "bar"], tabs: ["drinks"])) == [
                "3:66: the app has no screen \"celar\": did you mean \"cellar\"?",
                "4:64: the app has no screen \"brewery\": add it to the screens that the app declares with "
                    + "showing(screens:)",
            ])
        #expect(
            try found(.platform.including(MarketModule("other").showing(tabs: ["food"]))) == [
                "3:47: the app has no tab \"drinks\": add it to the tabs that the app declares with showing(tabs:)"
            ])
    }

    private func findings(_ text: String) throws -> [Finding] {
        try LintFixture(["xx.lua": LintFixture.file(text)]).findings()
    }

    private func expectNothing(_ text: String) throws { #expect(try findings(text).map(\.description) == []) }
}

extension Market {
    /// The warnings about what the market means, with their positions.
    fileprivate var meaning: [String] {
        MarketLint(ValidValues(self)).findings.map { finding in
            let place = finding.position.map { "\($0.line):\($0.column ?? 0)" } ?? ""
            return "\(place): \(finding.message)" + (finding.hint.map { ": \($0)" } ?? "")
        }
    }
}
