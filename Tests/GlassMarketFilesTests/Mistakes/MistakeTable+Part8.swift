extension MistakeTable {
    static let part8 = #"""
        # one value in another form where a list is wanted
        | deepLinking = { universalLinks = "https://www.walmart.com" },
        > markets/xx.lua:2:34: error: deepLinking.universalLinks: expected a list, each a lowercase host name without scheme or path, such as "www.walmart.ca", got "https://www.walmart.com" [wrongType]
        >   hint: write { "www.walmart.com" }
        + deepLinking = { universalLinks = { "www.walmart.com" } },

        | deepLinking = { schemes = "Walmart.XX://home" },
        > markets/xx.lua:2:27: error: deepLinking.schemes: expected a list, each a lowercase URL scheme without "://", such as "walmart.ca", got "Walmart.XX://home" [wrongType]
        >   hint: write { "walmart.xx" }
        + deepLinking = { schemes = { "walmart.xx" } },

        | deepLinking = { universalLinks = "https://*.walmart.com" },
        > markets/xx.lua:2:34: error: deepLinking.universalLinks: expected a list, each a lowercase host name without scheme or path, such as "www.walmart.ca", got "https://*.walmart.com" [wrongType]
        >   hint: write { "*.walmart.com" }
        + deepLinking = { universalLinks = { "*.walmart.com" } },

        # a host name with spaces
        | deepLinking = { universalLinks = { "www walmart.com" } },
        > markets/xx.lua:2:36: error: deepLinking.universalLinks[1]: expected a lowercase host name without scheme or path, such as "www.walmart.ca", got "www walmart.com" [invalidFormat]
        >   hint: write "www.walmart.com"

        | deepLinking = { allowedDomains = { { name = "walmart .ca" } } },
        > markets/xx.lua:2:45: error: deepLinking.allowedDomains[1].name: expected a lowercase host name without scheme or path, such as "www.walmart.ca", got "walmart .ca" [invalidFormat]
        >   hint: write "walmart.ca"
        + deepLinking = { allowedDomains = { { name = "walmart.ca" } } },

        | deepLinking = { universalLinks = { "www. walmart.com " } },
        > markets/xx.lua:2:36: error: deepLinking.universalLinks[1]: expected a lowercase host name without scheme or path, such as "www.walmart.ca", got "www. walmart.com " [invalidFormat]
        >   hint: write "www.walmart.com"
        + deepLinking = { universalLinks = { "www.walmart.com" } },

        # a choice that is abbreviated or has another name elsewhere
        | platform = { preferences = { keys = { visits = { type = "int" } } } },
        > markets/xx.lua:2:57: error: platform.preferences.keys.visits.type: expected one of "boolean", "integer", "number", "string", got "int" [notAChoice]
        >   hint: did you mean "integer"?

        | platform = { preferences = { keys = { nickname = { type = "text" } } } },
        > markets/xx.lua:2:59: error: platform.preferences.keys.nickname.type: expected one of "boolean", "integer", "number", "string", got "text" [notAChoice]
        >   hint: did you mean "string"?

        | flags = { chat = { kind = "ops", owner = "help", default = false } },
        > markets/xx.lua:2:27: error: flags.chat.kind: expected one of "release", "experiment", "operations", "permission", got "ops" [notAChoice]
        >   hint: did you mean "operations"?

        # a screen without its table
        | routables = { promo = { paths = { "promo" }, show = "promo" } },
        > markets/xx.lua:2:53: error: routables.promo.show: expected a table with keys such as tab and screen, got "promo" [wrongType]
        >   hint: write { tab = "promo" } or { screen = "promo" }

        | routables = { promo = { paths = { "promo/:id" }, show = "shop" } },
        > markets/xx.lua:2:57: error: routables.promo.show: expected a table with keys such as tab and screen, got "shop" [wrongType]
        >   hint: write { tab = "shop" } or { screen = "shop" }

        | routables = { flyers = { paths = { "flyers" }, show = "flyers" } },
        > markets/xx.lua:2:55: error: routables.flyers.show: expected a table with keys such as tab and screen, got "flyers" [wrongType]
        >   hint: write { tab = "flyers" } or { screen = "flyers" }

        # a key of the elements beside their list
        | platform = { address = { code = "ON" } },
        > markets/xx.lua:2:26: error: platform.address.code: unknown key [unknownKey]
        >   hint: it belongs in platform.address.regions: write regions = { { name = …, code = … } }

        | platform = { cookieStorage = { secure = true } },
        > markets/xx.lua:2:32: error: platform.cookieStorage.secure: unknown key [unknownKey]
        >   hint: it belongs in platform.cookieStorage.cookies: write cookies = { { name = …, value = …, domain = …, secure = … } }

        | flags = { newCheckout = { rollout = { percent = 5, by = "installID" } } },
        > markets/xx.lua:2:27: error: flags.newCheckout.rollout: unknown key [unknownKey]
        >   hint: it belongs in flags.newCheckout.rules: write rules = { { name = …, rollout = … } }

        # a percentage in quotes
        | flags = { newCheckout = { rules = prepend { { name = "x", rollout = { percent = "10%", by = "installID" }, value = true } } } },
        > markets/xx.lua:2:81: error: flags.newCheckout.rules[1].rollout.percent: expected a percentage from 0 to 100, got "10%" [invalidPercent]
        >   hint: write 10, without quotes
        + flags = { newCheckout = { rules = prepend { { name = "x", rollout = { percent = 10, by = "installID" }, value = true } } } },

        | flags = { newCheckout = { rules = prepend { { name = "x", rollout = { percent = "10", by = "installID" }, value = true } } } },
        > markets/xx.lua:2:81: error: flags.newCheckout.rules[1].rollout.percent: expected a percentage from 0 to 100, got "10" [invalidPercent]
        >   hint: write 10, without quotes
        + flags = { newCheckout = { rules = prepend { { name = "x", rollout = { percent = 10, by = "installID" }, value = true } } } },

        | flags = { newCheckout = { rules = prepend { { name = "x", rollout = { percent = " 12.5 %", by = "installID" }, value = true } } } },
        > markets/xx.lua:2:81: error: flags.newCheckout.rules[1].rollout.percent: expected a percentage from 0 to 100, got " 12.5 %" [invalidPercent]
        >   hint: write 12.5, without quotes
        + flags = { newCheckout = { rules = prepend { { name = "x", rollout = { percent = 12.5, by = "installID" }, value = true } } } },

        # slots that do not begin before they end
        | flags = { searchRanker = { slots = "40-100" } },
        > markets/xx.lua:2:36: error: flags.searchRanker.slots: expected a list, each a number from 0.0 to 100.0, got "40-100" [wrongType]
        >   hint: write { 40, 100 }
        + flags = { searchRanker = { slots = { 40, 100 } } },

        | flags = { searchRanker = { slots = { 100, 40 } } },
        > markets/xx.lua:2:36: error: flags.searchRanker.slots: the slots must end after they begin [inconsistent]
        >   hint: write { 40, 100 }

        | flags = { searchRanker = { slots = { 50, 50 } } },
        > markets/xx.lua:2:36: error: flags.searchRanker.slots: the slots must end after they begin [inconsistent]
        >   hint: write the start and the end, as in { 0, 50 }

        # a flag in place of a condition
        | flags = { newCheckout = { rules = prepend { { name = "x", when = "searchRanker", value = true } } } },
        > markets/xx.lua:2:66: error: flags.newCheckout.rules[1].when: "searchRanker" is a flag, not a condition [unknownCondition]
        >   hint: conditions cannot depend on flags: declare the test of the flag's rule in conditions, and use its name in both

        | flags = { newCheckout = { rules = prepend { { name = "x", when = { searchRanker = true }, value = true } } } },
        > markets/xx.lua:2:68: error: flags.newCheckout.rules[1].when.searchRanker: "searchRanker" is a flag, not an attribute [unknownAttribute]
        >   hint: conditions cannot depend on flags: declare the test of the flag's rule in conditions, and use its name in both

        | conditions = { new = "newCheckout" },
        > markets/xx.lua:2:22: error: conditions.new: "newCheckout" is a flag, not a condition [unknownCondition]
        >   hint: conditions cannot depend on flags: declare the test of the flag's rule in conditions, and use its name in both

        # the value of an attribute in place of a condition
        | flags = { newCheckout = { rules = prepend { { name = "x", when = "staging", value = true } } } },
        > markets/xx.lua:2:66: error: flags.newCheckout.rules[1].when: unknown condition "staging" [unknownCondition]
        >   hint: write { environment = "staging" }
        + flags = { newCheckout = { rules = prepend { { name = "x", when = { environment = "staging" }, value = true } } } },

        | flags = { newCheckout = { rules = prepend { { name = "x", when = "testers", value = true } } } },
        > markets/xx.lua:2:66: error: flags.newCheckout.rules[1].when: unknown condition "testers" [unknownCondition]
        >   hint: declare it, as in conditions = { testers = { build = "debug" } }, or write { audience = "testers" }

        | overlays = { { name = "stage", when = "staging", currency = "CAD" } },
        > markets/xx.lua:2:39: error: overlays[1].when: unknown condition "staging" [unknownCondition]
        >   hint: write { environment = "staging" }
        + overlays = { { name = "stage", when = { environment = "staging" }, currency = "CAD" } },

        # a misspelt flag of a base market
        | flags = { newChekout = { rules = prepend { { name = "x", value = false } } } },
        > markets/xx.lua:2:11: error: flags.newChekout: no base market sets this key, and a new one needs kind and default [unknownKey]
        >   hint: did you mean "newCheckout"?
        + flags = { newCheckout = { rules = prepend { { name = "x", value = false } } } },

        | flags = { newCheckuot = { enabled = false } },
        > markets/xx.lua:2:11: error: flags.newCheckuot: no base market sets this key, and a new one needs kind and default [unknownKey]
        >   hint: did you mean "newCheckout"?
        + flags = { newCheckout = { enabled = false } },

        | flags = { searchRankr = { slots = { 40, 60 } } },
        > markets/xx.lua:2:11: error: flags.searchRankr: no base market sets this key, and a new one needs kind and default [unknownKey]
        >   hint: did you mean "searchRanker"?
        + flags = { searchRanker = { slots = { 40, 60 } } },

        # a vendor whose shares cannot be continued
        | flags = { chat = { kind = "permission", owner = "help", default = false, like = "firebase" } },
        > markets/xx.lua:2:81: error: flags.chat.like: expected one of "featurevisor", "flagd", "growthbook", "launchDarkly", "optimizely", "unleash", got "firebase" [notAChoice]
        >   hint: remove like: shares of other vendors cannot be continued, so everyone is re-bucketed

        | flags = { chat = { kind = "permission", owner = "help", default = false, like = "statsig" } },
        > markets/xx.lua:2:81: error: flags.chat.like: expected one of "featurevisor", "flagd", "growthbook", "launchDarkly", "optimizely", "unleash", got "statsig" [notAChoice]
        >   hint: remove like: shares of other vendors cannot be continued, so everyone is re-bucketed

        | flags = { newCheckout = { like = "configCat" } },
        > markets/xx.lua:2:34: error: flags.newCheckout.like: expected one of "featurevisor", "flagd", "growthbook", "launchDarkly", "optimizely", "unleash", got "configCat" [notAChoice]
        >   hint: remove like: shares of other vendors cannot be continued, so everyone is re-bucketed

        # a generation of a vendor's rule
        | flags = { chat = { kind = "permission", owner = "help", default = false, like = "flagd@3" } },
        > markets/xx.lua:2:81: error: flags.chat.like: shares from version 3 of flagd (introduced in September 2026, hashes the key in CBOR) cannot be continued: "flagd" follows version 2 [notAChoice]
        >   hint: move the flag to version 2 of flagd first, or remove like, which re-buckets everyone

        | flags = { chat = { kind = "permission", owner = "help", default = false, like = "growthbook@1" } },
        > markets/xx.lua:2:81: error: flags.chat.like: shares from version 1 of growthbook (hashVersion 1, the default of GrowthBook) cannot be continued: "growthbook" follows version 2 [notAChoice]
        >   hint: move the flag to version 2 of growthbook first, or remove like, which re-buckets everyone

        | flags = { chat = { kind = "permission", owner = "help", default = false, like = "flagd@2" } },
        > markets/xx.lua:2:81: error: flags.chat.like: "flagd" already follows version 2: write the name without a number [notAChoice]
        >   hint: write "flagd"
        + flags = { chat = { kind = "permission", owner = "help", default = false, like = "flagd" } },

        # two misspelt names in one flag
        | flags = { newCheckout = { rules = prepend { { name = "x", when = { bild = "debug" }, rollout = { prcent = 5, by = "installID" }, value = true } } } },
        > markets/xx.lua:2:68: error: flags.newCheckout.rules[1].when.bild: unknown attribute "bild" [unknownAttribute]
        >   hint: did you mean "build"?
        > markets/xx.lua:2:98: error: flags.newCheckout.rules[1].rollout.prcent: unknown key [unknownKey]
        >   hint: did you mean "percent"?
        + flags = { newCheckout = { rules = prepend { { name = "x", when = { build = "debug" }, rollout = { percent = 5, by = "installID" }, value = true } } } },

        | flags = { chat = { kind = "permission", owner = "help", defalt = false, rules = { { name = "x", when = { bild = "debug" }, value = true } } } },
        > markets/xx.lua:2:57: error: flags.chat.defalt: unknown key [unknownKey]
        >   hint: did you mean "default"?
        + flags = { chat = { kind = "permission", owner = "help", default = false, rules = { { name = "x", when = { build = "debug" }, value = true } } } },

        | flags = { chat = { kind = "permision", owner = "help", default = false, rules = { { name = "x", whn = { build = "debug" }, value = true } } } },
        > markets/xx.lua:2:27: error: flags.chat.kind: expected one of "release", "experiment", "operations", "permission", got "permision" [notAChoice]
        >   hint: did you mean "permission"?
        > markets/xx.lua:2:97: error: flags.chat.rules[1].whn: unknown key [unknownKey]
        >   hint: did you mean "when"?
        + flags = { chat = { kind = "permission", owner = "help", default = false, rules = { { name = "x", when = { build = "debug" }, value = true } } } },
        """#
}
