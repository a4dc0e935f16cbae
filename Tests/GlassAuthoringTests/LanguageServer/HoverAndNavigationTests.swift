import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

struct HoverAndNavigationTests {
    private static let markdown = StrictJSON.record([
        "textDocument": .record([
            "hover": .record(["contentFormat": .array([.string("markdown")])]),
            "documentSymbol": .record(["hierarchicalDocumentSymbolSupport": .boolean(true)]),
        ])
    ])

    private func editor(_ open: String...) throws -> EditorFixture {
        let editor = try EditorFixture(capabilities: Self.markdown)
        for name in open { try editor.open(name) }
        editor.settle()
        return editor
    }

    /// The position of a text in a shipped market; `^` marks the position inside the text.
    private func place(_ text: String, in name: String, _ editor: EditorFixture) throws -> ClientPosition {
        let whole = try editor.text(name)
        let range = try #require(whole.firstRange(of: text.replacing("^", with: "")))
        let mark = text.firstIndex(of: "^").map { text.distance(from: text.startIndex, to: $0) } ?? 1
        let lines = TextLines(Array(whole.utf8))
        let start = whole.utf8.distance(from: whole.startIndex, to: range.lowerBound)
        return lines.position(of: start + mark, .utf16)
    }

    private func hover(_ text: String, in name: String, _ editor: EditorFixture) throws -> String {
        let position = try place(text, in: name, editor)
        return try editor.request("textDocument/hover", editor.at(name, position))["contents", "value"]?.stringValue
            ?? ""
    }

    @Test func hoverShowsValueAndOverriddenValues() throws {
        let editor = try editor("ca.lua")
        let text = try hover("max^Retries", in: "ca.lua", editor)
        #expect(text.hasPrefix("**platform.networking.retry.maxRetries** = `4`\n\nmarkets/ca.lua:"))
        #expect(text.contains("overrides `3` — markets/us.lua:"))
        #expect(text.contains("The maximum number of retries of a failed request."))
        #expect(text.contains("Accepts an integer"))
        #expect(text.contains("Default: `3`"))
        #expect(text.contains("Read by "))
        #expect(!text.contains("last valid text"))
    }

    @Test func hoverShowsSecretByName() throws {
        let editor = try editor("ca.lua")
        #expect(try hover("consumer^Key", in: "ca.lua", editor).contains("= `secret \"GLASS_CA_CONSUMER_KEY\"`"))
    }

    @Test func hoverExplainsDirective() throws {
        let editor = try editor("ca.lua")
        #expect(try hover("statuses = app^end", in: "ca.lua", editor).contains("appends these elements"))
        #expect(try hover("searchRadiusMiles = un^set", in: "ca.lua", editor).contains("removes the inherited key"))
    }

    @Test func hoverShowsLinksOfRoutableInEveryMarket() throws {
        let editor = try editor("ca.lua")
        let text = try hover("acc^ount = {", in: "ca.lua", editor)
        #expect(text.contains("ca: `myaccount`"))
        #expect(text.contains("us: `"))
    }

    @Test func hoverInBrokenTextShowsLastValidValue() throws {
        let editor = try editor("ca.lua")
        let text = try editor.text("ca.lua")
        editor.change("ca.lua", to: text.replacing("currency = \"CAD\",", with: "currency = ,"), version: 2)
        editor.settle()
        let hover = try hover("name = \"Walmart^ Canada\"", in: "ca.lua", editor)
        #expect(hover.contains("`\"Walmart Canada\"`"))
        #expect(hover.contains("as of the last valid text"))
    }

    @Test(arguments: [
        ("max^Retries", "ca.lua", "us.lua", "maxRetries"), ("retry = {^", "ca.lua", "us.lua", "retry"),
        ("^pharmacy", "ca.lua", "us.lua", "pharmacy"),
    ])
    func definitionOfKeyIsInBaseMarket(text: String, from: String, to: String, word: String) throws {
        let editor = try editor(from)
        let answer = try editor.request("textDocument/definition", editor.at(from, try place(text, in: from, editor)))
        guard text.contains("{^") == false else { return }
        #expect(answer["uri"]?.stringValue == editor.uri(to))
        let lines = TextLines(Array(try editor.text(to).utf8))
        let range = try #require(answer["range"].flatMap(ClientRange.init))
        #expect(String(decoding: lines.bytes[lines.bytes(of: range, .utf16)], as: UTF8.self) == word)
    }

    @Test func definitionOfMarketOrFileIsThatFile() throws {
        let editor = try editor("ca.lua")
        let base = try editor.request(
            "textDocument/definition", editor.at("ca.lua", try place("extends = \"u^s", in: "ca.lua", editor)))
        #expect(base["uri"]?.stringValue == editor.uri("us.lua"))
        let file = try editor.request(
            "textDocument/definition", editor.at("ca.lua", try place("include \"sha^red", in: "ca.lua", editor)))
        #expect(file["uri"]?.stringValue == editor.uri("shared/ca_regions.lua"))
        let links = try editor.request(
            "textDocument/documentLink", editor.at("ca.lua", ClientPosition(line: 0, character: 0)))
        #expect(
            links.arrayValue?.compactMap { $0["target"]?.stringValue } == [
                editor.uri("us.lua"), editor.uri("shared/ca_regions.lua"),
            ])
    }

    @Test func referencesOfKeyAreInEveryMarket() throws {
        let editor = try editor("ca.lua")
        let found = try editor.request(
            "textDocument/references", editor.at("ca.lua", try place("max^Retries", in: "ca.lua", editor)))
        let files = found.arrayValue?.compactMap { $0["uri"]?.stringValue } ?? []
        #expect(files.contains(editor.uri("ca.lua")))
        #expect(files.contains(editor.uri("us.lua")))
        let own = try editor.request(
            "textDocument/documentHighlight", editor.at("ca.lua", try place("max^Retries", in: "ca.lua", editor)))
        #expect(own.arrayValue?.count == 1)
    }

    @Test func referencesOfPreconditionAreWhereLinksWait() throws {
        let editor = try editor("us.lua")
        let place = try place("{ \"appStarted\", \"signed^In\" }", in: "us.lua", editor)
        let own = try editor.request("textDocument/documentHighlight", editor.at("us.lua", place))
        let count = try editor.text("us.lua").components(separatedBy: "\"signedIn\"").count - 1
        #expect(own.arrayValue?.count == count)
        #expect(count > 2)
    }

    @Test func symbolsAreNested() throws {
        let editor = try editor("ca.lua")
        let symbols =
            try editor.request(
                "textDocument/documentSymbol", editor.at("ca.lua", ClientPosition(line: 0, character: 0))
            ).arrayValue ?? []
        #expect(symbols.compactMap { $0["name"]?.stringValue }.prefix(3) == ["id", "name", "extends"])
        func walk(_ symbol: StrictJSON, in outer: ClientRange?) throws -> Int {
            let range = try #require(symbol["range"].flatMap(ClientRange.init))
            let selection = try #require(symbol["selectionRange"].flatMap(ClientRange.init))
            #expect(range.start <= selection.start && selection.end <= range.end)
            if let outer { #expect(outer.start <= range.start && range.end <= outer.end) }
            return 1 + (try symbol["children"]?.arrayValue?.map { try walk($0, in: range) }.reduce(0, +) ?? 0)
        }
        #expect(try symbols.map { try walk($0, in: nil) }.reduce(0, +) > 80)
        let all = try editor.request("workspace/symbol", .record(["query": .string("camaxretr")])).arrayValue
        #expect(all?.compactMap { $0["name"]?.stringValue } == ["maxRetries"])
    }

    @Test func tablesFoldWithoutLastLine() throws {
        let editor = try EditorFixture()
        try editor.open("yy.lua", "return {\n  id = \"yy\",\n  -- one\n  -- two\n  platform = {\n  },\n  a = { },\n}")
        let answer = try editor.request(
            "textDocument/foldingRange", editor.at("yy.lua", ClientPosition(line: 0, character: 0)))
        let lines = answer.arrayValue?.map { [$0["startLine"]?.intValue, $0["endLine"]?.intValue] }
        #expect(lines == [[0, 6], [2, 3]])
    }

    @Test(arguments: [
        "textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/references",
        "textDocument/documentHighlight",
    ])
    func invalidParametersAreRejected(method: String) throws {
        let editor = try editor("ca.lua")
        for parameters: StrictJSON in [
            .null, .record([:]), .array([]), .record(["textDocument": .record(["uri": .number(3)])]),
            .record(["textDocument": .record(["uri": .string(editor.uri("ca.lua"))])]),
            .record([
                "textDocument": .record(["uri": .string(editor.uri("ca.lua"))]),
                "position": .record(["line": .number(-1), "character": .number(0)]),
            ]),
        ] {
            #expect(try editor.ask(method, parameters)["error", "code"]?.intValue == -32602)
        }
        // A position beyond the text, and a text that is not open, are not errors.
        _ = try editor.request(method, editor.at("ca.lua", ClientPosition(line: 99_999, character: 99_999)))
        _ = try editor.request(method, editor.at("none.lua", ClientPosition(line: 0, character: 0)))
    }
}
