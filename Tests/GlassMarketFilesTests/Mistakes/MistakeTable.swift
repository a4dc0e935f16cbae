/// The mistakes that ``MistakeTableTests`` checks. Each block is one mistake: its kind (`#`), at the first of each
/// kind; the market's text in addition to `id`, `name` and `extends` (`|`), or a whole file (`!`); the output of
/// `check` (`>`); and, if the hint is exact, the result of `fix` (`+`), and the number of remaining errors, if any
/// (`<`).
enum MistakeTable {
    /// All mistakes.
    static let text = [part1, part2, part3, part4, part5, part6, part7, part8, part9, part10].joined(separator: "\n\n")

    static let part1 = #"""
        # a precondition that neither the app nor the market has
        | routables = { home = { waitForPreconditions = { "signedin" } } },
        > markets/xx.lua:2:49: error: routables.home.waitForPreconditions[1]: the app has no precondition "signedin", so these links would never open [unknownPrecondition]
        >   hint: did you mean "signedIn"?
        + routables = { home = { waitForPreconditions = { "signedIn" } } },

        | preconditions = { ageVerified = { doc = "The shopper is of age." } },
        | routables = { home = { waitForPreconditions = { "appStarted", "ageVerifed" } } },
        > markets/xx.lua:3:63: error: routables.home.waitForPreconditions[2]: the app has no precondition "ageVerifed", so these links would never open [unknownPrecondition]
        >   hint: did you mean "ageVerified"?
        + preconditions = { ageVerified = { doc = "The shopper is of age." } },
        + routables = { home = { waitForPreconditions = { "appStarted", "ageVerified" } } },

        | routables = { home = { waitForPreconditions = { "isTuesday" } } },
        > markets/xx.lua:2:49: error: routables.home.waitForPreconditions[1]: the app has no precondition "isTuesday", so these links would never open [unknownPrecondition]
        >   hint: the preconditions are appStarted, signedIn, storeSelected; a market declares its own with preconditions = { isTuesday = { doc = "…" } }

        # a precondition of the market's own that is none
        | preconditions = { signedUp = {} },
        > markets/xx.lua:2:30: error: preconditions.signedUp.doc: missing: expected a non-empty string [missingKey]
        >   hint: write doc = "example",  -- A one-line description of the condition.

        | preconditions = { signedUp = "The shopper has an account." },
        > markets/xx.lua:2:30: error: preconditions.signedUp: expected a table with keys such as doc, got "The shopper has an account." [wrongType]
        >   hint: write { doc = "The shopper has an account." }
        + preconditions = { signedUp = { doc = "The shopper has an account." } },

        | preconditions = { signedIn = { doc = "The shopper is signed in." } },
        > markets/xx.lua:2:19: error: preconditions.signedIn: the app already has a precondition with this name [duplicate]
        >   hint: remove it here, or give it another name

        # a key that is in its table twice
        | platform = { networking = { retry = { maxRetries = 3, maxRetries = 4 } } },
        > markets/xx.lua:2:55: error: this table already has the key "maxRetries" (markets/xx.lua:2:39) [duplicate]
        >   hint: keep one of them: Lua uses the last one

        | platform = { networking = { headers = { ["WM-A"] = "1", ["WM-A"] = "1" } } },
        > markets/xx.lua:2:58: error: this table already has the key "WM-A" (markets/xx.lua:2:42) [duplicate]
        >   hint: keep one of them: Lua uses the last one
        + platform = { networking = { headers = { ["WM-A"] = "1" } } },

        | currency = "USD",
        | locales = { "en-US" },
        | currency = "CAD",
        > markets/xx.lua:4:1: error: this table already has the key "currency" (markets/xx.lua:2:1) [duplicate]
        >   hint: keep one of them: Lua uses the last one

        # a routable that is there twice
        | routables = {
        |   home = { paths = { "inicio" } },
        |   home = { customPaths = { "casa" } },
        | },
        > markets/xx.lua:4:3: error: this table already has the key "home" (markets/xx.lua:3:3) [duplicate]
        >   hint: move its entries into the first one: Lua uses only the last one

        | routables = { promo = { paths = { "a" }, show = { screen = "a" } }, promo = { paths = { "b" }, show = { screen = "b" } } },
        > markets/xx.lua:2:69: error: this table already has the key "promo" (markets/xx.lua:2:15) [duplicate]
        >   hint: move its entries into the first one: Lua uses only the last one

        | routables = { ["home"] = true, home = false },
        > markets/xx.lua:2:32: error: this table already has the key "home" (markets/xx.lua:2:16) [duplicate]
        >   hint: keep one of them: Lua uses the last one

        # a global that a function misspells
        | routables = { promo = { paths = { "promo" }, handle = function(link, state)
        |   stat:show("promo")
        | end } },
        > markets/xx.lua:3:3: error: undefined global 'stat' [denied]
        >   hint: did you mean "state"?
        + routables = { promo = { paths = { "promo" }, handle = function(link, state)
        +   state:show("promo")
        + end } },

        | routables = { promo = { paths = { "promo" }, handle = function(link)
        |   if link.query.a then return tostrng(link.query.a) == "1" end
        | end } },
        > markets/xx.lua:3:31: error: undefined global 'tostrng' [denied]
        >   hint: did you mean "tostring"?
        + routables = { promo = { paths = { "promo" }, handle = function(link)
        +   if link.query.a then return tostring(link.query.a) == "1" end
        + end } },

        | routables = { promo = { paths = { "promo" }, handle = function(link, state)
        |   local screens = { a = "first" }
        |   for name, screen in pairs(screens) do state:show(sceen) end
        | end } },
        > markets/xx.lua:4:52: error: undefined global 'sceen' [denied]
        >   hint: did you mean "screen"?
        + routables = { promo = { paths = { "promo" }, handle = function(link, state)
        +   local screens = { a = "first" }
        +   for name, screen in pairs(screens) do state:show(screen) end
        + end } },

        # a library that market files do not have
        | routables = { promo = { paths = { "promo" }, handle = function() return os.time() > 0 end } },
        > markets/xx.lua:2:73: error: 'os' is not available in market files [denied]
        >   hint: for an environment variable, write secret "NAME"; for a date, test date in a condition

        ! local clock = io.read()
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:15: error: 'io' is not available in market files [denied]
        >   hint: a market file can use accept, all, any, append, include, market, missing, no, perLocale, prepend, present, remove, secret, undecided, unset, vary, ipairs, math, pairs, string, table, tonumber, tostring, utf8, and the names that it declares

        | routables = { promo = { paths = { "promo" }, handle = function() require("promo") end } },
        > markets/xx.lua:2:66: error: 'require' is not available in market files [denied]
        >   hint: a market file can use accept, all, any, append, include, market, missing, no, perLocale, prepend, present, remove, secret, undecided, unset, vary, ipairs, math, pairs, string, table, tonumber, tostring, utf8, and the names that it declares

        ! return { id = os.getenv("HOME") }
        > markets/xx.lua:1:15: error: 'os' is not available in market files [denied]
        >   hint: for an environment variable, write secret "NAME"; for a date, test date in a condition

        # a global that a function sets
        | routables = { promo = { paths = { "promo" }, handle = function(link)
        |   screen = link.parameters.screen
        | end } },
        > markets/xx.lua:3:3: error: a function cannot set the global "screen" [denied]
        >   hint: write local screen = …
        + routables = { promo = { paths = { "promo" }, handle = function(link)
        +   local screen = link.parameters.screen
        + end } },

        | routables = { promo = { paths = { "promo" }, handle = function(link, state)
        |   local count = 0
        |   cuont = count + 1
        | end } },
        > markets/xx.lua:4:3: error: a function cannot set the global "cuont" [denied]
        >   hint: did you mean "count"?
        + routables = { promo = { paths = { "promo" }, handle = function(link, state)
        +   local count = 0
        +   count = count + 1
        + end } },

        | routables = { promo = { paths = { "promo" }, handle = function(link, state)
        |   function open() state:reset() end
        |   open()
        | end } },
        > markets/xx.lua:3:12: error: a function cannot set the global "open" [denied]
        >   hint: write local open = …
        + routables = { promo = { paths = { "promo" }, handle = function(link, state)
        +   local function open() state:reset() end
        +   open()
        + end } },

        # a field that a link does not have
        | routables = { promo = { paths = { "promo/:id" }, handle = function(link, state)
        |   state:show("promo", { id = link.paramters.id })
        | end } },
        > markets/xx.lua:3:35: error: a link has no "paramters" [denied]
        >   hint: did you mean "parameters"?
        + routables = { promo = { paths = { "promo/:id" }, handle = function(link, state)
        +   state:show("promo", { id = link.parameters.id })
        + end } },

        | routables = { promo = { paths = { "promo" }, handle = function(l) return l.quary.a == "1" end } },
        > markets/xx.lua:2:76: error: a link has no "quary" [denied]
        >   hint: did you mean "query"?
        + routables = { promo = { paths = { "promo" }, handle = function(l) return l.query.a == "1" end } },

        | routables = { promo = { paths = { "promo" }, handle = function(link) return link:canOpen() end } },
        > markets/xx.lua:2:82: error: a link has no "canOpen" [denied]
        >   hint: it has url, scheme, host, path, pattern, parameters, rawParameters, query

        # a method that the navigation state does not have
        | routables = { promo = { paths = { "promo" }, handle = function(link, state) state:shwo("promo") end } },
        > markets/xx.lua:2:83: error: the navigation state has no "shwo" [denied]
        >   hint: did you mean "show"?
        + routables = { promo = { paths = { "promo" }, handle = function(link, state) state:show("promo") end } },

        | routables = { promo = { paths = { "promo" }, handle = function(_, nav) nav.present("promo") end } },
        > markets/xx.lua:2:76: error: the navigation state has no "present" [denied]
        >   hint: did you mean "reset"?

        | routables = { promo = { paths = { "promo" }, handle = function(link, state)
        |   local function open() state:dismis() end
        |   open()
        | end } },
        > markets/xx.lua:3:31: error: the navigation state has no "dismis" [denied]
        >   hint: did you mean "dismiss"?
        + routables = { promo = { paths = { "promo" }, handle = function(link, state)
        +   local function open() state:dismiss() end
        +   open()
        + end } },

        # a scheme that no app can have
        | deepLinking = { schemes = { "javascript" } },
        > markets/xx.lua:2:29: error: deepLinking.schemes[1]: "javascript" is reserved by systems and browsers [invalidFormat]
        >   hint: use an app-specific scheme, such as "walmart.ca"

        | deepLinking = { schemes = { "walmart.xx", "https" } },
        > markets/xx.lua:2:43: error: deepLinking.schemes[2]: "https" is reserved by systems and browsers [invalidFormat]
        >   hint: list the hosts of web links in universalLinks

        | deepLinking = { schemes = append { "mailto" } },
        > markets/xx.lua:2:36: error: deepLinking.schemes[2]: "mailto" is reserved by systems and browsers [invalidFormat]
        >   hint: use an app-specific scheme, such as "walmart.ca"

        # a currency that there is not
        | currency = "CDA",
        > markets/xx.lua:2:12: error: currency: "CDA" is not an ISO 4217 currency code [invalidFormat]
        >   hint: did you mean "CAD"?

        | currency = "usd",
        > markets/xx.lua:2:12: error: currency: expected a currency code of three capital letters, such as "CAD", got "usd" [invalidFormat]
        >   hint: write "USD"
        + currency = "USD",

        | currency = "dollars",
        > markets/xx.lua:2:12: error: currency: expected a currency code of three capital letters, such as "CAD", got "dollars" [invalidFormat]

        # a locale that there is not
        | locales = { "en-UK" },
        > markets/xx.lua:2:13: error: locales[1]: expected a locale of language and region, such as "fr-CA", got "en-UK" [invalidFormat]
        >   hint: write "en-GB"
        + locales = { "en-GB" },

        | locales = { "eng-US" },
        > markets/xx.lua:2:13: error: locales[1]: expected a locale of language and region, such as "fr-CA", got "eng-US" [invalidFormat]
        >   hint: write "en-US"
        + locales = { "en-US" },

        | locales = { "xx-US", "en_US" },
        > markets/xx.lua:2:13: error: locales[1]: "xx" is not an ISO 639 language code [invalidFormat]
        >   hint: the list of codes is from 2026-02-16
        > markets/xx.lua:2:22: error: locales[2]: expected a locale of language and region, such as "fr-CA", got "en_US" [invalidFormat]
        >   hint: write "en-US"
        + locales = { "xx-US", "en-US" },
        < 1

        # a country that there is not
        | platform = { address = { country = "UK" } },
        > markets/xx.lua:2:36: error: platform.address.country: expected a country code of two capital letters, such as "CA", got "UK" [invalidFormat]
        >   hint: write "GB"
        + platform = { address = { country = "GB" } },

        | platform = { address = { country = "XZ" } },
        > markets/xx.lua:2:36: error: platform.address.country: "XZ" is not an ISO 3166-1 country code [invalidFormat]
        >   hint: the list of codes is from 2026-02-16

        | platform = { address = { country = "Canada" } },
        > markets/xx.lua:2:36: error: platform.address.country: expected a country code of two capital letters, such as "CA", got "Canada" [invalidFormat]

        # a comma that is missing
        | currency = "USD"
        | locales = { "en-US" },
        > markets/xx.lua:2:17: error: a comma is missing here [syntax]
        >   hint: add a comma before locales
        + currency = "USD",
        + locales = { "en-US" },

        | locales = { "en-US" "es-US" },
        > markets/xx.lua:2:20: error: a comma is missing here [syntax]
        >   hint: add a comma before "es-US"
        + locales = { "en-US", "es-US" },

        | platform = { networking = { retry = { maxRetries = 3 jitter = 0.5 } } },
        > markets/xx.lua:2:53: error: a comma is missing here [syntax]
        >   hint: add a comma before jitter
        + platform = { networking = { retry = { maxRetries = 3, jitter = 0.5 } } },

        ! return { id = "xx" name = 1 }
        > markets/xx.lua:1:19: error: a comma is missing here [syntax]
        >   hint: add a comma before name
        + return { id = "xx", name = "1" }
        < 23

        # typographic quotes
        | currency = “USD”,
        > markets/xx.lua:2:12: error: “ is a typographic quote; Lua uses straight ones [syntax]
        >   hint: write " at both ends of the string
        + currency = "USD",

        | locales = { "en-US", ‘es-US’ },
        > markets/xx.lua:2:22: error: ‘ is a typographic quote; Lua uses straight ones [syntax]
        >   hint: write " at both ends of the string
        + locales = { "en-US", "es-US" },

        | currency = «USD»,
        > markets/xx.lua:2:12: error: « is a typographic quote; Lua uses straight ones [syntax]
        >   hint: write " at both ends of the string
        + currency = "USD",

        # a colon for =
        | currency: "USD",
        > markets/xx.lua:2:9: error: use = instead of : [syntax]
        >   hint: write currency =
        + currency = "USD",

        | platform = { networking: { tracking = true } },
        > markets/xx.lua:2:24: error: use = instead of : [syntax]
        >   hint: write networking =
        + platform = { networking = { tracking = true } },

        | "currency": "USD",
        > markets/xx.lua:2:11: error: use = instead of : [syntax]
        >   hint: write currency =
        + currency = "USD",

        # an arrow for =
        | currency => "USD",
        > markets/xx.lua:2:10: error: use = instead of => [syntax]
        >   hint: write =
        + currency = "USD",

        | platform = { networking => { tracking = true } },
        > markets/xx.lua:2:25: error: use = instead of => [syntax]
        >   hint: write =
        + platform = { networking = { tracking = true } },

        | currency -> "USD",
        > markets/xx.lua:2:10: error: use = instead of -> [syntax]
        >   hint: write =
        + currency = "USD",

        # a comment of another language
        | currency = "USD", // the money
        > markets/xx.lua:2:19: error: // does not start a comment in Lua [syntax]
        >   hint: write --
        + currency = "USD", -- the money

        | # the money
        | currency = "USD",
        > markets/xx.lua:2:1: error: # does not start a comment in Lua [syntax]
        >   hint: write --
        + -- the money
        + currency = "USD",

        | /* the money */
        | currency = "USD",
        > markets/xx.lua:2:1: error: /* does not start a comment in Lua [syntax]
        >   hint: write --[[ … ]]
        + --[[ the money ]]
        + currency = "USD",

        # != for ~=
        ! local a = 1
        ! if a != 2 then a = 2 end
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:6: error: != is not a Lua operator [syntax]
        >   hint: write ~=
        + local a = 1
        + if a ~= 2 then a = 2 end
        + return { id = "xx", name = "X", extends = "us" }

        | routables = { promo = { paths = { "p" }, handle = function(link) return link.query.a != "1" end } },
        > markets/xx.lua:2:86: error: != is not a Lua operator [syntax]
        >   hint: write ~=
        + routables = { promo = { paths = { "p" }, handle = function(link) return link.query.a ~= "1" end } },

        | routables = { promo = { paths = { "p" }, handle = function(link) return !link.query.a end } },
        > markets/xx.lua:2:73: error: ! is not a Lua operator [syntax]
        >   hint: write not
        + routables = { promo = { paths = { "p" }, handle = function(link) return not link.query.a end } },

        # null for nil
        | currency = null,
        > markets/xx.lua:2:12: error: undefined global 'null' [denied]
        >   hint: write nil, or unset to remove the inherited key
        + currency = nil,

        | platform = { networking = { tracking = None } },
        > markets/xx.lua:2:40: error: undefined global 'None' [denied]
        >   hint: write nil, or unset to remove the inherited key
        + platform = { networking = { tracking = nil } },

        | locales = { undefined },
        > markets/xx.lua:2:13: error: undefined global 'undefined' [denied]
        >   hint: write nil, or unset to remove the inherited key
        + locales = { nil },
        < 1

        # true and false of other languages
        | platform = { networking = { tracking = True } },
        > markets/xx.lua:2:40: error: undefined global 'True' [denied]
        >   hint: write true
        + platform = { networking = { tracking = true } },

        | platform = { networking = { tracking = FALSE } },
        > markets/xx.lua:2:40: error: undefined global 'FALSE' [denied]
        >   hint: write false
        + platform = { networking = { tracking = false } },

        | platform = { networking = { tracking = yes } },
        > markets/xx.lua:2:40: error: undefined global 'yes' [denied]
        >   hint: write true
        + platform = { networking = { tracking = true } },
        """#
}
