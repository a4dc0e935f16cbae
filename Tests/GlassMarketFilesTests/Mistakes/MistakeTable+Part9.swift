extension MistakeTable {
    static let part9 = #"""
        # a URL for a path
        | routables = { home = { paths = { "walmart.mx://inicio" } } },
        > markets/xx.lua:2:35: error: routables.home.paths[1]: pattern "walmart.mx://inicio": a pattern cannot have a scheme; write only the part after it, and list the scheme in deepLinking.schemes [invalidPattern]
        >   hint: write "inicio"
        >         walmart.mx://inicio
        >         ^^^^^^^^^^^^^

        | routables = { item = { customPaths = { "https://www.walmart.com/ip/:itemID" } } },
        > markets/xx.lua:2:41: error: routables.item.customPaths[1]: pattern "https://www.walmart.com/ip/:itemID": a pattern cannot have a scheme; write only the part after it, and list the scheme in deepLinking.schemes [invalidPattern]
        >   hint: write "ip/:itemID"
        >         https://www.walmart.com/ip/:itemID
        >         ^^^^^^^^

        | routables = { item = { customPaths = { "HTTPS://www.walmart.com/a/b" } } },
        > markets/xx.lua:2:41: error: routables.item.customPaths[1]: pattern "HTTPS://www.walmart.com/a/b": a pattern cannot have a scheme; write only the part after it, and list the scheme in deepLinking.schemes [invalidPattern]
        >   hint: write "a/b"
        >         HTTPS://www.walmart.com/a/b
        >         ^^^^^^^^

        # a table that is not closed before the next line
        ! return {
        !   id = "xx", name = "Test", extends = "us",
        !   deepLinking = {
        !     schemes = { "xx" },
        !   platform = { networking = { timeoutSeconds = 3 } },
        ! }
        > markets/xx.lua:3:17: error: { is opened here but not closed [syntax]
        >   hint: write }, before line 5

        ! return {
        !   id = "xx", name = "Test", extends = "us",
        !   platform = {
        !     networking = {
        !       retry = { maxRetries = 2,
        !     },
        !   },
        !   routables = { home = false },
        ! }
        > markets/xx.lua:5:15: error: { is opened here but not closed [syntax]
        >   hint: write } before line 6

        ! return {
        !   id = "xx", name = "Test", extends = "us",
        !   routables = {
        !     home = { paths = { "start" },
        !     cart = { paths = { "basket" } },
        !   },
        ! }
        > markets/xx.lua:4:12: error: { is opened here but not closed [syntax]
        >   hint: write }, before line 5

        # a delay above an inherited maximum
        | platform = { networking = { retry = { initialDelaySeconds = 60 } } },
        > markets/xx.lua:2:61: error: platform.networking.retry.initialDelaySeconds: 60 is more than maximumDelaySeconds, 20 (markets/us.lua:79:31) [inconsistent]
        >   hint: write at most 20, or raise maximumDelaySeconds

        | platform = { networking = { retry = { initialDelaySeconds = 20.5 } } },
        > markets/xx.lua:2:61: error: platform.networking.retry.initialDelaySeconds: 20.5 is more than maximumDelaySeconds, 20 (markets/us.lua:79:31) [inconsistent]
        >   hint: write at most 20, or raise maximumDelaySeconds

        | platform = { networking = { retry = { initialDelaySeconds = 5, maximumDelaySeconds = 2 } } },
        > markets/xx.lua:2:61: error: platform.networking.retry.initialDelaySeconds: 5 is more than maximumDelaySeconds, 2 [inconsistent]
        >   hint: write at most 2, or raise maximumDelaySeconds

        | platform = { networking = { retry = { maximumDelaySeconds = 0.1 } } },
        > markets/xx.lua:2:61: error: platform.networking.retry.initialDelaySeconds: 0.5 is more than maximumDelaySeconds, 0.1 [inconsistent]
        >   hint: write at most 0.1, or raise maximumDelaySeconds

        # a required field that is not shown
        | platform = { address = { requiredFields = { "recipient", "neighborhood" } } },
        > markets/xx.lua:2:58: error: platform.address.requiredFields[2]: "neighborhood" is required but not in fieldOrder (markets/us.lua:124:20) [inconsistent]
        >   hint: add "neighborhood" to fieldOrder, or remove it from requiredFields

        | platform = { address = { fieldOrder = { "recipient", "street" } } },
        > markets/xx.lua:2:39: error: platform.address.requiredFields[3]: "city", "region", "postalCode" are required but not in fieldOrder [inconsistent]
        >   hint: add "city", "region", "postalCode" to fieldOrder, or remove them from requiredFields

        | platform = { address = { fieldOrder = { "recipient" }, requiredFields = { "street" } } },
        > markets/xx.lua:2:75: error: platform.address.requiredFields[1]: "street" is required but not in fieldOrder [inconsistent]
        >   hint: add "street" to fieldOrder, or remove it from requiredFields

        # an environment with a shortened name that lacks services
        | platform = { environment = { environments = { prod = { services = { quimby = "https://quimby.walmart.com.gt" } } } } },
        > markets/xx.lua:2:54: error: platform.environment.environments.prod: this environment lacks identity, media, orchestra, which "production" has [inconsistent]
        >   hint: did you mean "production"? Every environment needs a base URL for each service

        | platform = { environment = { environments = { stag = {} } } },
        > markets/xx.lua:2:54: error: platform.environment.environments.stag.services: missing: expected a table, each value an https URL without query, such as "https://api.walmart.ca/v1" [missingKey]
        >   hint: write services = { example = "https://api.walmart.ca/v1" },  -- The base URL of each service; http only for 127.0.0.1 and localhost.

        | platform = { environment = { environments = { productionNew = { services = { media = "https://media.walmart.com.gt" } } } } },
        > markets/xx.lua:2:63: error: platform.environment.environments.productionNew: this environment lacks identity, orchestra, quimby, which "production" has [inconsistent]
        >   hint: did you mean "production"? Every environment needs a base URL for each service

        # a locale with an underscore that conditions name
        | locales = { "en_CA" }, platform = { appInfo = { name = vary { { when = { locale = "en" }, value = "A" }, default = "B" } } },
        > markets/xx.lua:2:13: error: locales[1]: expected a locale of language and region, such as "fr-CA", got "en_CA" [invalidFormat]
        >   hint: write "en-CA"

        | locales = { "EN-ca", "fr_CA" }, overlays = { { name = "french", when = { locale = "fr" }, platform = { appInfo = { name = "A" } } } },
        > markets/xx.lua:2:13: error: locales[1]: expected a locale of language and region, such as "fr-CA", got "EN-ca" [invalidFormat]
        >   hint: write "en-CA"
        > markets/xx.lua:2:22: error: locales[2]: expected a locale of language and region, such as "fr-CA", got "fr_CA" [invalidFormat]
        >   hint: write "fr-CA"
        + locales = { "en-CA", "fr_CA" }, overlays = { { name = "french", when = { locale = "fr" }, platform = { appInfo = { name = "A" } } } },
        < 1

        | locales = { "english" }, platform = { appInfo = { name = vary { { when = { locale = "en" }, value = "A" }, default = "B" } } },
        > markets/xx.lua:2:13: error: locales[1]: expected a locale of language and region, such as "fr-CA", got "english" [invalidFormat]

        # the beginning of a key's name
        | platform = { urlSession = { requestTimeout = 45 } },
        > markets/xx.lua:2:29: error: platform.urlSession.requestTimeout: unknown key [unknownKey]
        >   hint: did you mean "requestTimeoutSeconds"?

        | platform = { networking = { retry = { initialDelay = 2 } } },
        > markets/xx.lua:2:39: error: platform.networking.retry.initialDelay: unknown key [unknownKey]
        >   hint: did you mean "initialDelaySeconds"?

        | platform = { networking = { retry = { maximumDelay = 40 } } },
        > markets/xx.lua:2:39: error: platform.networking.retry.maximumDelay: unknown key [unknownKey]
        >   hint: did you mean "maximumDelaySeconds"?

        # a key beside the table that it belongs into
        | platform = { networking = { maxRetries = 3, retry = { jitter = 0.5 } } },
        > markets/xx.lua:2:29: error: platform.networking.maxRetries: unknown key [unknownKey]
        >   hint: move it into the table retry, which begins on line 2
        + platform = { networking = { retry = { maxRetries = 3, jitter = 0.5 } } },

        | platform = { networking = {
        |   jitter = 0.5,
        |   retry = { maxRetries = 3 },
        | } },
        > markets/xx.lua:3:3: error: platform.networking.jitter: unknown key [unknownKey]
        >   hint: move it into the table retry, which begins on line 4
        + platform = { networking = {
        +   retry = { jitter = 0.5, maxRetries = 3 },
        + } },

        | platform = { appInfo = {
        |   package = "com.walmart.xx",
        |   android = {},
        | } },
        > markets/xx.lua:3:3: error: platform.appInfo.package: unknown key [unknownKey]
        >   hint: move it into the table android, which begins on line 4
        + platform = { appInfo = {
        +   android = { package = "com.walmart.xx" },
        + } },

        # words that commas separate
        | routables = { promo = { paths = { "promo/:kind(sale,deal)" }, show = { screen = "promo", parameters = { kind = "{kind}" } } } },
        > markets/xx.lua:2:48: error: routables.promo.paths[1]: pattern "promo/:kind(sale,deal)": a list of words is separated by "|"; write (sale|deal) [invalidPattern]
        >   hint: promo/:kind(sale,deal)
        >                     ^^^^^^^^^

        | routables = { help = { paths = { "help/:topic(returns, orders, stores)" } } },
        > markets/xx.lua:2:47: error: routables.help.paths[1]: pattern "help/:topic(returns, orders, stores)": a list of words is separated by "|"; write (returns|orders|stores) [invalidPattern]
        >   hint: help/:topic(returns, orders, stores)
        >                     ^^^^^^^^^^^^^^^^^^^^^^^

        | routables = { promo = { customPaths = { "p/:when(day,night)/:id" }, paths = { "promo" }, show = { screen = "promo", parameters = { when = "{when}", id = "{id}" } } } },
        > markets/xx.lua:2:50: error: routables.promo.customPaths[1]: pattern "p/:when(day,night)/:id": a list of words is separated by "|"; write (day|night) [invalidPattern]
        >   hint: p/:when(day,night)/:id
        >                 ^^^^^^^^^
        """#
}
