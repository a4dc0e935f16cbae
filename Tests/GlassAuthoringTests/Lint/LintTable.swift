/// The mistakes that ``LintTableTests`` checks. Each block is one mistake: its kind (`#`), at the first of each
/// kind; the market's text in addition to `id`, `name` and `extends` (`|`), or a whole file (`!`); what is found (`>`);
/// and, if fixes are offered, the text that they make (`+`).
enum LintTable {
    /// All mistakes.
    static let text = [
        texts, services, accepts, countries, numbers, links, bases, regions, userTexts,
    ].joined(separator: "\n\n")

    static let texts = #"""
        # a URL without encryption
        | platform = { userDefaultsRegistration = { defaults = { helpPage = "http://help.walmart.com/app" } } },
        > markets/xx.lua:2:67: warning: platform.userDefaultsRegistration.defaults.helpPage: "http://help.walmart.com/app" is not encrypted, so iOS and Android refuse to load it [insecureURL]
        >   hint: write "https://help.walmart.com/app"
        + platform = { userDefaultsRegistration = { defaults = { helpPage = "https://help.walmart.com/app" } } },

        | platform = { networking = { headers = { Referer = vary { { when = { build = "debug" }, value = "HTTP://www.walmart.com" }, default = "https://www.walmart.com" } } } },
        > markets/xx.lua:2:96: warning: platform.networking.headers.Referer: "HTTP://www.walmart.com" is not encrypted, so iOS and Android refuse to load it [insecureURL]
        >   hint: write "https://www.walmart.com"
        + platform = { networking = { headers = { Referer = vary { { when = { build = "debug" }, value = "https://www.walmart.com" }, default = "https://www.walmart.com" } } } },

        | overlays = { { name = "tests", when = { build = "debug" }, platform = { preferences = { keys = { survey = { type = "string", default = "http://survey.walmart.com:8080" } } } } } },
        > markets/xx.lua:2:136: warning: platform.preferences.keys.survey.default: "http://survey.walmart.com:8080" is not encrypted, so iOS and Android refuse to load it [insecureURL]
        >   hint: write "https://survey.walmart.com:8080"
        + overlays = { { name = "tests", when = { build = "debug" }, platform = { preferences = { keys = { survey = { type = "string", default = "https://survey.walmart.com:8080" } } } } } },

        # a credential that is written out
        | platform = { networking = { headers = { Authorization = "Bearer 3fa94cce1d2b4c77a8e1" } } },
        > markets/xx.lua:2:57: warning: platform.networking.headers.Authorization: this looks like a bearer token, which everyone with the app or its files can read [literalCredential]
        >   hint: revoke it, and write secret "GLASS_XX_AUTHORIZATION"

        | platform = { userDefaultsRegistration = { defaults = { mapsKey = "AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q" } } },
        > markets/xx.lua:2:66: warning: platform.userDefaultsRegistration.defaults.mapsKey: this looks like a Google API key, which everyone with the app or its files can read [literalCredential]
        >   hint: revoke it, and let a service of the app provide the value

        | overlays = { { name = "tests", when = { build = "debug" }, platform = { urlSession = { headers = { ["X-Trace"] = "9f86d081884c7d659a2feaa0c55ad015" } } } } },
        > markets/xx.lua:2:114: warning: platform.urlSession.headers["X-Trace"]: this looks like a key or token, which everyone with the app or its files can read [literalCredential]
        >   hint: revoke it, and write secret "GLASS_XX_X_TRACE"

        # a placeholder that is left
        | deepLinking = { universalLinks = { "www.example.com" } },
        > markets/xx.lua:2:36: warning: deepLinking.universalLinks[1]: www.example.com is a host for documentation (RFC 2606) [placeholderText]
        >   hint: write this market's own value

        | platform = { appInfo = { android = { package = "com.walmart.xx", certificateDigests = append { "00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00:00" } } } },
        > markets/xx.lua:2:96: warning: platform.appInfo.android.certificateDigests[1]: 00:00:00:00… is not the digest of a certificate [placeholderText]
        >   hint: write this market's own value

        | platform = { appInfo = { name = "TODO: the name in the store" } },
        > markets/xx.lua:2:33: warning: platform.appInfo.name: "TODO" is a placeholder [placeholderText]
        >   hint: write this market's own value
        """#

    static let services = #"""
        # an environment with the URL of another one
        | platform = { environment = { environments = {
        |   production = { services = { media = "https://i5.walmartimages.cl" } },
        |   staging = { services = { media = "https://i5.walmartimages.cl" } },
        | } } },
        > markets/xx.lua:4:36: warning: platform.environment.environments.staging.services.media: staging uses the production URL for media [sharedURL]
        >   hint: write the URL of staging, or accept it with a reason

        | platform = { environment = { environments = {
        |   staging = { services = { media = "https://i5.walmartimages.com/", identity = "https://identity.walmart.com" } },
        | } } },
        > markets/xx.lua:3:80: warning: platform.environment.environments.staging.services: staging uses the production URLs for identity and media [sharedURL]
        >   hint: write the URLs of staging, or accept it with a reason

        | platform = { environment = { environments = {
        |   production = { services = { quimby = "https://quimby-stage.mobile.walmart.com" } },
        | } } },
        > markets/xx.lua:3:40: warning: platform.environment.environments.production.services.quimby: production uses the staging URL for quimby [sharedURL]
        >   hint: write the URL of production, or accept it with a reason

        # a service that one environment inherits
        | platform = { environment = { environments = {
        |   production = { services = { identity = "https://identity.walmart.cl", media = "https://i5.walmartimages.cl" } },
        |   staging = { services = { identity = "https://identity-stage.walmart.cl" } },
        | } } },
        > markets/xx.lua:4:15: warning: platform.environment.environments.staging.services: staging inherits media from "us", but another environment sets it [inheritedService]
        >   hint: write staging = { services = { media = "https://…" } }

        | platform = { environment = { environments = {
        |   production = { services = { identity = "https://identity.walmart.cl", media = "https://i5.walmartimages.cl" } },
        | } } },
        > markets/xx.lua:2:30: warning: platform.environment.environments.staging.services: staging inherits identity and media from "us", but another environment sets them [inheritedService]
        >   hint: write staging = { services = { identity = "https://…", media = "https://…" } }

        | platform = { environment = { environments = {
        |   staging = { services = { quimby = "https://quimby.test.walmart.ca" } },
        | } } },
        > markets/xx.lua:2:30: warning: platform.environment.environments.production.services: production inherits quimby from "us", but another environment sets it [inheritedService]
        >   hint: write production = { services = { quimby = "https://…" } }
        """#

    static let accepts = #"""
        # an accept without a rule that can be accepted
        | currency = accept { "CAD" },
        > markets/xx.lua:2:12: error: currency: accept does not name a rule [invalidAccept]
        >   hint: write the rule that check shows and the reason, such as sharedURL = "the reason"

        | currency = accept { "USD", sharedUrl = "for tests" },
        > markets/xx.lua:2:28: error: currency: there is no rule "sharedUrl" [invalidAccept]
        >   hint: did you mean "sharedURL"?
        + currency = accept { "USD", sharedURL = "for tests" },

        | currency = accept { "CAD", wrongType = "for tests" },
        > markets/xx.lua:2:28: error: currency: wrongType cannot be accepted: only warnings about markets can [invalidAccept]
        >   hint: fix what it reports, and remove the accept

        # an accept of a rule that was removed
        | currency = accept { "USD", similarName = "for tests" },
        > markets/xx.lua:2:28: note: currency: the rule similarName no longer exists, so this accept has no effect [acceptUnused]
        >   hint: remove it

        | platform = { networking = { headers = { Referer = accept { "https://www.walmrt.com", similarHost = { reason = "for tests", expires = "2027-05-31" } } } } },
        > markets/xx.lua:2:86: note: platform.networking.headers.Referer: the rule similarHost no longer exists, so this accept has no effect [acceptUnused]
        >   hint: remove it

        | locales = accept { { "en-US" }, similarName = "for tests", sharedURL = "for tests" },
        > markets/xx.lua:2:33: note: locales: the rule similarName no longer exists, so this accept has no effect [acceptUnused]
        >   hint: remove it

        # an accept without a reason
        | currency = accept { "CAD", undecided = "" },
        > markets/xx.lua:2:40: error: currency: undecided needs a reason: a sentence of at most 200 bytes [invalidAccept]
        >   hint: write undecided = "why this is intended"

        | currency = accept { "CAD", undecided = { expires = "2027-05-31" } },
        > markets/xx.lua:2:40: error: currency: undecided needs a reason: a sentence of at most 200 bytes [invalidAccept]
        >   hint: write undecided = "why this is intended"

        | currency = accept { "CAD", undecided = { reason = "for tests", expires = "May 31" } },
        > markets/xx.lua:2:40: error: currency: expires must be a date, got "May 31" [invalidAccept]
        >   hint: write expires = "2027-05-31"

        # an accept without one value
        | currency = accept { undecided = "for tests" },
        > markets/xx.lua:2:12: error: currency: accept expects one value, got none [invalidAccept]
        >   hint: write accept { value, rule = "the reason" }

        | locales = accept { "en-CA", "fr-CA", undecided = "for tests" },
        > markets/xx.lua:2:11: error: locales: accept expects one value, got 2 [invalidAccept]
        >   hint: write accept { { … }, rule = "the reason" }

        | currency = accept "CAD",
        > markets/xx.lua:2:12: error: accept expects a table, such as accept { "https://api.walmart.ca", sharedURL = "the reason" } [runtime]
        """#
}
