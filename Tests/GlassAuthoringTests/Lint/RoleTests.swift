import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

@testable import GlassAuthoring

/// Rules ask what a key means and not where it is, so that an app's own section gets all of them.
@Suite(.timeLimit(.minutes(5)))
struct RoleTests {
    /// A section whose keys are called differently from those of the platform.
    struct Partner: MarketSection {
        var homeland = ""
        var asks: [String: String] = [:]
        var crumbs: [Crumb] = []
        var provinces: [Province] = []
        var zip = ""
        var stages: [String: Stage] = [:]
        var begin = ""
        var words = Words()

        static let key = "partner"
        static let summary = "A partner that keeps points."
        static let keys: [ConfigurationKey<Self>] = [
            .init("homeland", \.homeland, .string(.country), "Where points are kept.").role(.country),
            .init("asks", \.asks, .map(of: .string(.any), keys: .headerName), "Headers.").role(.headers),
            .init("crumbs", \.crumbs, .list(of: Crumb.valueType), "Cookies.").role(.cookies),
            .init("provinces", \.provinces, .list(of: Province.valueType), "Provinces.").role(.regions),
            .init("zip", \.zip, .string(.textPattern), "A pattern.").role(.postalPattern),
            .init("stages", \.stages, .map(of: Stage.valueType, keys: .identifier), "Stages.").role(.environments),
            .init("begin", \.begin, .string(.identifier), "The first stage.").varying(.build).role(.firstEnvironment),
            .init("words", \.words, "What members read.").role(.userTexts).defaults(in: "en"),
        ]
    }

    struct Crumb: ConfigurationSection {
        var title = ""
        var content = ""
        var site = ""

        static let keys: [ConfigurationKey<Self>] = [
            .init("title", \.title, .string(.headerName), required: true, "The name.").role(.cookieName),
            .init("content", \.content, .string(.headerValue), required: true, "The value.").role(.cookieValue),
            .init("site", \.site, .string(.nonEmpty), required: true, "The domain.").role(.cookieDomain),
        ]
    }

    struct Province: ConfigurationSection {
        var short = ""
        var long = ""

        static let keys: [ConfigurationKey<Self>] = [
            .init("short", \.short, .string(.nonEmpty), required: true, "The code.").role(.regionCode),
            .init("long", \.long, .string(.nonEmpty), required: true, "The name.").role(.regionName),
        ]
    }

    struct Stage: ConfigurationSection {
        var urls: [String: String] = [:]

        static let keys: [ConfigurationKey<Self>] = [
            .init("urls", \.urls, .map(of: .string(.httpsURL), keys: .identifier), required: true, "URLs.")
                .role(.serviceURLs)
        ]
    }

    struct Words: ConfigurationSection {
        var thanks = "Thank you"

        static let keys: [ConfigurationKey<Self>] = [
            .init("thanks", \.thanks, .string(.nonEmpty), "What members read.")
        ]
    }

    private static let module = MarketModule("partner", sections: [Partner.self])

    private static let section = """
        partner = { homeland = "US",
          asks = { ["Accept-Language"] = "es-MX" },
          crumbs = { { title = "shopLanguage", content = "de", site = ".elsewhere-points.com" } },
          provinces = { { short = "ON", long = "Ontario" }, { short = "TX", long = "Texas" } },
          zip = "[0-9]{5}",
          begin = "live",
          stages = { live = { urls = { points = "https://p.partnerpoints.com" } },
                     test = { urls = { points = "https://p.partnerpoints.com" } } },
        }
        """

    private func meaning(_ file: String, _ module: MarketModule) throws -> [String] {
        let check = try LintFixture(["xx.lua": file]).loader(module).check("xx")
        #expect(!check.findings.hasErrors, "\(check.findings)")
        return try #require(check.lintResult).findings.map { "\($0.path): \($0.message)" }.sorted()
    }

    @Test func sectionOfAnAppBesideThePlatform() throws {
        let file = "return { id = \"xx\", name = \"X\", extends = \"ca\",\n\(Self.section)\n}"
        let found = try meaning(file, .platform.including(Self.module))
        #expect(
            found == [
                "partner.asks[\"Accept-Language\"]: requests ask for es-MX, but none of the market's locales is in that language",
                "partner.crumbs[1].content: shopLanguage is \"de\", but none of the market's locales is in German",
                "partner.crumbs[1].site: no host of the market is in \".elsewhere-points.com\", so the cookie is never sent",
                "partner.homeland: \"US\" is not the market's country, CA (Canada)",
                "partner.provinces[2].short: \"TX\" is not a region of CA (Canada)",
                "partner.stages.test.urls.points: test uses the live URL for points",
                "partner.zip: \"[0-9]{5}\" does not match \"K1A 0B1\", a postal code of CA (Canada)",
            ])
    }

    /// An app without the platform has the same rules. Its country is the first that a key names.
    @Test func moduleWithoutThePlatform() throws {
        let file = """
            return { id = "xx", name = "X", currency = "CAD", locales = { "en-CA" }, routables = {},
              deepLinking = { schemes = { "xx" }, universalLinks = { "www.shop.example.ca" } },
            \(Self.section.replacing("\"US\"", with: "\"CA\""))
            }
            """
        let found = try meaning(file, Self.module)
        #expect(
            found == [
                "partner.asks[\"Accept-Language\"]: requests ask for es-MX, but none of the market's locales is in that language",
                "partner.crumbs[1].content: shopLanguage is \"de\", but none of the market's locales is in German",
                "partner.crumbs[1].site: no host of the market is in \".elsewhere-points.com\", so the cookie is never sent",
                "partner.provinces[2].short: \"TX\" is not a region of CA (Canada)",
                "partner.stages.test.urls.points: test uses the live URL for points",
                "partner.zip: \"[0-9]{5}\" does not match \"K1A 0B1\", a postal code of CA (Canada)",
            ])
        let wrong = file.replacing("\"CAD\"", with: "\"USD\"").replacing("\"en-CA\"", with: "\"en-US\"")
        let other = try meaning(wrong, Self.module)
        #expect(
            other == [
                "partner.homeland: CA (Canada) does not match the locale \"en-US\" and the currency USD",
                "partner.stages.test.urls.points: test uses the live URL for points",
            ])
    }

    /// A debug build of a partner's production is one mistake, whatever the keys are called.
    @Test func firstStageOfADebugBuild() throws {
        let file = """
            return { id = "xx", name = "X", currency = "CAD", locales = { "en-CA" }, routables = {},
              deepLinking = { schemes = { "xx" } },
              partner = { homeland = "CA", begin = vary { { when = { build = "debug" }, value = "production" }, default = "staging" },
                stages = { production = { urls = { a = "https://a.partnerpoints.com" } }, staging = { urls = { a = "https://b.partnerpoints.com" } } } } }
            """
        let found = try meaning(file, Self.module)
        #expect(
            found == [
                "partner.begin: debug builds use production, the production environment"
            ])
    }

    /// Texts of a base in another language, wherever they are.
    @Test func textsOfABaseInAnotherLanguage() throws {
        let base = """
            return { id = "yy", name = "Y", currency = "USD", locales = { "en-US" }, routables = {},
              deepLinking = { schemes = { "yy" } }, partner = { words = { thanks = "Thanks!" } } }
            """
        let file = """
            return { id = "xx", name = "X", extends = "yy", currency = "MXN", locales = { "es-MX" },
              deepLinking = { schemes = { "xx" } }, partner = { homeland = "MX" } }
            """
        let loader = LintFixture(["xx.lua": file, "yy.lua": base]).loader(Self.module)
        #expect(
            try #require(loader.check("xx").lintResult).findings.map(\.message) == [
                "the text in partner.words comes from \"yy\" and is in English, which is not a language of the market"
            ])
    }

    /// The default texts of an app's own section, whose language its declaration says.
    @Test func defaultTextsOfAnApp() throws {
        let file = """
            return { id = "xx", name = "X", currency = "MXN", locales = { "es-MX" }, routables = {},
              deepLinking = { schemes = { "xx" } }, partner = { homeland = "MX" } }
            """
        #expect(
            try meaning(file, Self.module) == [
                "partner.words: the text in partner.words is the app's default and is in English, which is not a language "
                    + "of the market"
            ])
        #expect(try meaning(file.replacing("es-MX", with: "en-MX"), Self.module).isEmpty)
        #expect(
            try meaning(file.replacing("homeland", with: "words = { thanks = \"¡Gracias!\" }, homeland"), Self.module)
                .isEmpty)
    }

    /// A key that could name the country, and does not, does not decide.
    @Test func unsetKeyIsNotTheCountry() throws {
        let module = Self.module.including(.platform)
        #expect(MarketSchema(module).path(.country) == "partner.homeland")
        let file = "return { id = \"xx\", name = \"X\", extends = \"ca\", locales = { \"en-US\", \"fr-CA\" } }"
        #expect(
            try meaning(file, module) == [
                "locales[1]: \"en-US\" is not a locale of CA (Canada), the market's country"
            ])
    }

    // MARK: Roles of the schema

    /// A role that no key of the platform has is of no use to it, and one that two rules expect must not be lost.
    @Test func platformHasEachRole() {
        let schema = MarketSchema(.platform)
        let top: [KeyDeclaration.Role] = [
            .country, .regions, .postalPattern, .headers, .cookies, .cookiePolicy, .setsCookies, .environments,
            .firstEnvironment, .userTexts, .userDefaults, .preferences, .eventAttributes, .eventSinks, .tracking,
            .trackingShare, .notificationOptions, .locationLevel, .backgroundLocation, .appName, .appVersion, .appBuild,
            .bundleIdentifier, .teamIdentifier, .storeIdentifier, .androidPackage, .certificateDigests,
        ]
        for role in top { #expect(!schema.paths(role).isEmpty, "\(role.rawValue)") }
        #expect(schema.paths(.headers) == ["platform.urlSession.headers", "platform.networking.headers"])
        #expect(
            schema.path(.firstEnvironment, beside: "platform.environment.environments")
                == "platform.environment.default")
        #expect(schema.name(of: .serviceURLs, inEach: "platform.environment.environments") == "services")
        #expect(schema.name(of: .cookieDomain, inEach: "platform.cookieStorage.cookies") == "domain")
        #expect(MarketSchema(MarketModule("none")).paths(.country).isEmpty)
    }
}
