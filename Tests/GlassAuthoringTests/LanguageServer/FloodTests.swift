import Dispatch
import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import Synchronization
import Testing

@testable import GlassAuthoring

/// However many changes a client reports, the cost is proportional, and only necessary state is kept.
@Suite(.timeLimit(.minutes(2)))
struct FloodTests {
    private static func market(_ id: String) -> String {
        "return { id = \"\(id)\", name = \"Test\", extends = \"us\", currency = \"USD\", locales = { \"en-US\" } }"
    }

    private static func changes(_ uris: [String]) -> StrictJSON {
        .record(["changes": .array(uris.map { .record(["uri": .string($0), "type": .number(1)]) })])
    }

    @Test(arguments: [1, 8000]) func changedFilesAreReportedInAnyNumberOfMessages(atOnce: Int) throws {
        let editor = try EditorFixture()
        try editor.open("xx.lua", Self.market("xx"))
        editor.settle()
        let uris = (0..<8000).map { editor.uri($0 % 2 == 0 ? "w\($0).lua" : "../other/w\($0).lua") }
        for start in stride(from: 0, to: uris.count, by: atOnce) {
            editor.notify("workspace/didChangeWatchedFiles", Self.changes(Array(uris[start..<start + atOnce])))
        }
        let hover = try editor.request(
            "textDocument/hover", editor.at("xx.lua", ClientPosition(line: 0, character: 20)))
        #expect(hover["contents", "value"]?.stringValue?.contains("= \"Test\"") == true)
        editor.settle()
        #expect(editor.messages.allSatisfy { $0["params", "uri"]?.stringValue?.contains("/w") != true })
    }

    @Test func missingFilesAreNotEvaluated() throws {
        let markets = MarketFolder(path: EditorFixture.repository.appending(path: "markets").path)
        var folder = MarketWorkspace(MarketLoader(.platform, folder: markets))
        folder.written((0..<8000).map { "w\($0).lua" } + ["ca.lua"])
        #expect(folder.waiting.isEmpty)
        folder.rest()
        #expect(folder.waiting == ["ca"])
        // Another change defers the waiting markets, but loses none.
        folder.written(["w1.lua", "mx.lua"])
        #expect(folder.waiting.isEmpty)
        folder.rest()
        #expect(folder.waiting == ["ca", "mx"])
    }

    @Test func fileChangedDuringEvaluationIsReadAgain() throws {
        let markets = MarketFolder(path: EditorFixture.repository.appending(path: "markets").path)
        var folder = MarketWorkspace(MarketLoader(.platform, folder: markets))
        folder.changeAll()
        folder.rest()
        while folder.next(except: []) != nil {}
        let began = folder.generation
        let file = "\(folder.path)/ca.lua"
        func found() -> MarketSnapshot {
            MarketSnapshot(id: "ca", findings: [], files: [file: [1]], provenance: nil)
        }
        // After reports of many files, most individual changes are forgotten, but not that there was one.
        for flood in 0..<3 { folder.written((0..<9000).map { "flood\(flood)x\($0).lua" } + ["ca.lua"]) }
        #expect(folder.keep(found(), of: began).isEmpty)
        #expect(folder.waiting == ["ca"])
        #expect(folder.next(except: []) == "ca")
        #expect(folder.keep(found(), of: folder.generation) == [file])
        #expect(folder.isKnown("ca", with: file))
        #expect(!folder.isAsked("ca"))
    }

    @Test func clientIsNotifiedOfMarketLimit() throws {
        let editor = try EditorFixture()
        for index in 0...MarketWorkspace.maximumMarkets {
            // A link is quicker to create than a market, and a dangling one is not evaluated.
            try FileManager.default.createSymbolicLink(
                atPath: editor.folder.appending(path: "y\(index).lua").path, withDestinationPath: "nowhere")
        }
        editor.notify("workspace/didChangeWatchedFiles", Self.changes([editor.uri("y1.lua"), editor.uri("y2.lua")]))
        editor.settle()
        let logged = editor.messages.filter { $0["method"]?.stringValue == "window/logMessage" }
        #expect(logged.count == 1)
        #expect(logged.first?["params", "message"]?.stringValue?.contains("more than 1,000 markets") == true)
    }

    @Test func marketsDeletedTogetherAreForgottenTogether() throws {
        let names = (0..<40).map { "z\($0)" }
        let editor = try EditorFixture(
            Dictionary(uniqueKeysWithValues: names.map { ("\($0).lua", "return { id = \"\($0)\", wrong = 1 }") }))
        editor.settle()
        #expect(names.allSatisfy { !editor.diagnostics("\($0).lua").isEmpty })
        for name in names { try FileManager.default.removeItem(at: editor.folder.appending(path: "\(name).lua")) }
        editor.notify("workspace/didChangeWatchedFiles", Self.changes(names.map { editor.uri("\($0).lua") }))
        editor.settle()
        #expect(names.allSatisfy { editor.diagnostics("\($0).lua").isEmpty })
    }

    /// Workspaces with one markets folder each.
    private static func workspaces(_ count: Int) throws -> (root: URL, uris: [StrictJSON]) {
        let root = FileManager.default.temporaryDirectory.appending(path: "workspaces-\(UUID().uuidString)")
        let uris = try (0..<count).map { index -> StrictJSON in
            let folder = root.appending(path: "w\(index)")
            let markets = folder.appending(path: "markets")
            try FileManager.default.createDirectory(at: markets, withIntermediateDirectories: true)
            try Data("return { id = \"xx\", wrong = 1 }".utf8).write(to: markets.appending(path: "xx.lua"))
            return .record(["uri": .string(DocumentURI.uri(of: folder.path)), "name": .string("w\(index)")])
        }
        return (root, uris)
    }

    private static func event(added: [StrictJSON] = [], removed: [StrictJSON] = []) -> StrictJSON {
        .record(["event": .record(["added": .array(added), "removed": .array(removed)])])
    }

    @Test func numberOfFoldersIsLimitedTo32() throws {
        let (root, uris) = try Self.workspaces(40)
        defer { try? FileManager.default.removeItem(at: root) }  // the system cleans up if this fails
        let editor = try EditorFixture()
        editor.notify("workspace/didChangeWorkspaceFolders", Self.event(added: uris))
        // The fixture's folder counts.
        #expect(editor.watches.count == ServerState.maximumFolders)
        let logged = editor.messages.filter { $0["method"]?.stringValue == "window/logMessage" }
        #expect(logged.count == 1, "reported once, not for each of them")
        // New folders replace the removed ones.
        for round in 0..<3 {
            editor.notify("workspace/didChangeWorkspaceFolders", Self.event(removed: uris))
            editor.notify(
                "workspace/didChangeWorkspaceFolders", Self.event(added: Array(uris[round * 10..<round * 10 + 20])))
            editor.settle()
        }
        #expect(editor.messages.count { $0["method"]?.stringValue == "window/logMessage" } == 1)
        #expect(editor.watches.count == uris.count + 1, "folders that were added later are watched too")
    }

    @Test func nothingIsPublishedForRemovedFolder() throws {
        let (root, uris) = try Self.workspaces(1)
        defer { try? FileManager.default.removeItem(at: root) }  // the system cleans up if this fails
        let editor = try EditorFixture()
        let file = "\(uris[0]["uri"]?.stringValue ?? "")/markets/xx.lua"
        func said() -> Int? {
            let last = editor.messages.last { $0["params", "uri"]?.stringValue == file }
            return last?["params", "diagnostics"]?.arrayValue?.count
        }
        for _ in 0..<2 {
            editor.notify("workspace/didChangeWorkspaceFolders", Self.event(added: uris))
            editor.settle()
            #expect(said() ?? 0 > 0)
            editor.notify("workspace/didChangeWorkspaceFolders", Self.event(removed: uris))
            #expect(said() == 0)
            editor.settle()
            #expect(said() == 0)
        }
    }

    @Test func folderStaysWhileATextInItIsOpen() throws {
        let (root, uris) = try Self.workspaces(1)
        defer { try? FileManager.default.removeItem(at: root) }  // the system cleans up if this fails
        let editor = try EditorFixture()
        let file = "\(uris[0]["uri"]?.stringValue ?? "")/markets/xx.lua"
        editor.notify("workspace/didChangeWorkspaceFolders", Self.event(added: uris))
        editor.notify(
            "textDocument/didOpen",
            .record([
                "textDocument": .record([
                    "uri": .string(file), "version": .number(1), "text": .string("return { id = \"xx\", other = 1 }"),
                ])
            ]))
        editor.notify("workspace/didChangeWorkspaceFolders", Self.event(removed: uris))
        editor.settle()
        let said = editor.messages.last { $0["params", "uri"]?.stringValue == file }
        let messages = said?["params", "diagnostics"]?.arrayValue?.compactMap { $0["message"]?.stringValue } ?? []
        #expect(messages.contains { $0.contains("other") }, "\(messages)")
        editor.notify("textDocument/didClose", .record(["textDocument": .record(["uri": .string(file)])]))
        editor.settle()
        let last = editor.messages.last { $0["params", "uri"]?.stringValue == file }
        #expect(last?["params", "diagnostics"]?.arrayValue?.isEmpty == true)
    }

    @Test func cyclicFolderIsIgnored() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "loop-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }  // the system cleans up if this fails
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: root.appending(path: "markets").path, withDestinationPath: "markets")
        let editor = try EditorFixture()
        let workspace = StrictJSON.record(["uri": .string(DocumentURI.uri(of: root.path))])
        editor.notify("workspace/didChangeWorkspaceFolders", Self.event(added: [workspace]))
        // A folder that contains itself is searched once.
        try FileManager.default.createSymbolicLink(
            atPath: editor.folder.appending(path: "again").path, withDestinationPath: ".")
        editor.notify(
            "workspace/didChangeWatchedFiles", Self.changes([editor.uri("again/again/ca.lua"), editor.uri("ca.lua")]))
        editor.settle()
        #expect(editor.watches.count == 1)
    }

    // MARK: Streams

    private static func framed(_ body: String) -> [UInt8] { MessageSplitter.framed(Array(body.utf8)) }

    private static let initialize = framed(#"{"id":"first","method":"initialize","params":{"capabilities":{}}}"#)
    private static let end = framed(#"{"id":"last","method":"shutdown"}"#) + framed(#"{"method":"exit"}"#)

    /// Serves pieces of a stream, and counts the messages sent.
    private func serve(_ pieces: [[UInt8]]) -> (status: Int32, said: Int) {
        let said = Atomic(0)
        let server = LanguageServer(
            folder: "/nowhere", loader: { MarketLoader(.platform, folder: $0) }, delay: { _, _ in },
            write: { _ in said.add(1, ordering: .relaxed) })
        var rest = pieces[...]
        return (server.serve { rest.popFirst() ?? [] }, said.load(ordering: .relaxed))
    }

    @Test func cancellationsOfUnknownRequestsAreForgotten() {
        let cancellations = (0..<20_000).flatMap { id in
            Self.framed(#"{"method":"$/cancelRequest","params":{"id":\#(id)}}"#)
        }
        let served = serve([Self.initialize, cancellations, Self.end])
        #expect(served.status == 0)
        #expect(served.said == 2)
    }

    @Test func overlongMessageIsRejectedAndServerContinues() {
        let values = Self.framed("[" + String(repeating: "[0],", count: 1_000_000) + "0]")
        let text = Self.framed(#"{"method":"x","params":""# + String(repeating: ",", count: 2_000_000) + #""}"#)
        let long = Array("Content-Length: \(20 << 20)\r\n\r\n".utf8) + Array(repeating: 0x20, count: 20 << 20)
        let served = serve([Self.initialize, values, text, long, Self.end])
        #expect(served.status == 0)
        // One error for each of two messages; commas inside a string are not values.
        #expect(served.said == 4)
    }

    @Test func clientThatReadsNoResponsesIsNotReadFurther() {
        let read = Atomic(0)
        let written = Atomic(0)
        let most = Atomic(0)
        let status = Atomic(Int32(-1))
        let (isFull, mayWrite, hasEnded) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        let server = LanguageServer(
            folder: "/nowhere", loader: { MarketLoader(.platform, folder: $0) }, delay: { _, _ in },
            write: { _ in
                mayWrite.wait()
                written.add(1, ordering: .acquiringAndReleasing)
            })
        let request = Self.framed(#"{"id":1,"method":"textDocument/none"}"#)
        DispatchQueue.global().async {
            let found = server.serve {
                let count = read.add(1, ordering: .acquiringAndReleasing).newValue
                most.max(count - written.load(ordering: .acquiring), ordering: .relaxed)
                // A thousand are queued, and another one is in progress.
                if count == 1001 { isFull.signal() }
                return count <= 5000 ? request : []
            }
            status.store(found, ordering: .releasing)
            hasEnded.signal()
        }
        isFull.wait()
        for _ in 0..<5000 { mayWrite.signal() }
        #expect(hasEnded.wait(timeout: .now() + 60) == .success)
        #expect(status.load(ordering: .acquiring) == 1)
        #expect(written.load(ordering: .acquiring) == 5000)
        #expect(most.load(ordering: .acquiring) <= 1002)
    }
}
