/// The Lua interface, for editors and the reference: the directives of market files and the scripting module.
///
/// A test compares each class with the members that its `LuaObjectType` registers, so that neither can change alone.
package enum LuaInterface {
    /// A function or a method.
    package struct Function: Sendable {
        /// A parameter with its type; a name that ends with `?` is optional.
        package typealias Parameter = (name: String, type: String, summary: String)

        package let name: String
        package let parameters: [Parameter]
        package let returns: String?
        package let summary: String

        package init(_ name: String, _ parameters: [Parameter] = [], returns: String? = nil, _ summary: String) {
            self.name = name
            self.parameters = parameters
            self.returns = returns
            self.summary = summary
        }
    }

    /// A class with its properties and methods.
    package struct Class: Sendable {
        package let name: String
        package let summary: String
        package var fields: [Function.Parameter] = []
        package var methods: [Function] = []

        /// The names of all members, sorted.
        package var memberNames: [String] { (fields.map(\.name) + methods.map(\.name)).sorted() }
    }

    /// The words of market files that are functions.
    ///
    /// Those that give the value of a key return any type. As generic functions, servers would take a choice for a string,
    /// and reject it.
    package static let words: [Function] = [
        Function(
            "market", [("values", "glass.Market", "The keys of the market.")], returns: "glass.Market",
            "The same keys: in a file that returns `market { … }`, editors check each of them."),
        Function(
            "append", [("list", "any[]", "The elements to append to the base market's list.")], returns: "any",
            "The base market's list, followed by these elements."),
        Function(
            "prepend", [("list", "any[]", "The elements to put before the base market's list.")], returns: "any",
            "These elements, followed by the base market's list."),
        Function(
            "remove", [("list", "any[]", "The elements to remove from the base market's list.")], returns: "any",
            "The base market's list without these elements."),
        Function(
            "secret", [("name", "string", "The value's name in the host, such as GLASS_KEY.")], returns: "glass.Secret",
            "A value that the host looks up in its environment; the market never sees it."),
        Function(
            "undecided", [("example", "any", "A value that the market can work with.")], returns: "any",
            "The example, which `check` lists until the market has a value of its own."),
        Function(
            "include", [("file", "string", "A path below the markets folder.")], returns: "any",
            "The value that another file returns."),
        Function(
            "vary",
            [
                (
                    "choices", "{ [integer]: glass.Choice, default?: any }",
                    "The alternatives, each `{ when = condition, value = value }`, and a `default`."
                )
            ], returns: "any",
            "The first value whose condition holds in the situation, or else the default."),
        Function(
            "perLocale",
            [("values", "table<string, any>", "A value for each locale or language, and a `default`.")],
            returns: "any", "The value for the locale. `fr` covers `fr-CA`, unless that has a value of its own."),
        Function(
            "accept",
            [
                (
                    "accepted", "{ [1]: any, [string]: any }",
                    "The value, and the rules whose warnings about it are accepted, each with the reason."
                )
            ], returns: "any",
            "The value, without warnings of these rules about it: `accept { \"USD\", countryMismatch = \"reason\" }`."
        ),
        Function(
            "any", [("conditions", "glass.Condition[]", "The conditions.")], returns: "glass.Condition",
            "The condition that holds where one of these does."),
        Function(
            "all", [("conditions", "glass.Condition[]", "The conditions.")], returns: "glass.Condition",
            "The condition that holds where all of these do."),
        Function(
            "no", [("negated", "any", "A condition, or a test of an attribute.")], returns: "any",
            "The condition that holds where this one does not, or the test that passes where this one fails."),
    ]

    /// The words of market files that are values.
    package static let values: [(name: String, summary: String)] = [
        ("unset", "Removes the inherited key; can be used in place of any value."),
        ("missing", "A test that passes if the attribute has no value."),
        ("present", "A test that passes if the attribute has a value."),
    ]

    /// The global `glass` of scripts.
    package static let module = Class(
        name: "glass",
        summary: "Markets, tests and expectations, for scripts.",
        methods: [
            Function("markets", returns: "glass.MarketID[]", "The ids of the markets."),
            Function(
                "market",
                [("id", "glass.MarketID", "The market's id, such as \"ca\"."), situation],
                returns: "glass.LoadedMarket",
                "Loads a market, with its preconditions satisfied."),
            Function(
                "test",
                [
                    ("name", "string", "The name of the test."),
                    (
                        "cases", "fun()|table",
                        "The test itself, or a table of cases that are run one after another."
                    ),
                    ("body?", "fun(case: any)", "The test of a case; it raises an error if the case fails."),
                ], "Runs a test, or one for each case, and records the result."),
            Function(
                "mock",
                [
                    ("market", "glass.MarketID|glass.LoadedMarket", "The market, or its id."),
                    ("service", "glass.MockName", "The service's name, such as \"Networking\"."),
                ], returns: "any",
                "Controls the mock of a service in a test: network responses, permissions, the location, the clock."
            ),
            Function(
                "expect", [("value?", "any", "The value to check.")], returns: "glass.Expectation",
                "Starts an expectation."),
        ])

    /// The functions that the global `glass` of a test has in addition to those of other scripts.
    package static let testFunctions: [Function] = [
        Function(
            "fixture", [("market", "glass.Market|string", "The values of a market, or the text of its file.")],
            returns: "glass.Fixture",
            "Defines a market to test policies with; it may extend markets in the folder."),
        Function(
            "change", [("change", "glass.Change", "The change, with at least its rule.")], returns: "glass.Fixture",
            "Defines a change to test policies with."),
    ]

    /// The functions of the global `glass` in policy files.
    package static let policyFunctions: [Function] = [
        Function(
            "policy",
            [
                ("name", "string", "The policy's name, which must be unique."),
                (
                    "options", "{ severity?: \(severities), on?: \"check\"|\"review\" }",
                    "Its severity, and whether it checks markets or changes."
                ),
                (
                    "judge",
                    "fun(market: glass.PolicyMarket, deny: fun(path: string|table|nil, text: string))",
                    "Calls `deny` for each violation."
                ),
            ], "Declares a policy for markets, or with `on = \"review\"` for changes."),
        Function(
            "severity", [("severities", "table<string, \(severities)>", "Severities by rule name.")],
            "Overrides the severity of built-in rules for this project."),
        Function(
            "accept",
            [
                (
                    "what", "{ fingerprint: string, reason: string, expires: string, on?: \"check\"|\"review\" }",
                    "The finding or change, the reason, and the expiry date."
                )
            ], "Accepts one finding or change until a date."),
    ]

    private static let severities = "\"breaking\"|\"risky\"|\"note\""

    /// The overload of `glass.policy` for changes.
    package static let changePolicy =
        "fun(name: string, options: { severity?: \(severities), on: \"review\" }, "
        + "judge: fun(change: glass.Change, deny: fun(subject: glass.Change|nil, text: string)))"

    /// A market as it is passed to a policy.
    package static let policyMarket = Class(
        name: "glass.PolicyMarket",
        summary: "A market as it is passed to a policy. Each policy gets its own copy.",
        fields: [
            ("id", "string", "The market's id."), ("name", "string", "The country's name."),
            ("extends?", "string", "Its base market."),
            ("config", "glass.Market", "The effective configuration."), ("routes", "glass.Route[]", "The routes."),
        ])

    /// A change as it is passed to a policy.
    package static let change = Class(
        name: "glass.Change",
        summary: "A change as it is passed to a policy for `review`. Each policy gets its own copy.",
        fields: [
            ("rule", "string", "The rule that found it, such as \"link.lost\"."),
            ("severity", severities, "Its severity."), ("market", "string", "The market whose files were changed."),
            ("alsoIn", "string[]", "The other markets that it affects."),
            ("path?", "string", "The key concerned."), ("link?", "string", "A link that shows it."),
            ("from?", "string", "Its previous position, as file and line."), ("to?", "string", "Its current position."),
            ("text", "string", "What changed, and its effect."),
            ("fingerprint", "string", "Identifies the change."),
        ])

    /// A market or a change to test policies with.
    package static let fixture = Class(
        name: "glass.Fixture",
        summary: "A market or a change to test policies with.",
        methods: [
            Function(
                "denials", [("policy?", "string", "The name of a policy; by default, all policies run.")],
                returns: "{ policy: string, severity: \(severities), key?: string, message: string }[]",
                "The denials of the policies.")
        ])

    /// A market in a script.
    package static let market = Class(
        name: "glass.LoadedMarket",
        summary: "A market that is ready to use.",
        fields: [
            ("id", "glass.MarketID", "The market's id."),
            ("name", "string", "The country's name."),
            ("config", "glass.Configuration", "A copy of the effective configuration."),
            ("routes", "glass.Route[]", "The routes."),
            ("container", "glass.Container", "The services."),
            ("preconditions", "glass.Preconditions", "The preconditions that links wait for."),
        ],
        methods: [
            Function(
                "with", [(name: "situation", type: situation.type, summary: situation.summary)],
                returns: "glass.LoadedMarket",
                "The same market in another situation; attributes that are not named keep their values."),
            Function("open", [url], returns: "glass.Result", "Opens a link."),
            Function("canRoute", [url], returns: "boolean", "Whether a link would be routed."),
            Function("explain", [url], returns: "glass.Explanation", "Explains how a link is routed."),
            Function(
                "link",
                [
                    ("routable", "glass.RoutableID", "The routable's id."),
                    ("parameters?", "table<string, string|number|boolean>", "The values for the pattern's parameters."),
                ],
                returns: "string", "Builds the link that opens a routable."),
            Function(
                "flag", [("name", "string", "The name of the flag.")],
                returns: "{ value: any, variant?: string, reason: string, rule?: string, missingUnit?: string }",
                "The value that the market gives a flag in its situation, and the reason."),
            Function(
                "flags", returns: "table<string, any>",
                "The values that the market gives its flags in its situation, by name."),
        ])

    /// The container of a market.
    package static let container = Class(
        name: "glass.Container",
        summary: "The services of a market.",
        methods: [
            Function("has", [service], returns: "boolean", "Whether a service with this name exists."),
            Function("get", [("name", "glass.ServiceName", "The service's name.")], returns: "any", "The service."),
            Function("services", returns: "string[]", "The names of the services."),
        ])

    /// The preconditions of a market.
    package static let preconditions = Class(
        name: "glass.Preconditions",
        summary: "The preconditions that links wait for.",
        methods: [
            Function("satisfy", [precondition], "Marks a precondition as satisfied; waiting links continue."),
            Function("reset", [precondition], "Marks a precondition as unmet."),
            Function("unmet", returns: "glass.PreconditionName[]", "The unmet preconditions."),
        ])

    /// A value under test.
    package static let expectation = Class(
        name: "glass.Expectation",
        summary: "A value under test. Each method raises an error if the value is not as expected.",
        fields: [("never", "glass.Expectation", "Negates the method that follows.")],
        methods: [
            Function("toBe", [("expected", "any", "A single value.")], "Expects the same value."),
            Function(
                "toEqual", [("expected", "any", "A value or a table.")],
                "Expects an equal value; tables are compared by content."),
            Function("toBeNil", [], "Expects nil."),
            Function(
                "toContain", [("part", "any", "A string or an element.")],
                "Expects a string or a table that contains a part."),
            Function("toMatch", [("pattern", "string", "A Lua pattern.")], "Expects a string that matches a pattern."),
            Function(
                "toRaise", [("message?", "string", "A part of the message.")],
                "Expects a function that raises an error."),
        ])

    /// A link as it is passed to a market's `handle`.
    package static let link = Class(
        name: "glass.Link",
        summary: "A link as it is passed to a market's `handle`.",
        fields: [
            ("url", "string", "The link's text."),
            ("scheme", "string", "Its scheme, in lower case."),
            ("host", "string", "Its host, in lower case."),
            ("path", "string[]", "Its segments, decoded."),
            ("pattern?", "string", "The pattern that matched."),
            ("parameters", "table<string, string>", "The values that the pattern extracted from the link, decoded."),
            (
                "rawParameters", "table<string, string>",
                "The parameters that contain an escaped slash or another escaped delimiter, not decoded."
            ),
            ("query", "table<string, string>", "The first value of each query item."),
        ])

    /// The navigation state as it is passed to a market's `handle`.
    package static let navigation = Class(
        name: "glass.Navigation",
        summary: "The navigation state of the app, as it is passed to a market's `handle`.",
        fields: [("tab", "string", "The selected tab.")],
        methods: [
            Function(
                "show",
                [
                    ("screen", "string", "The screen's name."),
                    ("parameters?", "table<string, string|number|boolean>", "The parameters of the screen."),
                ], "Shows a screen on top."),
            Function("select", [("tab", "string", "The tab's name.")], "Selects a tab."),
            Function("dismiss", [], "Closes the screen on top."),
            Function("reset", [], "Closes every screen."),
        ])

    /// The outcome of a link.
    package static let result = Class(
        name: "glass.Result",
        summary: "The outcome of a link.",
        fields: [
            ("url", "string", "The link's text."),
            (
                "outcome",
                "\"routed\"|\"waiting\"|\"running\"|\"external\"|\"unroutable\"|\"refused\"|\"failed\"",
                "The outcome."
            ),
            ("routable?", "glass.RoutableID", "The routable that handled it."),
            ("pattern?", "string", "The pattern that matched."),
            ("parameters", "table<string, string>", "The values that the pattern extracted from the link, decoded."),
            (
                "rawParameters", "table<string, string>",
                "The parameters that contain an escaped slash or another escaped delimiter, not decoded."
            ),
            ("query", "table<string, string>", "The first value of each query item."),
            ("reason?", "string", "The code of the reason why it was not routed."),
            ("explanation?", "string", "The reason in words."),
            (
                "navigation", "{ tab: string, screens: { name: string, parameters: table<string, string> }[] }",
                "The navigation state of the app."
            ),
        ])

    /// The explanation of how a link is routed.
    package static let explanation = Class(
        name: "glass.Explanation",
        summary: "The explanation of how a link is routed.",
        fields: [
            (
                "outcome",
                "\"routed\"|\"waiting\"|\"running\"|\"external\"|\"unroutable\"|\"refused\"|\"failed\"",
                "The outcome that the link would have."
            ),
            ("reason?", "string", "The code of the reason why it would not be routed."),
            ("refusal?", "string", "Why the link gate refuses it."),
            ("scheme", "string", "Its scheme, and how the market treats it."),
            ("host", "string", "Its host, and how the market treats it."),
            (
                "candidates", "table<integer, { pattern: string, routable: string, wins: boolean, reason: string }>",
                "The closest routes, the best match first."
            ),
            (
                "nearMisses", "table<integer, { written: string, suggestion: string }>",
                "Suggested corrections, if no route matches."
            ),
            ("text", "string", "The explanation in words."),
        ])

    /// A route of a market.
    package static let route = Class(
        name: "glass.Route",
        summary: "A route of a market.",
        fields: [("routable", "glass.RoutableID", "The routable's id."), ("pattern", "string", "The pattern.")])

    /// The classes, in the order of the stub file.
    package static let classes = [
        market, container, preconditions, expectation, link, navigation, result, explanation, route, policyMarket,
        change,
        fixture,
    ]

    private static let url: Function.Parameter = ("url", "string", "The link's text.")
    private static let situation: Function.Parameter = (
        "situation?", "table<string, string|number|boolean|string[]>",
        "Attributes of the situation, such as { build = \"debug\" }."
    )
    private static let service: Function.Parameter = ("name", "string", "The service's name.")
    private static let precondition: Function.Parameter = (
        "name", "glass.PreconditionName", "The precondition's name."
    )
}
