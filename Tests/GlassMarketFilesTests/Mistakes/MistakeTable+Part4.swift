extension MistakeTable {
    static let part4 = #"""
        # a key without a value
        | currency = ,
        > markets/xx.lua:2:11: error: a value is missing here [syntax]
        >   hint: write the value

        | platform = networking = { tracking = true } },
        > markets/xx.lua:2:11: error: a value is missing here [syntax]
        >   hint: write { if a table begins here, or the value and a comma

        ! return
        !   id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:7: error: { is missing here [syntax]
        >   hint: begin the table of the file: return {
        + return {
        +   id = "xx", name = "X", extends = "us" }

        # a bracket that nothing opens
        | platform = { address = { regions = {
        |   { code = "A", name = "A" }, code = "B", name = "B" },
        |   { code = "C", name = "C" },
        | } } },
        > markets/xx.lua:3:54: error: there is an extra } here [syntax]
        >   hint: remove it, or add its counterpart on this line

        | platform = {
        |   networking = {
        |     tracking = true,
        |   },
        |   },
        | },
        | currency = "USD",
        > markets/xx.lua:6:3: error: there is an extra } here [syntax]
        >   hint: remove it, or an earlier one that closes too soon

        ! return {
        !   id = "xx", name = "X", extends = "us" },
        !   currency = "USD",
        ! }
        > markets/xx.lua:2:41: error: there is an extra } here [syntax]
        >   hint: remove it, or add its counterpart on this line

        # an element that says what another one says
        | deepLinking = { allowedDomains = { { name = "a.com" }, { name = "a.com", allowSubdomains = true } } },
        > markets/xx.lua:2:65: error: deepLinking.allowedDomains[2].name: "a.com" appears twice in this list [inconsistent]

        | platform = { cookieStorage = { cookies = {
        |   { name = "a", value = "1", domain = "a.com" }, { name = "a", value = "2", domain = "a.com" },
        | } } },
        > markets/xx.lua:3:59: error: platform.cookieStorage.cookies[2].name: cookie "a" of a.com appears twice in this list [inconsistent]

        | deepLinking = { queryParameters = append { { value = "email", eventName = "emailOpened", qualifiesTracking = true } } },
        > markets/xx.lua:2:44: warning: deepLinking.queryParameters[4]: this table is already element 1 of this list [duplicate]
        > markets/xx.lua:2:54: error: deepLinking.queryParameters[4].value: "emailOpened" for "email" appears twice in this list [inconsistent]

        # an undefined name where nothing runs
        | currency = false and usd or "USD",
        > markets/xx.lua:2:22: error: undefined global 'usd' [denied]
        >   hint: a market file can use accept, all, any, append, include, market, missing, no, perLocale, prepend, present, remove, secret, undecided, unset, vary, ipairs, math, pairs, string, table, tonumber, tostring, utf8, and the names that it declares

        ! local isOpen = false
        ! local name = "X"
        ! if isOpen then name = nmae end
        ! return { id = "xx", name = name, extends = "us" }
        > markets/xx.lua:3:23: error: undefined global 'nmae' [denied]
        >   hint: did you mean "name"?
        + local isOpen = false
        + local name = "X"
        + if isOpen then name = name end
        + return { id = "xx", name = name, extends = "us" }

        ! for _ in pairs({}) do prnt("x") end
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:23: error: undefined global 'prnt' [denied]
        >   hint: a market file can use accept, all, any, append, include, market, missing, no, perLocale, prepend, present, remove, secret, undecided, unset, vary, ipairs, math, pairs, string, table, tonumber, tostring, utf8, and the names that it declares

        # a field that a link does not have, in a function that is given by its name
        ! local function open(link, state) return state:show(link.paramters.id) end
        ! return { id = "xx", name = "X", extends = "us", routables = { promo = { paths = { "promo/:id" }, handle = open } } }
        > markets/xx.lua:1:57: error: a link has no "paramters" [denied]
        >   hint: did you mean "parameters"?
        + local function open(link, state) return state:show(link.parameters.id) end
        + return { id = "xx", name = "X", extends = "us", routables = { promo = { paths = { "promo/:id" }, handle = open } } }

        ! local open = function(link) return link.quary.a == "1" end
        ! return { id = "xx", name = "X", extends = "us", routables = { promo = { paths = { "p" }, handle = open, } } }
        > markets/xx.lua:1:41: error: a link has no "quary" [denied]
        >   hint: did you mean "query"?
        + local open = function(link) return link.query.a == "1" end
        + return { id = "xx", name = "X", extends = "us", routables = { promo = { paths = { "p" }, handle = open, } } }

        ! local function open(_, nav) nav:shwo("promo") end
        ! local routables = { a = { paths = { "a" }, handle = open }, b = { paths = { "b" }, handle = open } }
        ! return { id = "xx", name = "X", extends = "us", routables = routables }
        > markets/xx.lua:1:33: error: the navigation state has no "shwo" [denied]
        >   hint: did you mean "show"?
        + local function open(_, nav) nav:show("promo") end
        + local routables = { a = { paths = { "a" }, handle = open }, b = { paths = { "b" }, handle = open } }
        + return { id = "xx", name = "X", extends = "us", routables = routables }

        # a word of Lua that is misspelled
        ! retrun { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:1: error: undefined global 'retrun' [denied]
        >   hint: did you mean "return"?
        + return { id = "xx", name = "X", extends = "us" }

        | routables = { pharmacy = fasle },
        > markets/xx.lua:2:26: error: undefined global 'fasle' [denied]
        >   hint: did you mean "false"?
        + routables = { pharmacy = false },

        | platform = { networking = { tracking = treu } },
        > markets/xx.lua:2:40: error: undefined global 'treu' [denied]
        >   hint: did you mean "true"?
        + platform = { networking = { tracking = true } },

        ! return { id = secrt "A" }
        > markets/xx.lua:1:15: error: undefined global 'secrt' [denied]
        >   hint: did you mean "secret"?
        + return { id = secret "A" }
        < 26

        # a list in brackets
        | locales = ["en-US"],
        > markets/xx.lua:2:11: error: a list in Lua has braces, not brackets [syntax]
        >   hint: write { "en-US" }
        + locales = {"en-US"},

        | routables = { home = { paths = ["a", "b"] } },
        > markets/xx.lua:2:32: error: a list in Lua has braces, not brackets [syntax]
        >   hint: write { "a", "b" }
        + routables = { home = { paths = {"a", "b"} } },

        | locales = [],
        > markets/xx.lua:2:11: error: a list in Lua has braces, not brackets [syntax]
        >   hint: write { … }
        + locales = {},
        < 1

        # a comment that is not closed
        ! --[[ The market.
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:1: error: the comment that begins here is not closed [syntax]
        >   hint: write ]] at its end

        | currency = "USD", --[[ the money
        | locales = { "en-US" },
        > markets/xx.lua:2:19: error: the comment that begins here is not closed [syntax]
        >   hint: write ]] at its end

        | locales = { "en-US" }, --[==[ ]]
        > markets/xx.lua:2:24: error: the comment that begins here is not closed [syntax]
        >   hint: write ]==] at its end
        """#
}
