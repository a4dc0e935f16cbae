extension LintTable {
    /// A market without a base market and without texts about errors, to be continued in its platform.
    static let poland = #"""
        return { id = "xx", name = "Test", locales = { "pl-PL" }, currency = "PLN", deepLinking = { schemes = { "sklep" } }, routables = { home = {} }, platform = { userDefaultsRegistration = { suite = "group.pl.sklep" }, aniviaSuperAttributes = { tenant = "sklep", writeKey = secret "GLASS_XX_WRITE_KEY" }, analytics = { sinks = { "app" } }, environment = { default = "production", environments = { production = { services = { api = "https://api.sklep.pl" } } } }, networking = { defaultService = "api", consumerKey = secret "GLASS_XX_CONSUMER_KEY" }, appInfo = { name = "Sklep", version = "1.0.0", build = 1, bundleIdentifier = "pl.sklep", teamIdentifier = "PLSKLEP123", appStoreIdentifier = "1234567890" }, preferences = { suite = "group.pl.sklep", keys = { storeID = { type = "integer" } } }, address = { country = "PL", fieldOrder = { "recipient", "street", "postalCode", "city" }, requiredFields = { "recipient", "street", "postalCode", "city" }, lines = { "{recipient}", "{street}", "{postalCode} {city}" }, postalCodePattern = "[0-9]{2}-[0-9]{3}", postalCodeExample = "00-001", regions = { { code = "14", name = "Mazowieckie" } } }
        """#

    static let userTexts = #"""
        # texts that are the app's defaults
        ! \#(poland),
        |   errors = { offline = { title = "Brak internetu", message = "Sprawdź połączenie i spróbuj ponownie." } },
        | } }
        > markets/xx.lua:2:12: warning: platform.errors: 12 of 13 texts in platform.errors are the app's defaults and are in English, which is not a language of the market [countryMismatch]
        >   hint: set timeout, serverUnavailable, insecureConnection, and 9 more in Polish

        ! \#(poland) } }
        > markets/xx.lua:1:46: warning: platform.errors: the texts in platform.errors are the app's defaults and are in English, which is not a language of the market [countryMismatch]
        >   hint: set platform.errors in Polish

        | locales = { "es-US" }, platform = { urlSession = { headers = { ["Accept-Language"] = "es-US" } }, preferences = { keys = { language = { default = "es" } } },
        |   errors = { offline = { title = "Sin conexión", message = "Revisa tu conexión." } } },
        > markets/xx.lua:3:12: warning: platform.errors: 12 of 13 texts in platform.errors come from "us" and are in English, which is not a language of the market [countryMismatch]
        >   hint: set timeout, serverUnavailable, insecureConnection, and 9 more in Spanish

        # a text in the script of another language
        | platform = { errors = { offline = { title = "Немає інтернету", message = "Перевірте з'єднання і спробуйте ще раз." } } },
        > markets/xx.lua:2:74: warning: platform.errors.offline.message: "Перевірте з'єднання і спробуйте ще раз." is in the Cyrillic script, which English and Spanish do not use [scriptMismatch]
        >   hint: write it in English or Spanish

        | platform = { errors = { timeout = { title = perLocale { es = "Это заняло слишком много времени", default = "That took too long" } } } },
        > markets/xx.lua:2:62: warning: platform.errors.timeout.title: "Это заняло слишком много времени" is in the Cyrillic script, which Spanish does not use [scriptMismatch]
        >   hint: write it in Spanish

        | locales = { "en-US", "zh-US" }, platform = { errors = { timeout = { message = perLocale {
        |   en = "请稍后在这里再试一次。", zh = "Please try this again later." } } } },
        > markets/xx.lua:3:8: warning: platform.errors.timeout.message: "请稍后在这里再试一次。" is in the Han script, which English does not use [scriptMismatch]
        >   hint: swap the texts of English and Chinese

        # a condition for a region of another country
        | flags = { newCheckout = { rules = prepend { { name = "there", when = { region = "CA-QC" }, value = false } } } },
        > markets/xx.lua:2:81: warning: "CA-QC" is in CA (Canada), but the market is for US (United States) [countryMismatch]
        >   hint: name a region of US, such as "US-AK", or remove the condition

        ! return { id = "xx", name = "Test", extends = "ca", overlays = { { name = "texas", when = { region = "US-TX" }, platform = { networking = { retry = { maxRetries = 5 } } } } } }
        > markets/xx.lua:1:101: warning: "US-TX" is in US (United States), but the market is for CA (Canada) [countryMismatch]
        >   hint: name a region of CA, such as "CA-AB", or remove the condition

        | platform = { networking = { retry = { maxRetries = vary { { when = { region = { "MX", "US" } }, value = 5 }, default = 3 } } } },
        > markets/xx.lua:2:81: warning: "MX" is in MX (Mexico), but the market is for US (United States) [countryMismatch]
        >   hint: name a region of US, such as "US-AK", or remove the condition

        # an overlay that changes nothing
        | overlays = { { name = "sale", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 3 } } } } },
        > markets/xx.lua:2:14: warning: overlays.sale: the overlay sale changes nothing: its value is the one that applies without it [noEffect]
        >   hint: set another value, or remove it

        ! return { id = "xx", name = "Test", extends = "ca",
        |   overlays = { { name = "sale", when = { deviceClass = "tablet" }, platform = { networking = { retry = { maxRetries = 4, multiplier = 2 } } }, routables = { home = {} } } } }
        > markets/xx.lua:2:16: warning: overlays.sale: the overlay sale changes nothing: its values are those that apply without it [noEffect]
        >   hint: set another value, or remove it

        | overlays = { { name = "sale", when = { build = "debug" } } },
        > markets/xx.lua:2:14: warning: overlays.sale: the overlay sale sets nothing [noEffect]
        >   hint: set what should change while it holds, or remove it

        # a word of the language in quotes
        | platform = { networking = { headers = { ["WM-Tenant"] = "unset" } } },
        > markets/xx.lua:2:57: warning: platform.networking.headers["WM-Tenant"]: "unset" in quotes is an ordinary string, and does not remove the value [placeholderText]
        >   hint: write unset without quotes
        + platform = { networking = { headers = { ["WM-Tenant"] = unset } } },

        | platform = { userDefaultsRegistration = { defaults = { theme = "nil" } } },
        > markets/xx.lua:2:64: warning: platform.userDefaultsRegistration.defaults.theme: "nil" in quotes is an ordinary string, and does not remove the value [placeholderText]
        >   hint: remove the key: only an inherited value can be unset

        | platform = { errors = { offline = { title = "null", message = "Check your connection." } } },
        > markets/xx.lua:2:45: warning: platform.errors.offline.title: "null" in quotes is an ordinary string, and does not remove the value [placeholderText]
        >   hint: write this market's own value
        """#
}
