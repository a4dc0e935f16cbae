import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import LuaBridge
import Testing

@testable import GlassAuthoring

/// A temporary markets folder, a server, and its messages.
final class EditorFixture: Sendable {
    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let folder: URL
    let server: LanguageServer
    private let said: Lock<[StrictJSON]>
    private let pauses: Lock<[(due: Duration, body: @Sendable () -> Void)]>
    private let now: Lock<Duration>
    private let gate: Gate
    private let requests = Lock(0)
    private let watching: Lock<[String: @Sendable ([String]) -> Void]>

    /// Copies the shipped markets, adds files, and starts a session.
    ///
    /// - Parameters:
    ///   - files: Files in addition to the shipped markets.
    ///   - name: Part of the name of the parent folder.
    ///   - policies: The policies folder; `nil` for none.
    ///   - capabilities: The client's capabilities; `nil` if the test starts the session.
    init(
        _ files: [String: String] = [:], in name: String = "", policies: String? = nil,
        capabilities: StrictJSON? = .record([:])
    ) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "editor-\(UUID().uuidString)\(name)")
        folder = root.appending(path: "markets")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.repository.appending(path: "markets"), to: folder)
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let said = Lock<[StrictJSON]>([])
        let pauses = Lock<[(due: Duration, body: @Sendable () -> Void)]>([])
        let (now, gate) = (Lock(Duration.zero), Gate())
        let watching = Lock<[String: @Sendable ([String]) -> Void]>([:])
        (self.said, self.pauses, self.watching, self.now, self.gate) = (said, pauses, watching, now, gate)
        server = LanguageServer(
            folder: nil, policies: policies,
            loader: { folder in
                var limits = MarketLimits(load: .seconds(60))
                limits.evaluation.cpuTime = .seconds(60)
                // Every shipped market has secrets, so no evaluation finishes before it passes the gate.
                return MarketLoader(.platform, folder: folder, limits: limits, secrets: { _ in gate.pass() })
            },
            delay: { time, body in
                let due = now.withLock { $0 } + time
                pauses.withLock { $0.append((due, body)) }
            },
            watch: { folder, changed in
                watching.withLock { $0[folder] = changed }
                return nil
            },
            write: { bytes in
                var splitter = MessageSplitter()
                splitter.append(bytes)
                do {
                    while case .body(let body)? = try splitter.next() {
                        let message = try StrictJSON(reading: body, limit: 1 << 26, numbers: .all)
                        said.withLock { $0.append(message) }
                    }
                } catch {
                    Issue.record("the server wrote an invalid message: \(error)")
                }
            })
        guard let capabilities else { return }
        _ = try request("initialize", .record(["rootUri": .string(uri("")), "capabilities": capabilities]))
        notify("initialized", .record([:]))
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: folder.deletingLastPathComponent())
    }

    /// The URI of a file in the folder; of the parent folder for an empty name.
    func uri(_ name: String) -> String {
        let root = folder.deletingLastPathComponent().path
        return DocumentURI.uri(of: name.isEmpty ? root : "\(root)/markets/\(name)")
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// Sends a request, and waits for its response.
    ///
    /// - Returns: The response, with `result` or `error`.
    func ask(_ method: String, _ parameters: StrictJSON?) throws -> StrictJSON {
        let id = begin(method, parameters)
        if answer(to: id) == nil { server.waitForEvaluations() }
        if answer(to: id) == nil { settle() }
        return try #require(answer(to: id))
    }

    /// Sends a request.
    ///
    /// - Returns: Its ID.
    func begin(_ method: String, _ parameters: StrictJSON?) -> Int {
        let id = requests.withLock { count in
            count += 1
            return count
        }
        send(.record(["jsonrpc": .string("2.0"), "id": .number(id), "method": .string(method), "params": parameters]))
        return id
    }

    /// The response to a request, if there is one yet.
    func answer(to id: Int) -> StrictJSON? { messages.last { $0["id"]?.intValue == id && $0["method"] == nil } }

    /// Sends a request that succeeds.
    func request(_ method: String, _ parameters: StrictJSON?) throws -> StrictJSON {
        let answer = try ask(method, parameters)
        return try #require(answer["result"], "\(String(decoding: answer.text(), as: UTF8.self))")
    }

    func notify(_ method: String, _ parameters: StrictJSON) {
        send(.record(["jsonrpc": .string("2.0"), "method": .string(method), "params": parameters]))
    }

    func send(_ message: StrictJSON) { server.receive(message.text()) }

    /// The folders that the server watches, each with its callback.
    var watches: [String: @Sendable ([String]) -> Void] {
        server.waitForEvaluations()
        return watching.withLock { $0 }
    }

    /// All messages from the server.
    var messages: [StrictJSON] { said.withLock { $0 } }

    /// Waits until everything is evaluated, including deferred markets.
    func settle() {
        while true {
            server.waitForEvaluations()
            let waiting = pauses.withLock { pauses in
                defer { pauses = [] }
                return pauses
            }
            if waiting.isEmpty { return }
            for pause in waiting.sorted(by: { $0.due < $1.due }) {
                pause.body()
                server.waitForEvaluations()
            }
        }
    }

    /// Advances the clock.
    func advance(by time: Duration) {
        let now = now.withLock { now in
            now += time
            return now
        }
        let due = pauses.withLock { pauses in
            defer { pauses.removeAll { $0.due <= now } }
            return pauses.filter { $0.due <= now }
        }
        for pause in due { pause.body() }
    }

    /// Runs a body while evaluations are held back.
    func holdingEvaluations<Result>(_ body: () throws -> Result) rethrows -> Result {
        gate.close()
        defer { gate.open() }
        return try body()
    }

    // MARK: Documents

    func open(_ name: String, _ text: String? = nil, version: Int = 1) throws {
        notify(
            "textDocument/didOpen",
            .record([
                "textDocument": .record([
                    "uri": .string(uri(name)), "languageId": .string("lua"), "version": .number(version),
                    "text": .string(try text ?? self.text(name)),
                ])
            ]))
    }

    func change(_ name: String, to text: String, version: Int) {
        notify(
            "textDocument/didChange",
            .record([
                "textDocument": .record(["uri": .string(uri(name)), "version": .number(version)]),
                "contentChanges": .array([.record(["text": .string(text)])]),
            ]))
    }

    /// The diagnostics published last for a file, as `line:start-end code message`.
    func diagnostics(_ name: String) -> [String] {
        lastPublished(name)?["diagnostics"]?.arrayValue?.map(Self.line) ?? []
    }

    func lastPublished(_ name: String) -> StrictJSON? { published(name).last }

    /// All diagnostics published for a file, in order.
    func published(_ name: String) -> [StrictJSON] {
        messages.filter {
            $0["method"]?.stringValue == "textDocument/publishDiagnostics"
                && $0["params", "uri"]?.stringValue == uri(name)
        }.compactMap { $0["params"] }
    }

    /// The messages shown to the user.
    var shown: [String] {
        messages.filter { $0["method"]?.stringValue == "window/showMessage" }
            .compactMap { $0["params", "message"]?.stringValue }
    }

    private static func line(_ json: StrictJSON) -> String {
        let start = json["range", "start"].flatMap(ClientPosition.init)
        let end = json["range", "end"].flatMap(ClientPosition.init)
        let message = json["message"]?.stringValue ?? ""
        return "\(start?.line ?? -1):\(start?.character ?? -1)-\(end?.character ?? -1) "
            + "\(json["code"]?.stringValue ?? "") \(message.replacing("\n", with: " | "))"
    }

    /// The position of the mark `|` in a text, and the text without it.
    static func marked(_ text: String) throws -> (text: String, position: ClientPosition) {
        let mark = try #require(text.firstIndex(of: "‸"))
        let before = text[..<mark]
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        return (
            text.replacing("‸", with: ""),
            ClientPosition(line: lines.count - 1, character: (lines.last ?? "").utf16.count)
        )
    }

    func at(_ name: String, _ position: ClientPosition) -> StrictJSON {
        .record(["textDocument": .record(["uri": .string(uri(name))]), "position": position.json])
    }
}

/// A gate for evaluations, open unless a test closes it.
private final class Gate: Sendable {
    private let lock = Lock()
    private let opened = ConditionVariable()
    private nonisolated(unsafe) var isClosed = false  // only accessed under `lock`

    func close() { lock.withLock { isClosed = true } }

    func open() {
        lock.withLock { isClosed = false }
        opened.broadcast()
    }

    func pass() -> String? {
        lock.withLock { while isClosed { opened.wait(lock) } }
        return nil
    }
}
