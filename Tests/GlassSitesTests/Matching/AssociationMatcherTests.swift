import GlassBase
import Testing

@testable import GlassSites

/// How Apple's devices match a link, according to the rules recorded from `swcutil` on macOS 27.0 (26A5388g).
@Suite struct AssociationMatcherTests {
    /// The result for a link: it opens the app, it stays in the browser, or the behavior is undocumented.
    enum Outcome { case opens, stays, unknown }

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let links: [(link: String, outcome: Outcome)]
        var testDescription: String { text }

        init(_ text: String, opens: [String] = [], stays: [String] = [], unknown: [String] = []) {
            self.text = text
            links = opens.map { ($0, .opens) } + stays.map { ($0, .stays) } + unknown.map { ($0, .unknown) }
        }
    }

    private static let app = "ABCDE12345.com.example.app"

    private static func outcome(_ file: String, _ link: String, app: String = app) throws -> Outcome? {
        let text = file.replacing("APP", with: Self.app)
        let json = try StrictJSON(reading: Array(text.utf8), limit: 1 << 20, numbers: .all)
        guard let matcher = try ServedAssociation(json, budget: .unlimited, findings: .ofTest).matcher(of: app) else {
            return nil
        }
        let parts = link.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var work = MatchingWork(.unlimited, on: .comparing)
        let link = AssociationLink(path: parts[0], query: parts.count > 1 ? parts[1] : nil)
        switch try matcher.decision(on: link, &work).outcomes {
        case .opens: return .opens
        case .stays: return .stays
        default: return .unknown
        }
    }

    private static func check(_ file: String, _ row: Row) throws {
        for (link, outcome) in row.links {
            #expect(try Self.outcome(file, link) == outcome, "\(link)")
        }
    }

    static let paths: [Row] = [
        // A run of slashes at the end is ignored on both sides.
        Row(#"{"/":"/buy"}"#, opens: ["/buy", "/buy/", "/buy//"], stays: ["/buyer", "/buy/x", "/Buy"]),
        Row(#"{"/":"/buy/"}"#, opens: ["/buy", "/buy/", "/buy//"], stays: ["/buy/x"]),
        Row(#"{"/":"/a/b/"}"#, opens: ["/a/b", "/a/b/"]),
        // A pattern that ends in `/*` also matches the path without that segment.
        Row(#"{"/":"/buy/*"}"#, opens: ["/buy", "/buy/", "/buy//", "/buy/42", "/buy/42/7"], stays: ["/buyer", "/bu"]),
        Row(#"{"/":"/a/b/*"}"#, opens: ["/a/b", "/a/b/c"], stays: ["/a"]),
        Row(#"{"/":"/shop/*","exclude":true},{}"#, opens: ["/shopping"], stays: ["/shop", "/shop/", "/shop/1"]),
        // A `*` in the middle requires its segment, and matches slashes.
        Row(#"{"/":"/a/*/c"}"#, opens: ["/a/b/c", "/a/b/b/c"], stays: ["/a/c"]),
        Row(#"{"/":"/buy*"}"#, opens: ["/buy", "/buyer", "/buy/x"], stays: ["/bu"]),
        Row(#"{"/":"/*z"}"#, opens: ["/azbz", "/z"], stays: ["/azb"]),
        // Each `?` is one character; an optional trailing slash does not count.
        Row(#"{"/":"/id/????"}"#, opens: ["/id/4815", "/id/4815/"], stays: ["/id/481", "/id/481/", "/id/48159"]),
        Row(#"{"/":"/?/x","percentEncoded":false}"#, opens: ["/%C3%A9/x"], stays: ["/%C3%A9%C3%A9/x"]),
        // Slashes at the start are ignored.
        Row(#"{"/":"abc"}"#, opens: ["/abc", "/abc/"], stays: ["/abcd", "/xabc"]),
        Row(#"{"/":"//abc"}"#, opens: ["/abc"], stays: ["/abcd"]),
        Row(#"{"/":"buy/*"}"#, opens: ["/buy/42", "/buy"], stays: ["/buyer"]),
        Row(#"{"/":"abc/*"}"#, opens: ["/abc"]), Row(#"{"/":"a/b"}"#, opens: ["/a/b"], stays: ["/a/b/c"]),
        Row(#"{"/":"*abc"}"#, opens: ["/xabc", "/abc"], stays: ["/abcx"]),
        Row(#"{"/":"/"}"#, opens: ["/", ""], stays: ["/x"]),
        Row(#"{"/":"*"}"#, opens: ["", "/", "/x", "/x/y"]), Row(#"{"/":"/*"}"#, opens: ["", "/", "/x/"]),
        // Letter case matters unless stated otherwise, and a misspelled key has no effect.
        Row(#"{"/":"/buy","caseSensitive":false}"#, opens: ["/BUY", "/buy"]),
        Row(#"{"/":"/buy","casesensitive":false}"#, opens: ["/buy"], stays: ["/BUY"]),
        Row(#"{"/":"/buy","caseSensitive":true}"#, stays: ["/BUY"]),
        Row(#"{"/":"/a$b"}"#, opens: ["/a$b"]), Row(#"{"/":"/$(open"}"#, opens: ["/$(open"]),
    ]

    /// Behavior that was not recorded: neither result, unless all interpretations agree.
    static let openPaths: [Row] = [
        Row(#"{"/":"/a//b"}"#, stays: ["/x"], unknown: ["/a//b", "/a/b"]),
        Row(#"{"/":"*//*","exclude":true},{"/":"*"}"#, unknown: ["/", "", "/home", "/a/b", "/a//b"]),
        Row(#"{"/":"/shop//*"}"#, stays: ["/home"], unknown: ["/shop", "/shop/x"]),
        Row(#"{"/":"/a/b"}"#, stays: ["/x//y"], unknown: ["/a//b", "//a/b"]),
        Row(#"{"/":"/buy/*/"}"#, opens: ["/buy/42"], stays: ["/bu"], unknown: ["/buy"]),
        Row(#"{"/":"*/cart"}"#, opens: ["/ca/cart"], stays: ["/cart/x"], unknown: ["/cart"]),
        Row(#"{"/":"?abc"}"#, stays: ["/ab"], unknown: ["/abc", "/xabc"]),
        Row(#"{"/":""}"#, opens: ["/", ""], unknown: ["/x"]),
        // A value of a type that was not probed.
        Row(#"{"/":1}"#, unknown: ["/x"]), Row(#"{"/":"/x","?":1}"#, stays: ["/y"], unknown: ["/x"]),
        Row(##"{"#":true}"##, unknown: ["/x"]), Row(#"{"/":"/x","exclude":"yes"}"#, stays: ["/y"], unknown: ["/x"]),
        Row(#"{"/":"/x","caseSensitive":0}"#, opens: ["/x"], stays: ["/y"], unknown: ["/X"]),
    ]

    static let queries: [Row] = [
        // Each name must match; a missing item counts as an empty value.
        Row(#"{"?":{"b":"*"}}"#, opens: ["/x?a=1", "/x"]), Row(#"{"?":{"b":""}}"#, opens: ["/x?a=1", "/x?b", "/x?b="]),
        Row(#"{"?":{"b":"?*"}}"#, opens: ["/x?b=1"], stays: ["/x?a=1", "/x", "/x?b", "/x?xb=1", "/x?B=1"]),
        Row(#"{"?":{"b":"1"}}"#, opens: ["/x?b=1"], stays: ["/x?a=1", "/x?b=2"]),
        Row(#"{"?":{"a":"1","b":"*"}}"#, opens: ["/x?a=1"], stays: ["/x?a=2"]), Row(#"{"?":{}}"#, opens: ["/x?a=1"]),
        Row(#"{"?":{"b":"?*"},"caseSensitive":false}"#, opens: ["/x?B=1"]),
        // A repeated item must match each time.
        Row(
            #"{"?":{"id":"42"}}"#, opens: ["/x?id=42"], stays: ["/x?id=7&id=42", "/x?id=42&id=7", "/x?id=7&id=42&id=9"]),
        Row(#"{"?":{"id":"*"}}"#, opens: ["/x?id=7&id=42"]), Row(#"{"?":{"id":"?*"}}"#, opens: ["/x?id=7&id=42"]),
        Row(#"{"?":{"id":""}}"#, stays: ["/x?id=7&id=42"]), Row(#"{"?":{"id":"7,42"}}"#, stays: ["/x?id=7&id=42"]),
        Row(#"{"?":{"id":"7"}}"#, opens: ["/x?id=7&id=7"], stays: ["/x?id=7&id="]),
        // One value that is not a string drops the whole dictionary.
        Row(#"{"?":{"a":"1","flag":true}}"#, opens: ["/x?a=2", "/x?a=1"]),
        Row(#"{"?":{"flag":false}}"#, opens: ["/x?flag=1"]),
        Row(#"{"?":{"n":5}}"#, opens: ["/x?n=6"]), Row(#"{"?":{"n":null}}"#, opens: ["/x?n=5"]),
        Row(#"{"?":{"a":["1"]}}"#, opens: ["/x?a=2"]), Row(#"{"?":{"a":{"b":"1"}}}"#, opens: ["/x?a=2"]),
        // A string is the whole query.
        Row(#"{"?":"a=1"}"#, opens: ["/x?a=1"], stays: ["/x?a=1&b=2", "/x"]),
        Row(#"{"?":"*"}"#, opens: ["/x", "/x?a"]),
        Row(#"{"?":""}"#, opens: ["/x"], stays: ["/x?a"]), Row(#"{"?":"?*"}"#, opens: ["/x?a"], stays: ["/x"]),
        // A missing fragment is empty.
        Row(##"{"#":"*"}"##, opens: ["/x"]), Row(##"{"#":""}"##, opens: ["/x"]), Row(##"{"#":"?*"}"##, stays: ["/x"]),
        // All parts must match, and `{}` matches everything.
        Row(##"{"/":"abc","?":"def","#":"*"}"##, opens: ["/abc?def"], stays: ["/abc", "/x?def", "?def"]),
        Row("{}", opens: ["/x", "", "/x?a=1"]), Row(#"{"totallyUnknownKey":"x"}"#, opens: ["/anything"]),
        Row(#"{"/":"/foo/*","future":{"a":"b"}}"#, opens: ["/foo/1"], stays: ["/bar"]),
    ]

    static let escapes: [Row] = [
        Row(#"{"/":"/a%20b"}"#, opens: ["/a%20b"]), Row(#"{"/":"/a b"}"#, stays: ["/a%20b"]),
        Row(#"{"/":"/caf%C3%A9"}"#, opens: ["/caf%C3%A9"], stays: ["/caf%c3%a9"]),
        Row(#"{"/":"/a/b"}"#, stays: ["/a%2Fb"]), Row(#"{"/":"/café"}"#, stays: ["/caf%C3%A9"]),
        Row(#"{"/":"/a b","percentEncoded":false}"#, opens: ["/a%20b"]),
        Row(#"{"/":"/a%20b","percentEncoded":false}"#, stays: ["/a%20b"]),
        Row(#"{"/":"/a/b","percentEncoded":false}"#, opens: ["/a%2Fb"]),
        Row(#"{"/":"/café","percentEncoded":false}"#, opens: ["/caf%C3%A9"]),
        Row(#"{"/":"/café/*","percentEncoded":false}"#, opens: ["/caf%C3%A9/menu"]),
    ]

    static let components = paths + openPaths + queries + escapes

    /// The variables in the rows.
    private static let values =
        #"{"food":["burrito","pizza","sushi","samosa"],"kind":["a*z"],"maybe":["","en"],"rooted":["/en"]}"#

    /// A whole file with these components; APP stands for the app ID.
    static func file(_ components: String) -> String {
        #"{"applinks":{"substitutionVariables":\#(values),"details":[{"appIDs":["APP"],"components":[\#(components)]}]}}"#
    }

    @Test(arguments: components) func componentsMatchAsRecorded(_ row: Row) throws {
        try Self.check(Self.file(row.text), row)
    }

    static let variables: [Row] = [
        Row(
            #"{"/":"/$(region)/home"}"#, opens: ["/GB/home", "/US/home"], stays: ["/UK/home", "/gb/home", "/ZZ/home"],
            unknown: ["/XK/home"]),
        Row(
            #"{"/":"/$(lang)/start"}"#, opens: ["/de/start", "/en/start"],
            stays: ["/qq/start", "/DE/start", "/x/start"],
            unknown: ["/haw/start", "/es-419/start", "/zh_Hans/start"]),
        Row(
            #"{"/":"/$(lang)_$(region)/$(food)/"}"#, opens: ["/en_US/pizza/", "/en_US/sushi"],
            stays: ["/en_US/tacos/", "/qq_ZZ/pizza/", "/en_US/$(food)/"]),
        Row(#"{"/":"/$(region)/x","caseSensitive":false}"#, opens: ["/gb/x"], stays: ["/uk/x"]),
        Row(#"{"/":"/id/$(digit)"}"#, opens: ["/id/7"], stays: ["/id/x", "/id/77"]),
        Row(#"{"/":"/id/$(xdigit)"}"#, opens: ["/id/f", "/id/F"], stays: ["/id/g"]),
        Row(#"{"/":"/id/$(alpha)"}"#, opens: ["/id/q"], stays: ["/id/7"]),
        Row(#"{"/":"/id/$(alnum)"}"#, opens: ["/id/7"], stays: ["/id/-"]),
        Row(#"{"/":"/id/$(upper)"}"#, opens: ["/id/Q"], stays: ["/id/q"]),
        Row(#"{"/":"/id/$(lower)"}"#, opens: ["/id/q"], stays: ["/id/Q"]),
        Row(#"{"/":"/id/$(upper)","caseSensitive":false}"#, opens: ["/id/q"]),
        Row(#"{"/":"/$(kind)/x"}"#, opens: ["/abcz/x"], stays: ["/abc/x"]),
        Row(#"{"/":"/$(nobody)"}"#, stays: ["/x", "/"]),
        Row(#"{"?":{"q":"$(food)"}}"#, opens: ["/x?q=pizza"], stays: ["/x?q=tacos", "/x"]),
        // An empty value, or one that starts with a slash.
        Row(#"{"/":"/$(maybe)/home"}"#, opens: ["/en/home"], stays: ["/fr/home"], unknown: ["/home"]),
        Row(#"{"/":"$(rooted)/home"}"#, stays: ["/fr/home"], unknown: ["/en/home"]),
    ]

    @Test(arguments: variables) func variablesExpandToTheirLists(_ row: Row) throws {
        try Self.check(Self.file(row.text), row)
    }

    /// Rows with whole files: APP stands for the app ID.
    static let files: [Row] = [
        // The first matching component decides.
        Row(
            #"{"details":[{"appIDs":["APP"],"components":[{"/":"/a/b","exclude":true},{"/":"/a/*"}]}]}"#,
            opens: ["/a/c"], stays: ["/a/b"]),
        Row(
            #"{"details":[{"appIDs":["APP"],"components":[{"/":"/a/*"},{"/":"/a/b","exclude":true}]}]}"#,
            opens: ["/a/b"]),
        // Defaults are patterns as well, for each component that does not override them.
        Row(
            ##"{"defaults":{"/":"/foo/*"},"details":[{"appIDs":["APP"],"components":[{"#":"*"}]}]}"##,
            opens: ["/foo/1"], stays: ["/bar"]),
        Row(
            ##"{"defaults":{"/":"/foo/*"},"details":[{"appIDs":["APP"],"components":[{"/":"/bar"}]}]}"##,
            opens: ["/bar"], stays: ["/foo/1"]),
        Row(
            ##"{"defaults":{"exclude":true},"details":[{"appIDs":["APP"],"components":[{"#":"*"}]}]}"##, stays: ["/bar"]
        ),
        Row(
            ##"{"defaults":{"exclude":true},"details":[{"appIDs":["APP"],"components":[{"exclude":false}]}]}"##,
            opens: ["/bar"]),
        Row(
            ##"{"defaults":{"?":{"id":"??"}},"details":[{"appIDs":["APP"],"components":[{"#":"*"}]}]}"##,
            opens: ["/bar?id=42"], stays: ["/bar?id=7", "/bar?id=7777", "/bar"]),
        Row(##"{"defaults":{"#":"?*"},"details":[{"appIDs":["APP"],"components":[{"/":"*"}]}]}"##, stays: ["/bar"]),
        Row(
            #"{"defaults":{"caseSensitive":true},"details":[{"appIDs":["APP"],"components":[{"/":"/foo"}]}]}"#,
            stays: ["/FOO"]),
        Row(
            #"{"defaults":{"caseSensitive":false},"details":[{"appIDs":["APP"],"components":[{"/":"/foo"}]}]}"#,
            opens: ["/FOO"]),
        Row(
            #"{"defaults":{"percentEncoded":false},"details":[{"appIDs":["APP"],"components":[{"/":"/a b"}]}]}"#,
            opens: ["/a%20b"]),
        Row(
            ##"{"details":[{"appIDs":["APP"],"defaults":{"/":"/foo/*"},"components":[{"#":"*"}]}]}"##,
            opens: ["/foo/1"], stays: ["/bar"]),
        Row(
            #"{"details":[{"appIDs":["APP"],"defaults":{"exclude":true},"components":[{}]},{"appIDs":["APP"],"components":[{}]}]}"#,
            stays: ["/bar"]),
        Row(
            #"{"details":[{"appIDs":["OTHER"],"defaults":{"exclude":true},"components":[{}]},{"appIDs":["APP"],"components":[{}]}]}"#,
            opens: ["/bar"]),
        Row(
            #"{"defaults":{"caseSensitive":false},"details":[{"appIDs":["APP"],"defaults":{"caseSensitive":true},"components":[{"/":"/foo"},{"/":"/bar","caseSensitive":false}]}]}"#,
            opens: ["/foo", "/BAR"], stays: ["/FOO"]),
        // The older formats.
        Row(
            #"{"apps":[],"details":[{"appID":"APP","paths":["NOT /wwdc/internal/*","/wwdc/*"]}]}"#,
            opens: ["/wwdc/2015", "/wwdc"], stays: ["/wwdc/internal/notes", "/other"]),
        Row(#"{"details":{"APP":{"paths":["/wwdc/news/"]}}}"#, opens: ["/wwdc/news/", "/wwdc/news"], stays: ["/wwdc"]),
        Row(#"{"details":[{"appID":"APP","components":[{"/":"/x"}]}]}"#, opens: ["/x"]),
        // If there are components, paths are ignored.
        Row(
            #"{"details":[{"appIDs":["APP"],"paths":["/a"],"components":[{"/":"/b"}]}]}"#, opens: ["/b"], stays: ["/a"]),
        // Whether defaults apply to paths is unknown.
        Row(
            #"{"defaults":{"caseSensitive":false},"details":[{"appIDs":["APP"],"paths":["/a"]}]}"#, opens: ["/a"],
            stays: ["/b"], unknown: ["/A"]),
    ]

    @Test(arguments: files) func filesMatchAsRecorded(_ row: Row) throws {
        try Self.check("{\"applinks\":\(row.text)}", row)
    }

    @Test func appIDIsIgnoredNextToAppIDs() throws {
        let other = "ABCDE12345.com.example.other"
        let file = #"{"applinks":{"details":[{"appID":"APP","appIDs":["\#(other)"],"components":[{"/":"/x"}]}]}}"#
        #expect(try Self.outcome(file, "/x") == nil)
        #expect(try Self.outcome(file, "/x", app: other) == .opens)
    }

    @Test(.timeLimit(.minutes(1))) func hostilePatternIsNotExponential() throws {
        let pattern = String(repeating: "*a", count: 200)
        let link = "/" + String(repeating: "a", count: 1_000) + "b"
        #expect(try Self.outcome(Self.file(#"{"/":"\#(pattern)"}"#), link) == .stays)
    }

    /// Doubling the uses of a variable, its values, or the length of the link doubles the work.
    @Test func workGrowsLinearly() throws {
        func steps(uses: Int, values: Int, length: Int) throws -> Int {
            let value = Array(repeating: #""?*""#, count: values).joined(separator: ",")
            let pattern = String(repeating: "$(v)", count: uses) + "b"
            let text = """
                {"applinks":{"substitutionVariables":{"v":[\(value)]},"details":[{"appIDs":["A"],"components":[{"/":"/\(pattern)"}]}]}}
                """
            let json = try StrictJSON(reading: Array(text.utf8), limit: 1 << 20, numbers: .all)
            let budget = WorkBudget(cpuTime: .seconds(600), bytes: .max)
            let matcher = try #require(try ServedAssociation(json, budget: budget, findings: .ofTest).matcher(of: "A"))
            let before = budget.steps(of: .comparing)
            var work = MatchingWork(budget, on: .comparing)
            let link = AssociationLink(path: "/" + String(repeating: "a", count: length), query: nil)
            #expect(try matcher.decision(on: link, &work).outcomes == .stays)
            try work.spend()
            return budget.steps(of: .comparing) - before
        }
        let one = try steps(uses: 10, values: 10, length: 100)
        for more in [
            try steps(uses: 20, values: 10, length: 100), try steps(uses: 10, values: 20, length: 100),
            try steps(uses: 10, values: 10, length: 200),
        ] {
            #expect(more > one && more * 2 <= one * 5, "\(one) \(more)")
        }
    }

    /// A variable's values are compiled once, however often patterns use it.
    @Test func variableIsNotExpanded() throws {
        let values = Array(repeating: #""xxxxxxxxxx""#, count: 1_000).joined(separator: ",")
        let component = #"{"/":"/\#(String(repeating: "$(v)", count: 50))"}"#
        let components = Array(repeating: component, count: 100).joined(separator: ",")
        let text =
            #"{"applinks":{"substitutionVariables":{"v":[\#(values)]},"details":[{"appIDs":["A"],"components":[\#(components)]}]}}"#
        let json = try StrictJSON(reading: Array(text.utf8), limit: 1 << 20, numbers: .all)
        let budget = WorkBudget()
        let content = try ServedAssociation(json, budget: budget, findings: .ofTest)
        #expect(content.size == budget.bytesHeld && content.size < 1 << 20)
    }

    /// A default applies to each component, so a file of 128 KB could expand to gigabytes.
    @Test func expandedDefaultsAreChargedBeforehand() throws {
        let text = """
            {"applinks":{"defaults":{"/":"\(String(repeating: "a", count: 60_000))"},"details":[{"appIDs":["A"],\
            "components":[\(Array(repeating: "{}", count: 20_000).joined(separator: ","))]}]}}
            """
        let json = try StrictJSON(reading: Array(text.utf8), limit: 1 << 20, numbers: .all)
        #expect(throws: WorkBudget.Exceeded(phase: .comparing, limit: .bytes(64 << 20))) {
            try ServedAssociation(json, budget: WorkBudget(), findings: .ofTest)
        }
    }
}
