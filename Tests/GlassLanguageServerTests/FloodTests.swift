import Dispatch
import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import Synchronization
import Testing

@testable import GlassLanguageServer

/// However much a client tells of, it costs as much as that, and no more of it is kept than somebody can need.
@Suite(.timeLimit(.minutes(2)))
struct FloodTests {
    private static func market(_ id: String) -> String {
        "return { id = \"\(id)\", name = \"Test\", extends = \"us\", currency = \"USD\", locales = { \"en-US\" } }"
    }

    private static func changes(_ uris: [String]) -> StrictJSON {
        .record(["changes": .array(uris.map { .record(["uri": .string($0), "type": .number(1)]) })])
    }

    @Test(arguments: [1, 8000]) func filesThatWereWrittenAreToldOfInAnyNumberOfMessages(atOnce: Int) throws {
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

    @Test func ofFilesThatAreNotThereNoneIsLookedAt() throws {
        let markets = MarketFolder(path: EditorFixture.repository.appending(path: "markets").path)
        var folder = MarketWorkspace(MarketLoader(.platform, folder: markets))
        folder.written((0..<8000).map { "w\($0).lua" } + ["ca.lua"])
        #expect(folder.waiting.isEmpty)
        folder.rest()
        #expect(folder.waiting == ["ca"])
        // Another change puts off what waits, and loses nothing.
        folder.written(["w1.lua", "mx.lua"])
        #expect(folder.waiting.isEmpty)
        folder.rest()
        #expect(folder.waiting == ["ca", "mx"])
    }

    @Test func aFileThatChangesWhileItIsReadIsReadAgain() throws {
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
        // Whoever tells of many files has the changes of most forgotten, and not that there was one.
        for flood in 0..<3 { folder.written((0..<9000).map { "flood\(flood)x\($0).lua" } + ["ca.lua"]) }
        #expect(folder.keep(found(), of: began).isEmpty)
        #expect(folder.waiting == ["ca"])
        #expect(folder.next(except: []) == "ca")
        #expect(folder.keep(found(), of: folder.generation) == [file])
        #expect(folder.isKnown("ca", with: file))
        #expect(!folder.isAsked("ca"))
    }

    @Test func ofMoreMarketsThanAreLookedAtTheClientHears() throws {
        let editor = try EditorFixture()
        for index in 0...MarketWorkspace.maximumMarkets {
            // A link is quicker than a market, and one that leads nowhere is none to look at.
            try FileManager.default.createSymbolicLink(
                atPath: editor.folder.appending(path: "y\(index).lua").path, withDestinationPath: "nowhere")
        }
        editor.notify("workspace/didChangeWatchedFiles", Self.changes([editor.uri("y1.lua"), editor.uri("y2.lua")]))
        editor.settle()
        let logged = editor.messages.filter { $0["method"]?.stringValue == "window/logMessage" }
        #expect(logged.count == 1)
        #expect(logged.first?["params", "message"]?.stringValue?.contains("more than 1,000 markets") == true)
    }

    @Test func marketsThatAreDeletedTogetherAreForgottenTogether() throws {
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

    /// Workspaces with a markets folder each.
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

    @Test func noMoreThan32FoldersAreLookedAt() throws {
        let (root, uris) = try Self.workspaces(40)
        defer { try? FileManager.default.removeItem(at: root) }  // the system's to clean up
        let editor = try EditorFixture()
        editor.notify("workspace/didChangeWorkspaceFolders", Self.event(added: uris))
        // That of the fixture is one.
        #expect(editor.watches.count == ServerState.maximumFolders)
        let logged = editor.messages.filter { $0["method"]?.stringValue == "window/logMessage" }
        #expect(logged.count == 1, "told once, and not for each of them")
        // In the place of those that go, others come.
        for round in 0..<3 {
            editor.notify("workspace/didChangeWorkspaceFolders", Self.event(removed: uris))
            editor.notify(
                "workspace/didChangeWorkspaceFolders", Self.event(added: Array(uris[round * 10..<round * 10 + 20])))
            editor.settle()
        }
        #expect(editor.messages.count { $0["method"]?.stringValue == "window/logMessage" } == 1)
        #expect(editor.watches.count == uris.count + 1, "folders that came later are watched too")
    }

    @Test func ofAFolderThatGoesNothingIsSaidAnyMore() throws {
        let (root, uris) = try Self.workspaces(1)
        defer { try? FileManager.default.removeItem(at: root) }  // the system's to clean up
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

    @Test func aFolderOfAnOpenTextStaysUntilThatIsClosed() throws {
        let (root, uris) = try Self.workspaces(1)
        defer { try? FileManager.default.removeItem(at: root) }  // the system's to clean up
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

    @Test func aFolderThatIsALoopIsNone() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "loop-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }  // the system's to clean up
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: root.appending(path: "markets").path, withDestinationPath: "markets")
        let editor = try EditorFixture()
        let workspace = StrictJSON.record(["uri": .string(DocumentURI.uri(of: root.path))])
        editor.notify("workspace/didChangeWorkspaceFolders", Self.event(added: [workspace]))
        // A folder within itself is looked at once.
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

    /// Serves pieces of a stream; counts what is said.
    private func serve(_ pieces: [[UInt8]]) -> (status: Int32, said: Int) {
        let said = Atomic(0)
        let server = LanguageServer(
            folder: "/nowhere", loader: { MarketLoader(.platform, folder: $0) }, delay: { _, _ in },
            write: { _ in said.add(1, ordering: .relaxed) })
        var rest = pieces[...]
        return (server.serve { rest.popFirst() ?? [] }, said.load(ordering: .relaxed))
    }

    @Test func cancellationsOfWhatNobodyAskedAreForgotten() {
        let cancellations = (0..<20_000).flatMap { id in
            Self.framed(#"{"method":"$/cancelRequest","params":{"id":\#(id)}}"#)
        }
        let served = serve([Self.initialize, cancellations, Self.end])
        #expect(served.status == 0)
        #expect(served.said == 2)
    }

    @Test func whatIsTooLongIsRefusedAndLifeGoesOn() {
        let values = Self.framed("[" + String(repeating: "[0],", count: 1_000_000) + "0]")
        let text = Self.framed(#"{"method":"x","params":""# + String(repeating: ",", count: 2_000_000) + #""}"#)
        let long = Array("Content-Length: \(20 << 20)\r\n\r\n".utf8) + Array(repeating: 0x20, count: 20 << 20)
        let served = serve([Self.initialize, values, text, long, Self.end])
        #expect(served.status == 0)
        // An error for each of two messages; many commas in a text are no values.
        #expect(served.said == 4)
    }

    @Test func aClientThatReadsNoAnswersIsReadFromNoFurther() {
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
                // A thousand wait, and another one is in hand.
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
