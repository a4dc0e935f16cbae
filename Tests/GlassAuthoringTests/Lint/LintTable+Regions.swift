extension LintTable {
    static let regions = #"""
        # a pattern of postal codes that does not match those of the country
        | platform = { address = { postalCodePattern = "[0-9]{4}", postalCodeExample = "7271" } },
        > markets/xx.lua:2:46: warning: platform.address.postalCodePattern: "[0-9]{4}" does not match "10001", a postal code of US (United States) [countryMismatch]
        >   hint: write a pattern such as "[0-9]{5}"

        ! return { id = "xx", name = "Test", extends = "ca", platform = { address = { postalCodePattern = "[0-9]{5}", postalCodeExample = "12345" } } }
        > markets/xx.lua:1:97: warning: platform.address.postalCodePattern: "[0-9]{5}" does not match "K1A 0B1", a postal code of CA (Canada) [countryMismatch]
        >   hint: write a pattern such as "[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]"

        ! return { id = "xx", name = "Test", extends = "mx", platform = { address = { postalCodePattern = "[0-9]{3} [0-9]{3}", postalCodeExample = "115 200" } } }
        > markets/xx.lua:1:97: warning: platform.address.postalCodePattern: "[0-9]{3} [0-9]{3}" does not match "06600", a postal code of MX (Mexico) [countryMismatch]
        >   hint: write a pattern such as "[0-9]{5}"

        # a region with the name of another one
        | platform = { address = { regions = { { code = "AK", name = "Alabama" } } } },
        > markets/xx.lua:2:60: warning: platform.address.regions[1].name: "Alabama" is the region "AL", not "AK" [countryMismatch]
        >   hint: write "Alaska"
        + platform = { address = { regions = { { code = "AK", name = "Alaska" } } } },

        ! return { id = "xx", name = "Test", extends = "ca", platform = { address = { regions = { { code = "NB", name = "Nova Scotia" } } } } }
        > markets/xx.lua:1:111: warning: platform.address.regions[1].name: "Nova Scotia" is the region "NS", not "NB" [countryMismatch]
        >   hint: write "New Brunswick"
        + return { id = "xx", name = "Test", extends = "ca", platform = { address = { regions = { { code = "NB", name = "New Brunswick" } } } } }

        ! return { id = "xx", name = "Test", extends = "mx", platform = { address = { regions = { { code = "JAL", name = "Nayarit" } } } } }
        > markets/xx.lua:1:112: warning: platform.address.regions[1].name: "Nayarit" is the region "NAY", not "JAL" [countryMismatch]
        >   hint: write "Jalisco"
        + return { id = "xx", name = "Test", extends = "mx", platform = { address = { regions = { { code = "JAL", name = "Jalisco" } } } } }

        # a cookie or a default for another language
        | platform = { cookieStorage = { cookies = append { { name = "localStoreLanguage", value = "fr", domain = ".walmart.com" } } } },
        > markets/xx.lua:2:90: warning: platform.cookieStorage.cookies[3].value: localStoreLanguage is "fr", but none of the market's locales is in French [countryMismatch]
        >   hint: write one of "en", "es"

        ! return { id = "xx", name = "Test", extends = "ca", platform = { preferences = { keys = { language = { default = "es" } } } } }
        > markets/xx.lua:1:113: warning: platform.preferences.keys.language.default: language is "es", but none of the market's locales is in Spanish [countryMismatch]
        >   hint: write one of "en", "fr"

        ! return { id = "xx", name = "Test", extends = "mx", platform = { userDefaultsRegistration = { defaults = { lastLanguage = "en-US" } } } }
        > markets/xx.lua:1:122: warning: platform.userDefaultsRegistration.defaults.lastLanguage: lastLanguage is "en-US", but none of the market's locales is in English [countryMismatch]
        >   hint: write "es"

        # a condition for a region that does not exist
        | flags = { newCheckout = { rules = prepend { { name = "there", when = { region = "US-CF" }, value = false } } } },
        > markets/xx.lua:2:81: warning: "US-CF" is not a region of US (United States), so this never holds [countryMismatch]
        >   hint: ISO 3166-2 has US-AK, US-AL, US-AR, US-AS, US-AZ, US-CA, US-CO, US-CT, US-DC, US-DE, US-FL, US-GA, US-GU, US-HI, US-IA, and more

        | flags = { newCheckout = { rules = prepend { { name = "there", when = { region = { "US-CA", "CA-QU" } }, value = false } } } },
        > markets/xx.lua:2:92: warning: "CA-QU" is not a region of CA (Canada), so this never holds [countryMismatch]
        >   hint: ISO 3166-2 has CA-AB, CA-BC, CA-MB, CA-NB, CA-NL, CA-NS, CA-NT, CA-NU, CA-ON, CA-PE, CA-QC, CA-SK, CA-YT

        | flags = { newCheckout = { rules = prepend { { name = "there", when = { region = { no = "MX-JL" } }, value = false } } } },
        > markets/xx.lua:2:88: warning: "MX-JL" is not a region of MX (Mexico), so this never holds [countryMismatch]
        >   hint: ISO 3166-2 has MX-AGU, MX-BCN, MX-BCS, MX-CAM, MX-CHH, MX-CHP, MX-CMX, MX-COA, MX-COL, MX-DUR, MX-GRO, MX-GUA, MX-HID, MX-JAL, MX-MEX, and more

        # the texts of another market
        | locales = { "en-US" }, platform = { errors = include "shared/mx_errors.lua" },
        > markets/xx.lua:2:37: warning: platform.errors: mx_errors.lua is the file of the market mx, whose language is Spanish [foreignName]
        >   hint: include a file in a language of this market

        ! return { id = "xx", name = "Test", extends = "ca", platform = { errors = include "shared/mx_errors.lua" } }
        > markets/xx.lua:1:65: warning: platform.errors: mx_errors.lua is the file of the market mx, whose language is Spanish [foreignName]
        >   hint: include a file in a language of this market

        ! return { id = "xx", name = "Test", extends = "ca", locales = { "fr-CA" }, platform = { urlSession = { headers = { ["Accept-Language"] = "fr-CA" } }, errors = include "shared/mx_errors.lua" } }
        > markets/xx.lua:1:150: warning: platform.errors: mx_errors.lua is the file of the market mx, whose language is Spanish [foreignName]
        >   hint: include a file in a language of this market

        # a new screen that is nearly named like its routable
        | routables = { wines = { paths = { "wines" }, show = { screen = "wimes" } } },
        > markets/xx.lua:2:64: warning: routables.wines.show.screen: no other routable shows the screen "wimes", a name close to that of the routable [unknownScreen]
        >   hint: did you mean "wines"?
        + routables = { wines = { paths = { "wines" }, show = { screen = "wines" } } },

        | routables = { flyers = { paths = { "flyers/:week" }, show = { screen = "flyres", parameters = { week = "{week}" } } } },
        > markets/xx.lua:2:72: warning: routables.flyers.show.screen: no other routable shows the screen "flyres", a name close to that of the routable [unknownScreen]
        >   hint: did you mean "flyers"?
        + routables = { flyers = { paths = { "flyers/:week" }, show = { screen = "flyers", parameters = { week = "{week}" } } } },

        ! return { id = "xx", name = "Test", extends = "mx", routables = { recetas = { paths = { "recetas" }, show = { screen = "receta" } }, tarjetas = { paths = { "tarjetas" }, show = { screen = "trajetas" } } } }
        > markets/xx.lua:1:188: warning: routables.tarjetas.show.screen: no other routable shows the screen "trajetas", a name close to that of the routable [unknownScreen]
        >   hint: did you mean "tarjetas"?
        + return { id = "xx", name = "Test", extends = "mx", routables = { recetas = { paths = { "recetas" }, show = { screen = "receta" } }, tarjetas = { paths = { "tarjetas" }, show = { screen = "tarjetas" } } } }

        # a line of addresses with a field that the form does not have
        | platform = { address = { lines = { "{recipient}", "{street} {unit}", "Col. {neighborhood}", "{city}, {region} {postalCode}" } } },
        > markets/xx.lua:2:34: warning: platform.address.lines: the lines contain {neighborhood}, but the form does not ask for it [inconsistent]
        >   hint: add "neighborhood" to fieldOrder, or remove it from the lines

        ! return { id = "xx", name = "Test", extends = "ca", platform = { address = { fieldOrder = { "recipient", "street", "city", "region", "postalCode", "phone" } } } }
        > markets/xx.lua:1:90: warning: platform.address.lines: the lines contain {unit}, but the form does not ask for it [inconsistent]
        >   hint: add "unit" to fieldOrder, or remove it from the lines

        ! return { id = "xx", name = "Test", extends = "mx", platform = { address = { fieldOrder = { "recipient", "street", "unit", "postalCode", "city", "region", "phone" }, requiredFields = { "recipient", "street", "city", "region", "postalCode" } } } }
        > markets/xx.lua:1:90: warning: platform.address.lines: the lines contain {neighborhood}, but the form does not ask for it [inconsistent]
        >   hint: add "neighborhood" to fieldOrder, or remove it from the lines

        # requests for a language of the country that the market does not have
        | platform = { urlSession = { headers = { ["Accept-Language"] = "en-US, vi-US;q=0.9" } } },
        > markets/xx.lua:2:63: warning: platform.urlSession.headers["Accept-Language"]: vi-US is not a locale of the market [countryMismatch]
        >   hint: set it to "en-US, es-US"

        ! return { id = "xx", name = "Test", extends = "ca", platform = { urlSession = { headers = { ["Accept-Language"] = "en-CA, es-CA;q=0.9" } } } }
        > markets/xx.lua:1:114: warning: platform.urlSession.headers["Accept-Language"]: es-CA is not a locale of the market [countryMismatch]
        >   hint: set it to "en-CA, fr-CA"

        ! return { id = "xx", name = "Test", extends = "mx", platform = { urlSession = { headers = { ["Accept-Language"] = "es-MX, en-MX;q=0.8, en;q=0.5" } } } }
        > markets/xx.lua:1:114: warning: platform.urlSession.headers["Accept-Language"]: en-MX is not a locale of the market [countryMismatch]
        >   hint: set it to "es-MX"

        # texts about errors in the language of the base
        ! return { id = "xx", name = "Test", extends = "us", currency = "MXN", locales = { "es-MX" }, platform = { urlSession = { headers = { ["Accept-Language"] = "es-MX" } }, aniviaSuperAttributes = { attributes = { country = "MX" } }, address = { country = "MX", regions = include "shared/mx_regions.lua", postalCodePattern = "[0-9]{5}", postalCodeExample = "06600" } } }
        > markets/xx.lua:1:80: warning: platform.errors: the texts in platform.errors come from "us" and are in English, which is not a language of the market [countryMismatch]
        >   hint: set platform.errors in Spanish

        ! return { id = "xx", name = "Test", extends = "us", locales = { "es-US" }, platform = { urlSession = { headers = { ["Accept-Language"] = "es-US" } } } }
        > markets/xx.lua:1:62: warning: platform.errors: the texts in platform.errors come from "us" and are in English, which is not a language of the market [countryMismatch]
        >   hint: set platform.errors in Spanish

        ! return { id = "xx", name = "Test", extends = "ca", locales = { "fr-CA" }, platform = { urlSession = { headers = { ["Accept-Language"] = "fr-CA" } }, preferences = { keys = { language = { default = "fr" } } } } }
        > markets/xx.lua:1:62: warning: platform.errors: the texts in platform.errors come from "us" and are in English, which is not a language of the market [countryMismatch]
        >   hint: set platform.errors in French
        """#
}
