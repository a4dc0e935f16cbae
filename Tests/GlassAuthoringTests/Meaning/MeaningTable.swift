/// The mistakes that ``MeaningTableTests`` checks. Each block is one mistake: its kind (`#`), at the first of each
/// kind; the market's text in addition to `id`, `name` and `extends` (`|`), or a whole file (`!`); what is found (`>`);
/// and, if fixes are offered, the text that they make (`+`).
enum MeaningTable {
    /// All mistakes.
    static let text = [texts, countries].joined(separator: "\n\n")

    static let texts = #"""
        # a URL without encryption
        | platform = { userDefaultsRegistration = { defaults = { helpPage = "http://help.walmart.com/app" } } },
        > markets/xx.lua:2:67: warning: platform.userDefaultsRegistration.defaults.helpPage: "http://help.walmart.com/app" is not encrypted, so iOS and Android refuse to load it
        >   hint: write "https://help.walmart.com/app"
        + platform = { userDefaultsRegistration = { defaults = { helpPage = "https://help.walmart.com/app" } } },

        | platform = { networking = { headers = { Referer = vary { { when = { build = "debug" }, value = "HTTP://www.walmart.com" }, default = "https://www.walmart.com" } } } },
        > markets/xx.lua:2:96: warning: platform.networking.headers.Referer: "HTTP://www.walmart.com" is not encrypted, so iOS and Android refuse to load it
        >   hint: write "https://www.walmart.com"
        + platform = { networking = { headers = { Referer = vary { { when = { build = "debug" }, value = "https://www.walmart.com" }, default = "https://www.walmart.com" } } } },

        | overlays = { { name = "tests", when = { build = "debug" }, platform = { preferences = { keys = { survey = { type = "string", default = "http://survey.walmart.com:8080" } } } } } },
        > markets/xx.lua:2:136: warning: platform.preferences.keys.survey.default: "http://survey.walmart.com:8080" is not encrypted, so iOS and Android refuse to load it
        >   hint: write "https://survey.walmart.com:8080"
        + overlays = { { name = "tests", when = { build = "debug" }, platform = { preferences = { keys = { survey = { type = "string", default = "https://survey.walmart.com:8080" } } } } } },
        """#
}
