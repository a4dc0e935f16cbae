import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

struct QuickFixTests {
    private static let head =
        "return { id = \"xx\", name = \"Test\", extends = \"us\", currency = \"USD\", locales = { \"en-US\" },\n"
    private static let literal = StrictJSON.record([
        "textDocument": .record([
            "codeAction": .record(["codeActionLiteralSupport": .record(["codeActionKind": .record([:])])])
        ])
    ])

    private func actions(_ editor: EditorFixture, only: String? = nil) throws -> [StrictJSON] {
        let everything = ClientRange(ClientPosition(line: 0, character: 0), ClientPosition(line: 999, character: 0))
        return try editor.request(
            "textDocument/codeAction",
            .record([
                "textDocument": .record(["uri": .string(editor.uri("xx.lua"))]), "range": everything.json,
                "context": .record([
                    "diagnostics": .array([]), "only": only.map { .array([.string($0)]) },
                ]),
            ])
        ).arrayValue ?? []
    }

    private func applying(_ action: StrictJSON, to text: String, _ editor: EditorFixture) throws -> String {
        let edits = try #require(action["edit", "changes", editor.uri("xx.lua")]?.arrayValue)
        let lines = TextLines(Array(text.utf8))
        var bytes = lines.bytes
        for edit in edits.reversed() {
            let range = lines.bytes(of: try #require(edit["range"].flatMap(ClientRange.init)), .utf16)
            bytes.replaceSubrange(range, with: try #require(edit["newText"]?.stringValue).utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("platform = { --[[😀]] networking = { retry = { maxRetires = 4 } } },", "maxRetries = 4", true),
        (
            "platform = { urlSession = { cachePolicy = \"useProtocolCachePolcy\" } },", "\"useProtocolCachePolicy\"",
            true
        ),
        ("platform = { networking = { retry = { maxRetries = \"4\" } } },", "maxRetries = 4", true),
        ("routables = { flyers = { paths = { \"x\" }, waitForPreconditions = { \"signdIn\" } } },", "signedIn", true),
    ])
    func appliedFixRemovesItsFinding(text: String, fixed: String, isPreferred: Bool) throws {
        let editor = try EditorFixture(capabilities: Self.literal)
        try editor.open("xx.lua", Self.head + text + "\n}")
        editor.settle()
        let before = editor.diagnostics("xx.lua")
        let action = try #require(try actions(editor).first)
        #expect(action["kind"]?.stringValue == "quickfix")
        #expect(action["isPreferred"]?.boolValue == isPreferred)
        let changed = try applying(action, to: Self.head + text + "\n}", editor)
        #expect(changed.contains(fixed), "\(changed)")
        editor.change("xx.lua", to: changed, version: 2)
        editor.settle()
        // Undecided and shared identifiers are only checked in markets without errors.
        let after = editor.diagnostics("xx.lua").filter {
            !$0.contains(" undecided ") && !$0.contains(" sharedIdentity ")
        }
        #expect(after.count < before.count, "\(before), then \(after)")
        let titles = try actions(editor).compactMap { $0["title"]?.stringValue }
        #expect(titles.allSatisfy { $0.hasPrefix("accept ") }, "\(titles)")
    }

    @Test(arguments: [
        ("return { id = \"xx\", name = \"😀\", extends = \"uss\" }", "missingBase", "extends = \"us\""),
        ("return { id = \"xxx\", name = \"😀\", extends = \"us\" }", "idMismatch", "id = \"xx\""),
        ("return { id = \"xx\", name = \"😀\" extends = \"us\" }", "syntax", "\"😀\", extends"),
        (
            "return { id = \"xx\", name = \"😀\", extends = \"us\",\n"
                + "platform = { address = { regions = include \"shared/ca_region.lua\" } } }",
            "include", "include \"shared/ca_regions.lua\""
        ),
        (
            "return { id = \"xx\", name = \"😀\", extends = \"us\", routables = { acount = false } }",
            "unknownRoutable", "account = false"
        ),
    ])
    func everyKindOfFixRemovesItsFindingOnly(text: String, code: String, fixed: String) throws {
        let editor = try EditorFixture(capabilities: Self.literal)
        try editor.open("xx.lua", text)
        editor.settle()
        func errors() -> [String] {
            editor.lastPublished("xx.lua")?["diagnostics"]?.arrayValue?.filter { $0["severity"]?.intValue == 1 }
                .compactMap { $0["code"]?.stringValue } ?? []
        }
        #expect(errors() == [code])
        let action = try #require(try actions(editor).first)
        let changed = try applying(action, to: text, editor)
        #expect(changed.contains(fixed), "\(changed)")
        editor.change("xx.lua", to: changed, version: 2)
        editor.settle()
        #expect(errors() == [])
    }

    @Test func warningIsAcceptedWithReason() throws {
        let editor = try EditorFixture(capabilities: Self.literal)
        let text = Self.head + "platform = { quimby = { refreshSeconds = 300000 } },\n}"
        try editor.open("xx.lua", text)
        editor.settle()
        let actions = try actions(editor)
        let accepting = try #require(
            actions.first { $0["title"]?.stringValue == "accept numbersDisagree with a reason" })
        #expect(actions.first?["title"]?.stringValue == "write 300")
        #expect(accepting["isPreferred"]?.boolValue == false)
        let changed = try applying(accepting, to: text, editor)
        let accepted = "refreshSeconds = accept { 300000, numbersDisagree = \"why this is intended\" }"
        #expect(changed.contains(accepted), "\(changed)")
        editor.change("xx.lua", to: changed, version: 2)
        editor.settle()
        #expect(!editor.diagnostics("xx.lua").contains { $0.contains("numbersDisagree") })
    }

    @Test func unambiguousFixesAreAppliedTogether() throws {
        let editor = try EditorFixture(capabilities: Self.literal)
        let text =
            Self.head + "platform = { networking = { retry = { maxRetires = \"4\", multiplier = \"2\" } },\n"
            + "  urlSession = { setsCookeis = true } },\n}"
        try editor.open("xx.lua", text)
        editor.settle()
        let all = try actions(editor, only: "source.fixAll")
        #expect(all.compactMap { $0["kind"]?.stringValue } == ["source.fixAll.glass-host"])
        let changed = try applying(try #require(all.first), to: text, editor)
        #expect(changed.contains("maxRetries"))
        #expect(changed.contains("multiplier = 2"))
        #expect(changed.contains("setsCookies"))
        #expect(try actions(editor, only: "refactor").isEmpty)
    }

    @Test func fixesForOlderTextAreNotOffered() throws {
        let editor = try EditorFixture(capabilities: Self.literal)
        try editor.open("xx.lua", Self.head + "currensy = \"USD\",\n}")
        editor.settle()
        #expect(!(try actions(editor).isEmpty))
        editor.server.receive([])
        editor.notify(
            "textDocument/didChange",
            .record([
                "textDocument": .record(["uri": .string(editor.uri("xx.lua")), "version": .number(2)]),
                "contentChanges": .array([.record(["text": .string("return {}")])]),
            ]))
        // Either the new text has not been evaluated yet, or the actions are for it.
        for action in try actions(editor) {
            #expect(action["title"]?.stringValue != "write currency")
        }
    }

    @Test func clientWithoutActionSupportGetsNone() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.head + "currensy = \"USD\",\n}")
        editor.settle()
        #expect(try actions(editor).isEmpty)
    }
}
