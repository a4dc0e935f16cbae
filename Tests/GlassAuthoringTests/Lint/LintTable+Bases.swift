extension LintTable {
    static let bases = #"""
        # a service that keeps the host of the base
        | platform = { environment = { environments = { staging = { services = { orchestra = "https://www-stage.walmart.com.gt/orchestra", identity = "https://stage-identity.walmart.com.gt", media = "https://stage-media.walmart.com.gt", quimby = "https://stage-quimby.walmart.com.gt" } }, production = { services = {
        |   orchestra = "https://www.walmart.com.gt/orchestra", quimby = "https://quimby.walmart.com.gt", media = "https://media.walmart.com.gt",
        |   identity = "https://identity.walmart.com",
        | } } } } },
        > markets/xx.lua:4:14: warning: platform.environment.environments.production.services.identity: identity of production uses the host of "us", but the other services are on walmart.com.gt [inheritedService]
        >   hint: write a URL on walmart.com.gt, or accept it with a reason

        | platform = { environment = { environments = { staging = { services = {
        |   orchestra = "https://www-stage.walmart.gt/orchestra", quimby = "https://quimby-stage.walmart.gt", identity = "https://identity-stage.walmart.com",
        | } }, production = { services = { orchestra = "https://www.walmart.gt/orchestra", quimby = "https://quimby.walmart.gt", identity = "https://identity.walmart.gt" } } } } },
        > markets/xx.lua:3:112: warning: platform.environment.environments.staging.services.identity: identity of staging uses the host of "us", but the other services are on walmart.gt [inheritedService]
        >   hint: write a URL on walmart.gt, or accept it with a reason

        | platform = { environment = { environments = { staging = { services = { orchestra = "https://www-stage.walmart.gt/orchestra", identity = "https://stage-identity.walmart.gt", media = "https://stage-media.walmart.gt", quimby = "https://stage-quimby.walmart.gt" } }, production = { services = {
        |   orchestra = "https://www.walmart.com/orchestra/gt", quimby = "https://quimby.walmart.gt", identity = "https://identity.walmart.gt", media = "https://media.walmart.gt",
        | } } } } },
        > markets/xx.lua:3:15: warning: platform.environment.environments.production.services.orchestra: orchestra of production uses the host of "us", but the other services are on walmart.gt [inheritedService]
        >   hint: write a URL on walmart.gt, or accept it with a reason

        # an environment with the shortened name of another
        | platform = { environment = { environments = { prod = { services = { orchestra = "https://www.walmart.com.gt/orchestra", identity = "https://identity.walmart.com.gt", media = "https://media.walmart.com.gt", quimby = "https://quimby.walmart.com.gt" } }, staging = { services = { orchestra = "https://www-b.walmart.com.gt/orchestra", identity = "https://identity-b.walmart.com.gt", media = "https://media-b.walmart.com.gt", quimby = "https://quimby-b.walmart.com.gt" } } } } },
        > markets/xx.lua:2:30: warning: platform.environment.environments.production.services: production inherits identity, media, orchestra, and quimby from "us", but another environment sets them [inheritedService]
        >   hint: write production = { services = { identity = "https://…", media = "https://…", orchestra = "https://…", quimby = "https://…" } }

        | platform = { environment = { environments = { stag = { services = { orchestra = "https://www.walmart.com.gt/orchestra", identity = "https://identity.walmart.com.gt", media = "https://media.walmart.com.gt", quimby = "https://quimby.walmart.com.gt" } }, production = { services = { orchestra = "https://www-b.walmart.com.gt/orchestra", identity = "https://identity-b.walmart.com.gt", media = "https://media-b.walmart.com.gt", quimby = "https://quimby-b.walmart.com.gt" } } } } },
        > markets/xx.lua:2:30: warning: platform.environment.environments.staging.services: staging inherits identity, media, orchestra, and quimby from "us", but another environment sets them [inheritedService]
        >   hint: write staging = { services = { identity = "https://…", media = "https://…", orchestra = "https://…", quimby = "https://…" } }

        | platform = { environment = { environments = { productionsite = { services = { orchestra = "https://www.walmart.com.gt/orchestra", identity = "https://identity.walmart.com.gt", media = "https://media.walmart.com.gt", quimby = "https://quimby.walmart.com.gt" } }, staging = { services = { orchestra = "https://www-b.walmart.com.gt/orchestra", identity = "https://identity-b.walmart.com.gt", media = "https://media-b.walmart.com.gt", quimby = "https://quimby-b.walmart.com.gt" } } } } },
        > markets/xx.lua:2:30: warning: platform.environment.environments.production.services: production inherits identity, media, orchestra, and quimby from "us", but another environment sets them [inheritedService]
        >   hint: write production = { services = { identity = "https://…", media = "https://…", orchestra = "https://…", quimby = "https://…" } }

        # a tab in the singular
        | routables = { bargain = { paths = { "bargain" }, show = { tab = "deals" } }, sale = { paths = { "sale" }, show = { tab = "deal" } } },
        > markets/xx.lua:2:122: warning: routables.sale.show.tab: no other routable shows the tab "deal", but bargain shows "deals" [unknownScreen]
        >   hint: did you mean "deals"?
        + routables = { bargain = { paths = { "bargain" }, show = { tab = "deals" } }, sale = { paths = { "sale" }, show = { tab = "deals" } } },

        | routables = { sale = { paths = { "sale" }, show = { tab = "accounts" } } },
        > markets/xx.lua:2:59: warning: routables.sale.show.tab: no other routable shows the tab "accounts", but the app has "account" [unknownScreen]
        >   hint: did you mean "account"?
        + routables = { sale = { paths = { "sale" }, show = { tab = "account" } } },

        | routables = { sale = { paths = { "sale" }, show = { tab = "homes", screen = "sale" } } },
        > markets/xx.lua:2:59: warning: routables.sale.show.tab: no other routable shows the tab "homes", but the app has "home" [unknownScreen]
        >   hint: did you mean "home"?
        + routables = { sale = { paths = { "sale" }, show = { tab = "home", screen = "sale" } } },

        # a secret of another market
        | platform = { networking = { consumerKey = secret "GLASS_US_CONSUMER_KEY" } },
        > markets/xx.lua:2:43: warning: platform.networking.consumerKey: "GLASS_US_CONSUMER_KEY" is also the value of the market us [foreignName]
        >   hint: did you mean "GLASS_XX_CONSUMER_KEY"?

        | platform = { aniviaSuperAttributes = { writeKey = secret "GLASS_US_ANIVIA_WRITE_KEY" } },
        > markets/xx.lua:2:51: warning: platform.aniviaSuperAttributes.writeKey: "GLASS_US_ANIVIA_WRITE_KEY" is also the value of the market us [foreignName]
        >   hint: did you mean "GLASS_XX_ANIVIA_WRITE_KEY"?

        | overlays = { { name = "tests", when = { build = "debug" }, platform = { networking = { consumerKey = secret "GLASS_MX_CONSUMER_KEY" } } } },
        > markets/xx.lua:2:102: warning: platform.networking.consumerKey: "GLASS_MX_CONSUMER_KEY" is also the value of the market mx [foreignName]
        >   hint: did you mean "GLASS_XX_CONSUMER_KEY"?

        # a text of another market
        | platform = { networking = { headers = { ["WM-Market"] = "us" } } },
        > markets/xx.lua:2:57: warning: platform.networking.headers["WM-Market"]: "us" is also the value of the market us [foreignName]
        >   hint: did you mean "xx"?
        + platform = { networking = { headers = { ["WM-Market"] = "xx" } } },

        | platform = { aniviaSuperAttributes = { attributes = { businessUnit = "WALMART_MX" } } },
        > markets/xx.lua:2:70: warning: platform.aniviaSuperAttributes.attributes.businessUnit: "WALMART_MX" is also the value of the market mx [foreignName]
        >   hint: did you mean "WALMART_XX"?
        + platform = { aniviaSuperAttributes = { attributes = { businessUnit = "WALMART_XX" } } },

        | platform = { preferences = { suite = "group.com.walmart.mexico" } },
        > markets/xx.lua:2:38: warning: platform.preferences.suite: "group.com.walmart.mexico" is also the value of the market mx [foreignName]
        >   hint: write this market's own value

        # a host of links that may not be opened outside
        | deepLinking = { universalLinks = { "www.walmart.com.gt" } },
        > markets/xx.lua:2:36: warning: deepLinking.universalLinks[1]: allowedDomains, which is inherited, does not list "www.walmart.com.gt", so pages of this host without a route cannot be opened in the browser [unlistedHost]
        >   hint: write allowedDomains = { { name = "walmart.com.gt", allowSubdomains = true } }

        | deepLinking = { universalLinks = { "www.walmart.com", "tienda.walmart.com.gt" } },
        > markets/xx.lua:2:55: warning: deepLinking.universalLinks[2]: allowedDomains, which is inherited, does not list "tienda.walmart.com.gt", so pages of this host without a route cannot be opened in the browser [unlistedHost]
        >   hint: write allowedDomains = { { name = "tienda.walmart.com.gt", allowSubdomains = true } }

        | deepLinking = { universalLinks = { "www.walmart.com.gt" }, allowedDomains = { { name = "walmart.com" } } },
        > markets/xx.lua:2:60: warning: deepLinking.allowedDomains: allowedDomains does not list "www.walmart.com.gt", so pages of this host without a route cannot be opened in the browser [unlistedHost]
        >   hint: add { name = "walmart.com.gt", allowSubdomains = true }
        """#
}
