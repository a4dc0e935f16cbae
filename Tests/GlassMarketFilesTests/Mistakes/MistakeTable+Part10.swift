extension MistakeTable {
    static let part10 = #"""
        # the name of a key in another format
        | overlays = { { name = "test", condition = { build = "debug" }, currency = "CAD" } },
        > markets/xx.lua:2:31: error: overlays[1].condition: unknown key [unknownKey]
        >   hint: did you mean "when"?

        | flags = { newCheckout = { rules = prepend { { name = "a", ["if"] = { build = "debug" }, value = true } } } },
        > markets/xx.lua:2:60: error: flags.newCheckout.rules[1].if: unknown key [unknownKey]
        >   hint: did you mean "when"?

        | flags = { newCheckout = { rules = prepend { { name = "a", value = true, rollout = { percentage = 5, by = "installID" } } } } },
        > markets/xx.lua:2:85: error: flags.newCheckout.rules[1].rollout.percentage: unknown key [unknownKey]
        >   hint: did you mean "percent"?

        # a list of names for a table
        | routables = { "home", "cart" },
        > markets/xx.lua:2:13: error: routables: expected a table, got a list [wrongType]
        >   hint: write { home = {}, cart = {} }

        | routables = { home = {}, "cart" },
        > markets/xx.lua:2:26: error: routables[1]: this table has both keys and list elements [unrepresentable]
        >   hint: write cart = {}

        | platform = { environment = { environments = { "qa" } } },
        > markets/xx.lua:2:45: error: platform.environment.environments: expected a table, each value a table with keys such as services, got a list [wrongType]
        >   hint: write { qa = { services = { example = "https://api.walmart.ca/v1" } } }

        # another word for true or false
        | routables = { home = "off" },
        > markets/xx.lua:2:22: error: routables.home: expected true or false or a table with keys such as paths and customPaths, got "off" [wrongType]
        >   hint: write false, without quotes

        | platform = { networking = { tracking = "No" } },
        > markets/xx.lua:2:40: error: platform.networking.tracking: expected true or false, got "No" [wrongType]
        >   hint: write false, without quotes

        | platform = { networking = { tracking = 1 } },
        > markets/xx.lua:2:40: error: platform.networking.tracking: expected true or false, got 1 [wrongType]
        >   hint: write true

        # alternatives without their keys
        | currency = vary { { when = { build = "debug" }, "CAD" }, "USD" },
        > markets/xx.lua:2:19: error: currency[1]: vary expects a list of { when = …, value = … }, and default = … for all other situations [wrongType]
        >   hint: write vary { { when = { build = "debug" }, value = "CAD" }, default = "USD" }

        | currency = vary { debugBuild = "CAD", default = "USD" },
        > markets/xx.lua:2:12: error: currency: vary expects a list of { when = …, value = … }, and default = … for all other situations [wrongType]
        >   hint: write vary { { when = "debugBuild", value = "CAD" }, default = "USD" }

        | currency = vary { { when = { build = "debug" }, value = "CAD" }, { default = "USD" } },
        > markets/xx.lua:2:66: error: currency[2]: vary expects a list of { when = …, value = … }, and default = … for all other situations [wrongType]
        >   hint: write vary { { when = { build = "debug" }, value = "CAD" }, default = "USD" }

        # values by locale without the locales
        | locales = { "en-US", "es-US" }, platform = { preferences = { keys = { language = { default = perLocale { "en", "es" } } } } },
        > markets/xx.lua:2:94: error: platform.preferences.keys.language.default: perLocale expects a value for each locale [unrepresentable]
        >   hint: write perLocale { en = "en", es = "es" }

        | locales = { "en-US", "es-US" }, platform = { preferences = { keys = { language = { default = perLocale { en = "en", "es" } } } } },
        > markets/xx.lua:2:94: error: platform.preferences.keys.language.default: perLocale expects a value for each locale [unrepresentable]
        >   hint: write perLocale { en = …, es = … }

        | platform = { preferences = { keys = { language = { default = perLocale { "en" } } } } },
        > markets/xx.lua:2:62: error: platform.preferences.keys.language.default: perLocale expects a value for each locale [unrepresentable]
        >   hint: write perLocale { en = …, fr = … }

        # a decimal comma
        | platform = { networking = { retry = { multiplier = 1,5 } } },
        > markets/xx.lua:2:52: error: platform.networking.retry.multiplier: a comma separates elements in Lua, so this is two numbers [unrepresentable]
        >   hint: write a decimal point, as in multiplier = 1.5

        | platform = { networking = { retry = { multiplier = "1,5" } } },
        > markets/xx.lua:2:52: error: platform.networking.retry.multiplier: expected a number from 1.0 to 10.0, got "1,5" [wrongType]
        >   hint: write 1.5, without quotes

        | flags = { newCheckout = { rules = prepend { { name = "a", value = true, rollout = { percent = "2,5 %", by = "installID" } } } } },
        > markets/xx.lua:2:95: error: flags.newCheckout.rules[1].rollout.percent: expected a percentage from 0 to 100, got "2,5 %" [invalidPercent]
        >   hint: write 2.5, without quotes

        # a value that is written as its whole table
        | flags = { newCheckout = { rules = prepend { { name = "a", value = true, rollout = 20 } } } },
        > markets/xx.lua:2:83: error: flags.newCheckout.rules[1].rollout: expected a table with keys such as percent and by, got 20 [wrongType]
        >   hint: write { percent = 20, by = "installID" }

        | flags = { newCheckout = { rules = prepend { { name = "a", value = true, percent = 20, by = "installID" } } } },
        > markets/xx.lua:2:87: error: flags.newCheckout.rules[1].by: unknown key [unknownKey]
        >   hint: write rollout = { by = "installID", percent = 20 }

        | flags = { newCheckout = { rules = prepend { { name = "a", value = true, rollout = "20%" } } } },
        > markets/xx.lua:2:83: error: flags.newCheckout.rules[1].rollout: expected a table with keys such as percent and by, got "20%" [wrongType]
        >   hint: write { percent = 20, by = "installID" }

        # a word in quotes that is none
        | platform = { networking = { retry = { maxRetries = "unset" } } },
        > markets/xx.lua:2:52: error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got "unset" [wrongType]
        >   hint: write unset, without quotes

        | platform = { networking = { tracking = "unset" } },
        > markets/xx.lua:2:40: error: platform.networking.tracking: expected true or false, got "unset" [wrongType]
        >   hint: write unset, without quotes

        | locales = "unset",
        > markets/xx.lua:2:11: error: locales: expected a list, each a locale of language and region, such as "fr-CA", got "unset" [wrongType]
        >   hint: write unset, without quotes

        # a day or a moment in place of a range
        | conditions = { sale = { date = "2027-11-26" } },
        > markets/xx.lua:2:32: error: conditions.sale.date: "2027-11-26" has no time zone, and a day is not a single moment [invalidTest]
        >   hint: for the local day on each device, write localDate = ">= 2027-11-26 < 2027-11-27"; for a day in one time zone, add the zone, as in ">= 2027-11-26 America/New_York < 2027-11-27 America/New_York"

        | conditions = { sale = { date = "2027-11-26T09:00 America/New_York" } },
        > markets/xx.lua:2:32: warning: conditions.sale.date: "2027-11-26T09:00 America/New_York" is a single moment, so the test passes for only one second [invalidTest]
        >   hint: write a range, as in ">= 2027-11-26T09:00 America/New_York < 2027-11-27T09:00 America/New_York"

        | conditions = { sale = { date = { from = "2027-11-26T00:00Z", to = "2027-11-30T00:00Z" } } },
        > markets/xx.lua:2:34: error: conditions.sale.date.from: unknown test "from" [invalidTest]
        >   hint: write ">= 2027-11-26T00:00Z < 2027-11-30T00:00Z"

        # a date that is none
        | conditions = { sale = { date = ">= 26.11.2027 09:00 America/New_York" } },
        > markets/xx.lua:2:32: error: conditions.sale.date: "26.11.2027 09:00 America/New_York" is not a date [invalidTest]
        >   hint: write the year first: 2027-11-26T09:00 America/New_York

        | conditions = { sale = { localDate = ">= 2027-11-31" } },
        > markets/xx.lua:2:37: error: conditions.sale.localDate: "2027-11-31" is not a date [invalidTest]
        >   hint: November 2027 has 30 days: write 2027-11-30 for the last

        | conditions = { sale = { date = ">= 2027-13-01T00:00Z" } },
        > markets/xx.lua:2:32: error: conditions.sale.date: "2027-13-01T00:00Z" is not a date [invalidTest]
        >   hint: write the month as 01 to 12, after the year: 2026-11-27

        # a time zone that is misspelled
        | conditions = { sale = { date = ">= 2027-11-26T00:00 America/NewYork" } },
        > markets/xx.lua:2:32: error: conditions.sale.date: unknown time zone "America/NewYork" [invalidTest]
        >   hint: did you mean "America/New_York"?

        | conditions = { sale = { date = ">= 2027-11-26T00:00 Europe/Warszawa" } },
        > markets/xx.lua:2:32: error: conditions.sale.date: unknown time zone "Europe/Warszawa" [invalidTest]
        >   hint: did you mean "Europe/Warsaw"?

        | conditions = { sale = { date = ">= 2027-11-26T00:00 Toronto" } },
        > markets/xx.lua:2:32: error: conditions.sale.date: unknown time zone "Toronto" [invalidTest]
        >   hint: write America/Toronto

        # an expression for a condition
        | overlays = { { name = "a", when = "debugBuild and not tests", currency = "CAD" } },
        > markets/xx.lua:2:35: error: overlays[1].when: unknown condition "debugBuild and not tests" [unknownCondition]
        >   hint: write all { "debugBuild", no "tests" }

        | overlays = { { name = "a", when = "!debugBuild", currency = "CAD" } },
        > markets/xx.lua:2:35: error: overlays[1].when: unknown condition "!debugBuild" [unknownCondition]
        >   hint: write no "debugBuild"

        | overlays = { { name = "a", when = "debugBuild || tests", currency = "CAD" } },
        > markets/xx.lua:2:35: error: overlays[1].when: unknown condition "debugBuild || tests" [unknownCondition]
        >   hint: write any { "debugBuild", "tests" }

        # a text that refers to the environment
        | platform = { networking = { consumerKey = "${GLASS_XX_CONSUMER_KEY}" } },
        > markets/xx.lua:2:43: error: platform.networking.consumerKey: expected a secret, written as secret "NAME", not a literal string [secretMisplaced]
        >   hint: write secret "GLASS_XX_CONSUMER_KEY"

        | platform = { networking = { consumerKey = "$GLASS_XX_CONSUMER_KEY" } },
        > markets/xx.lua:2:43: error: platform.networking.consumerKey: expected a secret, written as secret "NAME", not a literal string [secretMisplaced]
        >   hint: write secret "GLASS_XX_CONSUMER_KEY"

        | platform = { networking = { consumerKey = os.getenv("GLASS_XX_CONSUMER_KEY") } },
        > markets/xx.lua:2:43: error: 'os' is not available in market files [denied]
        >   hint: for an environment variable, write secret "NAME"; for a date, test date in a condition

        # removing from a table like from a list
        | platform = { urlSession = { headers = remove { "Accept-Language" } } },
        > markets/xx.lua:2:39: error: platform.urlSession.headers: remove{…} needs a list in the base market, got a table with keys [misplacedWord]
        >   hint: write { ["Accept-Language"] = unset }

        | platform = { networking = { headers = remove { "WM-Tenant", "WM-Market" } } },
        > markets/xx.lua:2:39: error: platform.networking.headers: remove{…} needs a list in the base market, got a table with keys [misplacedWord]
        >   hint: write { ["WM-Tenant"] = unset, ["WM-Market"] = unset }

        | platform = { environment = { environments = remove { "staging" } } },
        > markets/xx.lua:2:45: error: platform.environment.environments: remove{…} needs a list in the base market, got a table with keys [misplacedWord]
        >   hint: write { staging = unset }

        # an entry of JSON
        | platform = { "networking": { "retry": { "maxRetries": 3 } } },
        > markets/xx.lua:2:26: error: use = instead of : [syntax]
        >   hint: write networking = { retry = { maxRetries = 3 } }
        + platform = { networking = { retry = { maxRetries = 3 } } },

        | deepLinking = { "schemes": ["xx", "walmart-xx"] },
        > markets/xx.lua:2:26: error: use = instead of : [syntax]
        >   hint: write schemes = { "xx", "walmart-xx" }
        + deepLinking = { schemes = {"xx", "walmart-xx"} },

        | locales = ["en-US"],
        > markets/xx.lua:2:11: error: a list in Lua has braces, not brackets [syntax]
        >   hint: write { "en-US" }
        + locales = {"en-US"},
        """#
}
