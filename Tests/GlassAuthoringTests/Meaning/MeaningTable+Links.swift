extension MeaningTable {
    static let links = #"""
        # a screen that is nearly another one
        | routables = { sale = { paths = { "sale" }, show = { tab = "acount", screen = "sale" } } },
        > markets/xx.lua:2:59: warning: routables.sale.show.tab: no other routable shows the tab "acount", but the app has "account"
        >   hint: did you mean "account"?
        + routables = { sale = { paths = { "sale" }, show = { tab = "account", screen = "sale" } } },

        | routables = { myPharmacy = { paths = { "apotheke" }, show = { screen = "pharmcy" } } },
        > markets/xx.lua:2:72: warning: routables.myPharmacy.show.screen: no other routable shows the screen "pharmcy", but the app has "pharmacy"
        >   hint: did you mean "pharmacy"?
        + routables = { myPharmacy = { paths = { "apotheke" }, show = { screen = "pharmacy" } } },

        | routables = {
        |   offers = { paths = { "offers" }, show = { screen = "offerBoard" } },
        |   bargains = { paths = { "bargains" }, show = { screen = "ofefrBoard" } },
        | },
        > markets/xx.lua:4:58: warning: routables.bargains.show.screen: no other routable shows the screen "ofefrBoard", but offers shows "offerBoard"
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
        > markets/xx.lua:7:21: warning: preconditions.ageVerified: no link waits for ageVerified
        >   hint: name it in the waitForPreconditions of a routable, or remove it

        ! local routables = {}
        ! for _, id in ipairs { "home", "account", "cart", "checkout", "item", "search", "browse", "orders", "orderDetail", "reorder", "lists", "registry", "storeFinder", "storeDetail", "pharmacy", "scan", "membership", "deals", "help", "notifications", "returns", "giftCards" } do
        !   routables[id] = { waitForPreconditions = { "over18" } }
        ! end
        ! return {
        !   id = "xx", name = "Test", extends = "us", routables = routables,
        !   preconditions = { over18 = { doc = "The shopper is of age." }, over21 = { doc = "The shopper may buy wine." } },
        ! }
        > markets/xx.lua:7:66: warning: preconditions.over21: no link waits for over21
        >   hint: name it in the waitForPreconditions of a routable, or remove it

        ! local routables = {}
        ! for _, id in ipairs { "home", "account", "cart", "checkout", "item", "search", "browse", "orders", "orderDetail", "reorder", "lists", "registry", "storeFinder", "storeDetail", "pharmacy", "scan", "membership", "deals", "help", "notifications", "returns", "giftCards" } do
        !   routables[id] = { waitForPreconditions = { "signedIn" } }
        ! end
        ! return {
        !   id = "xx", name = "Test", extends = "us", routables = routables,
        !   preconditions = { isTuesday = { doc = "It is Tuesday." }, ageVerified = { doc = "The shopper is of age." } },
        !   overlays = { { name = "tests", when = { build = "debug" }, routables = { cart = { waitForPreconditions = { "ageVerified" } } } } },
        ! }
        > markets/xx.lua:7:21: warning: preconditions.isTuesday: no link waits for isTuesday
        >   hint: name it in the waitForPreconditions of a routable, or remove it

        # a path that no link can reach
        | routables = { promo = { paths = { "my account" }, show = { screen = "promo" } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: no link walmart://my%20account is valid, because the part after :// cannot contain " "
        >   hint: write "my-account"
        + routables = { promo = { paths = { "my-account" }, show = { screen = "promo" } } },

        | routables = { account = { customPaths = { "mi-cuenta", "año/:week" } } },
        > markets/xx.lua:2:56: warning: routables.account.customPaths[2]: no link walmart://a%C3%B1o is valid, because the part after :// cannot contain "ñ"
        >   hint: write "ano/:week"
        + routables = { account = { customPaths = { "mi-cuenta", "ano/:week" } } },

        | routables = { promo = { paths = { "a<b" }, show = { screen = "promo" } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: no link walmart://a%3Cb is valid, because the part after :// cannot contain "<"
        >   hint: begin the path with letters, digits or hyphens

        # a parameter that nothing reads
        | routables = { promo = { paths = { "promo/:code" }, show = { screen = "promo", parameters = { source = "{?utm}" } } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: promo does not read the parameter code
        >   hint: show it with code = "{code}", or name it _code if it only has to be there

        | routables = { promo = { paths = { "promo/:code/:week" }, handle = function(link, state)
        |   state:show("promo", { code = link.parameters.code })
        | end } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: promo does not read the parameter week
        >   hint: read link.parameters.week, or name it _week if it only has to be there

        | routables = { promo = { paths = { "promo/:code" }, show = { tab = "shop" } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: promo does not read the parameter code
        >   hint: show it with code = "{code}", or name it _code if it only has to be there

        # a path without a parameter that is required
        | routables = { promo = { paths = { "promo", "promo/:code" }, show = { screen = "promo", parameters = { code = "{code}" }, requires = { "code" } } } },
        > markets/xx.lua:2:35: warning: routables.promo.paths[1]: this path has no parameter code, which promo requires, so each of its links is declined
        >   hint: add :code to the path, or give the placeholder a default, as in {code|none}

        | routables = { promo = { paths = { "promo/:code", "sale" }, show = { screen = "promo", requires = { "code" } } } },
        > markets/xx.lua:2:50: warning: routables.promo.paths[2]: this path has no parameter code, which promo requires, so each of its links is declined
        >   hint: add :code to the path, or remove it from requires

        | routables = { promo = { paths = { "promo/:code/:week" }, customPaths = { "promo/:week" }, show = { screen = "promo", parameters = { id = "{code}-{week}" }, requires = { "id" } } } },
        > markets/xx.lua:2:74: warning: routables.promo.customPaths[1]: this path has no parameter code, which promo requires, so each of its links is declined
        >   hint: add :code to the path, or give the placeholder a default, as in {code|none}

        # production in debug builds
        | overlays = { { name = "debugBuild", platform = { environment = { default = "production" } } } },
        > markets/xx.lua:2:76: warning: platform.environment.default: debug builds use production, the environment of users
        >   hint: write "staging"
        + overlays = { { name = "debugBuild", platform = { environment = { default = "staging" } } } },

        | platform = { environment = { default = vary { { when = { build = { "debug", "beta" } }, value = "production" }, default = "production" } } },
        > markets/xx.lua:2:97: warning: platform.environment.default: debug builds use production, the environment of users
        >   hint: write "staging"
        + platform = { environment = { default = vary { { when = { build = { "debug", "beta" } }, value = "staging" }, default = "production" } } },

        | platform = { environment = { default = vary { { when = { build = "debug" }, value = "production" }, default = "staging" } } },
        > markets/xx.lua:2:85: warning: platform.environment.default: debug builds use production, the environment of users
        >   hint: swap them: releases use staging
        """#
}
