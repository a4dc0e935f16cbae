import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassAuthoring

/// A section of texts that users read.
private struct Shop: MarketSection {
    var texts = Texts()

    static let key = "shop"
    static let summary = "A shop."
    static let keys: [ConfigurationKey<Self>] = [
        .init("texts", \.texts, "What customers read.").role(.userTexts).defaults(in: "en").varying(.live)
    ]
}

private struct Texts: ConfigurationSection {
    var greeting = "Welcome back"
    var note = ""
    var labels: [String: String] = [:]

    static let keys: [ConfigurationKey<Self>] = [
        .init("greeting", \.greeting, .string(.nonEmpty), "The greeting."),
        .init("note", \.note, .string(.any), "A line below it."),
        .init("labels", \.labels, .map(of: .string(.any), keys: .identifier), "The labels of buttons."),
    ]
}

extension LintFalseAlarmTests {
    /// A market of an app whose only section has texts: its locales, its currency, and the texts.
    struct TextsOfAMarket: Sendable, CustomTestStringConvertible {
        let locales: [String]
        let currency: String
        let texts: String
        /// Other keys of the market.
        let rest: String

        init(_ locales: String, _ currency: String, _ texts: String, rest: String = "") {
            self.locales = locales.split(separator: " ").map(String.init)
            self.currency = currency
            self.texts = texts
            self.rest = rest
        }

        var testDescription: String { "\(locales.joined(separator: " ")): \(texts)" }

        var file: String {
            let locales = locales.map { "\"\($0)\"" }.joined(separator: ", ")
            return """
                return { id = "xx", name = "X", locales = { \(locales) }, currency = "\(currency)", routables = {},
                  deepLinking = { schemes = { "xx" } }, shop = { texts = { \(texts) } }, \(rest) }
                """
        }
    }

    private static let ukrainian = "greeting = \"Ласкаво просимо\""
    private static let latvian = "greeting = \"Laipni lūdzam atpakaļ veikalā\""

    @Test(arguments: [
        // Names, addresses, and placeholders keep their script.
        TextsOfAMarket("uk-UA", "UAH", "\(ukrainian), note = \"Walmart Plus Pay Later\""),
        TextsOfAMarket("uk-UA", "UAH", "\(ukrainian), note = \"adidas originals\""),
        TextsOfAMarket("uk-UA", "UAH", "\(ukrainian), note = \"Bed Bath and Beyond\""),
        TextsOfAMarket("uk-UA", "UAH", "\(ukrainian), note = \"Оновіть iOS, щоб продовжити покупки\""),
        TextsOfAMarket("uk-UA", "UAH", "\(ukrainian), note = \"https://www.sklep.ua/privacy/policy/and/terms\""),
        TextsOfAMarket("uk-UA", "UAH", "\(ukrainian), note = \"support@sklep.ua help.sklep.ua www.sklep.ua\""),
        TextsOfAMarket("uk-UA", "UAH", "\(ukrainian), note = \"{name} {price} {count of items}\""),
        TextsOfAMarket("uk-UA", "UAH", "\(ukrainian), note = \"%@ %1$@ %2$lld\""),
        TextsOfAMarket(
            "uk-UA", "UAH", "\(ukrainian), labels = { ok = \"OK\", pay = \"Apple Pay\", brand = \"iPhone\" }"),
        TextsOfAMarket("pl-PL", "PLN", "greeting = \"Witaj ponownie\", note = \"Лента\""),
        TextsOfAMarket("en-US", "USD", "greeting = \"Welcome\", note = \"無印良品\""),
        TextsOfAMarket("en-US", "USD", "note = \"Now also in 日本語 and Русский\""),
        // Numbers and symbols have no language.
        TextsOfAMarket(
            "pl-PL", "PLN", "greeting = \"24/7\", note = \"100 %\", labels = { phone = \"+48 22 123 45 67\" }"),
        TextsOfAMarket("pl-PL", "PLN", "greeting = \"🛒🎉\", note = \"→\""),
        TextsOfAMarket("pl-PL", "PLN", "greeting = \"Cześć 👋\", note = \"½ × 3 µm\""),
        // Languages with several scripts.
        TextsOfAMarket(
            "sr-RS", "RSD",
            "greeting = \"Dobro došli nazad u prodavnicu\", note = \"Покушајте поново за неколико минута\""),
        TextsOfAMarket(
            "sr-Latn-RS sr-Cyrl-RS", "RSD",
            "greeting = perLocale { [\"sr-Latn-RS\"] = \"Dobro došli nazad u prodavnicu\", [\"sr-Cyrl-RS\"] = \"Добро дошли назад у продавницу\" }"
        ),
        TextsOfAMarket("kk-KZ", "KZT", "greeting = \"Qaıta kelgenińizge qosh keldińiz dostar\""),
        TextsOfAMarket("hi-IN", "INR", "greeting = \"Aapka order bhej diya gaya hai\", note = \"फिर से कोशिश करें\""),
        TextsOfAMarket("ja-JP", "JPY", "greeting = \"iPhone 15 Pro Max ケース\", note = \"npm install を実行してください\""),
        TextsOfAMarket("ja-JP", "JPY", "greeting = \"お帰りなさい\", note = \"カスタマーサポートにお問い合わせください\""),
        TextsOfAMarket("ko-KR", "KRW", "greeting = \"다시 오신 것을 환영합니다\", note = \"大韓民國\""),
        TextsOfAMarket("zh-Hant-TW", "TWD", "greeting = \"歡迎回來，請稍後再試一次\""),
        TextsOfAMarket("el-GR", "EUR", "greeting = \"Καλώς ήρθατε ξανά στο κατάστημα\", note = \"5 µg\""),
        TextsOfAMarket("ar-EG", "EGP", "greeting = \"مرحبا بعودتك إلى المتجر\", note = \"Walmart\""),
        // Languages whose scripts are not listed.
        TextsOfAMarket("zgh-MA", "MAD", "greeting = \"Azul fell-awen s tikkelt nniḍen\", note = \"ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ\""),
        // Several languages.
        TextsOfAMarket(
            "lv-LV ru-LV", "EUR",
            "greeting = perLocale { lv = \"Laipni lūdzam atpakaļ veikalā\", ru = \"С возвращением в наш магазин\" }"),
        TextsOfAMarket(
            "lv-LV ru-LV", "EUR",
            "greeting = perLocale { ru = \"С возвращением в наш магазин\", default = \"Laipni lūdzam atpakaļ veikalā\" }"
        ),
        TextsOfAMarket(
            "lv-LV ru-LV", "EUR", latvian,
            rest:
                "overlays = { { name = \"russian\", when = { locale = \"ru\" }, shop = { texts = { greeting = \"С возвращением в наш магазин\" } } } }"
        ),
        TextsOfAMarket(
            "lv-LV ru-LV", "EUR", "greeting = \"С возвращением в наш магазин\"",
            rest: "overlays = { { name = \"latvian\", when = { locale = \"lv\" }, shop = { texts = { \(latvian) } } } }"
        ),
        TextsOfAMarket("lv-LV ru-LV", "EUR", "greeting = \"С возвращением в наш магазин\""),
        TextsOfAMarket("de-CH fr-CH it-CH", "CHF", "greeting = \"Willkommen zurück im Laden\""),
        // The app's language is one of the market's, or a word is the same in both.
        TextsOfAMarket("en-CA fr-CA", "CAD", ""),
        TextsOfAMarket("de-DE", "EUR", "greeting = \"Welcome back\""),
        // Words that only look like words of the language.
        TextsOfAMarket(
            "en-US", "USD",
            "greeting = \"nil satis nisi optimum\", note = \"null and void\", labels = { state = \"Unset\" }"),
    ])
    func textIsMeant(market: TextsOfAMarket) throws {
        let module = MarketModule("shop", sections: [Shop.self])
        let check = try LintFixture(["xx.lua": market.file]).loader(module).check("xx")
        #expect(!check.findings.hasErrors, "\(check.findings)")
        #expect(try #require(check.lintResult).findings.map(\.description) == [])
    }

    /// The texts of a base market in the same language.
    @Test func textsOfABaseInTheSameLanguage() throws {
        let base = TextsOfAMarket("es-MX", "MXN", "greeting = \"Qué gusto verte de nuevo\"").file
        let market = """
            return { id = "xy", name = "Y", extends = "xx", locales = { "es-AR" }, currency = "ARS",
              deepLinking = { schemes = { "xy" } } }
            """
        let repeating = market.replacing(
            "deepLinking", with: "shop = { texts = { greeting = \"Qué gusto verte de nuevo\" } }, deepLinking")
        let module = MarketModule("shop", sections: [Shop.self])
        for file in [market, repeating] {
            let check = try LintFixture(["xx.lua": base, "xy.lua": file]).loader(module).check("xy")
            #expect(try #require(check.lintResult).findings.map(\.description) == [])
        }
    }

    /// The texts of an abstract base are for the markets that extend it.
    @Test func textsOfAnAbstractBase() throws {
        let base = """
            return { abstract = true, id = "latam", extends = "us", platform = { errors = { offline = {
              title = "No tienes conexión", message = "Revisa tu conexión e inténtalo de nuevo." } } } }
            """
        let market = """
            return { id = "xx", name = "X", extends = "latam", locales = { "es-US" },
              platform = { urlSession = { headers = { ["Accept-Language"] = "es-US" } } } }
            """
        let found = try LintFixture(["latam.lua": base, "xx.lua": market]).findings()
        #expect(
            found.map(\.message).filter { $0.contains("texts") }.map { String($0.prefix(14)) } == ["12 of 13 texts"])
    }

    @Test(arguments: [
        // The first overlay that sets a key wins, so repeating a value takes it from one below, or from a base market's.
        "{ name = \"waits\", when = { platform = \"iOS\", osVersion = \"< 17\" }, platform = { urlSession = { waitsForConnectivity = true } } }",
        "{ name = \"one\", when = { build = \"debug\", deviceClass = \"tablet\" }, platform = { networking = { retry = { maxRetries = 3 } } } }, { name = \"two\", when = { build = \"debug\" }, platform = { networking = { retry = { maxRetries = 0 } } } }",
        // An overlay of a base market is turned off, or has another condition.
        "{ name = \"oldSystem\", when = false }",
        "{ name = \"oldSystem\", when = { platform = \"iOS\", osVersion = \"< 17\" } }",
        // One value of several.
        "{ name = \"sale\", when = { build = \"debug\" }, platform = { networking = { retry = { maxRetries = 3, multiplier = 1.5 } } } }",
        "{ name = \"sale\", when = { build = \"debug\" }, platform = { networking = { retry = { statuses = append { 520 } } } } }",
        "{ name = \"sale\", when = { build = \"debug\" }, routables = { wine = { paths = { \"wine\" }, show = { screen = \"wine\" } } } }",
        // Regions of the country, and those that its shops serve.
        "{ name = \"there\", when = { region = \"US-TX\" }, platform = { networking = { retry = { maxRetries = 5 } } } }",
        "{ name = \"there\", when = { region = no { \"US\" } }, platform = { networking = { retry = { maxRetries = 5 } } } }",
        "{ name = \"there\", when = { region = { \"PR\", \"US-GU\", \"VI\" } }, platform = { networking = { retry = { maxRetries = 5 } } } }",
    ])
    func overlayIsMeant(text: String) throws {
        let file = LintFixture.file("overlays = { \(text) },")
        #expect(try LintFixture(["xx.lua": file]).findings().map(\.description) == [])
    }

    /// What is called `region` elsewhere is no condition.
    @Test func regionOfAnEventIsNoCondition() throws {
        let lines = """
            platform = { aniviaSuperAttributes = { attributes = { region = "CA-QC" } } },
            flags = { newCheckout = { rules = prepend { { name = "there", when = { region = "US-TX" }, value = false } } } },
            """
        #expect(try LintFixture(["xx.lua": LintFixture.file(lines)]).findings().map(\.description) == [])
    }

    /// A market for an area has customers in several countries.
    @Test func marketOfAnAreaHasSeveralCountries() throws {
        let lines = """
            locales = { "es-419" }, currency = "MXN", platform = { address = { country = "MX" } },
            flags = { newCheckout = { rules = prepend { { name = "there", when = { region = "AR" }, value = false } } } },
            """
        let found = try LintFixture(["xx.lua": LintFixture.file(lines)]).findings()
        #expect(found.filter { $0.message.contains("but the market is for") }.map(\.description) == [])
    }
}
