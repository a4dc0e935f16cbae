/// The Lua interface, for editors and the reference: the words of market files and the module of scripts.
///
/// A test compares each class with the members that its `LuaObjectType` registers, so that neither can change alone.
enum LuaInterface {
    /// A function or a method.
    struct Function: Sendable {
        /// A parameter with its type; a name that ends with `?` may be left out.
        typealias Parameter = (name: String, type: String, summary: String)

        let name: String
        let parameters: [Parameter]
        let returns: String?
        let summary: String

        init(_ name: String, _ parameters: [Parameter] = [], returns: String? = nil, _ summary: String) {
            self.name = name
            self.parameters = parameters
            self.returns = returns
            self.summary = summary
        }
    }

    /// A class with its properties and methods.
    struct Class: Sendable {
        let name: String
        let summary: String
        var fields: [Function.Parameter] = []
        var methods: [Function] = []

        /// The names of all members, sorted.
        var memberNames: [String] { (fields.map(\.name) + methods.map(\.name)).sorted() }
    }

    /// The words that are functions; `unset` is a value.
    static let words: [Function] = [
        Function(
            "market", [("values", "glass.Market", "The keys of the market.")], returns: "glass.Market",
            "These keys as they are: a file that returns `market { … }` has an editor look at each."),
        Function(
            "append", [("list", "any[]", "What follows the list of the extended market.")], returns: "any",
            "The list of the extended market, followed by these."),
        Function(
            "remove", [("list", "any[]", "What is taken out of the list of the extended market.")], returns: "any",
            "The list of the extended market without these."),
        Function(
            "secret", [("name", "string", "The value's name in the host, such as GLASS_KEY.")], returns: "glass.Secret",
            "A value that the host looks up in its environment; the market never sees it."),
        Function(
            "include", [("file", "string", "A path below the markets folder.")], returns: "any",
            "What another file returns."),
    ]

    /// The global `glass` of scripts.
    static let module = Class(
        name: "glass",
        summary: "Markets, tests and expectations, for scripts.",
        methods: [
            Function("markets", returns: "glass.MarketID[]", "The ids of the markets."),
            Function(
                "market", [("id", "glass.MarketID", "The market's id, such as \"ca\".")], returns: "glass.LoadedMarket",
                "Loads a market; its preconditions are met."),
            Function(
                "test",
                [
                    ("name", "string", "What is tested."),
                    (
                        "cases", "fun()|table",
                        "The test itself, or a table of cases that it runs with, one after another."
                    ),
                    ("body?", "fun(case: any)", "The test of a case; it raises an error when the case fails."),
                ], "Runs a test, or one for each case, and records what became of it."),
            Function(
                "mock",
                [
                    ("market", "glass.MarketID|glass.LoadedMarket", "The market, or its id."),
                    ("service", "glass.MockName", "The service's name, such as \"Networking\"."),
                ], returns: "any",
                "What a test can tell the mock of a service: what the network answers, permissions, the place, the clock."
            ),
            Function(
                "expect", [("value?", "any", "The value to look at.")], returns: "glass.Expectation",
                "Begins an expectation."),
        ])

    /// What the global `glass` of a test has beside that of other scripts.
    static let testFunctions: [Function] = [
        Function(
            "fixture", [("market", "glass.Market|string", "The values of a market, or the text of its file.")],
            returns: "glass.Fixture",
            "A market that a test writes down, to try policies on; it may extend those of the folder."),
        Function(
            "change", [("change", "glass.Change", "The change, with at least its rule.")], returns: "glass.Fixture",
            "A change that a test writes down, to try policies on."),
    ]

    /// The global `glass` of the files of policies.
    static let policyFunctions: [Function] = [
        Function(
            "policy",
            [
                ("name", "string", "What it is called; no other policy has the name."),
                (
                    "options", "{ severity?: \(severities), on?: \"check\"|\"review\" }",
                    "How bad it is what it denies, and what it judges."
                ),
                (
                    "judge",
                    "fun(market: glass.PolicyMarket, deny: fun(path: string|table|nil, text: string))",
                    "Calls `deny` for each thing that is not as it should be."
                ),
            ], "Declares a policy for markets, or with `on = \"review\"` for changes."),
        Function(
            "severity", [("severities", "table<string, \(severities)>", "Severities by the names of rules.")],
            "Says how bad what other rules find is for this project."),
        Function(
            "accept",
            [
                (
                    "what", "{ fingerprint: string, reason: string, expires: string, on?: \"check\"|\"review\" }",
                    "Which finding or change, why, and the last day."
                )
            ], "Accepts one finding or change until a day."),
    ]

    private static let severities = "\"breaking\"|\"risky\"|\"note\""

    /// What another signature of `glass.policy` is.
    static let changePolicy =
        "fun(name: string, options: { severity?: \(severities), on: \"review\" }, "
        + "judge: fun(change: glass.Change, deny: fun(subject: glass.Change|nil, text: string)))"

    /// A market as a policy sees it.
    static let policyMarket = Class(
        name: "glass.PolicyMarket",
        summary: "A market as a policy sees it; a copy of the policy's own.",
        fields: [
            ("id", "string", "The market's id."), ("name", "string", "The country's name."),
            ("extends?", "string", "The market that it extends."),
            ("config", "glass.Market", "The effective configuration."), ("routes", "glass.Route[]", "The routes."),
        ])

    /// A change as a policy sees it.
    static let change = Class(
        name: "glass.Change",
        summary: "A change of markets as a policy for `review` sees it; a copy of the policy's own.",
        fields: [
            ("rule", "string", "The rule that found it, such as \"link.lost\"."),
            ("severity", severities, "How bad it is."), ("market", "string", "The market whose files were changed."),
            ("alsoIn", "string[]", "The other markets that it reaches."),
            ("path?", "string", "The key concerned."), ("link?", "string", "A link that shows it."),
            ("from?", "string", "Where it stood, as file and line."), ("to?", "string", "Where it stands now."),
            ("text", "string", "What changed and what that does."),
            ("fingerprint", "string", "Which change it is."),
        ])

    /// What a test asks the policies about.
    static let fixture = Class(
        name: "glass.Fixture",
        summary: "A market or a change that a test tries policies on.",
        methods: [
            Function(
                "denials", [("policy?", "string", "One policy; all without it.")],
                returns: "{ policy: string, severity: \(severities), key?: string, message: string }[]",
                "What the policies deny.")
        ])

    /// A market in a script.
    static let market = Class(
        name: "glass.LoadedMarket",
        summary: "A market that is ready to use.",
        fields: [
            ("id", "glass.MarketID", "The market's id."),
            ("name", "string", "The country's name."),
            ("config", "glass.Configuration", "The effective configuration; a copy."),
            ("routes", "glass.Route[]", "The routes."),
            ("container", "glass.Container", "The services."),
            ("preconditions", "glass.Preconditions", "What links wait for."),
        ],
        methods: [
            Function("open", [url], returns: "glass.Result", "Opens a link."),
            Function("canRoute", [url], returns: "boolean", "Whether a link would be routed."),
            Function("explain", [url], returns: "glass.Explanation", "Why a link goes where it goes."),
            Function(
                "link",
                [
                    ("routable", "glass.RoutableID", "The routable's id."),
                    ("parameters?", "table<string, string|number|boolean>", "The values of the pattern."),
                ],
                returns: "string", "Builds the link that opens a routable."),
        ])

    /// The container of a market.
    static let container = Class(
        name: "glass.Container",
        summary: "The services of a market.",
        methods: [
            Function("has", [service], returns: "boolean", "Whether there is a service of that name."),
            Function("get", [("name", "glass.ServiceName", "The service's name.")], returns: "any", "The service."),
            Function("services", returns: "string[]", "The names of the services."),
        ])

    /// The preconditions of a market.
    static let preconditions = Class(
        name: "glass.Preconditions",
        summary: "What links wait for.",
        methods: [
            Function("satisfy", [precondition], "Says that a precondition holds; waiting links go on."),
            Function("reset", [precondition], "Says that a precondition no longer holds."),
            Function("unmet", returns: "glass.PreconditionName[]", "The preconditions that do not hold."),
        ])

    /// A value under test.
    static let expectation = Class(
        name: "glass.Expectation",
        summary: "A value under test; each method raises an error when the value is not as expected.",
        fields: [("never", "glass.Expectation", "The opposite of what follows.")],
        methods: [
            Function("toBe", [("expected", "any", "A single value.")], "The same value."),
            Function("toEqual", [("expected", "any", "A value or a table.")], "The same value, tables by content."),
            Function("toBeNil", [], "No value."),
            Function("toContain", [("part", "any", "A text or an element.")], "A text or a table that has a part."),
            Function("toMatch", [("pattern", "string", "A Lua pattern.")], "A text that a pattern matches."),
            Function(
                "toRaise", [("message?", "string", "A part of the message.")], "A function that raises an error."),
        ])

    /// A link, as a market's `handle` sees it.
    static let link = Class(
        name: "glass.Link",
        summary: "A link, as the `handle` of a market sees it.",
        fields: [
            ("url", "string", "The link's text."),
            ("scheme", "string", "Its scheme, in lower case."),
            ("host", "string", "Its host, in lower case."),
            ("path", "string[]", "Its segments, decoded."),
            ("pattern?", "string", "The pattern that matched."),
            ("parameters", "table<string, string>", "What the pattern took out of the link, decoded."),
            (
                "rawParameters", "table<string, string>",
                "Those that hold an escaped slash or another escaped delimiter, as the link has them."
            ),
            ("query", "table<string, string>", "The first value of each query item."),
        ])

    /// The navigation, as a market's `handle` sees it.
    static let navigation = Class(
        name: "glass.Navigation",
        summary: "What the app shows, as the `handle` of a market sees it.",
        fields: [("tab", "string", "The selected tab.")],
        methods: [
            Function(
                "show",
                [
                    ("screen", "string", "The screen's name."),
                    ("parameters?", "table<string, string|number|boolean>", "What the screen shows."),
                ], "Shows a screen on top."),
            Function("select", [("tab", "string", "The tab's name.")], "Selects a tab."),
            Function("dismiss", [], "Closes the screen on top."),
            Function("reset", [], "Closes every screen."),
        ])

    /// What became of a link.
    static let result = Class(
        name: "glass.Result",
        summary: "What became of a link.",
        fields: [
            ("url", "string", "The link's text."),
            (
                "outcome",
                "\"routed\"|\"waiting\"|\"running\"|\"external\"|\"unroutable\"|\"refused\"|\"failed\"",
                "What became of it."
            ),
            ("routable?", "glass.RoutableID", "The routable that took it."),
            ("pattern?", "string", "The pattern that matched."),
            ("parameters", "table<string, string>", "What the pattern took out of the link, decoded."),
            (
                "rawParameters", "table<string, string>",
                "Those that hold an escaped slash or another escaped delimiter, as the link has them."
            ),
            ("query", "table<string, string>", "The first value of each query item."),
            ("reason?", "string", "Why it was not routed, as a name."),
            ("explanation?", "string", "The same in words."),
            (
                "navigation", "{ tab: string, screens: { name: string, parameters: table<string, string> }[] }",
                "What the app shows."
            ),
        ])

    /// Why a link goes where it goes.
    static let explanation = Class(
        name: "glass.Explanation",
        summary: "Why a link goes where it goes.",
        fields: [
            (
                "outcome",
                "\"routed\"|\"waiting\"|\"running\"|\"external\"|\"unroutable\"|\"refused\"|\"failed\"",
                "What would become of it."
            ),
            ("reason?", "string", "Why it would not be routed, as a name."),
            ("refusal?", "string", "Why the gate refuses it."),
            ("scheme", "string", "Its scheme, and what the market makes of it."),
            ("host", "string", "Its host, and what the market makes of it."),
            (
                "candidates", "table<integer, { pattern: string, routable: string, wins: boolean, reason: string }>",
                "The routes that came near, the best first."
            ),
            (
                "nearMisses", "table<integer, { written: string, suggestion: string }>",
                "Corrections, where no route matches."
            ),
            ("text", "string", "The same in words."),
        ])

    /// A route of a market.
    static let route = Class(
        name: "glass.Route",
        summary: "A route of a market.",
        fields: [("routable", "glass.RoutableID", "The routable's id."), ("pattern", "string", "The pattern.")])

    /// The classes in the order of the stub file.
    static let classes = [
        market, container, preconditions, expectation, link, navigation, result, explanation, route, policyMarket,
        change,
        fixture,
    ]

    private static let url: Function.Parameter = ("url", "string", "The link's text.")
    private static let service: Function.Parameter = ("name", "string", "The service's name.")
    private static let precondition: Function.Parameter = (
        "name", "glass.PreconditionName", "The precondition's name."
    )
}
