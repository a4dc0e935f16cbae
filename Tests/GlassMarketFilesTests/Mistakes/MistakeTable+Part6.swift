extension MistakeTable {
    static let part6 = #"""
        # an attribute that no situation has
        | overlays = { { name = "test", when = { bulid = "debug" }, platform = { networking = { retry = { maxRetries = 0 } } } } },
        > markets/xx.lua:2:40: error: overlays[1].when.bulid: unknown attribute "bulid" [unknownAttribute]
        >   hint: did you mean "build"?
        + overlays = { { name = "test", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 0 } } } } },

        | conditions = { tablets = { deviceClas = "tablet" } },
        > markets/xx.lua:2:28: error: conditions.tablets.deviceClas: unknown attribute "deviceClas" [unknownAttribute]
        >   hint: did you mean "deviceClass"?
        + conditions = { tablets = { deviceClass = "tablet" } },

        | platform = { networking = { retry = { jitter = vary { { when = { loyalty = "gold" }, value = 0.5 }, default = 0.25 } } } },
        > markets/xx.lua:2:66: error: platform.networking.retry.jitter[1].when.loyalty: unknown attribute "loyalty" [unknownAttribute]
        >   hint: the attributes are appVersion, audience, build, customerID, date, deviceClass, environment, installID, localDate, locale, osVersion, platform, region, signedIn

        # a condition that no file declares
        | conditions = { tests = { build = "debug" } },
        | overlays = { { name = "test", when = "test", platform = { networking = { retry = { maxRetries = 0 } } } } },
        > markets/xx.lua:3:38: error: overlays[1].when: unknown condition "test" [unknownCondition]
        >   hint: did you mean "tests"?
        + conditions = { tests = { build = "debug" } },
        + overlays = { { name = "test", when = "tests", platform = { networking = { retry = { maxRetries = 0 } } } } },

        | platform = { networking = { retry = { jitter = vary { { when = "atNight", value = 0.5 }, default = 0.25 } } } },
        > markets/xx.lua:2:64: error: platform.networking.retry.jitter[1].when: unknown condition "atNight" [unknownCondition]
        >   hint: declare it, as in conditions = { atNight = { build = "debug" } }, or write { audience = "atNight" }

        | conditions = { beta = { build = "beta" }, tests = any { "bta", { build = "debug" } } },
        > markets/xx.lua:2:57: error: conditions.tests.any[1]: unknown condition "bta" [unknownCondition]
        >   hint: did you mean "beta"?
        + conditions = { beta = { build = "beta" }, tests = any { "beta", { build = "debug" } } },

        # a value that an attribute does not have
        | conditions = { tests = { build = "debgu" } },
        > markets/xx.lua:2:34: error: conditions.tests.build: expected one of "debug", "beta", "release", got "debgu" [notAChoice]
        >   hint: did you mean "debug"?
        + conditions = { tests = { build = "debug" } },

        | conditions = { phones = { platform = { "iOS", "android" } } },
        > markets/xx.lua:2:47: error: conditions.phones.platform[2]: expected one of "iOS", "macOS", "watchOS", "tvOS", "visionOS", "linux", got "android" [notAChoice]

        | conditions = { tests = { environment = no "prod" } },
        > markets/xx.lua:2:43: error: conditions.tests.environment.no: expected one of "production", "staging", got "prod" [notAChoice]

        # a test of a version that is none
        | conditions = { new = { appVersion = ">= 24.x" } },
        > markets/xx.lua:2:37: error: conditions.new.appVersion: ">= 24.x" is not a version [invalidTest]
        >   hint: write one to four numbers, as in ">= 24.3"

        | conditions = { new = { appVersion = 24.3 } },
        > markets/xx.lua:2:37: error: conditions.new.appVersion: expected a version, got 24.3 [invalidTest]
        >   hint: write "24.3"

        | conditions = { old = { osVersion = "v18.2" } },
        > markets/xx.lua:2:36: error: conditions.old.osVersion: "v18.2" is not a version [invalidTest]
        >   hint: write "18.2"

        # a date without its time zone, or with one too many
        | conditions = { sale = { date = ">= 2026-11-27T00:00" } },
        > markets/xx.lua:2:32: error: conditions.sale.date: 2026-11-27T00:00 has no time zone [invalidTest]
        >   hint: write the zone, as in 2026-11-27T00:00 America/New_York

        | conditions = { sale = { date = "2026-11-31T00:00Z" } },
        > markets/xx.lua:2:32: error: conditions.sale.date: "2026-11-31T00:00Z" is not a date [invalidTest]
        >   hint: November 2026 has 30 days: write 2026-11-30 for the last

        | conditions = { evening = { localDate = ">= 2026-11-27T18:00Z" } },
        > markets/xx.lua:2:40: error: conditions.evening.localDate: 2026-11-27T18:00Z has a time zone, but localDate does not support one [invalidTest]

        # comparators where nothing is in order
        | conditions = { late = { build = ">= beta" } },
        > markets/xx.lua:2:33: error: conditions.late.build: build does not support comparators [invalidTest]

        | conditions = { staff = { audience = "> associates" } },
        > markets/xx.lua:2:37: error: conditions.staff.audience: audience does not support comparators [invalidTest]

        | conditions = { new = { appVersion = ">= 24 >= 25" } },
        > markets/xx.lua:2:37: error: conditions.new.appVersion: ">= 24 >= 25" has two lower bounds [invalidTest]

        # a condition that no situation fulfils
        | overlays = { { name = "never", when = { osVersion = ">= 19 < 18" }, platform = { networking = { retry = { maxRetries = 0 } } } } },
        > markets/xx.lua:2:39: error: overlays.never: this condition can never be true: osVersion >= 19 < 18 [neverHolds]
        >   hint: its range ends before it begins: check both bounds, or swap them

        | platform = { networking = { retry = { maxRetries = vary { { when = { locale = "fr" }, value = 0 }, default = 3 } } } },
        > markets/xx.lua:2:68: error: platform.networking.retry.maxRetries: the market has no locale "fr" [neverHolds]
        >   hint: its locales are "en-US", "es-US"

        | conditions = { odd = all { { build = "debug" }, { build = "release" } } },
        | platform = { networking = { retry = { maxRetries = vary { { when = "odd", value = 0 }, default = 3 } } } },
        > markets/xx.lua:3:68: error: platform.networking.retry.maxRetries: this condition can never be true: build = "debug" and build = "release" [neverHolds]
        >   hint: correct it, or remove what depends on it

        # an alternative that others take
        | platform = { networking = { retry = { maxRetries = vary {
        |   { when = { build = { "debug", "beta" } }, value = 0 },
        |   { when = { build = "beta", platform = "iOS" }, value = 1 },
        |   default = 3,
        | } } } },
        > markets/xx.lua:4:12: error: platform.networking.retry.maxRetries: the alternative above covers every situation in which build = "beta" and platform = "iOS" holds [unreachable]
        >   hint: move it up, or remove it

        | platform = { networking = { retry = { maxRetries = vary {
        |   { when = { appVersion = ">= 24" }, value = 0 },
        |   { when = { appVersion = "< 25" }, value = 1 },
        |   { when = { build = "debug" }, value = 2 },
        | } } } },
        > markets/xx.lua:5:12: error: platform.networking.retry.maxRetries: the alternatives above cover every situation in which build = "debug" holds [unreachable]
        >   hint: move it up, or remove it

        | overlays = {
        |   { name = "tests", when = { build = no "release" }, platform = { networking = { retry = { maxRetries = 0 } } } },
        |   { name = "debugging", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 1 } } } },
        | },
        > markets/xx.lua:4:104: error: platform.networking.retry.maxRetries: the overlay tests above sets this key in every situation in which debugging holds [unreachable]
        >   hint: move debugging up, or remove this key from it

        # two overlays that contradict each other
        | overlays = {
        |   { name = "tests", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 0 } } } },
        |   { name = "tablets", when = { deviceClass = "tablet" }, platform = { networking = { retry = { maxRetries = 5 } } } },
        | },
        > markets/xx.lua:3:100: warning: platform.networking.retry.maxRetries: the overlays tests and tablets can both hold, and set this key differently: tests takes precedence because it comes first [overlap]
        >   when: --context build=debug,deviceClass=tablet
        >   hint: if this is intended, write beats = { "tablets" } in tests

        | overlays = {
        |   { name = "sale", when = { date = ">= 2026-11-27T00:00Z" }, routables = { home = { paths = { "sale" } } } },
        |   { name = "tests", when = { build = "debug" }, routables = { home = { paths = { "test" } } } },
        | },
        > markets/xx.lua:3:93: warning: routables.home.paths: the overlays sale and tests can both hold, and set this key differently: sale takes precedence because it comes first [overlap]
        >   when: --context build=debug,date=2026-11-27T00:00:00Z
        >   hint: if this is intended, write beats = { "tests" } in sale

        | conditions = { new = { appVersion = ">= 24" }, old = { osVersion = "< 18" } },
        | overlays = {
        |   { name = "new", when = "new", platform = { urlSession = { waitsForConnectivity = true } } },
        |   { name = "old", when = "old", platform = { urlSession = { waitsForConnectivity = false } } },
        | },
        > markets/xx.lua:4:84: warning: platform.urlSession.waitsForConnectivity: the overlays new and old can both hold, and set this key differently: new takes precedence because it comes first [overlap]
        >   when: --context appVersion=24,osVersion=17
        >   hint: if this is intended, write beats = { "old" } in new

        # a key without a value in some situations
        | locales = { "en-US", "fr-CA" },
        | routables = { deals = { show = { screen = perLocale { en = "deals" } } } },
        > markets/xx.lua:3:60: error: routables.deals.show.screen: no value for fr-CA [notExhaustive]
        >   when: --context locale=fr-CA
        >   hint: add a value for it, or default = …

        | locales = { "en-CA", "fr-CA", "fr-FR" },
        | routables = { deals = { show = { screen = perLocale { en = "deals", ["fr-FR"] = "soldes" } } } },
        > markets/xx.lua:3:81: error: routables.deals.show.screen: no value for fr-CA [notExhaustive]
        >   when: --context locale=fr-CA
        >   hint: add a value for it, or default = …

        | overlays = { { name = "test", when = { build = "debug" }, platform = { appInfo = { name = unset } } } },
        > markets/xx.lua:2:38: error: platform.appInfo.name: this key is required, but has no value in some situations [notExhaustive]
        >   when: --context build=debug
        >   hint: add a value for all other situations

        # a value in an alternative that the key does not accept
        | platform = { networking = { retry = { maxRetries = vary {
        |   { when = { build = "debug" }, value = "0" },
        |   default = 3,
        | } } } },
        > markets/xx.lua:3:41: error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got "0" [wrongType]
        >   hint: remove the quotes: 0
        + platform = { networking = { retry = { maxRetries = vary {
        +   { when = { build = "debug" }, value = 0 },
        +   default = 3,
        + } } } },

        | overlays = {
        |   { name = "test", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 99 } } } },
        | },
        > markets/xx.lua:3:99: error: platform.networking.retry.maxRetries: expected an integer from 0 to 10, got 99 [outOfRange]

        | platform = { urlSession = { cachePolicy = vary { { when = { build = "debug" }, value = "never" }, default = "useProtocolCachePolicy" } } },
        > markets/xx.lua:2:88: error: platform.urlSession.cachePolicy: expected one of "useProtocolCachePolicy", "reloadIgnoringLocalCacheData", "returnCacheDataElseLoad", "returnCacheDataDontLoad", got "never" [notAChoice]

        # keys that contradict each other in a situation
        | platform = { networking = { retry = { maximumDelaySeconds = vary {
        |   { when = { build = "debug" }, value = 0.01 },
        |   default = 30,
        | } } } },
        > markets/xx.lua:3:41: error: platform.networking.retry.initialDelaySeconds: 0.5 is more than maximumDelaySeconds, 0.01 [inconsistent]
        >   when: --context build=debug
        >   hint: write at most 0.01, or raise maximumDelaySeconds

        | overlays = { { name = "test", when = { build = "debug" }, platform = { environment = { default = "stagin" } } } },
        > markets/xx.lua:2:98: error: platform.environment.default: "stagin" is not an environment [inconsistent]
        >   when: --context build=debug
        >   hint: did you mean "staging"?
        + overlays = { { name = "test", when = { build = "debug" }, platform = { environment = { default = "staging" } } } },

        | overlays = {
        |   { name = "slow", when = { region = "CA" }, platform = { networking = { retry = { initialDelaySeconds = 50 } } } },
        |   { name = "test", when = { build = "debug" }, platform = { networking = { retry = { maximumDelaySeconds = 40 } } } },
        | },
        > markets/xx.lua:3:106: error: platform.networking.retry.initialDelaySeconds: 50 is more than maximumDelaySeconds, 40 [inconsistent]
        >   when: --context build=debug,region=CA
        >   hint: write at most 40, or raise maximumDelaySeconds

        # routes that conflict in a situation
        | routables = {
        |   one = { paths = { "offer/:id" }, show = { screen = "one" } },
        |   two = vary { { when = { build = "debug" }, value = { paths = { "offer/:slug" }, show = { screen = "two" } } } },
        | },
        > markets/xx.lua:4:66: error: routables.two.paths[1]: "offer/:slug" conflicts with "offer/:id" of one (markets/xx.lua:3:21): both match "offer/x" with equal rank [routeConflict]
        >   when: --context build=debug
        >   hint: change or remove one of them

        | routables = {
        |   one = vary { { when = { build = "debug" }, value = { paths = { "offer" }, show = { screen = "one" } } } },
        |   two = vary { { when = { deviceClass = "tablet" }, value = { paths = { "offer" }, show = { screen = "two" } } } },
        | },
        > markets/xx.lua:4:73: error: routables.two.paths[1]: "offer" conflicts with "offer" of one (markets/xx.lua:3:66): both match "offer" with equal rank [routeConflict]
        >   when: --context build=debug,deviceClass=tablet
        >   hint: change or remove one of them

        | routables = { one = { paths = { "offer" }, show = { screen = "one" } } },
        | overlays = { { name = "sale", when = { region = "CA-QC" }, routables = { home = { customPaths = { "offer" } } } } },
        > markets/xx.lua:2:33: error: routables.one.paths[1]: "offer" conflicts with "offer" of home (markets/xx.lua:3:99): both match "offer" with equal rank, while sale holds (region = "CA-QC") [routeConflict]
        >   when: --context region=CA-QC
        >   hint: change or remove one of them

        # conditions that name each other
        | conditions = { a = "b", b = "a" },
        > markets/xx.lua:2:29: error: conditions.b: a names b names a [conditionCycle]

        | conditions = { a = any { { build = "debug" }, "a" } },
        > markets/xx.lua:2:47: error: conditions.a.any[2]: a names a [conditionCycle]

        | conditions = { a = all { "b", { build = "debug" } }, b = no "c", c = { build = "beta" }, d = any { "e" }, e = "d" },
        > markets/xx.lua:2:111: error: conditions.e: d names e names d [conditionCycle]

        # two of one name
        | overlays = {
        |   { name = "test", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 0 } } } },
        |   { name = "test", when = { build = "beta" }, platform = { networking = { retry = { maxRetries = 1 } } } },
        | },
        > markets/xx.lua:4:12: error: overlays[2].name: this file already has an overlay "test" [duplicate]
        >   hint: merge them, or rename one of them

        | attributes = { locale = { type = "text" } },
        > markets/xx.lua:2:16: error: attributes.locale: every market already has the attribute "locale" [duplicate]
        >   hint: choose another name

        | attributes = { any = { type = "boolean" } },
        > markets/xx.lua:2:16: error: attributes.any: "any" is a reserved word in conditions [duplicate]
        >   hint: choose another name

        # an attribute that is none
        | attributes = { tier = { type = "choice" } },
        > markets/xx.lua:2:23: error: attributes.tier.values: missing: a choice must have values [inconsistent]

        | attributes = { tier = { type = "bool" } },
        > markets/xx.lua:2:32: error: attributes.tier.type: expected one of "boolean", "choice", "date", "integer", "number", "set", "text", "version", got "bool" [notAChoice]
        >   hint: did you mean "boolean"?

        | attributes = { tier = { type = "text", values = { "plus" } } },
        > markets/xx.lua:2:49: error: attributes.tier.values: only a choice or a set has values [inconsistent]
        >   hint: remove them

        # an overlay without what it needs
        | overlays = { { when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 0 } } } } },
        > markets/xx.lua:2:14: error: overlays[1].name: missing: expected a name of letters and digits that starts with a letter [missingKey]
        >   hint: write name = "debugBuild",  -- The name. A market that extends this one uses it to change the overlay.

        | overlays = { { build = "debug" } },
        > markets/xx.lua:2:14: error: overlays[1].name: missing: expected a name of letters and digits that starts with a letter [missingKey]
        >   hint: write name = "debugBuild",  -- The name. A market that extends this one uses it to change the overlay.

        | overlays = { debugBuild = { when = { build = "debug" } } },
        > markets/xx.lua:2:12: error: overlays: expected a list, each a table with keys such as name and when, got a table with keys [wrongType]
        >   hint: write { { name = "debugBuild", when = { build = "debug" } } }

        | overlays = { { nam = "test", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 0 } } } } },
        > markets/xx.lua:2:16: error: overlays[1].nam: unknown key [unknownKey]
        >   hint: did you mean "name"?
        + overlays = { { name = "test", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 0 } } } } },

        | overlays = { { name = "test", wen = { build = "debug" }, platform = { networking = { retry = { maxRetries = 0 } } } } },
        > markets/xx.lua:2:31: error: overlays[1].wen: unknown key [unknownKey]
        >   hint: did you mean "when"?
        + overlays = { { name = "test", when = { build = "debug" }, platform = { networking = { retry = { maxRetries = 0 } } } } },

        | overlays = { { name = "test", platform = { networking = { retry = { maxRetries = 0 } } } } },
        > markets/xx.lua:2:14: error: overlays[1].when: missing: expected a condition, because no base market has an overlay "test" [missingKey]
        >   hint: write when = { build = "debug" }, or the name of a condition

        | overlays = { name = "test", when = { build = "debug" } },
        > markets/xx.lua:2:12: error: overlays: expected a list, each a table with keys such as name and when, got a table with keys [wrongType]
        >   hint: wrap the table in a list: { { … } }
        + overlays = { { name = "test", when = { build = "debug" } } },

        # a key in an overlay that is the same everywhere
        | overlays = { { name = "test", when = { build = "debug" }, locales = { "en-US" } } },
        > markets/xx.lua:2:59: error: overlays[1].locales: locales is the same in every situation [variesTooOften]
        >   hint: write it at the top of the file, outside the overlays

        | overlays = { { name = "test", when = { build = "debug" }, conditions = {} } },
        > markets/xx.lua:2:59: error: overlays[1].conditions: conditions is the same in every situation [variesTooOften]
        >   hint: write it at the top of the file, outside the overlays

        | overlays = { { name = "test", when = { build = "debug" }, extends = "ca" } },
        > markets/xx.lua:2:59: error: overlays[1].extends: extends is the same in every situation [variesTooOften]
        >   hint: write it at the top of the file, outside the overlays

        # a word of alternatives without its table
        | platform = { networking = { retry = { maxRetries = vary 3 } } },
        > markets/xx.lua:2:52: error: vary takes a table [syntax]
        >   hint: write vary { { when = …, value = … }, default = 3 }

        | platform = { networking = { headers = { ["X-Language"] = perLocale "en" } } },
        > markets/xx.lua:2:58: error: perLocale expects a table, such as perLocale { en = "Store", fr = "Magasin" } [runtime]

        | platform = { networking = { retry = { maxRetries = vary { when = { build = "debug" }, value = 0 } } } },
        > markets/xx.lua:2:52: error: platform.networking.retry.maxRetries: vary expects a list of { when = …, value = … }, and default = … for all other situations [wrongType]
        >   hint: write vary { { when = { build = "debug" }, value = 0 } }

        # an argument for a word that takes none
        | conditions = { new = { osVersion = missing "18" } },
        > markets/xx.lua:2:36: error: missing takes no argument [runtime]
        >   hint: write only missing

        | conditions = { new = { osVersion = present { "18" } } },
        > markets/xx.lua:2:36: error: present takes no argument [runtime]
        >   hint: write only present

        | conditions = { new = { osVersion = missing 18 } },
        > markets/xx.lua:2:36: error: missing takes no argument [syntax]
        >   hint: write only missing

        | locales = unset { "en-US" },
        > markets/xx.lua:2:11: error: unset takes no argument: write key = unset [runtime]

        # a combination of conditions without its list
        | conditions = { tests = { build = "debug" }, some = any "tests" },
        > markets/xx.lua:2:52: error: any expects a list, such as any{ { build = "debug" } } [runtime]
        >   hint: write any { "tests" }
        + conditions = { tests = { build = "debug" }, some = any { "tests" } },

        | conditions = { tests = all { build = "debug" } },
        > markets/xx.lua:2:24: error: all expects a list, such as all{ { build = "debug" } } [runtime]

        | conditions = { tests = { { build = "debug" }, { build = "beta" } } },
        > markets/xx.lua:2:24: error: conditions.tests: expected a condition, got a list [invalidTest]
        >   hint: write any { … } or all { … }
        """#
}
