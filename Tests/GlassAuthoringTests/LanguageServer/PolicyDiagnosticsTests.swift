import Foundation
import GlassBase
import Testing

@testable import GlassAuthoring

/// Denials of policies during editing.
struct PolicyDiagnosticsTests {
    private static let policy = """
        glass.policy("timeouts stay low", { severity = "breaking" }, function(market, deny)
          if market.config.platform.urlSession.requestTimeoutSeconds > 50 then
            deny("platform.urlSession.requestTimeoutSeconds", "at most 50")
          end
        end)
        """

    private static func market(_ seconds: Int) -> String {
        "return { id = \"xx\", name = \"Test\", extends = \"us\", currency = \"USD\", locales = { \"en-US\" },\n"
            + "platform = { urlSession = { requestTimeoutSeconds = \(seconds) } },\n}"
    }

    /// An editor with policies in a temporary folder, outside the markets folder.
    private static func editor(_ policy: String) throws -> (editor: EditorFixture, policies: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "policies-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(policy.utf8).write(to: URL(fileURLWithPath: folder + "/a.lua"))
        return (try EditorFixture(policies: folder), folder)
    }

    @Test func denialIsDiagnosticWithPolicyAsCode() throws {
        let (editor, policies) = try Self.editor(Self.policy)
        defer { try? FileManager.default.removeItem(atPath: policies) }  // the system cleans up if this fails
        try editor.open("xx.lua", Self.market(60))
        editor.settle()
        let diagnostics = try #require(editor.lastPublished("xx.lua")?["diagnostics"]?.arrayValue)
        let denied = try #require(diagnostics.first { $0["code"]?.stringValue == "timeouts stay low" })
        #expect(denied["severity"]?.intValue == 1)
        #expect(denied["range", "start", "line"]?.intValue == 1)
        #expect(denied["range", "start", "character"]?.intValue == 52)
        #expect(denied["range", "end", "character"]?.intValue == 54)
        editor.change("xx.lua", to: Self.market(40), version: 2)
        editor.settle()
        #expect(editor.diagnostics("xx.lua").allSatisfy { !$0.contains("at most 50") })
        // A different rule, saved by the user.
        try Data(Self.policy.replacing("50", with: "20").utf8).write(to: URL(fileURLWithPath: policies + "/a.lua"))
        editor.notify(
            "workspace/didChangeWatchedFiles",
            .record([
                "changes": .array([
                    .record(["uri": .string(DocumentURI.uri(of: policies + "/a.lua")), "type": .number(2)])
                ])
            ]))
        editor.settle()
        #expect(editor.diagnostics("xx.lua").contains { $0.contains("at most 20") })
    }

    @Test func failingPolicyIsReportedInItsFile() throws {
        let (editor, policies) = try Self.editor(
            "glass.policy('a', {}, function(market) return market.nothing.more end)")
        defer { try? FileManager.default.removeItem(atPath: policies) }  // the system cleans up if this fails
        try editor.open("xx.lua", Self.market(40))
        editor.settle()
        let uri = DocumentURI.uri(of: policies + "/a.lua")
        let published = try #require(
            editor.messages.last { $0["params", "uri"]?.stringValue == uri }?["params", "diagnostics"]?.arrayValue)
        #expect(published.count == 1)
        #expect(published.first?["code"]?.stringValue == "policyFailed")
        #expect(published.first?["message"]?.stringValue?.contains("attempt to index a nil value") == true)
    }

    @Test func policiesOnlyRunWithOption() throws {
        let editor = try EditorFixture()
        let folder = editor.folder.deletingLastPathComponent().appending(path: "policies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Self.policy.utf8).write(to: folder.appending(path: "a.lua"))
        try editor.open("xx.lua", Self.market(60))
        editor.settle()
        #expect(editor.diagnostics("xx.lua").allSatisfy { !$0.contains("at most 50") })
    }
}
