import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

struct LensTests {
    private static let start = ClientPosition(line: 0, character: 0)

    private func commands(_ editor: EditorFixture, in name: String = "ca.lua") throws -> [StrictJSON] {
        let lenses = try editor.request("textDocument/codeLens", editor.at(name, Self.start)).arrayValue ?? []
        return lenses.compactMap { $0["command"] }
    }

    private func run(_ command: StrictJSON?, _ editor: EditorFixture) throws {
        let answer = try editor.request(
            "workspace/executeCommand",
            .record(["command": command?["command"], "arguments": command?["arguments"]]))
        #expect(answer == .null)
        editor.settle()
    }

    private func tryLink(_ arguments: [String], _ editor: EditorFixture) throws -> String {
        try run(
            .record([
                "command": .string("glass-host.tryLink"), "arguments": .array(arguments.map { .string($0) }),
            ]), editor)
        return editor.shown.last ?? ""
    }

    private func editor() throws -> EditorFixture {
        let editor = try EditorFixture()
        try editor.open("ca.lua")
        editor.settle()
        return editor
    }

    @Test func lensCountsLinksOfRoutable() throws {
        let editor = try editor()
        let commands = try commands(editor).filter { $0["command"]?.stringValue == "glass-host.routes" }
        let titles = commands.compactMap { $0["title"]?.stringValue }
        #expect(titles.count == 5)
        #expect(titles.contains { $0.hasPrefix("opens 1 link · mx ") })
        #expect(titles.contains { $0.hasPrefix("opens no link · ") })
        try run(commands.first, editor)
        #expect(editor.shown.last?.contains("ca: myaccount") == true)
    }

    @Test func everyOpenableRoutableHasLinkToTry() throws {
        let editor = try editor()
        let tries = try commands(editor).filter { $0["title"]?.stringValue == "try a link" }
        // Two are disabled.
        #expect(tries.count == 3)
        for command in tries {
            try run(command, editor)
            let routable = try #require(command["arguments"]?.arrayValue?.last?.stringValue)
            let shown = try #require(editor.shown.last)
            #expect(shown.hasPrefix("ca: \"walmart.ca://"))
            #expect(shown.contains(" opens \(routable) by \""), "\(shown)")
        }
        #expect(editor.shown.count == tries.count)
    }

    @Test func linkIsTriedInEveryMarket() throws {
        let shown = try tryLink(["walmart.ca://myacount"], editor()).split(separator: "\n")
        #expect(shown.map { $0.prefix(3) } == ["ca:", "mx:", "us:"])
        #expect(shown[0].contains("opens nothing: no route matches the link; did you mean"))
        #expect(shown[1].contains("this market has no scheme \"walmart.ca\""))
    }

    @Test func linkIsTriedWithLastValidText() throws {
        let editor = try editor()
        let text = try editor.text("ca.lua")
        editor.change("ca.lua", to: text.replacing("\"myaccount\"", with: "\"mon-compte\""), version: 2)
        editor.settle()
        editor.change("ca.lua", to: "return {", version: 3)
        editor.settle()
        let folder = editor.folder.path
        let shown = try tryLink([folder, "ca", "account"], editor)
        #expect(shown.hasPrefix("ca: \"walmart.ca://mon-compte\" opens account"))
        // The file on disk differs.
        #expect(try editor.text("ca.lua").contains("\"myaccount\""))
    }

    @Test func unusableLinkIsRejectedOrReported() throws {
        let editor = try editor()
        for arguments: [StrictJSON] in [[], [.string("")], [.number(3)], [.string("a"), .string("b")]] {
            let answer = try editor.ask(
                "workspace/executeCommand",
                .record(["command": .string("glass-host.tryLink"), "arguments": .array(arguments)]))
            #expect(answer["error", "code"]?.intValue == -32602)
        }
        #expect(try editor.ask("workspace/executeCommand", .record([:]))["error", "code"]?.intValue == -32602)
        let unknown = try editor.ask("workspace/executeCommand", .record(["command": .string("rm")]))
        #expect(unknown["error", "code"]?.intValue == -32602)
        #expect(try tryLink([editor.folder.path, "none", "account"], editor).contains("without errors"))
        #expect(try tryLink([editor.folder.path, "ca", "none"], editor) == "ca: no link opens none")
        #expect(try tryLink(["\u{1B}[2J\u{0}"], editor).contains("\u{1B}") == false)
    }
}
