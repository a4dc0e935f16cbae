extension MistakeTable {
    static let part3 = #"""
        # an operator that assigns
        ! local a = 1
        ! a += 1
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:3: error: += is not a Lua operator [syntax]
        >   hint: write a = a + …
        + local a = 1
        + a = a + 1
        + return { id = "xx", name = "X", extends = "us" }

        ! local a = "x"
        ! a ..= "y"
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:3: error: ..= is not a Lua operator [syntax]
        >   hint: write a = a .. …
        + local a = "x"
        + a = a .. "y"
        + return { id = "xx", name = "X", extends = "us" }

        ! local a = 1
        ! a++
        ! return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:2:2: error: ++ is not a Lua operator [syntax]
        >   hint: write a = a + 1
        + local a = 1
        + a = a + 1
        + return { id = "xx", name = "X", extends = "us" }

        # routes that clash
        | routables = { home = { paths = { "cart" } } },
        > markets/xx.lua:2:34: error: routables.home.paths[1]: "cart" conflicts with "cart" of cart (markets/us.lua:161:12): both match "cart" with equal rank [routeConflict]
        >   hint: change or remove one of them

        | routables = { promo = { paths = { "p/:a", "p/:b" }, show = { screen = "p" } } },
        > markets/xx.lua:2:43: error: routables.promo.paths[2]: "p/:b" conflicts with "p/:a" of promo (markets/xx.lua:2:35): both match "p/x" with equal rank [routeConflict]
        >   hint: change or remove one of them

        | routables = { promo = { paths = { "p/:a(int)" }, show = { screen = "p" } }, deals = { customPaths = { "p/:b(int)" } } },
        > markets/xx.lua:2:35: error: routables.promo.paths[1]: "p/:a(int)" conflicts with "p/:b(int)" of deals (markets/xx.lua:2:103): both match "p/1" with equal rank [routeConflict]
        >   hint: change or remove one of them

        | routables = { account = { paths = { "cart" } } },
        > markets/xx.lua:2:37: error: routables.account.paths[1]: "cart" conflicts with "cart" of cart (markets/us.lua:161:12): both match "cart" with equal rank [routeConflict]
        >   hint: change or remove one of them

        | routables = { trips = { paths = { "cart" }, show = { screen = "t" } } },
        > markets/xx.lua:2:35: error: routables.trips.paths[1]: "cart" conflicts with "cart" of cart (markets/us.lua:161:12): both match "cart" with equal rank [routeConflict]
        >   hint: change or remove one of them

        # a routable without paths
        | routables = { promo = { show = { screen = "p" } } },
        > markets/xx.lua:2:23: error: routables.promo.paths: missing: a routable that the market adds has no standard paths [missingKey]
        >   hint: write paths = { "promo" }
        + routables = { promo = { paths = { "promo" }, show = { screen = "p" } } },

        | routables = { promo = { handle = function() return true end } },
        > markets/xx.lua:2:23: error: routables.promo.paths: missing: a routable that the market adds has no standard paths [missingKey]
        >   hint: write paths = { "promo" }
        + routables = { promo = { paths = { "promo" }, handle = function() return true end } },

        | routables = { promo = { waitForPreconditions = false, show = { tab = "home" } } },
        > markets/xx.lua:2:23: error: routables.promo.paths: missing: a routable that the market adds has no standard paths [missingKey]
        >   hint: write paths = { "promo" }
        + routables = { promo = { paths = { "promo" }, waitForPreconditions = false, show = { tab = "home" } } },

        # two ways to handle a link
        | routables = { promo = { paths = { "p" }, show = { screen = "p" }, handle = function() end } },
        > markets/xx.lua:2:76: error: routables.promo.handle: show and handle each define what a link does [inconsistent]
        >   hint: keep one of them

        | routables = { home = { show = { screen = "p" }, handler = "openPromo" } },
        > markets/xx.lua:2:59: error: routables.home.handler: show and handler each define what a link does [inconsistent]
        >   hint: keep one of them

        | routables = { promo = { paths = { "p" }, handler = "openPromo", handle = function() end } },
        > markets/xx.lua:2:74: error: routables.promo.handle: handler and handle each define what a link does [inconsistent]
        >   hint: keep one of them

        # a parameter that no pattern has
        | routables = { promo = { paths = { "p/:week" }, show = { screen = "p", parameters = { w = "{weak}" } } } },
        > markets/xx.lua:2:90: error: routables.promo.show.parameters.w: no pattern of this routable has a parameter "weak" [inconsistent]
        >   hint: did you mean {week}?
        + routables = { promo = { paths = { "p/:week" }, show = { screen = "p", parameters = { w = "{week}" } } } },

        | routables = { promo = { paths = { "p" }, show = { screen = "p", parameters = { w = "{week}" } } } },
        > markets/xx.lua:2:84: error: routables.promo.show.parameters.w: no pattern of this routable has a parameter "week" [inconsistent]
        >   hint: write {?week} for a query item
        + routables = { promo = { paths = { "p" }, show = { screen = "p", parameters = { w = "{?week}" } } } },

        | routables = { promo = { paths = { "p/:week" }, show = { screen = "p", parameters = { w = "{week" } } } },
        > markets/xx.lua:2:91: error: routables.promo.show.parameters.w: template "{week": the placeholder is not closed; add "}", or write "{{" for a brace [invalidFormat]

        # an include that is not there
        | platform = { address = { regions = include "shared/us_region.lua" } },
        > markets/xx.lua:2:44: error: cannot read markets/shared/us_region.lua: no such file or directory [include]
        >   hint: did you mean "shared/us_regions.lua"?
        + platform = { address = { regions = include "shared/us_regions.lua" } },

        | platform = { address = include "shared/address.lua" },
        > markets/xx.lua:2:32: error: cannot read markets/shared/address.lua: no such file or directory [include]
        >   hint: create the file, or correct the path

        | platform = { address = { regions = include "../regions.lua" } },
        > markets/xx.lua:2:44: error: "../regions.lua" is outside markets: use a path below it, without ".." [include]

        ! return { id = "xx", a = include "../secret.lua", name = "X", extends = "us" }
        > markets/xx.lua:1:33: error: "../secret.lua" is outside markets: use a path below it, without ".." [include]

        ! return { id = "xx", a = include "none.lua", name = "X", extends = "us" }
        > markets/xx.lua:1:33: error: cannot read markets/none.lua: no such file or directory [include]
        >   hint: create the file, or correct the path

        # a base that is not there
        ! return { id = "xx", name = "X", extends = "u" }
        > markets/xx.lua:1:43: error: extends: there is no market "u" to extend [missingBase]
        >   hint: did you mean "us"?
        + return { id = "xx", name = "X", extends = "us" }

        ! return { id = "xx", name = "X", extends = "canada" }
        > markets/xx.lua:1:43: error: extends: there is no market "canada" to extend [missingBase]
        >   hint: the markets are ca, mx, us, xx

        ! return { id = "xx", name = "X", extends = 3 }
        > markets/xx.lua:1:43: error: extends: expected an id of lowercase letters, digits, and hyphens, such as "ca", got 3 [wrongType]

        # a circle of markets
        ! return { id = "xx", name = "X", extends = "xx" }
        > markets/xx.lua:1:43: error: extends: markets extend each other in a cycle: xx → xx [extendsCycle]
        >   hint: remove extends from one of them

        ! return { name = "X", id = "xx",
        !   extends = "xx" }
        > markets/xx.lua:2:13: error: extends: markets extend each other in a cycle: xx → xx [extendsCycle]
        >   hint: remove extends from one of them

        ! local me = "xx"
        ! return { id = me, name = "X", extends = me }
        > markets/xx.lua:2:41: error: extends: markets extend each other in a cycle: xx → xx [extendsCycle]
        >   hint: remove extends from one of them

        ! local a = include "xx.lua" return { id = "xx", name = "X", extends = "us" }
        > markets/xx.lua:1:19: error: files include each other in a cycle: markets/xx.lua → markets/xx.lua [include]
        >   hint: remove this include, or move what both files need into a third one

        # an id that is not the file's name
        ! return { id = "yy", name = "Y", extends = "us" }
        > markets/xx.lua:1:15: error: id: expected "xx", the name of the file, got "yy" [idMismatch]
        >   hint: rename the file to yy.lua, or write id = "xx"

        ! return { name = "Y", extends = "us" }
        > markets/xx.lua:1:8: error: id: missing: expected "xx", the name of the file [missingKey]
        >   hint: each market must set its own id; it is not inherited

        ! return { id = "X X", name = "Y", extends = "us" }
        > markets/xx.lua:1:15: error: id: expected "xx", the name of the file, got "X X" [idMismatch]
        >   hint: write id = "xx"
        + return { id = "xx", name = "Y", extends = "us" }

        # a secret that is written out
        | platform = { networking = { consumerKey = "hunter2" } },
        > markets/xx.lua:2:43: error: platform.networking.consumerKey: expected a secret, written as secret "NAME", not a literal string [secretMisplaced]
        >   hint: do not put secrets in market files: refer to them by name, and set them in the host's environment

        | platform = { aniviaSuperAttributes = { writeKey = 12345 } },
        > markets/xx.lua:2:51: error: platform.aniviaSuperAttributes.writeKey: expected a secret, written as secret "NAME", not a literal string [secretMisplaced]
        >   hint: do not put secrets in market files: refer to them by name, and set them in the host's environment

        | platform = { networking = { consumerKey = { "GLASS_KEY" } } },
        > markets/xx.lua:2:43: error: platform.networking.consumerKey: expected a secret, written as secret "NAME", not a literal string [secretMisplaced]
        >   hint: do not put secrets in market files: refer to them by name, and set them in the host's environment

        # a secret where none may be
        ! return { id = "xx", name = secret "GLASS_NAME", extends = "us" }
        > markets/xx.lua:1:28: error: name: expected a non-empty string, got a secret [secretMisplaced]
        >   hint: this key is shown in logs and dumps, so it cannot hold a secret

        | platform = { networking = { consumerKeyHeader = secret "GLASS_KEY" } },
        > markets/xx.lua:2:49: error: platform.networking.consumerKeyHeader: expected a header name, such as "X-Client", got a secret [secretMisplaced]
        >   hint: this key is shown in logs and dumps, so it cannot hold a secret

        | currency = secret "GLASS_CURRENCY",
        > markets/xx.lua:2:12: error: currency: expected a currency code of three capital letters, such as "CAD", got a secret [secretMisplaced]
        >   hint: this key is shown in logs and dumps, so it cannot hold a secret

        # a secret that is not the market's
        | platform = { networking = { consumerKey = secret "HOME" } },
        > markets/xx.lua:2:43: error: platform.networking.consumerKey: a market cannot use the secret HOME: names must begin with GLASS_ [secretForeign]
        >   hint: rename it here and in the host's environment, for example to GLASS_HOME

        | platform = { networking = { consumerKey = secret "AWS_KEY" } },
        > markets/xx.lua:2:43: error: platform.networking.consumerKey: a market cannot use the secret AWS_KEY: names must begin with GLASS_ [secretForeign]
        >   hint: rename it here and in the host's environment, for example to GLASS_AWS_KEY

        | platform = { aniviaSuperAttributes = { writeKey = secret "PATH" } },
        > markets/xx.lua:2:51: error: platform.aniviaSuperAttributes.writeKey: a market cannot use the secret PATH: names must begin with GLASS_ [secretForeign]
        >   hint: rename it here and in the host's environment, for example to GLASS_PATH

        # a list with a hole
        | locales = { "en-US", nil, "fr-CA" },
        > markets/xx.lua:2:27: error: locales: this list has a hole: element 2 is missing, but element 3 exists [unrepresentable]
        >   hint: do not skip indices or use nil in a list

        | locales = { [2] = "en-US" },
        > markets/xx.lua:2:14: error: locales: the key [2] is a number: keys are names, and lists start at 1 and have no holes [unrepresentable]
        >   hint: write the key as a string: ["2"]

        | locales = { [1] = "en-US", [3] = "fr-CA" },
        > markets/xx.lua:2:34: error: locales: this list has a hole: element 2 is missing, but element 3 exists [unrepresentable]
        >   hint: do not skip indices or use nil in a list

        # a list that has keys
        | locales = { "en-US", us = 1 },
        > markets/xx.lua:2:11: error: locales: expected a list, each a locale of language and region, such as "fr-CA", got a table with keys [wrongType]
        > markets/xx.lua:2:13: error: locales[1]: this table has both keys and list elements [unrepresentable]
        >   hint: give the element a key, or move it to a list

        | routables = { home = { paths = { "a", custom = "b" } } },
        > markets/xx.lua:2:32: error: routables.home.paths: expected a list, each a non-empty string, got a table with keys [wrongType]
        > markets/xx.lua:2:34: error: routables.home.paths[1]: this table has both keys and list elements [unrepresentable]
        >   hint: give the element a key, or move it to a list

        | deepLinking = { schemes = { "walmart.xx", universal = true } },
        > markets/xx.lua:2:27: error: deepLinking.schemes: expected a list, each a lowercase URL scheme without "://", such as "walmart.ca", got a table with keys [wrongType]
        > markets/xx.lua:2:29: error: deepLinking.schemes[1]: this table has both keys and list elements [unrepresentable]
        >   hint: give the element a key, or move it to a list

        | locales = { [true] = "en-US" },
        > markets/xx.lua:2:11: error: locales: a key of this table is neither a name nor a list index [unrepresentable]
        >   hint: keys are names, such as id = or ["a b"] =

        # an element that is there twice
        | locales = { "en-US", "es-US", "en-US" },
        > markets/xx.lua:2:31: error: locales[3]: "en-US" is already element 1 of this list [duplicate]

        | deepLinking = { schemes = append { "walmart" } },
        > markets/xx.lua:2:36: error: deepLinking.schemes[2]: "walmart" is already element 1 of this list [duplicate]

        | routables = { home = { paths = { "a", "a" } } },
        > markets/xx.lua:2:39: error: routables.home.paths[2]: "a" is already element 1 of this list [duplicate]

        # a word that is used wrongly
        | locales = append "fr-CA",
        > markets/xx.lua:2:11: error: append expects a list, such as append{ "a", "b" } [runtime]
        >   hint: write append { "fr-CA" }
        + locales = append { "fr-CA" },

        | locales = append { "fr-CA", us = 1 },
        > markets/xx.lua:2:11: error: append expects a list, such as append{ "a", "b" } [runtime]

        | platform = { networking = { consumerKey = secret(3) } },
        > markets/xx.lua:2:43: error: secret expects a name, such as secret "GLASS_CONSUMER_KEY" [runtime]

        ! return { id = secret(3) }
        > markets/xx.lua:1:15: error: secret expects a name, such as secret "GLASS_CONSUMER_KEY" [runtime]

        ! return { id = append "a" }
        > markets/xx.lua:1:15: error: append expects a list, such as append{ "a", "b" } [runtime]

        # append where there is no list
        | currency = append { "USD" },
        > markets/xx.lua:2:12: error: currency: append{…} needs a list in the base market, got "USD" [misplacedWord]
        >   hint: write the value itself: "USD"

        | platform = { networking = { headers = append { "x" } } },
        > markets/xx.lua:2:39: error: platform.networking.headers: append{…} needs a list in the base market, got a table with keys [misplacedWord]
        >   hint: write a table with the keys that change; it is merged with the inherited one

        | platform = { networking = { headers = { ["X-A"] = append { "b" } } } },
        > markets/xx.lua:2:51: error: platform.networking.headers["X-A"]: append{…}: this key is not a list [misplacedWord]
        >   hint: write the value itself: "b"

        | platform = { permissions = { locationLevel = append { "always" } } },
        > markets/xx.lua:2:46: error: platform.permissions.locationLevel: append{…} needs a list in the base market, got "whenInUse" [misplacedWord]
        >   hint: write the value itself: "always"

        # remove of what is not there
        | locales = remove { "fr-CA" },
        > markets/xx.lua:2:20: error: locales[1]: remove: "fr-CA" is not in the base market's list [misplacedWord]

        | platform = { permissions = { notificationOptions = remove { "carPlay" } } },
        > markets/xx.lua:2:61: error: platform.permissions.notificationOptions[1]: remove: "carPlay" is not in the base market's list [misplacedWord]

        | platform = { networking = { retry = { statuses = remove { 418 } } } },
        > markets/xx.lua:2:59: error: platform.networking.retry.statuses[1]: remove: 418 is not in the base market's list [misplacedWord]

        # unset of what is not there
        | platform = { preferences = { keys = { storeId = unset } } },
        > markets/xx.lua:2:49: error: platform.preferences.keys.storeId: unset: no base market sets this key [misplacedWord]
        >   hint: did you mean "storeID"?
        + platform = { preferences = { keys = { storeID = unset } } },

        | platform = { networking = { retry = { maxRetires = unset } } },
        > markets/xx.lua:2:52: error: platform.networking.retry.maxRetires: unset: no base market sets this key [misplacedWord]
        >   hint: did you mean "maxRetries"?
        + platform = { networking = { retry = { maxRetries = unset } } },

        | platform = { networking = { headers = { ["X-None"] = unset } } },
        > markets/xx.lua:2:54: error: platform.networking.headers["X-None"]: unset: no base market sets this key [misplacedWord]

        # a key under its former name
        | platform = { networking = { retry = { maxAttempts = 3 } } },
        > markets/xx.lua:2:39: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries [renamedKey]
        >   hint: write maxRetries
        + platform = { networking = { retry = { maxRetries = 3 } } },

        | platform = { networking = { retry = { maxAttempts = unset } } },
        > markets/xx.lua:2:39: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries [renamedKey]
        >   hint: write maxRetries
        + platform = { networking = { retry = { maxRetries = unset } } },

        | platform = { networking = { retry = { maxAttempts = "3" } } },
        > markets/xx.lua:2:39: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries [renamedKey]
        >   hint: write maxRetries
        > markets/xx.lua:2:53: error: platform.networking.retry.maxAttempts: expected an integer from 0 to 10, got "3" [wrongType]
        >   hint: remove the quotes: 3
        + platform = { networking = { retry = { maxRetries = 3 } } },

        | platform = { networking = { retry = { maxAttempts = append { 3 } } } },
        > markets/xx.lua:2:39: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries [renamedKey]
        >   hint: write maxRetries
        > markets/xx.lua:2:53: error: platform.networking.retry.maxAttempts: expected an integer from 0 to 10, got a list [wrongType]
        >   hint: write the value without braces: 3
        + platform = { networking = { retry = { maxRetries = append { 3 } } } },
        < 1

        # a field of nil
        ! local limit = nil
        ! return { id = "xx", name = limit.x }
        > markets/xx.lua:2:28: error: attempt to index a nil value (local 'limit') [runtime]

        ! local limits = {}
        ! return { id = "xx", name = limits.upper.x }
        > markets/xx.lua:2:35: error: attempt to index a nil value (field 'upper') [runtime]

        ! local function first(list) return list.first end
        ! return { id = "xx", name = first(nil) }
        > markets/xx.lua:1:35: error: attempt to index a nil value (local 'list') [runtime]
        >   traceback:
        >     markets/xx.lua:1: in function 'first'
        >     markets/xx.lua:2: in main chunk

        # a call of nil
        ! local t = {}
        ! return { id = "xx", name = t.name() }
        > markets/xx.lua:2:30: error: attempt to call a nil value (field 'name') [runtime]

        ! local text = "x"
        ! return { id = "xx", name = text:upperCase() }
        > markets/xx.lua:2:33: error: attempt to call a nil value (method 'upperCase') [runtime]

        ! local nothing
        ! return { id = "xx", name = nothing() }
        > markets/xx.lua:2:28: error: attempt to call a nil value (local 'nothing') [runtime]

        # values that cannot be combined
        ! local t = {}
        ! return { id = "xx", name = "a" .. t }
        > markets/xx.lua:2:35: error: attempt to concatenate a table value (local 't') [runtime]

        ! local n = 1
        ! return { id = "xx", name = n < "a" }
        > markets/xx.lua:2:30: error: attempt to compare number with string [runtime]

        ! local n = "a"
        ! return { id = "xx", name = #3, n + 1 }
        > markets/xx.lua:2:28: error: attempt to get length of a number value [runtime]

        # an error that the file raises
        ! local function required(name)
        !   error("there is no " .. name)
        ! end
        ! return { id = "xx", name = required("NAME") }
        > markets/xx.lua:2:3: error: there is no NAME [runtime]
        >   traceback:
        >     markets/xx.lua:2: in function 'required'
        >     markets/xx.lua:4: in main chunk

        ! assert(1 == 2, "mathematics")
        > markets/xx.lua:1:1: error: mathematics [runtime]

        ! return { id = "xx", name = ("x"):rep(-1, 2, 3):bad() }
        > markets/xx.lua:1:48: error: attempt to call a nil value (method 'bad') [runtime]

        ! error({})
        > markets/xx.lua:1:1: error: error value is a table [runtime]

        ! error("boom\n\27[31mmarkets/us.lua:1:1: error: forged", 0)
        > markets/xx.lua:1:1: error: boom\n\u{1b}[31mmarkets/us.lua:1:1: error: forged [runtime]

        # a file that returns no table
        ! return 3
        > markets/xx.lua:1:8: error: the file must return a table, got 3 [noTable]
        >   hint: begin the market with return { and end it with }

        ! local t = { id = "xx" }
        > markets/xx.lua:1:1: error: the file must return a table, got nothing [noTable]
        >   hint: begin the market with return { and end it with }

        ! return "xx"
        > markets/xx.lua:1:8: error: the file must return a table, got "xx" [noTable]
        >   hint: begin the market with return { and end it with }

        # too much of something
        ! local t = {} t.t = t
        ! return t
        > markets/xx.lua:2:8: error: t: the table contains itself [unrepresentable]
        >   hint: a table cannot contain itself: copy the inner table or remove it

        ! return { id = "xx", name = "X", extends = "us", a = 1 / 0 }
        > markets/xx.lua:1:49: error: a: unknown key [unknownKey]
        >   hint: available keys: id, name, extends, locales, currency, deepLinking, preconditions, flags, layers, platform, routables

        | locales = (function() local t = {} for i = 1, 10001 do t[i] = "x" end return t end)(),
        > markets/xx.lua:2:11: error: locales: the list has 10,001 elements; the maximum is 10,000 [tooLarge]

        | locales = append((function() local t = {} for i = 1, 9999 do t[i] = "x" end return t end)()),
        > markets/xx.lua:2:11: error: locales: append{…} creates a list of 10,001 elements; the maximum is 10,000 [tooLarge]

        | platform = { networking = { headers = { [("x"):rep(257)] = "1" } } },
        > markets/xx.lua:2:39: error: platform.networking.headers: the key "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" has 257 bytes; the maximum is 256 [tooLarge]
        >   hint: use a shorter name

        ! local s = string.rep('x', 1e6)
        ! local t = {}
        ! for i = 1, 1e6 do t[i] = s .. i end
        > markets/xx.lua:3: error: memory limit exceeded: 16 MB [limit]
        >   hint: a market and its base markets may use at most 16 MB

        | locales = append((function() local t = {} for i = 1, 9998 do t[i] = "x" end return t end)()),
        > markets/xx.lua:2:11: error: locales: expected at most 50 elements, got 10000 [outOfRange]
        """#
}
