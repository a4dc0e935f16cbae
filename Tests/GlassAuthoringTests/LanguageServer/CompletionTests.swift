import Foundation
import GlassBase
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge
import LuaSyntax
import TestSupport
import Testing

@testable import GlassAuthoring

struct CompletionTests {
    private static let head =
        "return { id = \"xx\", name = \"Test\", extends = \"us\", currency = \"USD\", locales = { \"en-US\" },\n"

    /// The labels of the completions at the mark in a market.
    private func labels(_ text: String, whole: Bool = false) throws -> [String] {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.head + "}")
        editor.settle()
        let (text, position) = try EditorFixture.marked(whole ? text : Self.head + text)
        editor.change("xx.lua", to: text, version: 2)
        let items = try editor.request("textDocument/completion", editor.at("xx.lua", position)).arrayValue ?? []
        return items.compactMap { $0["label"]?.stringValue }
    }

    @Test(arguments: [
        ("platform = { networking = { ‸ } } }", ["retry", "headers", "defaultService"], ["currency", "platform"]),
        ("platform = { networking = { retry = {}, ret‸ } } }", ["headers"], ["retry"]),
        ("platform = { networking = { retry = {},\n‸", ["headers"], ["retry", "currency"]),
        ("platform = { networking = { re‸try = {} } } }", ["retry", "headers"], []),
        ("‸ }", ["deepLinking", "platform", "routables"], ["id", "currency"]),
        ("platform = { urlSession = { cachePolicy = ‸ } } }", ["useProtocolCachePolicy", "unset"], ["true"]),
        ("platform = { urlSession = { cachePolicy = \"‸\" } } }", ["useProtocolCachePolicy"], ["unset"]),
        ("platform = { urlSession = { cachePolicy = \"use‸", ["useProtocolCachePolicy"], ["unset"]),
        ("platform = { urlSession = { setsCookies = ‸", ["true", "false", "unset"], []),
        ("platform = { networking = { retry = { statuses = ‸ } } } }", ["append", "remove", "unset"], ["true"]),
        ("routables = { ‸ } }", ["account", "cart", "pharmacy"], []),
        ("routables = { cart = {}, flyers = { waitForPreconditions = { \"‸\" } } } }", ["signedIn", "appStarted"], []),
        ("platform = { address = { regions = include \"‸\" } } }", ["shared/ca_regions.lua", "us.lua"], ["xx.lua"]),
        ("platform = { networking = { consumerKey = secret \"‸\" } } }", ["GLASS_"], []),
        ("platform = { networking = { consumerKey = ‸ } } }", ["secret"], []),
        ("platform = { environment = { default = \"‸\" } } }", ["production"], []),
        ("routables = { promo = { paths = { \"p/:code(‸\" } } } }", ["int", "uuid", "slug", "alnum"], ["code"]),
        ("routables = { promo = { paths = { \"p/:code(s‸)\" } } } }", ["slug"], []),
        ("routables = { item = { paths = { \"i/:‸\" } } } }", ["itemID"], ["int"]),
        (
            "routables = { promo = { paths = { \"p/:code?q\" }, show = { screen = \"p\", parameters = { a = \"{‸\" } } } } }",
            ["code", "?q"], ["int"]
        ),
        ("routables = { item = { show = { screen = \"p\", parameters = { a = \"x{{{‸}\" } } } } }", ["itemID"], []),
        ("routables = { item = { show = { screen = \"p\", parameters = { a = \"{{‸\" } } } } }", [], ["itemID"]),
        ("routables = { promo = { show = { screen = \"‸\" } } } }", ["item", "account"], ["shop"]),
        ("routables = { promo = { show = { tab = \"‸\" } } } }", ["shop", "account"], ["item"]),
        ("overlays = { { when = { region = \"‸\" } } } }", ["CA", "MX"], ["CAD"]),
        (
            "overlays = { { when = { date = \">= 2026-11-27T00:00 ‸\" } } } }", ["Europe/Warsaw", "America/New_York"],
            ["missing", "UTC"]
        ),
        ("overlays = { { when = { date = \">= 2026-11-27T00:00 Europe/W‸\" } } } }", ["Europe/Warsaw"], ["missing"]),
        ("overlays = { { when = { date = \">= 2026-11-27‸\" } } } }", [], ["Europe/Warsaw"]),
        ("overlays = { { when = { locale = \"2026-11-27T00:00 ‸\" } } } }", [], ["Europe/Warsaw"]),
        ("-- ‸\n }", [], ["platform"]), ("name = \"‸\" }", [], ["platform"]),
        ("routables = { a = { handle = function(link) ‸ end } } }", [], ["paths", "account"]),
    ])
    func matchingItemsAreOffered(text: String, offered: [String], others: [String]) throws {
        let labels = try labels(text)
        for label in offered { #expect(labels.contains(label), "\(labels)") }
        for label in others { #expect(!labels.contains(label)) }
        #expect(Set(labels).count == labels.count)
    }

    @Test(arguments: ["return market { id = \"xx\", ‸ }", "return market({ id = \"xx\", ‸ })", "return market {\n‸"])
    func keysInsideMarketCallAreOffered(text: String) throws {
        let labels = try labels(text, whole: true)
        #expect(labels.contains("platform"))
        #expect(labels.contains("id") == !text.contains("id = "))
    }

    @Test func marketsAndCurrenciesAreOffered() throws {
        #expect(try labels("return { id = \"xx\", extends = \"‸\" }", whole: true).sorted() == ["ca", "mx", "us"])
        #expect(try labels("return { id = \"xx\", currency = \"‸\" }", whole: true).contains("EUR"))
    }

    @Test(arguments: [
        ("currency = \"‸\"", ["CAD Canadian Dollar"], "EUR Euro"),
        ("locales = { \"‸\" }", ["en-CA English (Canada)", "fr-CA French (Canada)"], "es-MX Spanish (Mexico)"),
        ("platform = { address = { country = \"‸\" } }", ["CA Canada"], "MX Mexico"),
    ])
    func codesHaveNamesAndThoseOfTheCountryComeFirst(text: String, first: [String], other: String) throws {
        let editor = try EditorFixture()
        try editor.open("ca.lua")
        editor.settle()
        let (text, position) = try EditorFixture.marked("return { id = \"ca\", extends = \"us\", \(text) }")
        editor.change("ca.lua", to: text, version: 2)
        let items = try editor.request("textDocument/completion", editor.at("ca.lua", position)).arrayValue ?? []
        let found = items.map { "\($0["label"]?.stringValue ?? "") \($0["detail"]?.stringValue ?? "")" }
        #expect(Array(found.prefix(first.count)) == first)
        #expect(found.contains(other))
    }

    @Test(arguments: [
        ("p/:code(s‸", "p/:code(slug)"), ("p/:code(s‸)", "p/:code(slug)"), ("i/:item‸", "i/:itemID"),
    ])
    func partOfPatternReplacesWhatIsBegun(begun: String, pattern: String) throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.head + "}")
        editor.settle()
        let text = Self.head + "routables = { item = { paths = { \"\(begun)\" } } } }"
        let (marked, position) = try EditorFixture.marked(text)
        editor.change("xx.lua", to: marked, version: 2)
        let items = try editor.request("textDocument/completion", editor.at("xx.lua", position)).arrayValue ?? []
        let edit = try #require(
            items.first { $0["label"]?.stringValue == "slug" || $0["label"]?.stringValue == "itemID" }?["textEdit"])
        var bytes = Array(marked.utf8)
        let range = try #require(edit["range"].flatMap(ClientRange.init))
        bytes.replaceSubrange(
            TextLines(bytes).bytes(of: range, .utf16), with: (edit["newText"]?.stringValue ?? "").utf8)
        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("{ \"\(pattern)\" } } } }"))
    }

    /// Applying a completion in a shipped market keeps the file valid Lua: between any two tokens, and at both ends of
    /// each line. A short run checks every eleventh position.
    @Test(.timeLimit(.minutes(20)), arguments: ["us", "ca", "mx"], [true, false])
    func appliedCompletionKeepsFileValid(market: String, takesSnippets: Bool) throws {
        let item = StrictJSON.record(["completionItem": .record(["snippetSupport": .boolean(takesSnippets)])])
        let editor = try EditorFixture(
            capabilities: .record(["textDocument": .record(["completion": item])]))
        try editor.open("\(market).lua")
        editor.settle()
        let lines = TextLines(Array(try editor.text("\(market).lua").utf8))
        let outline = Outline(lines.bytes)
        let ends = (0..<lines.count).flatMap { [lines.start(ofLine: $0), lines.end(ofLine: $0)] }
        let places = Set(outline.tree.tokens.flatMap { [$0.range.lowerBound, $0.range.upperBound] } + ends).sorted()
        let state = try LuaState(profile: .config, limits: .script)
        var applied = 0
        for place in stride(from: 0, to: places.count, by: rounds(all: 1, few: 11)).map({ places[$0] }) {
            let position = lines.position(of: place, .utf16)
            let items = try editor.request("textDocument/completion", editor.at("\(market).lua", position)).arrayValue
            for item in items ?? [] {
                let changed = try Self.applying(item, to: lines, at: place)
                applied += 1
                do {
                    try state.perform { lua in _ = try lua.load(LuaSource(bytes: changed, chunkName: "x")) }
                } catch {
                    Issue.record("\(market):\(position.line + 1) \(item["label"]?.stringValue ?? ""): \(error)")
                }
            }
        }
        #expect(applied > 50)
    }

    /// A text with an item applied, and a value where the item leaves one to the user.
    private static func applying(_ item: StrictJSON, to lines: TextLines, at place: Int) throws -> [UInt8] {
        var edits: [(Range<Int>, String)] = []
        let edit = try #require(item["textEdit"])
        var text = try #require(edit["newText"]?.stringValue).replacing("$0", with: "")
        if text.hasSuffix(" = ") { text += "nil," }
        edits.append((lines.bytes(of: try #require(edit["range"].flatMap(ClientRange.init)), .utf16), text))
        for more in item["additionalTextEdits"]?.arrayValue ?? [] {
            let range = lines.bytes(of: try #require(more["range"].flatMap(ClientRange.init)), .utf16)
            edits.append((range, more["newText"]?.stringValue ?? ""))
        }
        var bytes = lines.bytes
        for (range, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            bytes.replaceSubrange(range, with: text.utf8)
        }
        return bytes
    }
}
