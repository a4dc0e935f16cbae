extension MistakeTable {
    static let part9 = #"""
        # a URL for a path
        | routables = { home = { paths = { "walmart.mx://inicio" } } },
        > ?

        | routables = { item = { customPaths = { "https://www.walmart.com/ip/:itemID" } } },
        > ?

        | routables = { item = { paths = { "walmart://" } } },
        > ?

        # a table that is not closed before the next line
        ! return {
        !   id = "xx", name = "Test", extends = "us",
        !   deepLinking = {
        !     schemes = { "xx" },
        !   platform = { networking = { timeoutSeconds = 3 } },
        ! }
        > ?

        ! return {
        !   id = "xx", name = "Test", extends = "us",
        !   platform = {
        !     networking = {
        !       retry = { maxRetries = 2,
        !     },
        !   },
        !   routables = { home = false },
        ! }
        > ?

        ! return {
        !   id = "xx", name = "Test", extends = "us",
        !   routables = {
        !     home = { paths = { "start" },
        !     cart = { paths = { "basket" } },
        !   },
        ! }
        > ?

        # a delay above an inherited maximum
        | platform = { networking = { retry = { initialDelaySeconds = 60 } } },
        > ?

        | platform = { networking = { retry = { initialDelaySeconds = 20.5 } } },
        > ?

        | platform = { networking = { retry = { initialDelaySeconds = 5, maximumDelaySeconds = 2 } } },
        > ?

        # a required field that is not shown
        | platform = { address = { requiredFields = { "recipient", "neighborhood" } } },
        > ?

        | platform = { address = { fieldOrder = { "recipient", "street" } } },
        > ?

        | platform = { address = { fieldOrder = { "recipient" }, requiredFields = { "street" } } },
        > ?

        # an environment with a shortened name that lacks services
        | platform = { environment = { environments = { prod = { services = { quimby = "https://quimby.walmart.com.gt" } } } } },
        > ?

        | platform = { environment = { environments = { stag = {} } } },
        > ?

        | platform = { environment = { environments = { productionNew = { services = { media = "https://media.walmart.com.gt" } } } } },
        > ?

        # a locale with an underscore that conditions name
        | locales = { "en_CA" }, platform = { appInfo = { name = vary { { when = { locale = "en" }, value = "A" }, default = "B" } } },
        > ?

        | locales = { "EN-ca", "fr_CA" }, overlays = { { name = "french", when = { locale = "fr" }, platform = { appInfo = { name = "A" } } } },
        > ?

        | locales = { "english" }, platform = { appInfo = { name = vary { { when = { locale = "en" }, value = "A" }, default = "B" } } },
        > ?
        """#
}
