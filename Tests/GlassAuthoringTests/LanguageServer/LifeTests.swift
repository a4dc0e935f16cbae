import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

/// Events in the life of documents and folders: the server handles each, and its findings are about the current text.
struct LifeTests {
    private static func market(_ id: String, _ lines: String = "", extends base: String = "us") -> String {
        "return market { id = \"\(id)\", name = \"Test\", extends = \"\(base)\", currency = \"USD\", locales = { \"en-US\" },\n"
            + "\(lines)\n}"
    }

    private static func errors(_ editor: EditorFixture, _ name: String) -> [String] {
        editor.lastPublished(name)?["diagnostics"]?.arrayValue?.filter { $0["severity"]?.intValue == 1 }
            .compactMap { $0["code"]?.stringValue } ?? []
    }

    @Test func reopenedDocumentReplacesTheFirst() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market("xx", "wrong = 1,"))
        editor.settle()
        #expect(Self.errors(editor, "xx.lua") == ["unknownKey"])
        try editor.open("xx.lua", Self.market("xx"), version: 7)
        editor.settle()
        #expect(Self.errors(editor, "xx.lua") == [])
        #expect(editor.lastPublished("xx.lua")?["version"]?.intValue == 7)
    }

    @Test func decreasingVersionIsAccepted() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market("xx"), version: 9)
        editor.settle()
        editor.change("xx.lua", to: Self.market("xx", "wrong = 1,"), version: 3)
        editor.settle()
        #expect(editor.lastPublished("xx.lua")?["version"]?.intValue == 3)
        #expect(Self.errors(editor, "xx.lua") == ["unknownKey"])
    }

    @Test func sameMarketInTwoFoldersIsTwoMarkets() throws {
        let (one, other) = (try EditorFixture(), try EditorFixture(capabilities: nil))
        let folders = [one, other].map { StrictJSON.record(["uri": .string($0.uri("")), "name": .string("x")]) }
        _ = try other.request(
            "initialize", .record(["workspaceFolders": .array(folders), "capabilities": .record([:])]))
        other.notify("initialized", .record([:]))
        try other.open("ca.lua", try other.text("ca.lua").replacing("CAD", with: "CAX"))
        other.settle()
        #expect(Self.errors(other, "ca.lua") == ["invalidFormat"])
        let elsewhere = other.messages.filter { $0["params", "uri"]?.stringValue == one.uri("ca.lua") }
        #expect(elsewhere.isEmpty)
        #expect(other.watches.count == 2)
    }

    @Test func missingFolderIsPickedUpLater() throws {
        let editor = try EditorFixture(capabilities: nil)
        try FileManager.default.removeItem(at: editor.folder)
        _ = try editor.request(
            "initialize", .record(["rootUri": .string(editor.uri("")), "capabilities": .record([:])]))
        try editor.open("xx.lua", Self.market("xx"))
        editor.settle()
        #expect(Self.errors(editor, "xx.lua") == ["unreadable"])
        try FileManager.default.copyItem(at: EditorFixture.repository.appending(path: "markets"), to: editor.folder)
        editor.change("xx.lua", to: Self.market("xx", "\n"), version: 2)
        editor.settle()
        #expect(Self.errors(editor, "xx.lua") == [])
    }

    @Test func addedWorkspaceHasMarkets() throws {
        let editor = try EditorFixture(capabilities: nil)
        _ = try editor.request("initialize", .record(["capabilities": .record([:])]))
        let folder = StrictJSON.record(["uri": .string(editor.uri("")), "name": .string("x")])
        editor.notify(
            "workspace/didChangeWorkspaceFolders",
            .record(["event": .record(["added": .array([folder]), "removed": .array([])])]))
        try editor.open("ca.lua", try editor.text("ca.lua").replacing("CAD", with: "CAX"))
        editor.settle()
        #expect(Self.errors(editor, "ca.lua") == ["invalidFormat"])
    }

    @Test func deletedBaseIsReportedDuringEditing() throws {
        let editor = try EditorFixture(["base.lua": Self.market("base")])
        try editor.open("xx.lua", Self.market("xx", extends: "base"))
        editor.settle()
        #expect(Self.errors(editor, "xx.lua") == [])
        let base = editor.folder.appending(path: "base.lua")
        try FileManager.default.removeItem(at: base)
        editor.watches[editor.folder.path]?([base.path])
        editor.settle()
        #expect(Self.errors(editor, "xx.lua") == ["missingBase"])
        try Data(Self.market("base").utf8).write(to: base)
        editor.watches[editor.folder.path]?([base.path])
        editor.settle()
        #expect(Self.errors(editor, "xx.lua") == [])
    }

    @Test(arguments: [
        // An incomplete key, and unclosed or missing tokens.
        ("plat", "denied"), ("platform = {", "syntax"), ("platform = { urlSession = {} networking = {} },", "syntax"),
        ("} return { ", "syntax"),
        // Findings that need an evaluation.
        (
            "platform = { networking = { retry = (function() local t = {} for _, k in ipairs { \"maxRetires\" } do t[k] = 1 end return t end)() } },",
            "unknownKey"
        ),
        ("platform = include(\"no\" .. \"where.lua\"),", "include"),
        ("extends = \"xx\",", "extendsCycle"), ("platform = market(3),", "runtime"),
    ])
    func findingAppearsAndDisappearsWithMistake(lines: String, code: String) throws {
        let editor = try EditorFixture()
        let text =
            code == "extendsCycle"
            ? Self.market("xx", extends: "xx") : Self.market("xx", lines)
        try editor.open("xx.lua", text)
        editor.settle()
        #expect(Self.errors(editor, "xx.lua").contains(code), "\(Self.errors(editor, "xx.lua"))")
        editor.change("xx.lua", to: Self.market("xx"), version: 2)
        editor.settle()
        #expect(Self.errors(editor, "xx.lua") == [])
    }

    @Test func localAsValueIsNotAMistake() throws {
        let editor = try EditorFixture()
        try editor.open(
            "xx.lua",
            "local retries = 4\n"
                + Self.market("xx", "platform = { networking = { retry = { maxRetries = retries } } },"))
        editor.settle()
        #expect(Self.errors(editor, "xx.lua") == [])
    }

    @Test func editsInOneMessageApplyInOrder() throws {
        let editor = try EditorFixture()
        let text = Self.market("xx")
        try editor.open("xx.lua", "")
        func insert(_ text: String, _ line: Int, _ character: Int) -> StrictJSON {
            let place = ClientPosition(line: line, character: character)
            return .record(["range": ClientRange(place, place).json, "text": .string(text)])
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let changes = [
            insert("\(lines[0])\n", 0, 0), insert("}", 1, 0), insert("wrong = 1,\n", 1, 0), insert("😀", 1, 5),
            // A position beyond the end of a line means its end.
            .record([
                "range": ClientRange(
                    ClientPosition(line: 1, character: 0), ClientPosition(line: 1, character: 99_999)
                ).json,
                "text": .string(""),
            ]),
        ]
        editor.notify(
            "textDocument/didChange",
            .record([
                "textDocument": .record(["uri": .string(editor.uri("xx.lua")), "version": .number(2)]),
                "contentChanges": .array(changes),
            ]))
        editor.settle()
        #expect(Self.errors(editor, "xx.lua") == [])
        #expect(editor.lastPublished("xx.lua")?["version"]?.intValue == 2)
    }
}
