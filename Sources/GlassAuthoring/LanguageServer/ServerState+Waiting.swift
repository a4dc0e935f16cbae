import GlassBase
import GlassMarketFiles

/// Requests that wait for an evaluation: right after an edit, a response would be outdated or empty.
extension ServerState {
    /// A waiting request.
    struct WaitingRequest: Sendable {
        /// Distinguishes it from a later request with the same id.
        let number: Int
        let id: RequestID
        let method: String
        let parameters: StrictJSON
        let subject: Subject
    }

    /// The evaluation that a request waits for.
    enum Subject: Sendable {
        /// The current version of a market.
        case market(folder: Int, id: String)
        /// An included file, as part of any market that includes it.
        case file(folder: Int, name: String)
        /// Every market of every folder, in any version.
        case everyMarket
    }

    /// The maximum number of waiting requests; further ones are answered immediately.
    static let maximumWaiting = 100

    /// Lets a request wait for its evaluation. Returns false if it can be answered immediately.
    mutating func wait(_ id: RequestID, _ method: String, _ parameters: StrictJSON) -> Bool {
        guard phase == .running, waitingRequests.count < Self.maximumWaiting,
            let subject = subject(of: method, parameters), !isSettled(subject)
        else { return false }
        waits += 1
        waitingRequests.append(
            WaitingRequest(number: waits, id: id, method: method, parameters: parameters, subject: subject))
        switch subject {
        case .market(let folder, let id): if folders[folder].isAsked(id) { folders[folder].askNow(id) }
        case .file(let folder, let name):
            // One market is enough; evaluate it without waiting for a pause in editing.
            let file = "\(folders[folder].path)/\(name)"
            if let id = folders[folder].readers[file]?.min(), folders[folder].isAsked(id) { folders[folder].askNow(id) }
        case .everyMarket: break
        }
        return true
    }

    /// Answers the requests whose evaluation has finished.
    mutating func answerSettled() {
        guard !waitingRequests.isEmpty else { return }
        answer(waitingRequests.filter { isSettled($0.subject) })
    }

    /// Answers a request whose wait timed out, with the latest results.
    mutating func endWait(_ number: Int) { answer(waitingRequests.filter { $0.number == number }) }

    /// Answers all waiting requests with the latest results.
    mutating func answerAll() { answer(waitingRequests) }

    private mutating func answer(_ ready: [WaitingRequest]) {
        let numbers = Set(ready.map(\.number))
        waitingRequests.removeAll { numbers.contains($0.number) }
        for request in ready { respond(to: request.id, request.method, request.parameters) }
    }

    /// Cancels a waiting request.
    mutating func cancelWaiting(_ id: RequestID) {
        guard let index = waitingRequests.firstIndex(where: { $0.id == id }) else { return }
        let request = waitingRequests.remove(at: index)
        send(ResponseError(.requestCancelled, "\(request.method) was cancelled").response(to: id))
    }

    /// The evaluation that a response depends on; nil if it depends on the document only.
    private func subject(of method: String, _ parameters: StrictJSON) -> Subject? {
        switch method {
        case "textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/codeAction",
            "textDocument/codeLens", "textDocument/inlayHint":
            guard let uri = parameters["textDocument", "uri"]?.stringValue, let home = documents[uri]?.home else {
                return nil
            }
            return folders[home.folder].market(of: home.name).map { .market(folder: home.folder, id: $0) }
                ?? .file(folder: home.folder, name: home.name)
        case "textDocument/references", "textDocument/rename", "workspace/symbol", "workspace/executeCommand":
            return .everyMarket
        default: return nil
        }
    }

    private func isSettled(_ subject: Subject) -> Bool {
        // Don't wait for a document that has been closed.
        switch subject {
        case .market(let folder, let id):
            guard folders[folder].texts["\(id).lua"] != nil else { return true }
            return !folders[folder].isAsked(id) && !running.contains { $0.folder == folder && $0.id == id }
        case .file(let folder, let name):
            guard folders[folder].texts[name] != nil else { return true }
            let file = "\(folders[folder].path)/\(name)"
            guard let readers = folders[folder].readers[file] else { return isSettled(.everyMarket) }
            return readers.contains { id in
                folders[folder].isKnown(id, with: file) && !running.contains { $0.folder == folder && $0.id == id }
            }
        case .everyMarket:
            return !folders.contains(where: \.hasUnknownMarkets)
                && running.allSatisfy { folders[$0.folder].snapshots[$0.id] != nil }
        }
    }
}
