import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

/// What an editor says about flags.
struct FlagEditorTests {
    private static let capabilities = StrictJSON.record([
        "textDocument": .record(["hover": .record(["contentFormat": .array([.string("markdown")])])])
    ])
    private static let market = """
        return {
          id = "xx", name = "Test", extends = "us",
          conditions = { internal = { audience = "associates" } },
          layers = { search = { by = "installID" } },
          flags = {
            searchRanker = unset,
            newCheckout = {
              kind = "release", owner = "checkout", expires = "2099-03-31", doc = "One-page checkout.", default = false,
              rules = {
                { name = "associates", when = "internal", value = true },
                { name = "ramp", when = { appVersion = ">= 24.4" }, rollout = { percent = 10, by = "installID" }, value = true },
              },
            },
            ranker = {
              kind = "operations", owner = "search", layer = "search", slots = { 0, 40 },
              variants = { control = "a", neural = "b" }, default = "control",
              rules = { { name = "trial", split = { by = "installID", weights = { { "control", 50 }, { "neural", 50 } } } } },
            },
          },
        }
        """

    private func editor() throws -> EditorFixture {
        let editor = try EditorFixture(capabilities: Self.capabilities)
        try editor.open("xx.lua", Self.market)
        editor.settle()
        return editor
    }

    private func hover(_ text: String) throws -> String {
        let editor = try editor()
        let (before, mark) = (text.replacing("^", with: ""), text.utf8.firstIndex(of: UInt8(ascii: "^")))
        let range = try #require(Self.market.firstRange(of: before))
        let offset =
            Self.market.utf8.distance(from: Self.market.startIndex, to: range.lowerBound)
            + text.utf8.distance(from: text.startIndex, to: try #require(mark))
        let position = TextLines(Array(Self.market.utf8)).position(of: offset, .utf16)
        let answer = try editor.request("textDocument/hover", editor.at("xx.lua", position))
        return answer["contents", "value"]?.stringValue ?? ""
    }

    @Test func hoverOnFlagListsItsRules() throws {
        #expect(
            try hover("newCh^eckout = {") == """
                **newCheckout** (flag), release of checkout, until 2099-03-31

                One-page checkout.

                - associates: `true` when audience = "associates"
                - ramp: `true` for 10% of installID when appVersion >= 24.4
                - otherwise `false`
                """)
        #expect(
            try hover("ran^ker = {") == """
                **ranker** (flag), operations of search

                Takes 0% to 40% of the layer search.

                - trial: control 50%, neural 50% of installID
                - otherwise `"a"` (control)
                """)
    }

    @Test(arguments: [
        ("wh^en = \"internal\"", "**when**"), ("when = \"inter^nal\"", "**internal** (condition)"),
        ("roll^out = {", "Anyone included at 10% stays included at 25%."), ("sp^lit = {", "**split**"),
        ("percent = 10, b^y", "**by**"), ("percent = 10, by = \"instal^lID\"", "**installID** (attribute)"),
        ("wei^ghts = {", "**weights**"), ("perc^ent = 10", "Accepts a percentage from 0 to 100. Required."),
        ("{ \"con^trol\", 50 }", "**control** (variant)\n\n`\"a\"`"),
        ("wh^en = \"internal\"", "Where the rule matches"),
        ("ki^nd = \"release\"", "which determines how long the flag is kept"),
        ("slo^ts = {", "The range of the layer"),
    ])
    func hoverExplains(text: String, said: String) throws {
        let found = try hover(text)
        #expect(found.contains(said), "\(found)")
    }

    @Test func lensHasOwnerLastDayAndShares() throws {
        let editor = try editor()
        let answer = try editor.request(
            "textDocument/codeLens", editor.at("xx.lua", ClientPosition(line: 0, character: 0)))
        let lenses = (answer.arrayValue ?? []).compactMap { $0["command"] }.filter {
            $0["command"]?.stringValue == "glass-host.flag"
        }
        #expect(
            lenses.compactMap { $0["title"]?.stringValue } == [
                "release of checkout, until 2099-03-31 · ramp 10% of installID",
                "operations of search · 0% to 40% of the layer search; trial control 50%, neural 50% of installID",
            ])
        _ = try editor.request(
            "workspace/executeCommand",
            .record(["command": lenses.first?["command"], "arguments": lenses.first?["arguments"]]))
        editor.settle()
        #expect(
            editor.shown.last == """
                newCheckout, release of checkout, until 2099-03-31
                associates: true when audience = "associates"
                ramp: true when appVersion >= 24.4 and 10% of installID
                otherwise false
                """)
    }

    private static let head = """
        return { id = "xx", name = "Test", extends = "us", layers = { search = { by = "installID" } },
          conditions = { tests = { build = "debug" } },\n
        """

    @Test(arguments: [
        (
            "flags = { a = { ‸ } } }", ["kind", "owner", "expires", "default", "rules", "variants", "layer"],
            ["percent"]
        ),
        ("flags = { a = { kind = \"‸\" } } }", ["release", "experiment", "operations", "permission"], []),
        ("flags = { a = { like = \"‸\" } } }", ["unleash", "launchDarkly"], []),
        ("flags = { a = { layer = \"‸\" } } }", ["search"], []),
        ("flags = { a = { variants = { x = 1, y = 2 }, default = \"‸\" } } }", ["x", "y"], ["true"]),
        ("flags = { a = { default = ‸ } } }", ["true", "false"], []),
        ("flags = { a = { rules = { { ‸ } } } } }", ["name", "when", "value", "rollout", "split"], ["build"]),
        ("flags = { a = { rules = { { when = \"‸\" } } } } }", ["tests"], ["any"]),
        ("flags = { a = { rules = { { when = { ‸ } } } } } }", ["build", "installID", "rollout"], ["value"]),
        ("flags = { a = { rules = { { rollout = { ‸ } } } } } }", ["percent", "by", "salt", "like"], ["weights"]),
        ("flags = { a = { rules = { { rollout = { by = \"‸\" } } } } } }", ["installID", "customerID"], ["build"]),
        ("flags = { a = { rules = { { split = { ‸ } } } } } }", ["weights", "by", "salt", "like"], ["percent"]),
        ("flags = { a = { variants = { x = 1 }, rules = { { variant = \"‸\" } } } } }", ["x"], ["tests"]),
        (
            "flags = { a = { variants = { x = 1, y = 2 }, rules = { { split = { weights = { { \"‸\" } } } } } } } }",
            ["x", "y"], ["by"]
        ),
        ("layers = { b = { by = \"‸\" } } }", ["installID", "customerID"], ["build"]),
        ("conditions = { b = { rollout = { like = \"‸\" } } } }", ["flagd"], ["build"]),
    ])
    func matchingItemsAreOffered(text: String, offered: [String], others: [String]) throws {
        let editor = try editor()
        let (text, position) = try EditorFixture.marked(Self.head + text)
        editor.change("xx.lua", to: text, version: 2)
        let items = try editor.request("textDocument/completion", editor.at("xx.lua", position)).arrayValue ?? []
        let labels = items.compactMap { $0["label"]?.stringValue }
        for label in offered { #expect(labels.contains(label), "\(labels)") }
        for label in others { #expect(!labels.contains(label), "\(labels)") }
        #expect(Set(labels).count == labels.count, "\(labels)")
    }
}
