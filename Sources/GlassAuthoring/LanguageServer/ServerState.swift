import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax

/// The state of a server. Accessed by one thread at a time.
struct ServerState: Sendable {
    /// The phase of the session.
    enum Phase {
        case beforeInitialize
        case running
        case afterShutdown
    }

    /// An open document and its location.
    struct OpenDocument: Sendable {
        var text: TextDocument
        /// The folder and the path in it; nil if the document doesn't belong to a markets folder.
        var home: (folder: Int, name: String)?
    }

    /// A scheduled evaluation of a market.
    struct Evaluation: Sendable {
        let folder: Int
        let id: String
        /// Whether another market extends it.
        let isExtended: Bool
        /// Whether the market is open in the editor.
        let isOpen: Bool
        let loader: MarketLoader
        /// The file changes so far, and the generation of the folder.
        let changes: FileChanges
        let generation: Int
        let interruption: LoadCancellation
    }

    private(set) var phase = Phase.beforeInitialize
    private(set) var client = ClientCapabilities()
    private(set) var documents: [String: OpenDocument] = [:]
    /// The URIs of the open documents in markets folders, by the path shown in diagnostics.
    private(set) var openFiles: [String: String] = [:]
    /// The cached outlines of open documents, the most recently used last.
    private var outlines: [(uri: String, outline: Outline)] = []
    /// The markets folders. An index remains valid as long as a document in its folder is open.
    var folders: [MarketWorkspace] = []
    /// The indices of released folders, which can be reused.
    private var closedFolders: Set<Int> = []
    /// The folders named by the client or the command line, which stay without an open document.
    private var namedFolders: Set<Int> = []
    /// Whether the client was notified that a folder was omitted.
    private var hasToldOfFolders = false
    /// Incremented with every change that may affect diagnostics.
    private(set) var generation = 0
    private var outgoing: [StrictJSON] = []
    /// The latest published diagnostics, by URI.
    var published: [String: Published] = [:]
    /// The files whose diagnostics may have changed since they were published, by folder.
    var unpublished: [Int: Set<String>] = [:]
    /// The scheduled dry runs, in order.
    var tries: [LinkDryRun] = []
    private var requests = 0
    /// The evaluations in progress.
    var running: [Evaluation] = []
    /// The waiting requests, in order.
    var waitingRequests: [WaitingRequest] = []
    /// The number of requests that have waited so far.
    var waits = 0
    private let fixedFolder: String?
    /// The absolute path of the policies folder; nil if policies are not used.
    let policies: String?
    private let makeLoader: @Sendable (MarketFolder) -> MarketLoader
    /// The workspaces whose markets folders haven't been searched for yet.
    private var newWorkspaces: [String] = []
    /// Whether the client sent `initialized`.
    private var isInitialized = false
    private var watched: Set<String> = []
    /// The folders whose watchers can be stopped.
    private var unwatched: [String] = []

    /// The maximum number of folders: enough for each part of a large workspace, but not one for every opened file.
    static let maximumFolders = 32
    /// The maximum number of tokens in cached outlines. A token takes about a hundred bytes.
    private static let maximumTokens = 500_000

    /// The published diagnostics of a document.
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

    /// The exit status for the `exit` notification.
    var statusAtExit: Int32 { phase == .afterShutdown ? 0 : 1 }

    // MARK: Messages

    mutating func send(_ message: StrictJSON) { outgoing.append(message) }

    mutating func notify(_ method: String, _ parameters: StrictJSON) {
        send(.record(["jsonrpc": .string("2.0"), "method": .string(method), "params": parameters]))
    }

    /// The severity of a log message, with the values of `MessageType` in the protocol.
    enum LogLevel: Int {
        case error = 1
        case warning = 2
    }

    /// Writes to the client's log.
    mutating func logMessage(_ level: LogLevel, _ message: String) {
        notify("window/logMessage", .record(["type": .number(level.rawValue), "message": .string(message)]))
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
            // The protocol requires that notifications before `initialize` are dropped.
            guard phase == .running else { return }
            do throws(ResponseError) {
                try notice(method, parameters)
            } catch {
                // A notification has no response, so report the error in the client's log.
                logMessage(.error, error.message)
            }
            answerSettled()
        case .request(let id, let method, let parameters):
            if isCancelled {
                send(ResponseError(.requestCancelled, "\(method) was cancelled").response(to: id))
            } else if !wait(id, method, parameters) {
                respond(to: id, method, parameters)
            }
        }
    }

    /// Answers a request.
    mutating func respond(to id: RequestID, _ method: String, _ parameters: StrictJSON) {
        do throws(ResponseError) {
            let result = try answer(method, parameters)
            send(.record(["jsonrpc": .string("2.0"), "id": id.json, "result": result]))
        } catch {
            send(error.response(to: id))
        }
    }

    private mutating func answer(_ method: String, _ json: StrictJSON) throws(ResponseError) -> StrictJSON {
        switch (phase, method) {
        case (.beforeInitialize, "initialize"): return initialize(json)
        case (.beforeInitialize, _):
            throw ResponseError(.serverNotInitialized, "\(method) was received before initialize")
        case (_, "initialize"): throw ResponseError(.invalidRequest, "initialize was already received")
        case (.afterShutdown, _): throw ResponseError(.invalidRequest, "\(method) was received after shutdown")
        case (.running, "shutdown"):
            answerAll()
            phase = .afterShutdown
            return .null
        case (.running, _):
            guard let request = Self.requests[method] else {
                throw ResponseError(.methodNotFound, "unknown request \(method.quotedForMessage)")
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
        case "$/cancelRequest":
            if let id = json["id"].flatMap(RequestID.init) { cancelWaiting(id) }
        case "initialized":
            isInitialized = true
            registerWatching()
        default: return
        }
    }

    // MARK: Initialization

    private mutating func initialize(_ json: StrictJSON) -> StrictJSON {
        phase = .running
        client = ClientCapabilities(json["capabilities"] ?? .null)
        newWorkspaces = Self.paths(of: json["workspaceFolders"])
        if newWorkspaces.isEmpty {
            newWorkspaces = [
                json["rootUri"]?.stringValue.flatMap(DocumentURI.path), json["rootPath"]?.stringValue,
            ].compactMap(\.self).prefix(1).map(DocumentURI.standardized)
        }
        return .record([
            "capabilities": Self.capabilities(client),
            "serverInfo": .record(["name": .string("glass-host")]),
        ])
    }

    /// The capabilities that the server announces to a client.
    private static func capabilities(_ client: ClientCapabilities) -> StrictJSON {
        .record([
            "positionEncoding": .string(client.encoding.rawValue),
            "textDocumentSync": .record(["openClose": .boolean(true), "change": .number(2)]),
            "hoverProvider": .boolean(true),
            "completionProvider": .record([
                "triggerCharacters": .array(["\"", "=", ":", "(", "{"].map { .string($0) })
            ]),
            "codeActionProvider": .record([
                "codeActionKinds": .array([.string("quickfix"), .string("source.fixAll")])
            ]),
            "definitionProvider": .boolean(true), "referencesProvider": .boolean(true),
            "documentHighlightProvider": .boolean(true), "documentSymbolProvider": .boolean(true),
            "workspaceSymbolProvider": .boolean(true), "foldingRangeProvider": .boolean(true),
            "documentLinkProvider": .record([:]), "codeLensProvider": .record([:]),
            "renameProvider": client.preparesRenames ? .record(["prepareProvider": .boolean(true)]) : .boolean(true),
            "inlayHintProvider": .boolean(true),
            "executeCommandProvider": .record([
                "commands": .array([.string(routesCommand), .string(tryCommand), .string(flagCommand)])
            ]),
            "workspace": .record([
                "workspaceFolders": .record(["supported": .boolean(true), "changeNotifications": .boolean(true)])
            ]),
        ])
    }

    /// Registers for notifications about files that are changed outside the editor.
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

    private static func paths(of workspaces: StrictJSON?) -> [String] {
        (workspaces?.arrayValue ?? []).compactMap { $0["uri"]?.stringValue.flatMap(DocumentURI.path) }
    }

    /// Opens the folders that the client named. Called after the response is sent, because searching for markets takes
    /// longer than responding.
    mutating func openFolders() {
        guard phase == .running else { return }
        if let fixedFolder {
            if folders.isEmpty, let index = add(fixedFolder) { namedFolders.insert(index) }
        } else {
            for workspace in newWorkspaces { addMarkets(of: workspace) }
        }
        newWorkspaces = []
    }

    /// The folders that still need a watcher, for a client that cannot watch files.
    mutating func takeUnwatchedFolders() -> [String] {
        guard phase == .running, isInitialized, !client.watchesFiles else { return [] }
        let open = folders.indices.filter { !closedFolders.contains($0) }.map { folders[$0].path }
        return (open + [policies].compactMap(\.self)).filter { watched.insert($0).inserted }
    }

    /// The folders whose watchers can be stopped.
    mutating func takeWatchedFolders() -> [String] {
        defer { unwatched = [] }
        return unwatched
    }

    /// The possible markets folders of a workspace, including the workspace itself if it is named `markets`.
    private static func marketFolders(of workspace: String) -> [String] {
        [workspace + "/markets", workspace].filter { $0.hasSuffix("/markets") }
    }

    private mutating func addMarkets(of workspace: String) {
        for path in Self.marketFolders(of: workspace) where ConfinedDirectory.isFolder(path) {
            if let index = add(path) { namedFolders.insert(index) }
            return
        }
    }

    private func index(of path: String) -> Int? {
        folders.indices.first { folders[$0].path == path && !closedFolders.contains($0) }
    }

    /// The index of a folder, adding it if necessary; nil if there are too many folders.
    private mutating func add(_ path: String) -> Int? {
        if let index = index(of: path) { return index }
        let free = closedFolders.min() ?? folders.count
        guard free < Self.maximumFolders else {
            if hasToldOfFolders { return nil }
            hasToldOfFolders = true
            logMessage(
                .warning,
                "\(path.quotedForMessage) is omitted: the limit is \(Self.maximumFolders) folders; close one of them"
            )
            return nil
        }
        var folder = MarketWorkspace(makeLoader(MarketFolder(path: path)))
        folder.changeAll()
        if free < folders.count { folders[free] = folder } else { folders.append(folder) }
        closedFolders.remove(free)
        generation += 1
        return free
    }

    /// Releases a folder without open documents, and clears its diagnostics.
    private mutating func closeUnused(_ index: Int) {
        guard !namedFolders.contains(index), folders[index].texts.isEmpty, closedFolders.insert(index).inserted else {
            return
        }
        for evaluation in running where evaluation.folder == index { evaluation.interruption.interrupt() }
        let folder = folders[index]
        for uri in folder.files.map(DocumentURI.uri) {
            guard published.removeValue(forKey: uri) != nil else { continue }
            notify("textDocument/publishDiagnostics", .record(["uri": .string(uri), "diagnostics": .array([])]))
        }
        unpublished[index] = nil
        folders[index] = MarketWorkspace(folder.loader)
        if watched.remove(folder.path) != nil { unwatched.append(folder.path) }
        generation += 1
    }

    private mutating func workspacesChanged(_ parameters: Parameters) {
        guard fixedFolder == nil else { return }
        for removed in Self.paths(of: parameters.json["event", "removed"]) {
            newWorkspaces.removeAll { $0 == removed }
            for index in Self.marketFolders(of: removed).compactMap({ index(of: $0) }) {
                namedFolders.remove(index)
                closeUnused(index)
            }
        }
        newWorkspaces += Self.paths(of: parameters.json["event", "added"])
    }

    /// The folder of a file: a known one, or the file's parent folder if the file is a market.
    private mutating func home(of uri: String, _ bytes: [UInt8]) -> (folder: Int, name: String)? {
        guard let path = DocumentURI.path(of: uri), path.hasSuffix(".lua") else { return nil }
        var homes = knownFolders
        if let known = homes.home(of: path) { return known }
        guard fixedFolder == nil, let slash = path.lastIndex(of: "/") else { return nil }
        let name = String(path[path.index(after: slash)...])
        let outline = Outline(bytes)
        func text(_ key: String) -> String? {
            guard let entry = outline.entry(at: ConfigurationPath([.key(key)])),
                case .string(let text) = outline.entries[entry].value
            else { return nil }
            return text
        }
        guard text("id") == String(name.dropLast(4)) || text("id") != nil && text("extends") != nil else { return nil }
        return add(path[..<slash].isEmpty ? "/" : String(path[..<slash])).map { ($0, name) }
    }

    /// The open folders, for looking up the files of one message.
    private var knownFolders: KnownFolders {
        KnownFolders(folders.indices.filter { !closedFolders.contains($0) }.map { ($0, folders[$0].path) })
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
        forgetOutline(of: uri)
        documents[uri] = document
        textChanged(uri)
    }

    private mutating func change(_ parameters: Parameters) throws(ResponseError) {
        let uri = try parameters.uri()
        guard var document = documents.removeValue(forKey: uri) else {
            throw ResponseError(.invalidParams, "\(uri.quotedForMessage) was changed but is not open")
        }
        defer { documents[uri] = document }
        guard let changes = parameters.json["contentChanges"]?.arrayValue else {
            throw parameters.invalid("contentChanges")
        }
        let version = parameters.json["textDocument", "version"]?.intValue ?? document.text.version + 1
        try document.text.apply(changes, version: version, client.encoding)
        forgetOutline(of: uri)
        // The edit may have turned the document into a market.
        if document.home == nil { document.home = home(of: uri, document.text.lines.bytes) }
        documents[uri] = document
        textChanged(uri)
    }

    private mutating func close(_ parameters: Parameters) throws(ResponseError) {
        let uri = try parameters.uri()
        guard let document = documents.removeValue(forKey: uri) else {
            throw ResponseError(.invalidParams, "\(uri.quotedForMessage) was closed but is not open")
        }
        forgetOutline(of: uri)
        guard let home = document.home else { return }
        let file = "\(folders[home.folder].path)/\(home.name)"
        if openFiles[file] == uri { openFiles[file] = nil }
        folders[home.folder].change(home.name, to: nil)
        // The diagnostics of the open document may not apply to the file on disk, which is evaluated next.
        published[uri] = nil
        notify(
            "textDocument/publishDiagnostics", .record(["uri": .string(uri), "diagnostics": .array([])]))
        generation += 1
        closeUnused(home.folder)
    }

    private mutating func textChanged(_ uri: String) {
        guard let document = documents[uri], let home = document.home else { return }
        openFiles["\(folders[home.folder].path)/\(home.name)"] = uri
        folders[home.folder].change(home.name, to: document.text.lines.bytes)
        generation += 1
        // Evaluations of an older version are useless.
        for evaluation in running
        where evaluation.folder == home.folder && folders[home.folder].isAsked(evaluation.id) {
            evaluation.interruption.interrupt()
        }
    }

    private mutating func filesChanged(_ parameters: Parameters) {
        let changes = parameters.json["changes"]?.arrayValue ?? []
        filesWritten(changes.compactMap { $0["uri"]?.stringValue.flatMap(DocumentURI.path) })
    }

    /// Records that files were written, created or deleted outside the editor.
    mutating func filesWritten(_ paths: [String]) {
        var homes = knownFolders
        var names: [Int: [String]] = [:]
        var arePoliciesChanged = false
        for path in paths where path.hasSuffix(".lua") {
            if let policies, path.hasPrefix(policies + "/") {
                arePoliciesChanged = true
            } else if let home = homes.home(of: path) {
                names[home.folder, default: []].append(home.name)
            }
        }
        // Verdicts on any market may change.
        if arePoliciesChanged {
            for index in folders.indices where !closedFolders.contains(index) { folders[index].changeAll() }
        }
        // Reported together, so that a market that reads several of them is evaluated once.
        for (folder, names) in names { folders[folder].written(names) }
        if arePoliciesChanged || !names.isEmpty { generation += 1 }
    }

    /// The outline of an open document.
    mutating func outline(of uri: String) -> Outline? {
        guard let document = documents[uri] else { return nil }
        if let index = outlines.lastIndex(where: { $0.uri == uri }) {
            let known = outlines.remove(at: index)
            outlines.append(known)
            return known.outline
        }
        let outline = Outline(document.text.lines.bytes)
        outlines.append((uri, outline))
        // A client may have any number of documents open, but the user looks at one or two.
        while outlines.count > 1, outlines.reduce(0, { $0 + $1.outline.tree.tokens.count }) > Self.maximumTokens {
            outlines.removeFirst()
        }
        return outline
    }

    private mutating func forgetOutline(of uri: String) { outlines.removeAll { $0.uri == uri } }

    /// The URI of a file: that of the open document, if there is one.
    func uri(of file: String) -> String { openFiles[file] ?? DocumentURI.uri(of: file) }
}
