import GlassBase
import GlassMarketFiles

/// Requests that wait for what is being found out: right after an edit an answer would be yesterday's, or none.
extension ServerState {
    /// A request that waits.
    struct WaitingRequest: Sendable {
        /// Tells it from one that has the same id later.
        let number: Int
        let id: RequestID
        let method: String
        let parameters: StrictJSON
        let subject: Subject
    }

    /// What must have been looked at before a request is answered.
    enum Subject: Sendable {
        /// A market as it is now.
        case market(folder: Int, id: String)
        /// A file that markets include, with any of them.
        case file(folder: Int, name: String)
        /// Every market of every folder, in any version.
        case everyMarket
    }

    /// How many requests wait at most; what comes then is answered at once.
    static let maximumWaiting = 100

    /// Puts a request aside while what it asks about is being looked at. False when it can be answered now.
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
            // One market says enough, and is looked at without the moment of rest that the others wait for.
            let file = "\(folders[folder].path)/\(name)"
            if let id = folders[folder].readers[file]?.min(), folders[folder].isAsked(id) { folders[folder].askNow(id) }
        case .everyMarket: break
        }
        return true
    }

    /// Answers the requests for which nothing is being looked at any more.
    mutating func answerSettled() {
        guard !waitingRequests.isEmpty else { return }
        answer(waitingRequests.filter { isSettled($0.subject) })
    }

    /// Answers a request that has waited long enough with what is known.
    mutating func endWait(_ number: Int) { answer(waitingRequests.filter { $0.number == number }) }

    /// Answers what waits with what is known.
    mutating func answerAll() { answer(waitingRequests) }

    private mutating func answer(_ ready: [WaitingRequest]) {
        let numbers = Set(ready.map(\.number))
        waitingRequests.removeAll { numbers.contains($0.number) }
        for request in ready { respond(to: request.id, request.method, request.parameters) }
    }

    /// Ends the wait of a request that the client does not want any more.
    mutating func cancelWaiting(_ id: RequestID) {
        guard let index = waitingRequests.firstIndex(where: { $0.id == id }) else { return }
        let request = waitingRequests.remove(at: index)
        send(ResponseError(.requestCancelled, "\(request.method) was cancelled").response(to: id))
    }

    /// What an answer depends on beside the text; nil when that is nothing.
    private func subject(of method: String, _ parameters: StrictJSON) -> Subject? {
        switch method {
        case "textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/codeAction",
            "textDocument/codeLens":
            guard let uri = parameters["textDocument", "uri"]?.stringValue, let home = documents[uri]?.home else {
                return nil
            }
            return folders[home.folder].market(of: home.name).map { .market(folder: home.folder, id: $0) }
                ?? .file(folder: home.folder, name: home.name)
        case "textDocument/references", "workspace/symbol", "workspace/executeCommand": return .everyMarket
        default: return nil
        }
    }

    private func isSettled(_ subject: Subject) -> Bool {
        // A text that was closed meanwhile is not waited for.
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
