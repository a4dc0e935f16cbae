import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What a server knows. One thread at a time has it.
struct ServerState: Sendable {
    /// How far the conversation is.
    enum Phase {
        case beforeInitialize
        case running
        case afterShutdown
    }

    /// A text that is open, and where it belongs.
    struct OpenDocument: Sendable {
        var text: TextDocument
        /// The folder and the name below it; nil for a text that is no market's.
        var home: (folder: Int, name: String)?
        /// Made when it is asked for.
        var outline: Outline?
    }

    /// A market to be looked at.
    struct Evaluation: Sendable {
        let folder: Int
        let id: String
        /// Whether another market extends it.
        let isExtended: Bool
        let loader: MarketLoader
        let revisions: [String: Int]
        let generation: Int
        let interruption: LoadInterruption
    }

    private(set) var phase = Phase.beforeInitialize
    private(set) var client = ClientCapabilities()
    private(set) var documents: [String: OpenDocument] = [:]
    var folders: [EditedFolder] = []
    /// Counts what may change a diagnostic.
    private(set) var generation = 0
    private var outgoing: [StrictJSON] = []
    /// What was published last, by URI.
    var published: [String: Published] = [:]
    /// The files of which something else may be known than was published, by folder.
    var unpublished: [Int: Set<String>] = [:]
    /// The links to be tried, the first one first.
    var tries: [LinkTry] = []
    private var requests = 0
    /// The markets that are being looked at.
    var running: [Evaluation] = []
    private let fixedFolder: String?
    /// The folder of the project's policies, absolute; nil when none are asked.
    let policies: String?
    private let makeLoader: @Sendable (MarketFolder) -> MarketLoader
    private var workspaces: [String] = []
    /// The workspaces whose markets were not looked for yet.
    private var newWorkspaces: [String] = []
    /// Whether the client has said that it is ready.
    private var isInitialized = false
    private var watched: Set<String> = []

    /// The diagnostics of a text.
    struct Published: Sendable, Equatable {
        let version: Int?
        let findings: [Finding]
    }

    init(folder: String?, policies: String?, loader: @escaping @Sendable (MarketFolder) -> MarketLoader) {
        func absolute(_ path: String) -> String {
            DocumentURI.standardized(
                path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path)
        }
        fixedFolder = folder.map(absolute)
        self.policies = policies.map(absolute)
        makeLoader = loader
    }

    /// The status of a process whose client says `exit`.
    var statusAtExit: Int32 { phase == .afterShutdown ? 0 : 1 }
    /// The status of a process whose client is gone.
    var statusAtEnd: Int32 { 1 }

    // MARK: Messages

    mutating func send(_ message: StrictJSON) { outgoing.append(message) }

    mutating func notify(_ method: String, _ parameters: StrictJSON) {
        send(.record(["jsonrpc": .string("2.0"), "method": .string(method), "params": parameters]))
    }

    mutating func takeOutgoing() -> [StrictJSON] {
        defer { outgoing = [] }
        return outgoing
    }

    /// Handles a message.
    mutating func handle(_ message: ClientMessage, isCancelled: Bool) {
        switch message {
        case .response: return
        case .notification(let method, let parameters):
            // Before `initialize`, notifications are dropped.
            guard phase == .running else { return }
            do throws(ResponseError) {
                try notice(method, parameters)
            } catch {
                // There is nobody to answer to; the client's log shows it.
                notify(
                    "window/logMessage", .record(["type": .number(1), "message": .string(error.message)]))
            }
        case .request(let id, let method, let parameters):
            do throws(ResponseError) {
                if isCancelled { throw ResponseError(.requestCancelled, "\(method) was cancelled") }
                let result = try answer(method, parameters)
                send(.record(["jsonrpc": .string("2.0"), "id": id.json, "result": result]))
            } catch {
                send(error.response(to: id))
            }
        }
    }

    private mutating func answer(_ method: String, _ json: StrictJSON) throws(ResponseError) -> StrictJSON {
        switch (phase, method) {
        case (.beforeInitialize, "initialize"): return initialize(json)
        case (.beforeInitialize, _):
            throw ResponseError(.serverNotInitialized, "\(method) came before initialize")
        case (_, "initialize"): throw ResponseError(.invalidRequest, "initialize may come once")
        case (.afterShutdown, _): throw ResponseError(.invalidRequest, "\(method) came after shutdown")
        case (.running, "shutdown"):
            phase = .afterShutdown
            return .null
        case (.running, _):
            guard let request = Self.requests[method] else {
                throw ResponseError(.methodNotFound, "there is no request \(method.quotedForMessage)")
            }
            return try request(&self, Parameters(json, of: method))
        }
    }

    private mutating func notice(_ method: String, _ json: StrictJSON) throws(ResponseError) {
        let parameters = Parameters(json, of: method)
        switch method {
        case "textDocument/didOpen": try open(parameters)
        case "textDocument/didChange": try change(parameters)
        case "textDocument/didClose": try close(parameters)
        case "workspace/didChangeWatchedFiles": filesChanged(parameters)
        case "workspace/didChangeWorkspaceFolders": workspacesChanged(parameters)
        case "initialized":
            isInitialized = true
            registerWatching()
        default: return
        }
    }

    // MARK: The beginning

    private mutating func initialize(_ json: StrictJSON) -> StrictJSON {
        phase = .running
        client = ClientCapabilities(json["capabilities"] ?? .null)
        workspaces = (json["workspaceFolders"]?.arrayValue ?? []).compactMap { folder in
            folder["uri"]?.stringValue.flatMap(DocumentURI.path)
        }
        if workspaces.isEmpty {
            workspaces = [
                json["rootUri"]?.stringValue.flatMap(DocumentURI.path), json["rootPath"]?.stringValue,
            ].compactMap(\.self).prefix(1).map(DocumentURI.standardized)
        }
        newWorkspaces = workspaces
        return .record([
            "capabilities": Self.capabilities(client),
            "serverInfo": .record(["name": .string("glass-host")]),
        ])
    }

    /// What this server can do for a client.
    private static func capabilities(_ client: ClientCapabilities) -> StrictJSON {
        .record([
            "positionEncoding": .string(client.encoding.rawValue),
            "textDocumentSync": .record(["openClose": .boolean(true), "change": .number(2)]),
            "hoverProvider": .boolean(true),
            "completionProvider": .record(["triggerCharacters": .array([.string("\""), .string("=")])]),
            "codeActionProvider": .record([
                "codeActionKinds": .array([.string("quickfix"), .string("source.fixAll")])
            ]),
            "definitionProvider": .boolean(true), "referencesProvider": .boolean(true),
            "documentHighlightProvider": .boolean(true), "documentSymbolProvider": .boolean(true),
            "workspaceSymbolProvider": .boolean(true), "foldingRangeProvider": .boolean(true),
            "documentLinkProvider": .record([:]), "codeLensProvider": .record([:]),
            "executeCommandProvider": .record([
                "commands": .array([.string(routesCommand), .string(tryCommand)])
            ]),
            "workspace": .record([
                "workspaceFolders": .record(["supported": .boolean(true), "changeNotifications": .boolean(true)])
            ]),
        ])
    }

    /// Lets the client tell of files that somebody else writes.
    private mutating func registerWatching() {
        guard client.watchesFiles else { return }
        requests += 1
        send(
            .record([
                "jsonrpc": .string("2.0"), "id": .string("glass-\(requests)"),
                "method": .string("client/registerCapability"),
                "params": .record([
                    "registrations": .array([
                        .record([
                            "id": .string("glass-files"), "method": .string("workspace/didChangeWatchedFiles"),
                            "registerOptions": .record([
                                "watchers": .array([.record(["globPattern": .string("**/*.lua")])])
                            ]),
                        ])
                    ])
                ]),
            ]))
    }

    // MARK: Folders

    /// Opens the folders that the client named, once it has its answer: finding markets takes longer than answering.
    mutating func openFolders() {
        guard phase == .running else { return }
        if let fixedFolder {
            if folders.isEmpty { add(fixedFolder) }
        } else {
            for workspace in newWorkspaces { addMarkets(of: workspace) }
        }
        newWorkspaces = []
    }

    /// The folders that nobody watches yet, for a client that cannot.
    mutating func takeUnwatchedFolders() -> [String] {
        guard phase == .running, isInitialized, !client.watchesFiles else { return [] }
        return (folders.map(\.path) + [policies].compactMap(\.self)).filter { watched.insert($0).inserted }
    }

    private mutating func addMarkets(of workspace: String) {
        for path in [workspace + "/markets", workspace] {
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            // The folder itself is one when it is called so.
            guard exists, isFolder.boolValue, path.hasSuffix("/markets") else { continue }
            add(path)
            return
        }
    }

    @discardableResult
    private mutating func add(_ path: String) -> Int {
        if let index = folders.firstIndex(where: { $0.path == path }) { return index }
        var folder = EditedFolder(makeLoader(MarketFolder(path: path)))
        folder.changeAll()
        folders.append(folder)
        generation += 1
        return folders.count - 1
    }

    private mutating func workspacesChanged(_ parameters: Parameters) {
        guard fixedFolder == nil else { return }
        for added in parameters.json["event", "added"]?.arrayValue ?? [] {
            guard let path = added["uri"]?.stringValue.flatMap(DocumentURI.path) else { continue }
            workspaces.append(path)
            newWorkspaces.append(path)
        }
    }

    /// Where a file belongs: to a folder that is known, or to its own when it is a market.
    private mutating func home(of uri: String, _ bytes: [UInt8]) -> (folder: Int, name: String)? {
        guard let path = DocumentURI.path(of: uri), path.hasSuffix(".lua") else { return nil }
        if let known = knownHome(of: path) { return known }
        guard fixedFolder == nil, let slash = path.lastIndex(of: "/") else { return nil }
        let name = String(path[path.index(after: slash)...])
        let outline = Outline(bytes, schema: nil)
        func text(_ key: String) -> String? {
            guard let entry = outline.entry(at: ConfigurationPath([.key(key)])),
                case .string(let text) = outline.entries[entry].value
            else { return nil }
            return text
        }
        guard text("id") == String(name.dropLast(4)) || text("id") != nil && text("extends") != nil else { return nil }
        return (add(path[..<slash].isEmpty ? "/" : String(path[..<slash])), name)
    }

    private func knownHome(of path: String) -> (folder: Int, name: String)? {
        for (index, folder) in folders.enumerated() where path.hasPrefix(folder.path + "/") {
            return (index, String(path.dropFirst(folder.path.count + 1)))
        }
        // The client may know the folder, or the file, by another way to it.
        let real = URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
        for (index, folder) in folders.enumerated() {
            let root = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
            let file = URL(fileURLWithPath: path).lastPathComponent
            if real == root { return (index, file) }
            if real.hasPrefix(root + "/") { return (index, "\(real.dropFirst(root.count + 1))/\(file)") }
        }
        return nil
    }

    // MARK: Documents

    private mutating func open(_ parameters: Parameters) throws(ResponseError) {
        let uri = try parameters.uri()
        guard let text = parameters.json["textDocument", "text"]?.stringValue else {
            throw parameters.invalid("textDocument.text")
        }
        let version = parameters.json["textDocument", "version"]?.intValue ?? 0
        var document = OpenDocument(text: TextDocument(uri: uri, version: version, text: text))
        document.home = home(of: uri, document.text.lines.bytes)
        documents[uri] = document
        textChanged(uri)
    }

    private mutating func change(_ parameters: Parameters) throws(ResponseError) {
        let uri = try parameters.uri()
        guard var document = documents.removeValue(forKey: uri) else {
            throw ResponseError(.invalidParams, "\(uri.quotedForMessage) was changed and is not open")
        }
        defer { documents[uri] = document }
        guard let changes = parameters.json["contentChanges"]?.arrayValue else {
            throw parameters.invalid("contentChanges")
        }
        let version = parameters.json["textDocument", "version"]?.intValue ?? document.text.version + 1
        try document.text.apply(changes, version: version, client.encoding)
        document.outline = nil
        // A text that has become a market is one from now on.
        if document.home == nil { document.home = home(of: uri, document.text.lines.bytes) }
        documents[uri] = document
        textChanged(uri)
    }

    private mutating func close(_ parameters: Parameters) throws(ResponseError) {
        let uri = try parameters.uri()
        guard let document = documents.removeValue(forKey: uri) else {
            throw ResponseError(.invalidParams, "\(uri.quotedForMessage) was closed and is not open")
        }
        guard let home = document.home else { return }
        folders[home.folder].change(home.name, to: nil)
        // What was said about the open text is not said about the file; what is, is found out now.
        published[uri] = nil
        notify(
            "textDocument/publishDiagnostics", .record(["uri": .string(uri), "diagnostics": .array([])]))
        generation += 1
    }

    private mutating func textChanged(_ uri: String) {
        guard let document = documents[uri], let home = document.home else { return }
        folders[home.folder].change(home.name, to: document.text.lines.bytes)
        generation += 1
        // What is being found out about an older text is of no use.
        for evaluation in running
        where evaluation.folder == home.folder && folders[home.folder].isAsked(evaluation.id) {
            evaluation.interruption.interrupt()
        }
    }

    private mutating func filesChanged(_ parameters: Parameters) {
        let changes = parameters.json["changes"]?.arrayValue ?? []
        filesWritten(changes.compactMap { $0["uri"]?.stringValue.flatMap(DocumentURI.path) })
    }

    /// Somebody else wrote, made or deleted files.
    mutating func filesWritten(_ paths: [String]) {
        for path in paths where path.hasSuffix(".lua") {
            if let policies, path.hasPrefix(policies + "/") {
                // Each market may be judged otherwise now.
                for index in folders.indices { folders[index].changeAll() }
                generation += 1
                continue
            }
            guard let home = knownHome(of: path) else { continue }
            folders[home.folder].written(home.name)
            generation += 1
        }
    }

    /// The outline of an open text.
    mutating func outline(of uri: String) -> Outline? {
        guard let document = documents[uri] else { return nil }
        if let outline = document.outline { return outline }
        let schema = document.home.flatMap { home in
            folders[home.folder].market(of: home.name).map { _ in folders[home.folder].loader.schema.declaration }
        }
        let outline = Outline(document.text.lines.bytes, schema: schema)
        documents[uri]?.outline = outline
        return outline
    }

    /// What the client calls a file: the open text's URI where there is one.
    func uri(of file: String) -> String {
        for (uri, document) in documents {
            guard let home = document.home else { continue }
            if "\(folders[home.folder].path)/\(home.name)" == file { return uri }
        }
        return DocumentURI.uri(of: file)
    }
}
