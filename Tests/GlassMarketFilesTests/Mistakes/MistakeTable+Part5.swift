extension MistakeTable {
    static let part5 = #"""
        # a separator too many
        | currency = "USD",,
        > markets/xx.lua:2:18: error: there is an extra , here [syntax]
        >   hint: remove it
        + currency = "USD",

        | platform = { , networking = { tracking = true } },
        > markets/xx.lua:2:14: error: there is an extra , here [syntax]
        >   hint: remove it
        + platform = {  networking = { tracking = true } },

        ! return { id = "xx", name = "X", extends = "us" };;
        > markets/xx.lua:1:50: error: there is an extra ; here [syntax]
        >   hint: remove it
        + return { id = "xx", name = "X", extends = "us" };

        # return twice
        ! return return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:8: error: return is written twice [syntax]
        >   hint: remove one of them
        + return { id = "xx", name = "X", extends = "us" }

        ! return
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:1: error: return is written twice [syntax]
        >   hint: remove one of them
        + return { id = "xx", name = "X", extends = "us" }

        ! local market = { id = "xx", name = "X", extends = "us" }
        ! return return market
        > markets/xx.lua:2:8: error: return is written twice [syntax]
        >   hint: remove one of them
        + local market = { id = "xx", name = "X", extends = "us" }
        + return market

        # ? and : of other languages
        | currency = true ? "CAD" : "USD",
        > markets/xx.lua:2:17: error: Lua has no ? : operator [syntax]
        >   hint: write true and "CAD" or "USD"
        + currency = true and "CAD" or "USD",

        ! local n = 3
        ! return { id = "xx", name = n > 2 ? "X" : "Y", extends = "us" }
        > markets/xx.lua:2:34: error: Lua has no ? : operator [syntax]
        >   hint: write … and … or …
        + local n = 3
        + return { id = "xx", name = n > 2 and "X" or "Y", extends = "us" }

        ! local isTest = true
        ! local isNew = isTest?false:true
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:21: error: Lua has no ? : operator [syntax]
        >   hint: write isTest and false or true

        # a directive without its list
        | platform = { networking = { retry = { statuses = append 520 } } },
        > markets/xx.lua:2:50: error: append takes a list [syntax]
        >   hint: write append { 520 }
        + platform = { networking = { retry = { statuses = append { 520 } } } },

        | platform = { networking = { retry = { statuses = append 520, 521 } } },
        > markets/xx.lua:2:50: error: append takes a list [syntax]
        >   hint: write append { 520, 521 }
        + platform = { networking = { retry = { statuses = append { 520, 521 } } } },

        | platform = { networking = { retry = { statuses = remove 503 } } },
        > markets/xx.lua:2:50: error: remove takes a list [syntax]
        >   hint: write remove { 503 }
        + platform = { networking = { retry = { statuses = remove { 503 } } } },

        # == for a key
        | platform = { networking = { retry = { maxRetries == 4 } } },
        > markets/xx.lua:2:50: error: == compares values; a key is set with = [denied]
        >   hint: write maxRetries = 4
        + platform = { networking = { retry = { maxRetries = 4 } } },

        | currency == "CAD", locales == { "en-CA" },
        > markets/xx.lua:2:10: error: == compares values; a key is set with = [denied]
        >   hint: write currency = "CAD"
        > markets/xx.lua:2:28: error: == compares values; a key is set with = [denied]
        >   hint: write locales = …
        + currency = "CAD", locales = { "en-CA" },

        | routables = { promo = { paths = { "p" }, handle = function(link, state)
        |   state:show("promo", { week == "1" })
        | end } },
        > markets/xx.lua:3:30: error: == compares values; a key is set with = [denied]
        >   hint: write week = "1"
        + routables = { promo = { paths = { "p" }, handle = function(link, state)
        +   state:show("promo", { week = "1" })
        + end } },

        # a string without quotes
        | platform = { aniviaSuperAttributes = { tenant = walmart-xx } },
        > markets/xx.lua:2:49: error: a string needs quotes [denied]
        >   hint: write "walmart-xx"
        + platform = { aniviaSuperAttributes = { tenant = "walmart-xx" } },

        | locales = { en-US, es-US },
        > markets/xx.lua:2:13: error: a string needs quotes [denied]
        >   hint: write "en-US"
        > markets/xx.lua:2:20: error: a string needs quotes [denied]
        >   hint: write "es-US"
        + locales = { "en-US", "es-US" },

        ! local tenant = walmart-of-xx
        ! return { id = "xx", name = tenant, extends = "us" }
        > markets/xx.lua:1:16: error: a string needs quotes [denied]
        >   hint: write "walmart-of-xx"
        + local tenant = "walmart-of-xx"
        + return { id = "xx", name = tenant, extends = "us" }

        # + for ..
        ! return { id = "xx", name = "Can" + "ada", extends = "us" }
        > markets/xx.lua:1:34: error: + adds numbers; strings are joined with .. [runtime]
        >   hint: write ..
        + return { id = "xx", name = "Can" .. "ada", extends = "us" }

        ! local number = 3
        ! return { id = "xx", name = "X"+number, extends = "us" }
        > markets/xx.lua:2:31: error: + adds numbers; strings are joined with .. [runtime]
        >   hint: write ..
        + local number = 3
        + return { id = "xx", name = "X" .. number, extends = "us" }

        | routables = { promo = { paths = { "p" }, handle = function(link, state)
        |   state:show("promo" + link.parameters.week)
        | end } },
        > markets/xx.lua:3:22: error: + adds numbers; strings are joined with .. [runtime]
        >   hint: write ..
        + routables = { promo = { paths = { "p" }, handle = function(link, state)
        +   state:show("promo" .. link.parameters.week)
        + end } },

        # a list that starts at 0
        | locales = { [0] = "en-US" },
        > markets/xx.lua:2:14: error: locales: lists start at 1 in Lua, so [0] is not an element [unrepresentable]
        >   hint: write the elements without [0] =
        + locales = { "en-US" },

        | locales = { [0] = "en-US", [1] = "es-US" },
        > markets/xx.lua:2:14: error: locales: lists start at 1 in Lua, so [0] is not an element [unrepresentable]
        >   hint: write the elements without [0] =

        | routables = { home = { paths = { [0] = "a", "b" } } },
        > markets/xx.lua:2:35: error: routables.home.paths: lists start at 1 in Lua, so [0] is not an element [unrepresentable]
        >   hint: write the elements without [0] =
        + routables = { home = { paths = { "a", "b" } } },

        # a file that is required
        | platform = { address = { regions = require "shared/us_regions" } },
        > markets/xx.lua:2:36: error: a market file reads another file with include [denied]
        >   hint: write include "shared/us_regions.lua"
        + platform = { address = { regions = include "shared/us_regions.lua" } },

        ! local regions = require("shared/us_regions.lua")
        ! return { id = "xx", name = "X", extends = "us", platform = { address = { regions = regions } } }
        > markets/xx.lua:1:17: error: a market file reads another file with include [denied]
        >   hint: write include "shared/us_regions.lua"
        + local regions = include("shared/us_regions.lua")
        + return { id = "xx", name = "X", extends = "us", platform = { address = { regions = regions } } }

        ! local regions = require "regions"
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:17: error: a market file reads another file with include [denied]
        >   hint: write include "regions.lua"

        # parameters of handle in the wrong order
        | routables = { promo = { paths = { "p" }, handle = function(state, link)
        |   state:show(link.query.screen)
        | end } },
        > markets/xx.lua:2:60: error: handle receives the link first, then the navigation state [denied]
        >   hint: write (link, state)
        + routables = { promo = { paths = { "p" }, handle = function(link, state)
        +   state:show(link.query.screen)
        + end } },

        ! local function open(navigation, opened) navigation:show(opened.parameters.id) end
        ! return { id = "xx", name = "X", extends = "us", routables = { promo = { paths = { "p/:id" }, handle = open } } }
        > markets/xx.lua:1:21: error: handle receives the link first, then the navigation state [denied]
        >   hint: write (opened, navigation)
        + local function open(opened, navigation) navigation:show(opened.parameters.id) end
        + return { id = "xx", name = "X", extends = "us", routables = { promo = { paths = { "p/:id" }, handle = open } } }

        | routables = { promo = { paths = { "p" }, handle = function(nav, link) return link ~= nil end } },
        > markets/xx.lua:2:60: error: handle receives the link first, then the navigation state [denied]
        >   hint: write (link, nav)
        + routables = { promo = { paths = { "p" }, handle = function(link, nav) return link ~= nil end } },

        # a dot for a colon
        | routables = { promo = { paths = { "p" }, handle = function(link, state) state.show("promo") end } },
        > markets/xx.lua:2:78: error: "show" is a method of the navigation state [denied]
        >   hint: write state:show
        + routables = { promo = { paths = { "p" }, handle = function(link, state) state:show("promo") end } },

        | routables = { promo = { paths = { "p" }, handle = function(_, nav) nav.reset() nav.select "home" end } },
        > markets/xx.lua:2:71: error: "reset" is a method of the navigation state [denied]
        >   hint: write nav:reset
        > markets/xx.lua:2:83: error: "select" is a method of the navigation state [denied]
        >   hint: write nav:select
        + routables = { promo = { paths = { "p" }, handle = function(_, nav) nav:reset() nav:select "home" end } },

        | routables = { promo = { paths = { "p" }, handle = function(link) return link:query("a") == "1" end } },
        > markets/xx.lua:2:77: error: "query" is a field of a link [denied]
        >   hint: write link.query

        # nil for unset
        | currency = nil,
        > markets/xx.lua:2:12: warning: currency: nil has no effect: the key keeps its inherited value (markets/us.lua:9:14) [noEffect]
        >   hint: write unset to remove the key, or remove currency = nil

        | platform = { networking = { retry = { maxRetries = nil } } },
        > markets/xx.lua:2:52: warning: platform.networking.retry.maxRetries: nil has no effect: the key keeps its inherited value (markets/us.lua:77:22) [noEffect]
        >   hint: write unset to remove the key, or remove maxRetries = nil

        ! local market = { id = "xx", name = "X", extends = "us", locales = nil }
        ! return market
        > markets/xx.lua:1:67: warning: locales: nil has no effect: the key keeps its inherited value (markets/us.lua:8:13) [noEffect]
        >   hint: write unset to remove the key, or remove locales = nil

        # print as an element
        | print("x"),
        > markets/xx.lua:2:1: warning: print returns nothing, so it is not an element [noEffect]
        >   hint: move it before return

        | locales = { print("x") },
        > markets/xx.lua:2:13: error: locales: print returns nothing, so it is not an element [noEffect]
        >   hint: move it before return

        | platform = { networking = { tracking = true, print "x" } },
        > markets/xx.lua:2:46: warning: platform.networking: print returns nothing, so it is not an element [noEffect]
        >   hint: move it before return

        # a key one level too high
        | platform = { retry = { maxRetries = 3 } },
        > markets/xx.lua:2:14: error: platform.retry: unknown key [unknownKey]
        >   hint: it belongs in platform.networking: write networking = { retry = … }
        + platform = { networking = { retry = { maxRetries = 3 } } },

        | platform = {
        |   retry = { maxRetries = 3 }, -- often
        |   networking = { tracking = true },
        | },
        > markets/xx.lua:3:3: error: platform.retry: unknown key [unknownKey]
        >   hint: move it into the table networking, which begins on line 4
        + platform = {
        +    -- often
        +   networking = { retry = { maxRetries = 3 }, tracking = true },
        + },

        | platform = { headers = { ["X-A"] = "1" } },
        > markets/xx.lua:2:14: error: platform.headers: unknown key [unknownKey]
        >   hint: it belongs in platform.urlSession or platform.networking
        """#
}
