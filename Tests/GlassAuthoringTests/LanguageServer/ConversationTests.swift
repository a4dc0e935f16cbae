import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import LuaBridge
import Synchronization
import Testing

@testable import GlassAuthoring

struct ConversationTests {
    private static func code(_ answer: StrictJSON) -> Int? { answer["error", "code"]?.intValue }

    @Test func requestsOutsideSessionAreRejected() throws {
        let editor = try EditorFixture(capabilities: nil)
        #expect(Self.code(try editor.ask("textDocument/hover", nil)) == -32002)
        #expect(try editor.request("initialize", .record(["capabilities": .record([:])]))["capabilities"] != nil)
        #expect(Self.code(try editor.ask("initialize", .record([:]))) == -32600)
        #expect(Self.code(try editor.ask("textDocument/none", nil)) == -32601)
        #expect(Self.code(try editor.ask("$/none", nil)) == -32601)
        #expect(try editor.request("shutdown", nil) == .null)
        #expect(Self.code(try editor.ask("shutdown", nil)) == -32600)
    }

    @Test(arguments: [
        ("", -32700), ("{", -32700), ("\u{0}", -32700), (String(repeating: "[", count: 100_000), -32700),
        ("{\"method\":\"\\ud800\"}", -32700), ("[]", -32600), ("{}", -32600), ("3", -32600),
        ("{\"id\":1.5,\"method\":\"x\"}", -32600), ("{\"id\":1,\"method\":3}", -32600),
    ])
    func malformedMessageGetsErrorAndServerContinues(body: String, code: Int) throws {
        let editor = try EditorFixture()
        editor.server.receive(Array(body.utf8))
        let answer = try #require(editor.messages.last)
        #expect(Self.code(answer) == code)
        #expect(answer["id"] == .null)
        #expect(try editor.request("shutdown", nil) == .null)
    }

    @Test func invalidUTF8IsNotAMessage() throws {
        let editor = try EditorFixture()
        editor.server.receive([0x7B, 0x22, 0xFF, 0x22, 0x7D])
        #expect(Self.code(try #require(editor.messages.last)) == -32700)
    }

    @Test(arguments: [
        (["utf-8", "utf-16"], "utf-8"), (["utf-16", "utf-8"], "utf-16"), (["utf-32", "utf-8"], "utf-16"),
        ([], "utf-16"),
    ])
    func encodingFollowsClientPreference(offered: [String], chosen: String) throws {
        let editor = try EditorFixture(capabilities: nil)
        let general = StrictJSON.record(["positionEncodings": .array(offered.map { .string($0) })])
        let answer = try editor.request(
            "initialize", .record(["capabilities": .record(["general": general])]))
        #expect(answer["capabilities", "positionEncoding"]?.stringValue == chosen)
    }

    /// Serves a stream piece by piece, and returns the outcome.
    private func serve(_ pieces: [String]) -> (status: Int32, errors: [String], said: Int) {
        let said = Atomic(0)
        let server = LanguageServer(
            folder: "/nowhere", loader: { MarketLoader(.platform, folder: $0) }, delay: { _, _ in },
            write: { _ in said.add(1, ordering: .relaxed) })
        var rest = pieces[...]
        var errors: [String] = []
        let status = server.serve(errors: { errors.append($0) }) { rest.popFirst().map { Array($0.utf8) } ?? [] }
        return (status, errors, said.load(ordering: .relaxed))
    }

    private static func framed(_ body: String) -> String { "Content-Length: \(body.utf8.count)\r\n\r\n\(body)" }
    private static let initialize = framed(
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#)
    private static let shutdown = framed(#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#)
    private static let exit = framed(#"{"jsonrpc":"2.0","method":"exit"}"#)

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ([initialize, shutdown, exit], 0, 2), ([exit], 1, 0), ([initialize, exit], 1, 1), ([initialize], 1, 1),
            ([], 1, 0),
            ([initialize + shutdown + exit], 0, 2), (["Content-Le"], 1, 0),
        ])
    func statusReflectsHowSessionEnded(pieces: [String], status: Int, answers: Int) {
        let served = serve(pieces)
        #expect(served.status == Int32(status))
        #expect(served.said == answers)
        #expect(served.errors.isEmpty)
    }

    @Test func invalidFrameEndsServerWithMessage() {
        let served = serve([Self.initialize, "Content-Length: x\r\n\r\n"])
        #expect(served.status == 1)
        #expect(served.errors == ["the language server stops: the Content-Length \"x\" is not a number"])
        #expect(served.said == 1)
    }

    @Test(.timeLimit(.minutes(1))) func endOfInputIsNoticedWhileLuaRuns() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "endless-\(UUID().uuidString)/markets")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("while true do end".utf8).write(to: folder.appending(path: "xx.lua"))
        let server = LanguageServer(
            folder: folder.path,
            loader: { folder in
                var limits = MarketLimits(load: .seconds(8))
                limits.evaluation.cpuTime = .seconds(8)
                return MarketLoader(.platform, folder: folder, limits: limits)
            }, write: { _ in })
        var rest = [Self.initialize][...]
        let time = ContinuousClock().measure {
            #expect(server.serve { rest.popFirst().map { Array($0.utf8) } ?? [] } == 1)
        }
        #expect(time < .seconds(3))
        try FileManager.default.removeItem(at: folder.deletingLastPathComponent())
    }

    @Test func unrelatedDocumentsAreIgnored() throws {
        let editor = try EditorFixture()
        for uri in ["untitled:1", "git:/x.lua", "", "file:///no/other/x.lua", "file:///no/no\u{FEFF}thing.txt"] {
            editor.notify(
                "textDocument/didOpen",
                .record([
                    "textDocument": .record([
                        "uri": .string(uri), "version": .number(1), "text": .string("return { nonsense"),
                    ])
                ]))
            editor.notify("textDocument/didClose", .record(["textDocument": .record(["uri": .string(uri)])]))
        }
        editor.notify("textDocument/didChange", .record([:]))
        editor.notify("textDocument/didClose", .record(["textDocument": .record(["uri": .string("file:///no.lua")])]))
        editor.settle()
        let published = editor.messages.filter { $0["method"]?.stringValue == "textDocument/publishDiagnostics" }
        #expect(published.allSatisfy { $0["params", "uri"]?.stringValue?.contains("/markets/") == true })
        #expect(editor.messages.count { $0["method"]?.stringValue == "window/logMessage" } == 2)
    }
}
