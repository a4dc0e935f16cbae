import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

struct DiagnosticsTests {
    private static func market(_ lines: String) -> String {
        "return { id = \"xx\", name = \"Test\", extends = \"us\", currency = \"USD\", locales = { \"en-US\" },\n\(lines)\n}"
    }

    @Test func mistakeIsShownAtItsTokenWithHint() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market("platform = { --[[😀]] networking = { retry = { maxRetires = 4 } } },"))
        editor.settle()
        let shown = editor.diagnostics("xx.lua").filter { $0.contains("unknownKey") }
        #expect(
            shown == [
                "1:47-57 unknownKey platform.networking.retry.maxRetires: unknown key | did you mean \"maxRetries\"?"
            ])
        let last = try #require(editor.lastPublished("xx.lua"))
        #expect(last["version"]?.intValue == 1)
        let diagnostic = try #require(
            last["diagnostics"]?.arrayValue?.first { $0["code"]?.stringValue == "unknownKey" })
        #expect(diagnostic["source"]?.stringValue == "glass-host")
        #expect(diagnostic["severity"]?.intValue == 1)
    }

    @Test func columnsUseNegotiatedEncoding() throws {
        let capabilities = StrictJSON.record([
            "general": .record(["positionEncodings": .array([.string("utf-8")])])
        ])
        let editor = try EditorFixture(capabilities: capabilities)
        try editor.open("xx.lua", Self.market("platform = { --[[😀]] networking = { retry = { maxRetires = 4 } } },"))
        editor.settle()
        #expect(editor.diagnostics("xx.lua").contains { $0.hasPrefix("1:49-59 unknownKey") })
    }

    @Test func unsavedTextIsUsedByDependents() throws {
        let editor = try EditorFixture()
        let text = try editor.text("us.lua")
        try editor.open("us.lua")
        try editor.open("ca.lua")
        editor.settle()
        #expect(editor.diagnostics("ca.lua").allSatisfy { $0.contains("secretUnset") })
        // Canada removes the badge that the United States has.
        editor.change(
            "us.lua", to: text.replacing("\"alert\", \"sound\", \"badge\"", with: "\"alert\", \"sound\""), version: 2)
        editor.settle()
        #expect(editor.diagnostics("ca.lua").contains { $0.contains("badge") })
        editor.change("us.lua", to: text, version: 3)
        editor.settle()
        #expect(editor.diagnostics("ca.lua").allSatisfy { $0.contains("secretUnset") })
        #expect(editor.lastPublished("us.lua")?["version"]?.intValue == 3)
    }

    @Test func diagnosticsOfClosedTextAreWithdrawn() throws {
        let editor = try EditorFixture()
        let text = try editor.text("ca.lua")
        try editor.open("ca.lua", text.replacing("CAD", with: "CAX"))
        editor.settle()
        #expect(editor.diagnostics("ca.lua").contains { $0.contains("ISO 4217") })
        editor.notify(
            "textDocument/didClose", .record(["textDocument": .record(["uri": .string(editor.uri("ca.lua"))])]))
        editor.settle()
        #expect(editor.diagnostics("ca.lua").isEmpty)
    }

    @Test func textWithSyntaxErrorIsStillChecked() throws {
        let editor = try EditorFixture()
        try editor.open(
            "xx.lua",
            Self.market(
                "deepLinking = { schemes = },\nplatform = { urlSesion = {a = 1}, networking = { retry = { maxRetries = \"4\" } } },"
            ))
        editor.settle()
        let shown = editor.diagnostics("xx.lua")
        #expect(shown.contains { $0.contains("syntax") })
        #expect(shown.contains { $0.contains("unknownKey platform.urlSesion") })
        #expect(shown.contains { $0.contains("wrongType platform.networking.retry.maxRetries") })
    }

    @Test func unsetSecretsAreHints() throws {
        let editor = try EditorFixture()
        try editor.open("ca.lua")
        editor.settle()
        let all = try #require(editor.lastPublished("ca.lua")?["diagnostics"]?.arrayValue)
        #expect(!all.isEmpty)
        #expect(all.allSatisfy { $0["code"]?.stringValue == "secretUnset" && $0["severity"]?.intValue == 4 })
    }

    @Test func fileModifiedOutsideEditorIsReadAgain() throws {
        let editor = try EditorFixture()
        try editor.open("ca.lua")
        editor.settle()
        let us = editor.folder.appending(path: "us.lua")
        let text = try editor.text("us.lua").replacing("\"alert\", \"sound\", \"badge\"", with: "\"alert\", \"sound\"")
        try Data(text.utf8).write(to: us)
        editor.notify(
            "workspace/didChangeWatchedFiles",
            .record([
                "changes": .array([.record(["uri": .string(editor.uri("us.lua")), "type": .number(2)])])
            ]))
        editor.settle()
        #expect(editor.diagnostics("ca.lua").contains { $0.contains("badge") })
    }

    @Test func findingsOfOlderTextAreNotPublished() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market(""))
        for version in 2...60 {
            editor.change(
                "xx.lua", to: Self.market(String(repeating: "\n", count: version) + "wrong = 1,"), version: version)
        }
        editor.settle()
        for message in editor.messages where message["method"]?.stringValue == "textDocument/publishDiagnostics" {
            guard let version = message["params", "version"]?.intValue, version > 1,
                message["params", "uri"]?.stringValue == editor.uri("xx.lua")
            else { continue }
            let lines = message["params", "diagnostics"]?.arrayValue?.filter { $0["code"]?.stringValue == "unknownKey" }
                .compactMap { $0["range", "start", "line"]?.intValue }
            #expect(lines == [version + 1])
        }
        #expect(editor.lastPublished("xx.lua")?["version"]?.intValue == 60)
    }

    @Test(.timeLimit(.minutes(1))) func editInterruptsRunningLua() throws {
        // The fixture's markets have a time limit of one minute each.
        let editor = try EditorFixture()
        try editor.open("xx.lua", "while true do end")
        for version in 2...5 { editor.change("xx.lua", to: "while \(version) do end", version: version) }
        editor.change("xx.lua", to: Self.market("currensy = 1,"), version: 6)
        let time = ContinuousClock().measure { editor.settle() }
        #expect(time < .seconds(30))
        #expect(editor.diagnostics("xx.lua").contains { $0.contains("unknownKey currensy") })
        #expect(!editor.messages.contains { String(decoding: $0.text(), as: UTF8.self).contains("\"limit\"") })
    }

    @Test(arguments: ["", " with blanks", "-é%20😀"])
    func marketOutsideWorkspaceUsesItsOwnFolder(name: String) throws {
        let editor = try EditorFixture(in: name, capabilities: nil)
        _ = try editor.request("initialize", .record(["capabilities": .record([:])]))
        try editor.open("ca.lua", try editor.text("ca.lua").replacing("CAD", with: "CAX"))
        editor.settle()
        #expect(editor.diagnostics("ca.lua").contains { $0.contains("ISO 4217") })
    }

    @Test func marketIsRecognizedThroughOtherPath() throws {
        let editor = try EditorFixture()
        let link = editor.folder.deletingLastPathComponent().appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: editor.folder)
        let uri = DocumentURI.uri(of: link.path + "/ca.lua")
        editor.notify(
            "textDocument/didOpen",
            .record([
                "textDocument": .record([
                    "uri": .string(uri), "version": .number(4),
                    "text": .string(try editor.text("ca.lua").replacing("CAD", with: "CAX")),
                ])
            ]))
        editor.settle()
        let published = editor.messages.last {
            $0["method"]?.stringValue == "textDocument/publishDiagnostics" && $0["params", "uri"]?.stringValue == uri
        }
        #expect(published?["params", "version"]?.intValue == 4)
        #expect(published?["params", "diagnostics"]?.arrayValue?.contains { $0["severity"]?.intValue == 1 } == true)
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "", "\u{0}\u{1}", "\u{FEFF}", "\r\r\r", "a\n\rb\r\n", "return [==[", "return { \"", "return {}\nreturn {}",
            LongText(String(repeating: "a", count: 65_536)), LongText(String(repeating: "x = 1\n", count: 350_000)),
            LongText("return " + String(repeating: "{", count: 200)),
            LongText("return " + String(repeating: "{a=", count: 20_000)),
        ] as [LongText])
    func unusualTextsGetDiagnosticAndServerContinues(text: LongText) throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", text.text)
        for position in [ClientPosition(line: 0, character: 0), ClientPosition(line: 9_999_999, character: 3)] {
            for method in ["hover", "completion", "definition", "references", "documentSymbol", "foldingRange"] {
                _ = try editor.request("textDocument/\(method)", editor.at("xx.lua", position))
            }
        }
        editor.settle()
        #expect(!editor.diagnostics("xx.lua").isEmpty)
        editor.change("xx.lua", to: Self.market("deepLinking = { schemes = { \"xx.test\" } },"), version: 2)
        editor.settle()
        let errors = editor.lastPublished("xx.lua")?["diagnostics"]?.arrayValue?.filter {
            $0["severity"]?.intValue == 1
        }
        #expect(errors == [])
    }

    @Test func everyMarketExtendingTheEditedOneIsChecked() throws {
        var files: [String: String] = [:]
        for index in 0..<20 {
            files["x\(index).lua"] =
                "return { id = \"x\(index)\", name = \"X\", extends = \"us\",\n"
                + "platform = { permissions = { notificationOptions = remove { \"badge\" } } } }"
        }
        let editor = try EditorFixture(files)
        try editor.open("us.lua")
        editor.settle()
        #expect((0..<20).allSatisfy { index in !editor.diagnostics("x\(index).lua").contains { $0.contains("badge") } })
        let text = try editor.text("us.lua").replacing("\"alert\", \"sound\", \"badge\"", with: "\"alert\", \"sound\"")
        editor.change("us.lua", to: text, version: 2)
        editor.settle()
        #expect((0..<20).allSatisfy { index in editor.diagnostics("x\(index).lua").contains { $0.contains("badge") } })
    }

    /// The later file of a chain causes a clash, whichever of them is edited.
    @Test func clashIsShownInTheFileThatCausedIt() throws {
        let base = """
            return {
              id = "base", name = "Base", extends = "us",
              routables = { promo = { paths = { "offer/:id" }, show = { screen = "promo" } } },
            }
            """
        let market = """
            return {
              id = "xx", name = "Test", extends = "base",
              routables = { deal = { paths = { "offer/:code" }, show = { screen = "deal" } } },
            }
            """
        let editor = try EditorFixture(["base.lua": base, "xx.lua": market])
        try editor.open("base.lua")
        editor.settle()
        #expect(editor.diagnostics("base.lua").filter { $0.contains("conflicts with") } == [])
        let found = editor.diagnostics("xx.lua").filter { $0.contains("conflicts with") }
        #expect(found.count == 1 && found[0].hasPrefix("2:35-48 "), "\(found)")
        let all = editor.lastPublished("xx.lua")?["diagnostics"]?.arrayValue ?? []
        let clash = try #require(all.first { $0["message"]?.stringValue?.contains("conflicts with") == true })
        let related = try #require(clash["relatedInformation"]?.arrayValue)
        #expect(related.map { $0["location", "uri"]?.stringValue } == [editor.uri("base.lua")])
        #expect(related[0]["location", "range", "start"].flatMap(ClientPosition.init)?.line == 2)
    }

    @Test func restoredStandardPathClashesWhereItIsRestored() throws {
        let base = """
            return {
              id = "base", name = "Base", extends = "us",
              routables = { cart = { paths = { "basket" } }, deal = { paths = { "cart" }, show = { screen = "deal" } } },
            }
            """
        let market = """
            return {
              id = "xx", name = "Test", extends = "base",
              routables = { cart = { paths = unset } },
            }
            """
        let editor = try EditorFixture(["base.lua": base, "xx.lua": market])
        try editor.open("base.lua")
        editor.settle()
        #expect(editor.diagnostics("base.lua").filter { $0.contains("conflicts with") } == [])
        let found = editor.diagnostics("xx.lua").filter { $0.contains("conflicts with") }
        #expect(found.count == 1 && found[0].hasPrefix("2:"), "\(found)")
    }

    @Test func relatedPositionIsALocation() {
        let places = Diagnostics.places(
            in: "conflicts with /a b/markets/us.lua:12:5, and /a b/markets/x/y.lua:3", below: "/a b/markets")
        #expect(places.map { "\($0)" } == ["/a b/markets/us.lua:12:5", "/a b/markets/x/y.lua:3"])
    }
}
