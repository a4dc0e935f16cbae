import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What the evaluating lanes look at, and what is published of it.
extension ServerState {
    mutating func nextEvaluation() -> Evaluation? {
        guard phase != .afterShutdown else { return nil }
        for index in folders.indices {
            // No market on two lanes at once: nothing would say which of the two results is the newer one.
            let inHand = running.filter { $0.folder == index }.map(\.id)
            guard let id = folders[index].next(except: inHand) else { continue }
            let (folder, interruption) = (folders[index], LoadCancellation())
            let evaluation = Evaluation(
                folder: index, id: id, isExtended: folder.isExtended(id), isOpen: folder.texts["\(id).lua"] != nil,
                loader: folder.current.interrupted(by: interruption), changes: folder.changes,
                generation: folder.generation, interruption: interruption)
            running.append(evaluation)
            return evaluation
        }
        return nil
    }

    /// Whether links are to be tried.
    var hasTries: Bool { !tries.isEmpty }

    /// How many links wait to be tried, each in up to twenty markets.
    private static let maximumTries = 16

    /// Tries a link before the next market is looked at.
    mutating func tryLater(_ wanted: LinkDryRun) throws(ResponseError) {
        guard tries.count < Self.maximumTries else {
            throw ResponseError(.requestFailed, "\(Self.maximumTries) links are being tried: wait for their messages")
        }
        tries.append(wanted)
    }

    mutating func nextTry() -> LinkDryRun? { tries.isEmpty ? nil : tries.removeFirst() }

    /// Shows a message to whoever sits at the client.
    mutating func show(_ message: String) {
        notify("window/showMessage", .record(["type": .number(3), "message": .string(message)]))
    }

    /// Lets what waited for a moment of rest come next, if nothing has changed since.
    mutating func rest(since generation: Int) -> Bool {
        guard generation == self.generation else { return false }
        for index in folders.indices {
            let wasFull = folders[index].isFull
            folders[index].rest()
            guard folders[index].isFull, !wasFull else { continue }
            let (path, most) = (folders[index].path, MarketWorkspace.maximumMarkets.grouped)
            logMessage(
                .warning,
                "\(path.quotedForMessage) has more than \(most) markets: the others are looked at while they are open")
        }
        return true
    }

    /// Keeps what was found out so far about a market that is being looked at, and publishes what is wrong with it.
    mutating func keep(_ snapshot: MarketSnapshot, of evaluation: Evaluation) {
        // What was interrupted says nothing about the market, which waits again.
        guard phase == .running, !evaluation.interruption.isInterrupted else { return }
        let files = folders[evaluation.folder].keep(snapshot, of: evaluation.generation)
        let own = folders[evaluation.folder].loader.folder.file(of: evaluation.id)
        for file in files.sorted() {
            // What two hundred markets extend is told of once, not two hundred times; but what is new at once.
            if file == own || isOutdated(file) {
                publish(file, in: evaluation.folder)
            } else {
                unpublished[evaluation.folder, default: []].insert(file)
            }
        }
    }

    /// A market that was being looked at is not any more.
    mutating func ended(_ evaluation: Evaluation) {
        running.removeAll { $0.interruption === evaluation.interruption }
        answerSettled()
    }

    /// Publishes what waited for the last of several markets, unless another lane is still looking at a market; that lane
    /// calls this when it is done.
    mutating func publishRest() {
        guard phase == .running, running.isEmpty else { return }
        for (folder, files) in unpublished { for file in files.sorted() { publish(file, in: folder) } }
        unpublished = [:]
    }

    /// Whether what was published of an open text is about an older one.
    private func isOutdated(_ file: String) -> Bool {
        let uri = uri(of: file)
        guard let document = documents[uri] else { return false }
        return published[uri]?.version != document.text.version
    }

    /// Tells the client what is wrong with a file, unless it knows.
    private mutating func publish(_ file: String, in index: Int) {
        let folder = folders[index]
        let uri = uri(of: file)
        let document = documents[uri]
        var findings = folder.findings(of: file)
        // What only somebody who works in the file can want to know.
        if document == nil { findings.removeAll { $0.code == .secretUnset } }
        let news = Published(version: document?.text.version, findings: findings)
        guard published[uri] != news else { return }
        if published[uri] == nil, findings.isEmpty, document == nil { return }
        published[uri] = findings.isEmpty && document == nil ? nil : news
        let lines = document?.text.lines ?? lines(of: file) ?? TextLines([])
        let diagnostics = Diagnostics(folder: folder.path, encoding: client.encoding)
        let places = TokenRanges(findings.isEmpty ? [] : lines.bytes)
        // A hundred findings name one file as their other place, and its text is read once.
        var texts = [file: (lines: lines, places: places)]
        notify(
            "textDocument/publishDiagnostics",
            .record([
                "uri": .string(uri), "version": document.map { .number($0.text.version) },
                "diagnostics": .array(
                    findings.map { finding in
                        diagnostics.json(of: finding, in: lines, places) { position in
                            if texts[position.file] == nil, let lines = self.lines(of: position.file) {
                                texts[position.file] = (lines, TokenRanges(lines.bytes))
                            }
                            return texts[position.file].map { location(of: position, in: $0.lines, $0.places) }
                        }
                    }),
            ]))
    }
}
