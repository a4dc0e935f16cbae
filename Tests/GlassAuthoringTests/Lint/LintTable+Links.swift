extension LintTable {
    static let links = #"""
        # a screen that is nearly another one
        | routables = { sale = { paths = { "sale" }, show = { tab = "acount", screen = "sale" } } },
        > markets/xx.lua:2:59: warning: routables.sale.show.tab: no other routable shows the tab "acount", but the app has "account" [unknownScreen]
        >   hint: did you mean "account"?
        + routables = { sale = { paths = { "sale" }, show = { tab = "account", screen = "sale" } } },

        | routables = { myPharmacy = { paths = { "apotheke" }, show = { screen = "pharmcy" } } },
        > markets/xx.lua:2:72: warning: routables.myPharmacy.show.screen: no other routable shows the screen "pharmcy", but the app has "pharmacy" [unknownScreen]
        >   hint: did you mean "pharmacy"?
        + routables = { myPharmacy = { paths = { "apotheke" }, show = { screen = "pharmacy" } } },

        | routables = {
        |   offers = { paths = { "offers" }, show = { screen = "offerBoard" } },
        |   bargains = { paths = { "bargains" }, show = { screen = "ofefrBoard" } },
        | },
        > markets/xx.lua:4:58: warning: routables.bargains.show.screen: no other routable shows the screen "ofefrBoard", but offers shows "offerBoard" [unknownScreen]
        >   hint: did you mean "offerBoard"?
        + routables = {
        +   offers = { paths = { "offers" }, show = { screen = "offerBoard" } },
        +   bargains = { paths = { "bargains" }, show = { screen = "offerBoard" } },
        + },

        # a precondition that nothing waits for
        ! local routables = {}
        ! for _, id in ipairs { "home", "account", "cart", "checkout", "item", "search", "browse", "orders", "orderDetail", "reorder", "lists", "registry", "storeFinder", "storeDetail", "pharmacy", "scan", "membership", "deals", "help", "notifications", "returns", "giftCards" } do
        !   routables[id] = { waitForPreconditions = { "signedIn" } }
        ! end
        ! return {
        !   id = "xx", name = "Test", extends = "us", routables = routables,
        !   preconditions = { ageVerified = { doc = "The shopper is of age." } },
        ! }
        > markets/xx.lua:7:21: warning: preconditions.ageVerified: no link waits for ageVerified [unusedPrecondition]
        >   hint: add it to waitForPreconditions of a routable, or remove it

        ! local routables = {}
        ! for _, id in ipairs { "home", "account", "cart", "checkout", "item", "search", "browse", "orders", "orderDetail", "reorder", "lists", "registry", "storeFinder", "storeDetail", "pharmacy", "scan", "membership", "deals", "help", "notifications", "returns", "giftCards" } do
        !   routables[id] = { waitForPreconditions = { "over18" } }
        ! end
        ! return {
        !   id = "xx", name = "Test", extends = "us", routables = routables,
        !   preconditions = { over18 = { doc = "The shopper is of age." }, over21 = { doc = "The shopper may buy wine." } },
        ! }
        > markets/xx.lua:7:66: warning: preconditions.over21: no link waits for over21 [unusedPrecondition]
        >   hint: add it to waitForPreconditions of a routable, or remove it

        ! local routables = {}
        ! for _, id in ipairs { "home", "account", "cart", "checkout", "item", "search", "browse", "orders", "orderDetail", "reorder", "lists", "registry", "storeFinder", "storeDetail", "pharmacy", "scan", "membership", "deals", "help", "notifications", "returns", "giftCards" } do
        !   routables[id] = { waitForPreconditions = { "signedIn" } }
        ! end
        ! return {
        !   id = "xx", name = "Test", extends = "us", routables = routables,
        !   preconditions = { isTuesday = { doc = "It is Tuesday." }, ageVerified = { doc = "The shopper is of age." } },
        !   overlays = { { name = "tests", when = { build = "debug" }, routables = { cart = { waitForPreconditions = { "ageVerified" } } } } },
        ! }
        > markets/xx.lua:7:21: warning: preconditions.isTuesday: no link waits for isTuesday [unusedPrecondition]
        >   hint: add it to waitForPreconditions of a routable, or remove it

        # a path that no link can reach
        | routables = { promo = { paths = { "my account" }, show = { screen = "promo" } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: no link walmart://my%20account is valid, because the part after :// cannot contain " " [unreachablePath]
        >   hint: write "my-account"
        + routables = { promo = { paths = { "my-account" }, show = { screen = "promo" } } },

        | routables = { account = { customPaths = { "mi-cuenta", "año/:week" } } },
        > markets/xx.lua:2:56: warning: routables.account.customPaths[2]: no link walmart://a%C3%B1o is valid, because the part after :// cannot contain "ñ" [unreachablePath]
        >   hint: write "ano/:week"
        + routables = { account = { customPaths = { "mi-cuenta", "ano/:week" } } },

        | routables = { promo = { paths = { "a<b" }, show = { screen = "promo" } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: no link walmart://a%3Cb is valid, because the part after :// cannot contain "<" [unreachablePath]
        >   hint: begin the path with letters, digits, or hyphens

        # a parameter that nothing reads
        | routables = { promo = { paths = { "promo/:code" }, show = { screen = "promo", parameters = { source = "{?utm}" } } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: promo does not read the parameter code [unreadParameter]
        >   hint: show it with code = "{code}", or name it _code if its value is not needed

        | routables = { promo = { paths = { "promo/:code/:week" }, handle = function(link, state)
        |   state:show("promo", { code = link.parameters.code })
        | end } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: promo does not read the parameter week [unreadParameter]
        >   hint: read link.parameters.week, or name it _week if its value is not needed

        | routables = { promo = { paths = { "promo/:code" }, show = { tab = "shop" } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: promo does not read the parameter code [unreadParameter]
        >   hint: show it with code = "{code}", or name it _code if its value is not needed

        # a path without a parameter that is required
        | routables = { promo = { paths = { "promo", "promo/:code" }, show = { screen = "promo", parameters = { code = "{code}" }, requires = { "code" } } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: this path has no parameter code, which promo requires, so each of its links is declined [missingParameter]
        >   hint: add :code to the path, or give the placeholder a default, as in {code|none}

        | routables = { promo = { paths = { "promo/:code", "sale" }, show = { screen = "promo", requires = { "code" } } } },
        > markets/xx.lua:2:50: warning: routables.promo.paths[2]: this path has no parameter code, which promo requires, so each of its links is declined [missingParameter]
        >   hint: add :code to the path, or remove it from requires

        | routables = { promo = { paths = { "promo/:code/:week" }, customPaths = { "promo/:week" }, show = { screen = "promo", parameters = { id = "{code}-{week}" }, requires = { "id" } } } },
        > markets/xx.lua:2:74: warning: routables.promo.customPaths[1]: this path has no parameter code, which promo requires, so each of its links is declined [missingParameter]
        >   hint: add :code to the path, or give the placeholder a default, as in {code|none}

        # a parameter whose values the feature declines
        | routables = { item = { customPaths = { "producto/:itemID" } } },
        > markets/xx.lua:2:40: warning: routables.item.customPaths[1]: item takes a whole number as itemID, so it declines links with any other value [declinedParameter]
        >   hint: write "producto/:itemID(int)"
        + routables = { item = { customPaths = { "producto/:itemID(int)" } } },

        | routables = { storeDetail = { paths = { "tienda/:storeID", "tienda/:storeID(int)/horario" } } },
        > markets/xx.lua:2:41: warning: routables.storeDetail.paths[1]: storeDetail takes a whole number as storeID, so it declines links with any other value [declinedParameter]
        >   hint: write "tienda/:storeID(int)"
        + routables = { storeDetail = { paths = { "tienda/:storeID(int)", "tienda/:storeID(int)/horario" } } },

        | routables = { item = { paths = { "p/:slug/:itemID" } } },
        > markets/xx.lua:2:34: warning: routables.item.paths[1]: item takes a whole number as itemID, so it declines links with any other value [declinedParameter]
        >   hint: write "p/:slug/:itemID(int)"
        + routables = { item = { paths = { "p/:slug/:itemID(int)" } } },

        # production in debug builds
        | overlays = { { name = "debugBuild", platform = { environment = { default = "production" } } } },
        > markets/xx.lua:2:76: warning: platform.environment.default: debug builds use production, the production environment [debugProduction]
        >   hint: write "staging"
        + overlays = { { name = "debugBuild", platform = { environment = { default = "staging" } } } },

        | platform = { environment = { default = vary { { when = { build = { "debug", "beta" } }, value = "production" }, default = "production" } } },
        > markets/xx.lua:2:97: warning: platform.environment.default: debug builds use production, the production environment [debugProduction]
        >   hint: write "staging"
        + platform = { environment = { default = vary { { when = { build = { "debug", "beta" } }, value = "staging" }, default = "production" } } },

        | platform = { environment = { default = vary { { when = { build = "debug" }, value = "production" }, default = "staging" } } },
        > markets/xx.lua:2:85: warning: platform.environment.default: debug builds use production, the production environment [debugProduction]
        >   hint: swap them: releases use staging

        # a parameter in braces in a path
        | routables = { search = { customPaths = { "buscar/{q}" } } },
        > markets/xx.lua:2:42: warning: routables.search.customPaths[1]: patterns do not use braces, so "{q}" is not a parameter [unreachablePath]
        >   hint: write "buscar/:q"
        + routables = { search = { customPaths = { "buscar/:q" } } },

        | routables = { promo = { paths = { "promo/{code}/x" }, show = { screen = "promo" } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: patterns do not use braces, so "{code}" is not a parameter [unreachablePath]
        >   hint: write "promo/:code/x"
        + routables = { promo = { paths = { "promo/:code/x" }, show = { screen = "promo" } } },

        | routables = { deals = { customPaths = { "{kind}/deals" } } },
        > markets/xx.lua:2:41: warning: routables.deals.customPaths[1]: patterns do not use braces, so "{kind}" is not a parameter [unreachablePath]
        >   hint: write ":kind/deals"
        + routables = { deals = { customPaths = { ":kind/deals" } } },

        # a deprecated path that the routable no longer has
        | routables = { account = { paths = { "myaccount" }, deprecated = { paths = { "profile" }, expires = "2099-12-31" } } },
        > markets/xx.lua:2:77: warning: routables.account.deprecated.paths[1]: account has no path "profile", although its links must open until 2099-12-31 [unreachablePath]
        >   hint: add it to the paths of the routable, or remove it here

        | routables = { account = { customPaths = { "my-account" }, deprecated = { paths = { "myaccount" }, expires = "2099-12-31" } } },
        > markets/xx.lua:2:84: warning: routables.account.deprecated.paths[1]: account has no path "myaccount", although its links must open until 2099-12-31 [unreachablePath]
        >   hint: did you mean "my-account"?
        + routables = { account = { customPaths = { "my-account" }, deprecated = { paths = { "my-account" }, expires = "2099-12-31" } } },

        | routables = { promo = { paths = { "promo" }, show = { screen = "promo" }, deprecated = { paths = { "promo", "offer/:id" }, expires = "2099-12-31" } } },
        > markets/xx.lua:2:109: warning: routables.promo.deprecated.paths[2]: promo has no path "offer/:id", although its links must open until 2099-12-31 [unreachablePath]
        >   hint: add it to the paths of the routable, or remove it here

        # a domain of everybody
        | deepLinking = { allowedDomains = append { { name = "com.mx", allowSubdomains = true } } },
        > markets/xx.lua:2:52: warning: deepLinking.allowedDomains[1].name: "com.mx" is a public suffix, not a site: other companies have domains under it [publicSuffix]
        >   hint: write the site's own domain, such as "walmart.com.mx"

        | deepLinking = { allowedDomains = append { { name = "co.uk", allowSubdomains = true } } },
        > markets/xx.lua:2:52: warning: deepLinking.allowedDomains[1].name: "co.uk" is a public suffix, not a site: other companies have domains under it [publicSuffix]
        >   hint: write the site's own domain, such as "walmart.co.uk"

        | deepLinking = { allowedDomains = append { { name = "gob.mx", allowSubdomains = false } } },
        > markets/xx.lua:2:52: warning: deepLinking.allowedDomains[1].name: "gob.mx" is a public suffix, not a site: other companies have domains under it [publicSuffix]
        >   hint: write the site's own domain, such as "walmart.gob.mx"

        # a last rule that gives the default
        | flags = { newCheckout = { rules = append { { name = "quebec", when = { region = "US-CA" }, value = false } } } },
        > markets/xx.lua:2:44: warning: flags.newCheckout.rules[3]: quebec is the last rule and returns the default, so it has no effect [noEffect]
        >   hint: move it above the rules that should not apply in its situations, or remove it

        | flags = { chat = { kind = "permission", owner = "help", default = false, rules = { { name = "off", when = { build = "debug" }, value = false } } } },
        > markets/xx.lua:2:84: warning: flags.chat.rules[1]: off is the last rule and returns the default, so it has no effect [noEffect]
        >   hint: remove it, or change its value

        | flags = { chat = { kind = "permission", owner = "help", default = true, rules = { { name = "off", when = { build = "debug" }, value = false }, { name = "on", rollout = { percent = 50, by = "installID" }, value = true } } } },
        > markets/xx.lua:2:144: warning: flags.chat.rules[2]: on is the last rule and returns the default, so it has no effect [noEffect]
        >   hint: move it above the rules that should not apply in its situations, or remove it
        """#
}
