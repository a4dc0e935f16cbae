extension MeaningTable {
    static let regions = #"""
        # a pattern of postal codes that does not match those of the country
        | platform = { address = { postalCodePattern = "[0-9]{4}", postalCodeExample = "7271" } },
        > ?

        ! return { id = "xx", name = "Test", extends = "ca", platform = { address = { postalCodePattern = "[0-9]{5}", postalCodeExample = "12345" } } }
        > ?

        ! return { id = "xx", name = "Test", extends = "mx", platform = { address = { postalCodePattern = "[0-9]{3} [0-9]{3}", postalCodeExample = "115 200" } } }
        > ?

        # a region with the name of another one
        | platform = { address = { regions = { { code = "AK", name = "Alabama" }, { code = "AL", name = "Alaska" } } } },
        > ?

        ! return { id = "xx", name = "Test", extends = "ca", platform = { address = { regions = { { code = "NB", name = "Nova Scotia" } } } } }
        > ?

        ! return { id = "xx", name = "Test", extends = "mx", platform = { address = { regions = { { code = "JAL", name = "Nayarit" } } } } }
        > ?

        # a cookie or a default for another language
        | platform = { cookieStorage = { cookies = append { { name = "localStoreLanguage", value = "fr", domain = ".walmart.com" } } } },
        > ?

        ! return { id = "xx", name = "Test", extends = "ca", platform = { preferences = { keys = { language = { default = "es" } } } } }
        > ?

        ! return { id = "xx", name = "Test", extends = "mx", platform = { userDefaultsRegistration = { defaults = { lastLanguage = "en-US" } } } }
        > ?

        # a unit of the other system
        | platform = { userDefaultsRegistration = { defaults = { unitSystem = "metric" } } },
        > ?

        ! return { id = "xx", name = "Test", extends = "ca", platform = { userDefaultsRegistration = { defaults = { ovenFahrenheit = 350 } } } }
        > ?

        ! return { id = "xx", name = "Test", extends = "us", platform = { userDefaultsRegistration = { defaults = { parcelKilograms = 20 } } } }
        > ?

        # a condition for a region that does not exist
        | flags = { newCheckout = { rules = prepend { { name = "there", when = { region = "US-CF" }, value = false } } } },
        > ?

        | overlays = { { name = "west", when = { region = { "US-CA", "CA-QU" } }, platform = { appInfo = { name = "West" } } } },
        > ?

        | currency = vary { { when = { region = { no = "MX-JL" } }, value = "USD" }, default = "USD" },
        > ?

        # a cookie that differs from its preference
        | platform = { preferences = { keys = { storeID = { default = 1010 } } } },
        > ?

        ! return { id = "xx", name = "Test", extends = "ca", platform = { cookieStorage = { cookies = { { name = "assortmentStoreId", value = "1030", domain = ".walmart.ca" } } } } }
        > ?

        ! return { id = "xx", name = "Test", extends = "mx", platform = { preferences = { keys = { storeID = { default = 1003 } } } } }
        > ?

        # the texts of another market
        | locales = { "en-US" }, platform = { errors = include "shared/mx_errors.lua" },
        > ?

        ! return { id = "xx", name = "Test", extends = "ca", platform = { errors = include "shared/mx_errors.lua" } }
        > ?

        ! return { id = "xx", name = "Test", extends = "ca", locales = { "fr-CA" }, platform = { urlSession = { headers = { ["Accept-Language"] = "fr-CA" } }, errors = include "shared/mx_errors.lua" } }
        > ?

        # a new screen that is nearly named like its routable
        | routables = { wines = { paths = { "wines" }, show = { screen = "wimes" } } },
        > ?

        | routables = { flyers = { paths = { "flyers/:week" }, show = { screen = "flyres", parameters = { week = "{week}" } } } },
        > ?

        ! return { id = "xx", name = "Test", extends = "mx", routables = { recetas = { paths = { "recetas" }, show = { screen = "receta" } }, tarjetas = { paths = { "tarjetas" }, show = { screen = "trajetas" } } } }
        > ?

        # a line of addresses with a field that the form does not have
        | platform = { address = { lines = { "{recipient}", "{street} {unit}", "{neighborhood}", "{city}, {region} {postalCode}" } } },
        > ?

        ! return { id = "xx", name = "Test", extends = "ca", platform = { address = { fieldOrder = { "recipient", "street", "city", "region", "postalCode", "phone" } } } }
        > ?

        ! return { id = "xx", name = "Test", extends = "mx", platform = { address = { fieldOrder = { "recipient", "street", "unit", "postalCode", "city", "region", "phone" }, requiredFields = { "recipient", "street", "city", "region", "postalCode" } } } }
        > ?

        # a date that every clock has passed
        | overlays = { { name = "sale", when = { localDate = ">= 2024-11-16 < 2024-11-20" }, platform = { appInfo = { name = "Sale" } } } },
        > ?

        | platform = { urlSession = { requestTimeoutSeconds = vary { { when = { localDate = "< 2020-02-01T08:00" }, value = 30 }, default = 45 } } },
        > ?

        | overlays = { { name = "days", when = { localDate = { "2024-12-24", "2024-12-25" } }, platform = { appInfo = { name = "Days" } } } },
        > ?
        """#
}
