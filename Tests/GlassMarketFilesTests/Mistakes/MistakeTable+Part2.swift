extension MistakeTable {
    static let part2 = #"""
        # operators of other languages
        ! local a = 1
        ! if a == 1 && a == 2 then a = 3 end
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:11: error: && is not a Lua operator [syntax]
        >   hint: write and
        + local a = 1
        + if a == 1 and a == 2 then a = 3 end
        + return { id = "xx", name = "X", extends = "us" }

        ! local a = true || false
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:16: error: || is not a Lua operator [syntax]
        >   hint: write or
        + local a = true or false
        + return { id = "xx", name = "X", extends = "us" }

        ! local a = 1
        ! if a === 1 then a = 3 end
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:6: error: === is not a Lua operator [syntax]
        >   hint: write ==
        + local a = 1
        + if a == 1 then a = 3 end
        + return { id = "xx", name = "X", extends = "us" }

        # = for ==
        ! local a = 1
        ! if a = 1 then a = 3 end
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:6: error: use == instead of = [syntax]
        >   hint: compare with ==
        + local a = 1
        + if a == 1 then a = 3 end
        + return { id = "xx", name = "X", extends = "us" }

        ! local a = 1
        ! while a = 1 do a = 3 end
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:9: error: use == instead of = [syntax]
        >   hint: compare with ==
        + local a = 1
        + while a == 1 do a = 3 end
        + return { id = "xx", name = "X", extends = "us" }

        | routables = { promo = { paths = { "p" }, handle = function(link) if link.host = "a" then return true end end } },
        > markets/xx.lua:2:79: error: use == instead of = [syntax]
        >   hint: compare with ==
        + routables = { promo = { paths = { "p" }, handle = function(link) if link.host == "a" then return true end end } },

        # a space that is none
        | currency =<U+00A0>"USD",
        > markets/xx.lua:2:11: error: Lua does not treat this character as white space: no-break space (U+00A0) [syntax]
        >   hint: write a plain space
        + currency = "USD",

        |<U+3000>currency = "USD",
        > markets/xx.lua:2:1: error: Lua does not treat this character as white space: ideographic space (U+3000) [syntax]
        >   hint: write a plain space
        +  currency = "USD",

        | locales = {<U+202F>"en-US" },
        > markets/xx.lua:2:12: error: Lua does not treat this character as white space: narrow no-break space (U+202F) [syntax]
        >   hint: write a plain space
        + locales = { "en-US" },

        # an invisible character
        | cur<U+200B>rency = "USD",
        > markets/xx.lua:2:4: error: there is an invisible character here: zero width space (U+200B) [syntax]
        >   hint: delete it
        + currency = "USD",

        | currency = <U+FEFF>"USD",
        > markets/xx.lua:2:12: error: there is an invisible character here: zero width no-break space (U+FEFF) [syntax]
        >   hint: delete it
        + currency = "USD",

        |<U+200E> currency = "USD",
        > markets/xx.lua:2:1: error: there is an invisible character here: left-to-right mark (U+200E) [syntax]
        >   hint: delete it
        +  currency = "USD",

        # a letter that no name can have
        | währung = "USD",
        > markets/xx.lua:2:1: error: the letter ä is not allowed in a name: use the letters a to z, digits, and _ [syntax]
        >   hint: use another name, or for a key ["währung"]

        | platform = { networking = { rétry = { maxRetries = 3 } } },
        > markets/xx.lua:2:29: error: the letter é is not allowed in a name: use the letters a to z, digits, and _ [syntax]
        >   hint: use another name, or for a key ["rétry"]

        | routables = { größe = true },
        > markets/xx.lua:2:15: error: the letter ö is not allowed in a name: use the letters a to z, digits, and _ [syntax]
        >   hint: use another name, or for a key ["größe"]

        # a return that is missing
        ! { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:1: error: return is missing before the table [syntax]
        >   hint: begin the file with return {
        + return { id = "xx", name = "X", extends = "us" }

        ! -- The market.
        ! { id = "xx",
        !   name = "X" }
        > markets/xx.lua:2:1: error: return is missing before the table [syntax]
        >   hint: begin the file with return {
        + -- The market.
        + return { id = "xx",
        +   name = "X" }
        < 23

        ! market = { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:1: error: the file must return a table, got nothing [noTable]
        >   hint: begin the market with return { and end it with }

        # a text that is not closed
        | currency = "USD,
        > markets/xx.lua:2:12: error: the string that begins here is not closed on its line [syntax]
        >   hint: write " at its end

        | locales = { "en-US', "es-US" },
        > markets/xx.lua:2:13: error: the string that begins here ends before es [syntax]
        >   hint: close it with the same quote, and escape inner quotes as \"

        | currency = 'USD,
        | locales = { "en-US" },
        > markets/xx.lua:2:12: error: the string that begins here is not closed on its line [syntax]
        >   hint: write ' at its end

        # a bracket that is not closed
        | platform = { networking = {
        |   tracking = true,
        |   retry = {
        |     maxRetries = 3,
        | } },
        > markets/xx.lua:4:11: error: { is opened here but not closed [syntax]
        >   hint: write } before line 6

        | locales = ("en-US",
        > markets/xx.lua:2:11: error: ( is opened here but not closed [syntax]
        >   hint: write ) before line 3

        ! return {
        !   id = "xx",
        !   routables = { promo = { paths = { "p" }, handle = function() return true } },
        ! }
        > markets/xx.lua:3:53: error: function is opened here but not closed [syntax]
        >   hint: write end where it ends

        ! return { id = "xx",
        > markets/xx.lua:1:8: error: { is opened here but not closed [syntax]
        >   hint: write } where it ends

        # a table that a statement follows
        ! return { id = "xx", name = "X", extends = "us"
        ! local a = 1
        > markets/xx.lua:1:8: error: { is opened here but not closed [syntax]
        >   hint: write } before line 2

        ! return { id = "xx", name = "X", extends = "us"
        ! if a then b = 1 end
        > markets/xx.lua:1:8: error: { is opened here but not closed [syntax]
        >   hint: write } before line 2

        ! return { id = "xx", name = "X", extends = "us", platform = {
        ! for i = 1, 2 do print(i) end
        > markets/xx.lua:1:60: error: { is opened here but not closed [syntax]
        >   hint: write } before line 2

        # a bracket too many
        ! return { id = "xx", name = "X", extends = "us" } }
        > markets/xx.lua:1:50: error: there is an extra } here [syntax]
        >   hint: remove it, or an earlier one that closes too soon

        ! local a = 1
        ! end
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:1: error: there is an extra end here [syntax]
        >   hint: remove it, or an earlier one that closes too soon

        ! return { id = "xx", name = "X", extends = "us" }
        ! local a = 1
        > markets/xx.lua:2:1: error: nothing may follow the return statement [syntax]
        >   hint: move it into the table, or before return

        # a NUL character
        | currency = <U+0000>"USD",
        > markets/xx.lua:2:12: error: there is a NUL character here [syntax]
        >   hint: save the file as UTF-8 text without it
        + currency = "USD",

        | locales = { <U+0000> },
        > markets/xx.lua:2:13: error: there is a NUL character here [syntax]
        >   hint: save the file as UTF-8 text without it
        + locales = {  },
        < 1

        |<U+0000>
        > markets/xx.lua:2:1: error: there is a NUL character here [syntax]
        >   hint: save the file as UTF-8 text without it
        +

        # a key in quotes
        | "currency" = "USD",
        > markets/xx.lua:2:1: error: a quoted key needs brackets [syntax]
        >   hint: write currency =
        + currency = "USD",

        | platform = { networking = { headers = { "WM-A" = "1" } } },
        > markets/xx.lua:2:41: error: a quoted key needs brackets [syntax]
        >   hint: write ["WM-A"] =
        + platform = { networking = { headers = { ["WM-A"] = "1" } } },

        | 'currency' = "USD",
        > markets/xx.lua:2:1: error: a quoted key needs brackets [syntax]
        >   hint: write currency =
        + currency = "USD",

        # a key that needs brackets
        | platform = { networking = { headers = { Accept-Language = "en" } } },
        > markets/xx.lua:2:41: error: a key with characters other than letters, digits, and _ needs brackets [syntax]
        >   hint: write ["Accept-Language"] =
        + platform = { networking = { headers = { ["Accept-Language"] = "en" } } },

        | platform.networking = { tracking = true },
        > markets/xx.lua:2:1: error: a table key is a single name [syntax]
        >   hint: write platform = { networking = … }
        + platform = { networking = { tracking = true } },

        | platform = { preferences = { keys = { 1 = { type = "string" } } } },
        > markets/xx.lua:2:39: error: a key that is a number needs brackets [syntax]
        >   hint: write [1] =
        + platform = { preferences = { keys = { [1] = { type = "string" } } } },
        < 1

        # a word of Lua as a key
        | end = 1,
        > markets/xx.lua:2:1: error: end is a reserved word in Lua [syntax]
        >   hint: write ["end"] =
        + ["end"] = 1,
        < 1

        | platform = { preferences = { keys = { repeat = { type = "string" } } } },
        > markets/xx.lua:2:39: error: repeat is a reserved word in Lua [syntax]
        >   hint: write ["repeat"] =
        + platform = { preferences = { keys = { ["repeat"] = { type = "string" } } } },

        | routables = { return = { paths = { "r" } } },
        > markets/xx.lua:2:15: error: return is a reserved word in Lua [syntax]
        >   hint: write ["return"] =
        + routables = { ["returns"] = { paths = { "r" } } },

        # an escape that there is not
        | platform = { address = { postalCodePattern = "\d{5}" } },
        > markets/xx.lua:2:46: error: invalid escape sequence near '"\d' [syntax]
        >   hint: for a backslash write \\
        + platform = { address = { postalCodePattern = "\\d{5}" } },

        | currency = "C:\Users",
        > markets/xx.lua:2:12: error: invalid escape sequence near '"C:\U' [syntax]
        >   hint: for a backslash write \\
        + currency = "C:\\Users",
        < 1

        | currency = "\q",
        > markets/xx.lua:2:12: error: invalid escape sequence near '"\q' [syntax]
        >   hint: for a backslash write \\
        + currency = "\\q",
        < 1

        # a number with a unit
        | platform = { urlSession = { requestTimeoutSeconds = 30s } },
        > markets/xx.lua:2:53: error: a number cannot have a unit [syntax]
        >   hint: write 30
        + platform = { urlSession = { requestTimeoutSeconds = 30 } },

        | platform = { urlSession = { memoryCacheMegabytes = 16MB } },
        > markets/xx.lua:2:52: error: a number cannot have a unit [syntax]
        >   hint: write 16
        + platform = { urlSession = { memoryCacheMegabytes = 16 } },

        | platform = { appInfo = { version = 24.2.1 } },
        > markets/xx.lua:2:36: error: malformed number near '24.2.1' [syntax]
        >   hint: put it in quotes: "24.2.1"
        + platform = { appInfo = { version = "24.2.1" } },

        # a misspelled key
        | platform = { networking = { retry = { maxRetires = 3 } } },
        > markets/xx.lua:2:39: error: platform.networking.retry.maxRetires: unknown key [unknownKey]
        >   hint: did you mean "maxRetries"?
        + platform = { networking = { retry = { maxRetries = 3 } } },

        | localse = { "en-US" },
        > markets/xx.lua:2:1: error: localse: unknown key [unknownKey]
        >   hint: did you mean "locales"?
        + locales = { "en-US" },

        | deepLinking = { shemes = { "x" } },
        > markets/xx.lua:2:17: error: deepLinking.shemes: unknown key [unknownKey]
        >   hint: did you mean "schemes"?
        + deepLinking = { schemes = { "x" } },

        | name2 = 1 / 0,
        > markets/xx.lua:2:1: error: name2: unknown key [unknownKey]
        >   hint: did you mean "name"?

        # a number in quotes
        | platform = { networking = { retry = { maxRetries = "3" } } },
        > markets/xx.lua:2:52: error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got "3" [wrongType]
        >   hint: remove the quotes: 3
        + platform = { networking = { retry = { maxRetries = 3 } } },

        | platform = { urlSession = { requestTimeoutSeconds = "30" } },
        > markets/xx.lua:2:53: error: platform.urlSession.requestTimeoutSeconds: expected a number from 1.0 to 600.0, got "30" [wrongType]
        >   hint: remove the quotes: 30
        + platform = { urlSession = { requestTimeoutSeconds = 30 } },

        | platform = { networking = { retry = { jitter = "0.5" } } },
        > markets/xx.lua:2:48: error: platform.networking.retry.jitter: expected a number from 0.0 to 1.0, got "0.5" [wrongType]
        >   hint: remove the quotes: 0.5
        + platform = { networking = { retry = { jitter = 0.5 } } },

        # a number out of its range
        | platform = { networking = { retry = { maxRetries = 11 } } },
        > markets/xx.lua:2:52: error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got 11 [outOfRange]

        | platform = { networking = { retry = { jitter = 2 } } },
        > markets/xx.lua:2:48: error: platform.networking.retry.jitter: expected a number from 0.0 to 1.0, got 2 [outOfRange]

        | platform = { urlSession = { requestTimeoutSeconds = 0 } },
        > markets/xx.lua:2:53: error: platform.urlSession.requestTimeoutSeconds: expected a number from 1.0 to 600.0, got 0 [outOfRange]

        # a value that is none of the choices
        | platform = { permissions = { locationLevel = "sometimes" } },
        > markets/xx.lua:2:46: error: platform.permissions.locationLevel: expected one of "whenInUse", "always", got "sometimes" [notAChoice]

        | platform = { permissions = { notificationOptions = { "alert", "sounds" } } },
        > markets/xx.lua:2:63: error: platform.permissions.notificationOptions[2]: expected one of "alert", "sound", "badge", "carPlay", "provisional", got "sounds" [notAChoice]
        >   hint: did you mean "sound"?
        + platform = { permissions = { notificationOptions = { "alert", "sound" } } },

        | platform = { preferences = { keys = { a = { type = "bolean" } } } },
        > markets/xx.lua:2:52: error: platform.preferences.keys.a.type: expected one of "boolean", "integer", "number", "string", got "bolean" [notAChoice]
        >   hint: did you mean "boolean"?
        + platform = { preferences = { keys = { a = { type = "boolean" } } } },

        | platform = { environment = { default = "prodution" } },
        > markets/xx.lua:2:40: error: platform.environment.default: "prodution" is not an environment [inconsistent]
        >   hint: did you mean "production"?
        + platform = { environment = { default = "production" } },

        # a value of another type
        ! return { id = "xx", name = 3, extends = "us" }
        > markets/xx.lua:1:28: error: name: expected a non-empty string, got 3 [wrongType]
        >   hint: write it in quotes, as in "3"
        + return { id = "xx", name = "3", extends = "us" }

        | locales = "en-US",
        > markets/xx.lua:2:11: error: locales: expected a list, each a locale of language and region, such as "fr-CA", got "en-US" [wrongType]
        >   hint: wrap the value in a list: { "en-US" }
        + locales = { "en-US" },

        | platform = { networking = { tracking = "yes" } },
        > markets/xx.lua:2:40: error: platform.networking.tracking: expected true or false, got "yes" [wrongType]
        >   hint: write true, without quotes

        # an empty text
        ! return { id = "xx", name = "", extends = "us" }
        > markets/xx.lua:1:28: error: name: expected a non-empty string, got "" [invalidFormat]

        | routables = { home = { paths = { "" } } },
        > markets/xx.lua:2:34: error: routables.home.paths[1]: expected a non-empty string, got "" [invalidFormat]

        | platform = { appInfo = { name = "" } },
        > markets/xx.lua:2:33: error: platform.appInfo.name: expected a non-empty string, got "" [invalidFormat]

        # a routable that the app does not have
        | routables = { acount = { paths = { "x" } } },
        > markets/xx.lua:2:15: error: routables.acount: unknown routable: the app does not define it, and the market defines no show or handler for it [unknownRoutable]
        >   hint: did you mean "account"?
        + routables = { account = { paths = { "x" } } },

        | routables = { checkuot = true },
        > markets/xx.lua:2:15: error: routables.checkuot: unknown routable: the app does not define it, and the market defines no show or handler for it [unknownRoutable]
        >   hint: did you mean "checkout"?
        + routables = { checkout = true },

        | routables = { winelist = {} },
        > markets/xx.lua:2:15: error: routables.winelist: unknown routable: the app does not define it, and the market defines no show or handler for it [unknownRoutable]
        >   hint: write show = { screen = "winelist" }

        | routables = { acount = true, home = { paths = { "cart" } } },
        > markets/xx.lua:2:15: error: routables.acount: unknown routable: the app does not define it, and the market defines no show or handler for it [unknownRoutable]
        >   hint: did you mean "account"?
        > markets/xx.lua:2:49: error: routables.home.paths[1]: "cart" conflicts with "cart" of cart (markets/us.lua:161:12): both match "cart" with equal rank [routeConflict]
        >   hint: change or remove one of them
        + routables = { account = true, home = { paths = { "cart" } } },
        < 1

        # a handler that the app does not have
        | routables = { promo = { paths = { "p" }, handler = "openPromo" } },
        > markets/xx.lua:2:52: error: routables.promo.handler: the app has no handler "openPromo" [unknownHandler]
        >   hint: the app has no handlers: write show = { … }

        | routables = { home = { handler = "home" } },
        > markets/xx.lua:2:34: error: routables.home.handler: the app has no handler "home" [unknownHandler]
        >   hint: the app has no handlers: write show = { … }

        | routables = { promo = { paths = { "p" }, handler = "open promo" } },
        > markets/xx.lua:2:52: error: routables.promo.handler: expected a name of letters and digits that starts with a letter, got "open promo" [invalidFormat]

        # a pattern that is none
        | routables = { home = { paths = { "a/:b(" } } },
        > markets/xx.lua:2:39: error: routables.home.paths[1]: pattern "a/:b(": the parenthesis is not closed; add ")" [invalidPattern]
        >   hint: a/:b(
        >             ^

        | routables = { home = { paths = { "a/:b(integer)" } } },
        > markets/xx.lua:2:40: error: routables.home.paths[1]: pattern "a/:b(integer)": unknown type "integer"; write int, uuid, slug, alnum, or a list such as en|fr [invalidPattern]
        >   hint: a/:b(integer)
        >              ^^^^^^^

        | routables = { home = { paths = { "a/:" } } },
        > markets/xx.lua:2:37: error: routables.home.paths[1]: pattern "a/:": the parameter has no name; write one, such as ":id" [invalidPattern]
        >   hint: a/:
        >           ^

        | platform = { address = { postalCodePattern = "[0-9]{3}\z  (\x61+)+" } },
        > markets/xx.lua:2:66: error: platform.address.postalCodePattern: pattern "[0-9]{3}(a+)+": nested repetition is not supported [invalidFormat]
        >   hint: expand the inner or the outer repetition

        | platform = { address = { postalCodePattern = "[0-9]{5}" .. "|x." } },
        > markets/xx.lua:2:46: error: platform.address.postalCodePattern: pattern "[0-9]{5}|x.": patterns do not support "." for any character [invalidFormat]
        >   hint: write a class such as [A-Z0-9], or \.
        """#
}
