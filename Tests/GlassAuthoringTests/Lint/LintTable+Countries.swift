extension LintTable {
    static let countries = #"""
        # the currency of another country
        | currency = "JPY",
        > markets/xx.lua:2:12: warning: currency: JPY is not a currency of US (United States) [countryMismatch]
        >   hint: write "USD"
        + currency = "USD",

        ! return { id = "xx", name = "Test", extends = "ca", currency = "USD" }
        > markets/xx.lua:1:63: warning: currency: USD is not a currency of CA (Canada) [countryMismatch]
        >   hint: write "CAD"
        + return { id = "xx", name = "Test", extends = "ca", currency = "CAD" }

        ! return { id = "xx", name = "Test", extends = "mx", currency = vary { { when = { build = "debug" }, value = "USD" }, default = "EUR" } }
        > markets/xx.lua:1:127: warning: currency: EUR is not a currency of MX (Mexico) [countryMismatch]
        >   hint: write "MXN"
        + return { id = "xx", name = "Test", extends = "mx", currency = vary { { when = { build = "debug" }, value = "USD" }, default = "MXN" } }

        # a locale of another country
        | locales = { "en-US", "es-MX" },
        > markets/xx.lua:2:22: warning: locales[2]: "es-MX" is not a locale of US (United States), the market's country [countryMismatch]
        >   hint: write "es-US"
        + locales = { "en-US", "es-US" },

        ! return { id = "xx", name = "Test", extends = "ca", locales = { "en-GB", "fr-FR" } }
        > markets/xx.lua:1:64: warning: locales[1]: "en-GB", "fr-FR" are not locales of CA (Canada), the market's country [countryMismatch]
        >   hint: write "en-CA", "fr-CA"

        ! return { id = "xx", name = "Test", extends = "mx", locales = append { "en-US" } }
        > markets/xx.lua:1:71: warning: locales[2]: "en-US" is not a locale of MX (Mexico), the market's country [countryMismatch]
        >   hint: write "en-MX"
        + return { id = "xx", name = "Test", extends = "mx", locales = append { "en-MX" } }

        # a language that is not spoken in the country
        | locales = { "en-US", "is-US" },
        > markets/xx.lua:2:22: warning: locales[2]: Icelandic is not among the languages of US (United States) [countryMismatch]
        >   hint: its official locale is "en-US"

        ! return { id = "xx", name = "Test", extends = "ca", locales = { "en-CA", "ja-CA" } }
        > markets/xx.lua:1:73: warning: locales[2]: Japanese is not among the languages of CA (Canada) [countryMismatch]
        >   hint: its official locales are "en-CA", "fr-CA"

        ! return { id = "xx", name = "Test", extends = "mx", locales = { "sv-MX" } }
        > markets/xx.lua:1:64: warning: locales[1]: Swedish is not among the languages of MX (Mexico) [countryMismatch]
        >   hint: its official locale is "es-MX"

        # the country of the base
        | locales = { "pt-BR" }, currency = "BRL",
        > markets/xx.lua:2:11: warning: platform.address.country: US (United States) does not match the locale "pt-BR" and the currency BRL [countryMismatch]
        >   hint: set platform.address.country = "BR"

        ! return { id = "xx", name = "Test", extends = "ca", platform = { address = { country = "US" } } }
        > markets/xx.lua:1:87: warning: platform.address.country: US (United States) does not match the locales "en-CA", "fr-CA" and the currency CAD [countryMismatch]
        >   hint: write "CA"
        + return { id = "xx", name = "Test", extends = "ca", platform = { address = { country = "CA" } } }

        ! return { id = "xx", name = "Test", extends = "ca", locales = { "de-DE" }, currency = "EUR" }
        > markets/xx.lua:1:62: warning: platform.address.country: CA (Canada) does not match the locale "de-DE" and the currency EUR [countryMismatch]
        >   hint: set platform.address.country = "DE"

        # another country among the attributes
        | platform = { aniviaSuperAttributes = { attributes = { country = "CA" } } },
        > markets/xx.lua:2:65: warning: platform.aniviaSuperAttributes.attributes.country: "CA" is not the market's country, US (United States) [countryMismatch]
        >   hint: write "US"
        + platform = { aniviaSuperAttributes = { attributes = { country = "US" } } },

        ! return { id = "xx", name = "Test", extends = "ca", platform = { userDefaultsRegistration = { defaults = { country = "US" } } } }
        > markets/xx.lua:1:117: warning: platform.userDefaultsRegistration.defaults.country: "US" is not the market's country, CA (Canada) [countryMismatch]
        >   hint: write "CA"
        + return { id = "xx", name = "Test", extends = "ca", platform = { userDefaultsRegistration = { defaults = { country = "CA" } } } }

        ! return { id = "xx", name = "Test", extends = "mx", platform = { aniviaSuperAttributes = { attributes = { country = "MY" } } } }
        > markets/xx.lua:1:116: warning: platform.aniviaSuperAttributes.attributes.country: "MY" is not the market's country, MX (Mexico) [countryMismatch]
        >   hint: write "MX"
        + return { id = "xx", name = "Test", extends = "mx", platform = { aniviaSuperAttributes = { attributes = { country = "MX" } } } }

        # requests for another language
        | platform = { urlSession = { headers = { ["Accept-Language"] = "fr-CA, fr;q=0.9" } } },
        > markets/xx.lua:2:63: warning: platform.urlSession.headers["Accept-Language"]: requests ask for fr-CA, fr, but none of the market's locales is in these languages [countryMismatch]
        >   hint: set it to "en-US, es-US"

        ! return { id = "xx", name = "Test", extends = "ca", locales = { "en-CA" }, platform = { urlSession = { headers = { ["Accept-Language"] = "fr-CA" } } } }
        > markets/xx.lua:1:137: warning: platform.urlSession.headers["Accept-Language"]: requests ask for fr-CA, but none of the market's locales is in that language [countryMismatch]
        >   hint: set it to "en-CA"

        ! return { id = "xx", name = "Test", extends = "mx", platform = { networking = { headers = { ["Accept-Language"] = "en" } } } }
        > markets/xx.lua:1:114: warning: platform.networking.headers["Accept-Language"]: requests ask for en, but none of the market's locales is in that language [countryMismatch]
        >   hint: set it to "es-MX"

        # the regions of another country
        | platform = { address = { regions = { { code = "ON", name = "Ontario" }, { code = "QC", name = "Québec" } } } },
        > markets/xx.lua:2:36: warning: platform.address.regions: most of these are not regions of US (United States) [countryMismatch]
        >   hint: ISO 3166-2 has AK, AL, AR, AS, and more

        ! return { id = "xx", name = "Test", extends = "ca", platform = { address = { regions = { { code = "ON", name = "Ontario" }, { code = "PQ", name = "Québec" } } } } }
        > markets/xx.lua:1:133: warning: platform.address.regions[2].code: "PQ" is not a region of CA (Canada) [countryMismatch]
        >   hint: write "QC"
        + return { id = "xx", name = "Test", extends = "ca", platform = { address = { regions = { { code = "ON", name = "Ontario" }, { code = "QC", name = "Québec" } } } } }

        ! return { id = "xx", name = "Test", extends = "mx", platform = { address = { regions = { { code = "AGU", name = "Aguascalientes" }, { code = "JA", name = "Jalisco" }, { code = "CMX", name = "Ciudad de México" } } } } }
        > markets/xx.lua:1:141: warning: platform.address.regions[2].code: "JA" is not a region of MX (Mexico) [countryMismatch]
        >   hint: write "JAL"
        + return { id = "xx", name = "Test", extends = "mx", platform = { address = { regions = { { code = "AGU", name = "Aguascalientes" }, { code = "JAL", name = "Jalisco" }, { code = "CMX", name = "Ciudad de México" } } } } }

        # the address of the base's country
        | locales = { "en-CA" }, currency = "CAD", platform = { address = { country = "CA" }, aniviaSuperAttributes = { attributes = { country = "CA" } } },
        > markets/xx.lua:2:77: warning: platform.address.country: regions and postalCodePattern are inherited from an address in US (United States) [countryMismatch]
        >   hint: set both in platform.address

        ! return { id = "xx", name = "Test", extends = "ca", locales = { "fr-FR" }, currency = "EUR", platform = { address = { country = "FR", regions = { { code = "IDF", name = "Île-de-France" } } }, aniviaSuperAttributes = { attributes = { country = "FR" } } } }
        > markets/xx.lua:1:128: warning: platform.address.country: postalCodePattern is inherited from an address in CA (Canada) [countryMismatch]
        >   hint: set postalCodePattern in platform.address

        ! return { id = "xx", name = "Test", extends = "mx", locales = { "es-ES" }, currency = "EUR", platform = { address = { country = "ES", postalCodePattern = "[0-9]{5}", postalCodeExample = "28001" }, aniviaSuperAttributes = { attributes = { country = "ES" } } } }
        > markets/xx.lua:1:128: warning: platform.address.country: regions are inherited from an address in MX (Mexico) [countryMismatch]
        >   hint: set regions in platform.address

        # a cookie for other hosts
        | platform = { cookieStorage = { cookies = append { { name = "store", value = "1", domain = ".walmart.ca" } } } },
        > markets/xx.lua:2:91: warning: platform.cookieStorage.cookies[3].domain: no host of the market is in ".walmart.ca", so the cookie is never sent [countryMismatch]
        >   hint: write ".walmart.com"
        + platform = { cookieStorage = { cookies = append { { name = "store", value = "1", domain = ".walmart.com" } } } },

        ! return { id = "xx", name = "Test", extends = "ca", platform = { cookieStorage = { cookies = { { name = "store", value = "1", domain = "walmart.com.mx" } } } } }
        > markets/xx.lua:1:135: warning: platform.cookieStorage.cookies[1].domain: no host of the market is in "walmart.com.mx", so the cookie is never sent [countryMismatch]
        >   hint: write "walmart.ca"
        + return { id = "xx", name = "Test", extends = "ca", platform = { cookieStorage = { cookies = { { name = "store", value = "1", domain = "walmart.ca" } } } } }

        ! return { id = "xx", name = "Test", extends = "mx", platform = { cookieStorage = { cookies = { { name = "store", value = "1", domain = ".walmart.com" } } } } }
        > markets/xx.lua:1:135: warning: platform.cookieStorage.cookies[1].domain: no host of the market is in ".walmart.com", so the cookie is never sent [countryMismatch]
        >   hint: write ".walmart.com.mx"
        + return { id = "xx", name = "Test", extends = "mx", platform = { cookieStorage = { cookies = { { name = "store", value = "1", domain = ".walmart.com.mx" } } } } }
        """#
}
