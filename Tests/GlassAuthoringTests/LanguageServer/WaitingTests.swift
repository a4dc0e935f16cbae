import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

/// A response reflects the current text, if it can be evaluated quickly.
struct WaitingTests {
    private static let literal = StrictJSON.record([
        "textDocument": .record([
            "codeAction": .record(["codeActionLiteralSupport": .record(["codeActionKind": .record([:])])])
        ])
    ])

    private static func market(_ retry: String, extends base: String = "us") -> String {
        "return { id = \"xx\", name = \"Test\", extends = \"\(base)\", currency = \"USD\", locales = { \"en-US\" },\n"
            + "  platform = { networking = { retry = { \(retry) } } },\n}"
    }

    /// A position in the key on the market's second line.
    private static let key = ClientPosition(line: 1, character: 42)

    private static func text(_ answer: StrictJSON?) -> String {
        answer?["result", "contents", "value"]?.stringValue ?? ""
    }

    /// Sends a request while evaluations are held back, and returns its response once they continue.
    private func answer(
        _ editor: EditorFixture, _ method: String, _ parameters: StrictJSON, after change: () throws -> Void
    ) throws -> StrictJSON {
        let id = try editor.holdingEvaluations {
            try change()
            let id = editor.begin(method, parameters)
            #expect(editor.answer(to: id) == nil, "answered before the market was evaluated")
            return id
        }
        editor.server.waitForEvaluations()
        return try #require(editor.answer(to: id))
    }

    @Test func hoverRightAfterOpeningHasValue() throws {
        let editor = try EditorFixture()
        let answer = try answer(editor, "textDocument/hover", editor.at("xx.lua", Self.key)) {
            try editor.open("xx.lua", Self.market("maxRetries = 4"))
        }
        #expect(Self.text(answer).contains("= 4"))
        #expect(Self.text(answer).contains("overrides 3"))
    }

    @Test func hoverRightAfterEditHasNewValue() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market("maxRetries = 4"))
        editor.settle()
        let answer = try answer(editor, "textDocument/hover", editor.at("xx.lua", Self.key)) {
            editor.change("xx.lua", to: Self.market("maxRetries = 7"), version: 2)
        }
        #expect(Self.text(answer).contains("= 7"))
        #expect(!Self.text(answer).contains("last valid text"))
    }

    @Test func definitionRightAfterEditIsInNewBase() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market("maxRetries = 4"))
        editor.settle()
        let answer = try answer(editor, "textDocument/definition", editor.at("xx.lua", Self.key)) {
            editor.change("xx.lua", to: Self.market("maxRetries = 4", extends: "ca"), version: 2)
        }
        #expect(answer["result", "uri"]?.stringValue == editor.uri("ca.lua"))
    }

    @Test func quickFixRightAfterEditIsForNewText() throws {
        let editor = try EditorFixture(capabilities: Self.literal)
        try editor.open("xx.lua", Self.market("maxRetries = 4"))
        editor.settle()
        let range = ClientRange(Self.key, Self.key).json
        let parameters = StrictJSON.record([
            "textDocument": .record(["uri": .string(editor.uri("xx.lua"))]), "range": range,
            "context": .record(["diagnostics": .array([])]),
        ])
        let answer = try answer(editor, "textDocument/codeAction", parameters) {
            editor.change("xx.lua", to: Self.market("maxRetires = 4"), version: 2)
        }
        let edits = answer["result"]?.arrayValue?.first?["edit", "changes", editor.uri("xx.lua")]?.arrayValue
        #expect(edits?.compactMap { $0["newText"]?.stringValue } == ["maxRetries"])
    }

    @Test func lensesRightAfterOpeningCountLinks() throws {
        let editor = try EditorFixture()
        let answer = try answer(editor, "textDocument/codeLens", editor.at("ca.lua", Self.key)) {
            try editor.open("ca.lua")
        }
        #expect(answer["result"]?.arrayValue?.isEmpty == false)
    }

    @Test func hoverUsesEditedBase() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market("maxRetries = 4"))
        try editor.open("us.lua")
        editor.settle()
        let us = try editor.text("us.lua")
        let changed = us.replacing("maxRetries = 3", with: "maxRetries = 9")
        try #require(changed != us)
        let answer = try answer(editor, "textDocument/hover", editor.at("xx.lua", Self.key)) {
            editor.change("us.lua", to: changed, version: 2)
        }
        #expect(Self.text(answer).contains("overrides 9"))
    }

    @Test func requestAlsoWaitsForEditDuringWait() throws {
        let editor = try EditorFixture()
        let id = try editor.holdingEvaluations {
            try editor.open("xx.lua", Self.market("maxRetries = 4"))
            let id = editor.begin("textDocument/hover", editor.at("xx.lua", Self.key))
            editor.change("xx.lua", to: Self.market("maxRetries = 8"), version: 2)
            #expect(editor.answer(to: id) == nil)
            return id
        }
        editor.server.waitForEvaluations()
        #expect(Self.text(editor.answer(to: id)).contains("= 8"))
    }

    @Test func evaluatedRequestsWait300MillisecondsAtMost() throws {
        let editor = try EditorFixture()
        try editor.holdingEvaluations {
            try editor.open("xx.lua", Self.market("maxRetries = 4"))
            let hover = editor.begin("textDocument/hover", editor.at("xx.lua", Self.key))
            let symbols = editor.begin("textDocument/documentSymbol", editor.at("xx.lua", Self.key))
            #expect(editor.answer(to: symbols)?["result"]?.arrayValue?.isEmpty == false)
            editor.advance(by: .milliseconds(299))
            #expect(editor.answer(to: hover) == nil)
            editor.advance(by: .milliseconds(1))
            #expect(Self.text(editor.answer(to: hover)).contains("The maximum number of retries of a failed request."))
        }
        editor.settle()
        #expect(editor.messages.count { $0["result", "contents"] != nil } == 1)
    }

    @Test func cancellationEndsWait() throws {
        let editor = try EditorFixture()
        let id = try editor.holdingEvaluations {
            try editor.open("xx.lua", Self.market("maxRetries = 4"))
            let id = editor.begin("textDocument/hover", editor.at("xx.lua", Self.key))
            editor.notify("$/cancelRequest", .record(["id": .number(id + 1)]))
            #expect(editor.answer(to: id) == nil)
            editor.notify("$/cancelRequest", .record(["id": .number(id)]))
            #expect(editor.answer(to: id)?["error", "code"]?.intValue == -32800)
            return id
        }
        editor.settle()
        #expect(editor.messages.count { $0["id"]?.intValue == id } == 1)
    }

    @Test func closingTextEndsWait() throws {
        let editor = try EditorFixture()
        try editor.holdingEvaluations {
            try editor.open("xx.lua", Self.market("maxRetries = 4"))
            let id = editor.begin("textDocument/hover", editor.at("xx.lua", Self.key))
            editor.notify(
                "textDocument/didClose", .record(["textDocument": .record(["uri": .string(editor.uri("xx.lua"))])]))
            #expect(editor.answer(to: id)?["result"] == .null)
            try editor.open("xx.lua", Self.market("maxRetries = 4"))
            let other = editor.begin("textDocument/hover", editor.at("xx.lua", Self.key))
            let last = editor.begin("shutdown", nil)
            #expect(editor.answer(to: other)?["result"] != nil)
            #expect(editor.answer(to: last)?["result"] == .null)
        }
    }

    @Test func atMostHundredRequestsWait() throws {
        let editor = try EditorFixture()
        try editor.holdingEvaluations {
            try editor.open("xx.lua", Self.market("maxRetries = 4"))
            let ids = (0...ServerState.maximumWaiting).map { _ in
                editor.begin("textDocument/hover", editor.at("xx.lua", Self.key))
            }
            #expect(ids.filter { editor.answer(to: $0) != nil } == ids.suffix(1))
        }
        editor.settle()
        #expect(editor.messages.count { $0["result", "contents"] != nil } == ServerState.maximumWaiting + 1)
    }

    @Test func referencesRightAfterOpeningCoverEveryMarket() throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market("maxRetries = 4"))
        let found = try editor.request("textDocument/references", editor.at("xx.lua", Self.key)).arrayValue ?? []
        let files = Set(found.compactMap { $0["uri"]?.stringValue })
        #expect(files.isSuperset(of: ["xx.lua", "us.lua", "ca.lua"].map(editor.uri)))
    }

    @Test func includedFileIsEvaluatedWithFirstMarketThatReadsIt() throws {
        let editor = try EditorFixture()
        editor.settle()
        let answer = try answer(
            editor, "textDocument/hover", editor.at("shared/ca_regions.lua", ClientPosition(line: 0, character: 0))
        ) {
            try editor.open("shared/ca_regions.lua", "return { 1 }")
        }
        #expect(answer["result"] == .null)
        #expect(editor.lastPublished("shared/ca_regions.lua")?["version"]?.intValue == 1)
    }
}
