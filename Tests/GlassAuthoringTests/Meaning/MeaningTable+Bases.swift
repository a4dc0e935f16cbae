extension MeaningTable {
    static let bases = #"""
        # a service that keeps the host of the base
        | platform = { environment = { environments = { staging = { services = { orchestra = "https://www-stage.walmart.com.gt/orchestra", identity = "https://stage-identity.walmart.com.gt", media = "https://stage-media.walmart.com.gt", quimby = "https://stage-quimby.walmart.com.gt" } }, production = { services = {
        |   orchestra = "https://www.walmart.com.gt/orchestra", quimby = "https://quimby.walmart.com.gt", media = "https://media.walmart.com.gt",
        |   identity = "https://identity.walmart.com",
        | } } } } },
        > ?

        | platform = { environment = { environments = { staging = { services = {
        |   orchestra = "https://www-stage.walmart.gt/orchestra", quimby = "https://quimby-stage.walmart.gt", identity = "https://identity-stage.walmart.com",
        | } }, production = { services = { orchestra = "https://www.walmart.gt/orchestra", quimby = "https://quimby.walmart.gt", identity = "https://identity.walmart.gt" } } } } },
        > ?

        | platform = { environment = { environments = { staging = { services = { orchestra = "https://www-stage.walmart.gt/orchestra", identity = "https://stage-identity.walmart.gt", media = "https://stage-media.walmart.gt", quimby = "https://stage-quimby.walmart.gt" } }, production = { services = {
        |   orchestra = "https://www.walmart.com/orchestra/gt", quimby = "https://quimby.walmart.gt", identity = "https://identity.walmart.gt", media = "https://media.walmart.gt",
        | } } } } },
        > ?

        # an environment with the shortened name of another
        | platform = { environment = { environments = { prod = { services = { orchestra = "https://www.walmart.com.gt/orchestra", identity = "https://identity.walmart.com.gt", media = "https://media.walmart.com.gt", quimby = "https://quimby.walmart.com.gt" } } } } },
        > ?

        | platform = { environment = { environments = { stag = { services = { orchestra = "https://www.walmart.com.gt/orchestra", identity = "https://identity.walmart.com.gt", media = "https://media.walmart.com.gt", quimby = "https://quimby.walmart.com.gt" } } } } },
        > ?

        | platform = { environment = { environments = { productionsite = { services = { orchestra = "https://www.walmart.com.gt/orchestra", identity = "https://identity.walmart.com.gt", media = "https://media.walmart.com.gt", quimby = "https://quimby.walmart.com.gt" } } } } },
        > ?

        # a precondition that is nearly one of the app
        | preconditions = { signedin = { doc = "Someone is signed in." } },
        > ?

        | preconditions = { singedIn = { doc = "Someone is signed in." } }, routables = { orders = { waitForPreconditions = { "signedIn" } } },
        > ?

        | preconditions = { storesSelected = { doc = "A store is selected." } },
        > ?

        # a tab in the singular
        | routables = { bargain = { paths = { "bargain" }, show = { tab = "deals" } }, sale = { paths = { "sale" }, show = { tab = "deal" } } },
        > ?

        | routables = { sale = { paths = { "sale" }, show = { tab = "accounts" } } },
        > ?

        | routables = { sale = { paths = { "sale" }, show = { tab = "homes", screen = "sale" } } },
        > ?

        # a secret of another market
        | platform = { networking = { consumerKey = secret "GLASS_US_CONSUMER_KEY" } },
        > ?

        | platform = { aniviaSuperAttributes = { writeKey = secret "GLASS_US_ANIVIA_WRITE_KEY" } },
        > ?

        | overlays = { { name = "tests", when = { build = "debug" }, platform = { networking = { consumerKey = secret "GLASS_MX_CONSUMER_KEY" } } } },
        > ?

        # a text of another market
        | platform = { networking = { headers = { ["WM-Market"] = "us" } } },
        > ?

        | platform = { aniviaSuperAttributes = { attributes = { businessUnit = "WALMART_MX" } } },
        > ?

        | platform = { preferences = { suite = "group.com.walmart.mexico" } },
        > ?

        # a host of links that may not be opened outside
        | deepLinking = { universalLinks = { "www.walmart.com.gt" } },
        > ?

        | deepLinking = { universalLinks = { "www.walmart.com", "tienda.walmart.com.gt" } },
        > ?

        | deepLinking = { universalLinks = { "www.walmart.com.gt" }, allowedDomains = { { name = "walmart.com" } } },
        > ?
        """#
}
