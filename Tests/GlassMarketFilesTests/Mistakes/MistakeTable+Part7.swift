extension MistakeTable {
    static let part7 = #"""
        # a universal link that is not a host name
        | deepLinking = { universalLinks = { "https://www.walmart.ca/fr" } },
        > markets/xx.lua:2:36: error: deepLinking.universalLinks[1]: expected a lowercase host name without scheme or path, such as "www.walmart.ca", got "https://www.walmart.ca/fr" [invalidFormat]
        >   hint: write "www.walmart.ca"
        + deepLinking = { universalLinks = { "www.walmart.ca" } },

        | deepLinking = { universalLinks = { "*walmart.ca" } },
        > markets/xx.lua:2:36: error: deepLinking.universalLinks[1]: expected a lowercase host name without scheme or path, such as "www.walmart.ca", got "*walmart.ca" [invalidFormat]
        >   hint: write "*.walmart.ca" for all its subdomains, or "walmart.ca"

        | deepLinking = { universalLinks = { "www.walmart.ca", " WWW.Walmart.com" } },
        > markets/xx.lua:2:54: error: deepLinking.universalLinks[2]: expected a lowercase host name without scheme or path, such as "www.walmart.ca", got " WWW.Walmart.com" [invalidFormat]
        >   hint: write "www.walmart.com"
        + deepLinking = { universalLinks = { "www.walmart.ca", "www.walmart.com" } },

        # a scheme that is not a name
        | deepLinking = { schemes = { "walmart.xx://" } },
        > markets/xx.lua:2:29: error: deepLinking.schemes[1]: expected a lowercase URL scheme without "://", such as "walmart.ca", got "walmart.xx://" [invalidFormat]
        >   hint: write "walmart.xx"
        + deepLinking = { schemes = { "walmart.xx" } },

        | deepLinking = { schemes = { "Walmart_XX" } },
        > markets/xx.lua:2:29: error: deepLinking.schemes[1]: expected a lowercase URL scheme without "://", such as "walmart.ca", got "Walmart_XX" [invalidFormat]
        >   hint: write "walmart-xx"

        | deepLinking = { schemes = { "https://www.walmart.ca" } },
        > markets/xx.lua:2:29: error: deepLinking.schemes[1]: expected a lowercase URL scheme without "://", such as "walmart.ca", got "https://www.walmart.ca" [invalidFormat]
        >   hint: list the hosts of web links in universalLinks: "www.walmart.ca"

        # a value without its table
        | deepLinking = { allowedDomains = { "walmart.ca" } },
        > markets/xx.lua:2:36: error: deepLinking.allowedDomains[1]: expected a table with keys such as name and allowSubdomains, got "walmart.ca" [wrongType]
        >   hint: write { name = "walmart.ca" }
        + deepLinking = { allowedDomains = { { name = "walmart.ca" } } },

        | deepLinking = { allowedDomains = "*.walmart.ca" },
        > markets/xx.lua:2:34: error: deepLinking.allowedDomains: expected a list, each a table with keys such as name and allowSubdomains, got "*.walmart.ca" [wrongType]
        >   hint: write { { name = "walmart.ca" } }, and allowSubdomains = true for its subdomains

        | deepLinking = { queryParameters = { "email" } },
        > markets/xx.lua:2:37: error: deepLinking.queryParameters[1]: expected a table with keys such as value and eventName, got "email" [wrongType]
        >   hint: write { value = "email", eventName = … }

        # a value without its list
        | deepLinking = { allowedDomains = { name = "walmart.ca" } },
        > markets/xx.lua:2:34: error: deepLinking.allowedDomains: expected a list, each a table with keys such as name and allowSubdomains, got a table with keys [wrongType]
        >   hint: wrap the table in a list: { { … } }
        + deepLinking = { allowedDomains = { { name = "walmart.ca" } } },

        | routables = { home = { waitForPreconditions = "signedIn" } },
        > markets/xx.lua:2:47: error: routables.home.waitForPreconditions: expected true or false or a list, each a name of letters and digits that starts with a letter, got "signedIn" [wrongType]
        >   hint: wrap the value in a list: { "signedIn" }
        + routables = { home = { waitForPreconditions = { "signedIn" } } },

        | deepLinking = { schemes = "walmart.xx" },
        > markets/xx.lua:2:27: error: deepLinking.schemes: expected a list, each a lowercase URL scheme without "://", such as "walmart.ca", got "walmart.xx" [wrongType]
        >   hint: wrap the value in a list: { "walmart.xx" }
        + deepLinking = { schemes = { "walmart.xx" } },

        # a list where one value is wanted
        | currency = { "USD" },
        > markets/xx.lua:2:12: error: currency: expected a currency code of three capital letters, such as "CAD", got a list [wrongType]
        >   hint: write the value without braces: "USD"
        + currency = "USD",

        | platform = { networking = { retry = { maxRetries = { 3, } } } },
        > markets/xx.lua:2:52: error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got a list [wrongType]
        >   hint: write the value without braces: 3
        + platform = { networking = { retry = { maxRetries = 3 } } },

        | platform = { networking = { retry = { maxRetries = { 3, 4 } } } },
        > markets/xx.lua:2:52: error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got a list [wrongType]

        # a certificate in another spelling
        | platform = { appInfo = { android = { certificateDigests = { "ab:cd:ef:00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff:00:11:22:33:44:55:66:77:88:99:aa:bb:cc" } } } },
        > markets/xx.lua:2:61: error: platform.appInfo.android.certificateDigests[1]: expected a SHA-256 fingerprint of 32 pairs of capital hex digits with colons, got "ab:cd:ef:00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff:00:…" [invalidFormat]
        >   hint: write "AB:CD:EF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC"
        + platform = { appInfo = { android = { certificateDigests = { "AB:CD:EF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC" } } } },

        | platform = { appInfo = { android = { certificateDigests = { "ABCDEF00112233445566778899AABBCCDDEEFF00112233445566778899AABBCC" } } } },
        > markets/xx.lua:2:61: error: platform.appInfo.android.certificateDigests[1]: expected a SHA-256 fingerprint of 32 pairs of capital hex digits with colons, got "ABCDEF00112233445566778899AABBCCDDEEFF00112233445566778899AA…" [invalidFormat]
        >   hint: write "AB:CD:EF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC"
        + platform = { appInfo = { android = { certificateDigests = { "AB:CD:EF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC" } } } },

        | platform = { appInfo = { android = { certificateDigests = { "SHA256: AB:CD:EF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC" } } } },
        > markets/xx.lua:2:61: error: platform.appInfo.android.certificateDigests[1]: expected a SHA-256 fingerprint of 32 pairs of capital hex digits with colons, got "SHA256: AB:CD:EF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:E…" [invalidFormat]
        >   hint: write "AB:CD:EF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC"
        + platform = { appInfo = { android = { certificateDigests = { "AB:CD:EF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC" } } } },

        # a number where a string is wanted
        | platform = { appInfo = { appStoreIdentifier = 338137227 } },
        > markets/xx.lua:2:47: error: platform.appInfo.appStoreIdentifier: expected a string of digits, got 338137227 [wrongType]
        >   hint: write it in quotes, as in "338137227"
        + platform = { appInfo = { appStoreIdentifier = "338137227" } },

        | platform = { appInfo = { version = 24.30 } },
        > markets/xx.lua:2:36: error: platform.appInfo.version: expected a version of numbers and dots, such as "24.3.0", got 24.3 [wrongType]
        >   hint: write it in quotes, as in "24.3"
        + platform = { appInfo = { version = "24.30" } },

        | platform = { address = { postalCodeExample = 06600 } },
        > markets/xx.lua:2:46: error: platform.address.postalCodeExample: expected a non-empty string, got 6600 [wrongType]
        >   hint: write it in quotes, as in "6600"
        + platform = { address = { postalCodeExample = "06600" } },

        # no postal codes, although the form has one
        | platform = { address = { postalCodeExample = unset } },
        > markets/xx.lua:2:46: error: platform.address.postalCodeExample: missing: expected a non-empty string [missingKey]
        >   hint: for a country without postal codes, remove "postalCode" from fieldOrder and requiredFields

        | platform = { address = { postalCodePattern = unset } },
        > markets/xx.lua:2:46: error: platform.address.postalCodePattern: missing: expected a pattern of characters, classes, groups, and counts, such as "[0-9]{5}" [missingKey]
        >   hint: for a country without postal codes, remove "postalCode" from fieldOrder and requiredFields

        | platform = { address = { postalCodePattern = unset, postalCodeExample = unset } },
        > markets/xx.lua:2:46: error: platform.address.postalCodePattern: missing: expected a pattern of characters, classes, groups, and counts, such as "[0-9]{5}" [missingKey]
        >   hint: for a country without postal codes, remove "postalCode" from fieldOrder and requiredFields
        > markets/xx.lua:2:73: error: platform.address.postalCodeExample: missing: expected a non-empty string [missingKey]
        >   hint: for a country without postal codes, remove "postalCode" from fieldOrder and requiredFields

        # a Lua pattern for a regular expression
        | platform = { address = { postalCodePattern = "%d%d%d%d%d" } },
        > markets/xx.lua:2:46: error: platform.address.postalCodeExample: "72716" does not match "%d%d%d%d%d" [inconsistent]
        >   hint: Lua character classes are not supported here: write "[0-9]{5}"

        | platform = { address = { postalCodePattern = "%u%d%u %d%u%d", postalCodeExample = "K1A 0B1" } },
        > markets/xx.lua:2:83: error: platform.address.postalCodeExample: "K1A 0B1" does not match "%u%d%u %d%u%d" [inconsistent]
        >   hint: Lua character classes are not supported here: write "[A-Z][0-9][A-Z] [0-9][A-Z][0-9]"

        | platform = { address = { postalCodePattern = "%d+%-%d%d", postalCodeExample = "123-4" } },
        > markets/xx.lua:2:79: error: platform.address.postalCodeExample: "123-4" does not match "%d+%-%d%d" [inconsistent]
        >   hint: Lua character classes are not supported here: write "[0-9]+\\-[0-9]{2}"

        # a key several levels too high
        | maxRetries = 3,
        > markets/xx.lua:2:1: error: maxRetries: unknown key [unknownKey]
        >   hint: it belongs in platform.networking.retry: write platform = { networking = { retry = { maxRetries = … } } }
        + platform = { networking = { retry = { maxRetries = 3 } } },

        | platform = { maxRetries = 3, networking = { retry = { jitter = 0.5 } } },
        > markets/xx.lua:2:14: error: platform.maxRetries: unknown key [unknownKey]
        >   hint: move it into the table networking.retry, which begins on line 2
        + platform = { networking = { retry = { maxRetries = 3, jitter = 0.5 } } },

        | retry = {
        |   maxRetries = 3,
        | },
        > markets/xx.lua:2:1: error: retry: unknown key [unknownKey]
        >   hint: it belongs in platform.networking: write platform = { networking = { retry = … } }
        + platform = { networking = { retry = {
        +   maxRetries = 3,
        + } } },

        # a key several levels too low
        | platform = { networking = { retry = {
        |   maxRetries = 3,
        |   currency = "USD",
        | } } },
        > markets/xx.lua:4:3: error: platform.networking.retry.currency: unknown key [unknownKey]
        >   hint: it belongs at the top of the market: write currency = …
        + currency = "USD",
        + platform = { networking = { retry = {
        +   maxRetries = 3,
        + } } },

        | platform = { appInfo = { headers = { ["WM-A"] = "1" } } },
        > markets/xx.lua:2:26: error: platform.appInfo.headers: unknown key [unknownKey]
        >   hint: it belongs in platform.urlSession or platform.networking

        | deepLinking = { locales = { "en-US" } },
        > markets/xx.lua:2:17: error: deepLinking.locales: unknown key [unknownKey]
        >   hint: it belongs at the top of the market: write locales = …
        + locales = { "en-US" },

        # a member in another spelling that a link or the navigation state does not have
        | routables = { promo = { paths = { "promo/:id" }, handle = function(link, state)
        |   state:show("promo", { id = link["paramters"].id })
        | end } },
        > markets/xx.lua:3:35: error: a link has no "paramters" [denied]
        >   hint: did you mean "parameters"?
        + routables = { promo = { paths = { "promo/:id" }, handle = function(link, state)
        +   state:show("promo", { id = link["parameters"].id })
        + end } },

        | routables = { promo = { paths = { "promo/:id" }, handle = function(link, state)
        |   local values = link
        |   state:show("promo", { id = values.paramters.id })
        | end } },
        > markets/xx.lua:4:37: error: a link has no "paramters" [denied]
        >   hint: did you mean "parameters"?
        + routables = { promo = { paths = { "promo/:id" }, handle = function(link, state)
        +   local values = link
        +   state:show("promo", { id = values.parameters.id })
        + end } },

        | routables = { promo = { paths = { "promo/:id" }, handle = function(link, state)
        |   state["shwo"](state, "promo")
        | end } },
        > markets/xx.lua:3:9: error: the navigation state has no "shwo" [denied]
        >   hint: did you mean "show"?
        + routables = { promo = { paths = { "promo/:id" }, handle = function(link, state)
        +   state["show"](state, "promo")
        + end } },

        # a parameter of handle in the place of the other
        | routables = { promo = { paths = { "promo/:id" }, handle = function(state)
        |   state:show("promo")
        | end } },
        > markets/xx.lua:3:9: error: a link has no "show" [denied]
        >   hint: it belongs to the navigation state, the second parameter: write function(link, state)

        | routables = { promo = { paths = { "promo/:id" }, handle = function(_, link)
        |   return link.parameters.id == "a"
        | end } },
        > markets/xx.lua:3:15: error: the navigation state has no "parameters" [denied]
        >   hint: it belongs to a link, the first parameter: write function(link, state)

        | routables = { promo = { paths = { "promo/:id" }, handle = function(a, b)
        |   b:show("promo")
        |   return a:reset()
        | end } },
        > markets/xx.lua:4:12: error: a link has no "reset" [denied]
        >   hint: it belongs to the navigation state, the second parameter: write function(link, state)

        # a key that is missing in a table
        | platform = { address = { regions = { { code = "ON" } } } },
        > markets/xx.lua:2:38: error: platform.address.regions[1].name: missing: expected a non-empty string [missingKey]
        >   hint: write name = "example",  -- The name.

        | platform = { preferences = { keys = { lastStore = {} } } },
        > markets/xx.lua:2:51: error: platform.preferences.keys.lastStore.type: missing: expected one of "boolean", "integer", "number", "string" [missingKey]
        >   hint: write type = "boolean",  -- The type of its value.

        | deepLinking = { allowedDomains = { { allowSubdomains = true } } },
        > markets/xx.lua:2:36: error: deepLinking.allowedDomains[1].name: missing: expected a lowercase host name without scheme or path, such as "www.walmart.ca" [missingKey]
        >   hint: write name = "www.walmart.ca",  -- The domain.

        | currency = unset,
        > markets/xx.lua:2:12: error: currency: missing: expected a currency code of three capital letters, such as "CAD" [missingKey]
        >   hint: write currency = "CAD",  -- The currency of prices, as an ISO 4217 code.
        """#
}
