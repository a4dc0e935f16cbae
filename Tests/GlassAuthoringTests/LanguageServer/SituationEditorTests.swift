import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

/// What an editor says about keys, words and values of situations.
struct SituationEditorTests {
    private static let capabilities = StrictJSON.record([
        "textDocument": .record([
            "hover": .record(["contentFormat": .array([.string("markdown")])]),
            "documentSymbol": .record(["hierarchicalDocumentSymbolSupport": .boolean(true)]),
        ])
    ])
    private static let market = """
        return {
          id = "xx", name = "Test", extends = "us", locales = { "en-US", "fr-CA" },
          attributes = { tier = { type = "choice", values = { "plus", "gold" }, doc = "From the membership." } },
          conditions = { tests = { build = { "debug", "beta" } }, best = any { "tests", { tier = "gold" } } },
          overlays = {
            { name = "testBuild", when = "tests", platform = { networking = { retry = { maxRetries = 1 } } } },
          },
          platform = {
            networking = {
              retry = { maxRetries = 4, jitter = vary { { when = { deviceClass = "tablet" }, value = 0.5 }, default = 0.25 } },
            },
            preferences = { keys = { language = { default = perLocale { en = "en", fr = "fr" } } } },
          },
        }
        """

    private func editor(_ text: String = Self.market) throws -> EditorFixture {
        let editor = try EditorFixture(capabilities: Self.capabilities)
        try editor.open("xx.lua", text)
        editor.settle()
        return editor
    }

    /// The position of `^` in a part of the market.
    private func place(_ text: String) throws -> ClientPosition {
        let range = try #require(Self.market.firstRange(of: text.replacing("^", with: "")))
        let mark = text.firstIndex(of: "^").map { text.distance(from: text.startIndex, to: $0) } ?? 1
        let lines = TextLines(Array(Self.market.utf8))
        return lines.position(
            of: Self.market.utf8.distance(from: Self.market.startIndex, to: range.lowerBound) + mark, .utf16)
    }

    private func hover(_ text: String, _ editor: EditorFixture? = nil) throws -> String {
        let editor = try editor ?? self.editor()
        let answer = try editor.request("textDocument/hover", editor.at("xx.lua", try place(text)))
        return answer["contents", "value"]?.stringValue ?? ""
    }

    @Test func hoverListsAlternatives() throws {
        let lines = try hover("maxRet^ries = 4").components(separatedBy: "\n")
        #expect(lines.first == "**platform.networking.retry.maxRetries** = `4`")
        let found = lines.filter { $0.hasPrefix("- ") }.joined(separator: "\n")
        #expect(
            found == """
                - `1` when build = "beta" or "debug" — markets/xx.lua:6
                - `4` otherwise — markets/xx.lua:10
                """)
        // In an overlay and in an alternative, it is the same key.
        #expect(try hover("maxRet^ries = 1").contains(found))
        let jitter = try hover("val^ue = 0.5")
        #expect(jitter.contains("- `0.5` when deviceClass = \"tablet\" — markets/xx.lua:10"))
        #expect(jitter.contains("**platform.networking.retry.jitter**"))
    }

    @Test func abstractBaseIsCheckedCompletedAndExplained() throws {
        let editor = try EditorFixture(capabilities: Self.capabilities)
        let base = "return { abstract = true, curency = \"EUR\" }"
        try editor.open("base.lua", base)
        try editor.open(
            "xx.lua", "return { id = \"xx\", name = \"Test\", extends = \"\", deepLinking = { schemes = { \"x\" } } }")
        editor.settle()
        let found = editor.diagnostics("base.lua")
        #expect(found.count == 1 && found[0].contains("curency: unknown key"), "\(found)")
        let hover = try editor.request(
            "textDocument/hover", editor.at("base.lua", ClientPosition(line: 0, character: 12)))
        #expect(hover["contents", "value"]?.stringValue?.contains("only a base for other markets") == true)
        func labels(_ name: String, _ character: Int) throws -> [(label: String, detail: String)] {
            let answer = try editor.request(
                "textDocument/completion", editor.at(name, ClientPosition(line: 0, character: character)))
            return (answer["items"]?.arrayValue ?? answer.arrayValue ?? []).compactMap { item in
                item["label"]?.stringValue.map { ($0, item["detail"]?.stringValue ?? "") }
            }
        }
        let bases = try labels("xx.lua", 46)
        #expect(bases.contains { $0 == ("base", "an abstract base") } && bases.contains { $0 == ("us", "a market") })
        editor.change("base.lua", to: "return { abs }", version: 2)
        #expect(try labels("base.lua", 12).contains { $0 == ("abstract", "true or false") })
        editor.change("base.lua", to: "return { abstract = t }", version: 3)
        #expect(try labels("base.lua", 21).map(\.label).contains("true"))
    }

    @Test func hoverListsAtMostEightAlternatives() throws {
        let choices = (1...20).map { "{ when = { appVersion = \"\($0)\" }, value = \($0 % 9) }" }.joined(
            separator: ", ")
        let text = """
            return { id = "xx", name = "Test", extends = "us",
              platform = { networking = { retry = { maxRetries = vary { \(choices), default = 3 } } } } }
            """
        let editor = try editor(text)
        let answer = try editor.request(
            "textDocument/hover", editor.at("xx.lua", ClientPosition(line: 1, character: 45)))
        let found = answer["contents", "value"]?.stringValue ?? ""
        #expect(found.components(separatedBy: "\n").filter { $0.hasPrefix("- `") }.count == 8)
        #expect(found.contains("- and 13 more"))
    }

    @Test(arguments: [
        ("bu^ild = {", ["**build** (attribute)", "`\"debug\"`, `\"beta\"`, `\"release\"`", "Changes with the build"]),
        ("ti^er = {", ["**tier** (attribute)", "From the membership."]),
        ("{ ti^er = \"gold\"", ["**tier** (attribute)"]), ("deviceCl^ass", ["Changes at start"]),
        ("when = \"te^sts\"", ["**tests** (condition)", "It holds when build = \"beta\" or \"debug\"."]),
        ("be^st = any", ["**best** (condition)", "tier = \"gold\""]),
        ("name = \"testBu^ild\"", ["**testBuild** (overlay)", "It holds when build"]),
        ("over^lays = {", ["The first overlay in the list that holds"]), ("condi^tions = {", ["Conditions by name"]),
        ("attri^butes = {", ["Attributes that the app sets"]), ("wh^en = \"tests\"", ["Where the overlay holds"]),
        ("va^ry {", ["the first value whose condition holds"]), ("perLo^cale {", ["covers `fr-CA`"]),
        ("an^y {", ["one of these conditions"]), ("ty^pe = \"choice\"", ["The kind of its values."]),
    ])
    func hoverExplains(text: String, said: [String]) throws {
        let found = try hover(text)
        for text in said { #expect(found.contains(text), "\(found)") }
    }

    @Test func definitionOfConditionIsItsDeclaration() throws {
        let editor = try editor()
        for (text, place) in [("when = \"te^sts\"", "tests = { build"), ("any { \"te^sts\"", "tests = { build")] {
            let answer = try editor.request("textDocument/definition", editor.at("xx.lua", try self.place(text)))
            let range = try #require(answer["range"].flatMap(ClientRange.init))
            #expect(range.start == (try self.place("^" + place)))
        }
        let uses = try editor.request(
            "textDocument/documentHighlight", editor.at("xx.lua", try place("when = \"te^sts\"")))
        #expect(uses.arrayValue?.count == 3)
    }

    @Test func definitionOfInheritedConditionIsInBase() throws {
        let base = """
            return { id = "yy", name = "Base", extends = "us",
              conditions = { nights = { audience = "night" } } }
            """
        let text = """
            return { id = "xx", name = "Test", extends = "yy",
              overlays = { { name = "a", when = "nights", platform = { networking = { retry = { maxRetries = 1 } } } } } }
            """
        let editor = try EditorFixture(capabilities: Self.capabilities)
        try editor.open("yy.lua", base)
        try editor.open("xx.lua", text)
        editor.settle()
        let answer = try editor.request(
            "textDocument/definition", editor.at("xx.lua", ClientPosition(line: 1, character: 39)))
        #expect(answer["uri"]?.stringValue == editor.uri("yy.lua"))
    }

    @Test func outlineShowsOverlaysByName() throws {
        let editor = try editor()
        let symbols =
            try editor.request(
                "textDocument/documentSymbol", editor.at("xx.lua", ClientPosition(line: 0, character: 0))
            ).arrayValue ?? []
        let overlays = symbols.first { $0["name"]?.stringValue == "overlays" }
        #expect(overlays?["children"]?.arrayValue?.compactMap { $0["name"]?.stringValue } == ["testBuild"])
    }

    @Test func findingNamesItsSituation() throws {
        let editor = try editor(
            """
            return { id = "xx", name = "Test", extends = "us", routables = {
              one = { paths = { "one" }, show = { screen = "a" } },
              two = vary { { when = { build = "debug" }, value = { paths = { "one" }, show = { screen = "b" } } } },
            } }
            """)
        #expect(editor.diagnostics("xx.lua").contains { $0.contains("when: --context build=debug") })
    }

    @Test func brokenTextHasNoFindingsAboutSituations() throws {
        let editor = try editor()
        editor.change("xx.lua", to: Self.market.replacing("maxRetries = 4,", with: "maxRetries = = 4,"), version: 2)
        editor.settle()
        #expect(editor.diagnostics("xx.lua").allSatisfy { !$0.contains("unknown") })
        #expect(try hover("max^Retries = 4", editor).contains("- `1` when"))
    }

    private static let head = """
        return { id = "xx", name = "Test", extends = "us", locales = { "en-US", "fr-CA" },
          attributes = { tier = { type = "choice", values = { "plus", "gold" } } },
          conditions = { tests = { build = "debug" } },\n
        """

    @Test(arguments: [
        (
            "overlays = { { name = \"a\", when = { ‸ } } } }", ["build", "locale", "tier", "date"],
            ["routables", "name"]
        ),
        ("overlays = { { name = \"a\", when = \"‸\" } } }", ["tests"], ["{ }", "any"]),
        ("overlays = { { name = \"a\", when = ‸ } } }", ["tests", "any", "all", "no", "{ }"], ["build"]),
        ("overlays = { { name = \"a\", when = any { ‸ } } } }", ["tests", "{ }"], ["build"]),
        ("overlays = { { name = \"a\", when = { build = \"‸\" } } } }", ["debug", "beta", "release"], ["tests"]),
        ("overlays = { { name = \"a\", when = { build = { \"‸\" } } } } }", ["debug", "beta"], ["tests"]),
        (
            "overlays = { { name = \"a\", when = { tier = ‸ } } } }", ["plus", "gold", "no", "missing", "present"],
            ["unset"]
        ),
        ("overlays = { { name = \"a\", when = { signedIn = ‸ } } } }", ["true", "false"], []),
        ("overlays = { { name = \"a\", when = { locale = \"‸\" } } } }", ["en-US", "fr-CA", "fr", "en"], []),
        ("overlays = { { ‸ } } }", ["name", "when", "beats", "platform", "routables"], ["id", "extends", "overlays"]),
        ("overlays = { { name = \"a\", platform = { networking = { retry = { ‸ } } } } } }", ["maxRetries"], ["when"]),
        (
            "platform = { networking = { retry = { maxRetries = vary { { ‸ } } } } } }", ["when", "value"],
            ["maxRetries"]
        ),
        (
            "platform = { networking = { retry = vary { { when = \"tests\", value = { ‸ } } } } } }", ["jitter"],
            ["when"]
        ),
        (
            "platform = { urlSession = { cachePolicy = vary { { value = ‸ } } } } }", ["useProtocolCachePolicy"],
            ["tests"]
        ),
        ("platform = { urlSession = { cachePolicy = vary { default = \"‸\" } } } }", ["useProtocolCachePolicy"], []),
        ("platform = { urlSession = { cachePolicy = vary { ‸ } } } }", ["default", "{ }"], ["when"]),
        ("platform = { urlSession = { cachePolicy = perLocale { ‸ } } } }", ["en-US", "fr", "default"], ["when"]),
        ("platform = { urlSession = { cachePolicy = ‸ } } }", ["vary", "perLocale"], []),
        ("attributes = { b = { ‸ } } }", ["type", "values", "pace", "personal", "doc"], []),
        ("attributes = { b = { type = \"‸\" } } }", ["choice", "boolean"], []),
        ("‸ }", ["overlays", "platform"], ["conditions"]),
    ])
    func matchingItemsAreOffered(text: String, offered: [String], others: [String]) throws {
        let editor = try editor(Self.head + "}")
        let (text, position) = try EditorFixture.marked(Self.head + text)
        editor.change("xx.lua", to: text, version: 2)
        let items = try editor.request("textDocument/completion", editor.at("xx.lua", position)).arrayValue ?? []
        let labels = items.compactMap { $0["label"]?.stringValue }
        for label in offered { #expect(labels.contains(label), "\(labels)") }
        for label in others { #expect(!labels.contains(label), "\(labels)") }
        #expect(Set(labels).count == labels.count, "\(labels)")
    }
}
