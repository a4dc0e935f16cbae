import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Scheduling of evaluations, and publishing of their results.
extension ServerState {
    mutating func nextEvaluation() -> Evaluation? {
        guard phase != .afterShutdown else { return nil }
        for index in folders.indices {
            // Never evaluate a market on two queues at once: it would be unknown which of the two results is newer.
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

    /// Whether any dry runs are scheduled.
    var hasTries: Bool { !tries.isEmpty }

    /// The maximum number of scheduled dry runs, each of which covers up to 20 markets.
    private static let maximumTries = 16

    /// Schedules a dry run, before the next evaluation.
    mutating func tryLater(_ wanted: LinkDryRun) throws(ResponseError) {
        guard tries.count < Self.maximumTries else {
            throw ResponseError(.requestFailed, "\(Self.maximumTries) links are being tried; wait for their results")
        }
        tries.append(wanted)
    }

    mutating func nextTry() -> LinkDryRun? { tries.isEmpty ? nil : tries.removeFirst() }

    /// Shows a message in the editor.
    mutating func show(_ message: String) {
        notify("window/showMessage", .record(["type": .number(3), "message": .string(message)]))
    }

    /// Schedules the deferred markets if nothing has changed since a generation.
    mutating func rest(since generation: Int) -> Bool {
        guard generation == self.generation else { return false }
        for index in folders.indices {
            let wasFull = folders[index].isFull
            folders[index].rest()
            guard folders[index].isFull, !wasFull else { continue }
            let (path, most) = (folders[index].path, MarketWorkspace.maximumMarkets.grouped)
            logMessage(
                .warning,
                "\(path.quotedForMessage) has more than \(most) markets; others are checked only while open")
        }
        return true
    }

    /// Stores the results so far of a running evaluation, and publishes its diagnostics.
    mutating func keep(_ snapshot: MarketSnapshot, of evaluation: Evaluation) {
        // An interrupted evaluation is inconclusive; its market is scheduled again.
        guard phase == .running, !evaluation.interruption.isInterrupted else { return }
        let files = folders[evaluation.folder].keep(snapshot, of: evaluation.generation)
        let own = folders[evaluation.folder].loader.folder.file(of: evaluation.id)
        for file in files.sorted() {
            // Publish the shared base of 200 markets once instead of 200 times, unless its diagnostics are outdated.
            if file == own || isOutdated(file) {
                publish(file, in: evaluation.folder)
            } else {
                unpublished[evaluation.folder, default: []].insert(file)
            }
        }
    }

    /// Records the end of an evaluation.
    mutating func ended(_ evaluation: Evaluation) {
        running.removeAll { $0.interruption === evaluation.interruption }
        answerSettled()
    }

    /// Publishes the files that several markets share, unless the other queue is still evaluating; that queue calls
    /// this when it is done.
    mutating func publishRest() {
        guard phase == .running, running.isEmpty else { return }
        for (folder, files) in unpublished { for file in files.sorted() { publish(file, in: folder) } }
        unpublished = [:]
    }

    /// Whether the published diagnostics of an open document are for an older version.
    private func isOutdated(_ file: String) -> Bool {
        let uri = uri(of: file)
        guard let document = documents[uri] else { return false }
        return published[uri]?.version != document.text.version
    }

    /// Publishes the diagnostics of a file, unless they are unchanged.
    private mutating func publish(_ file: String, in index: Int) {
        let folder = folders[index]
        let uri = uri(of: file)
        let document = documents[uri]
        var findings = folder.findings(of: file)
        // Relevant only to a user who edits the file.
        if document == nil { findings.removeAll { $0.code == .secretUnset } }
        let news = Published(version: document?.text.version, findings: findings)
        guard published[uri] != news else { return }
        if published[uri] == nil, findings.isEmpty, document == nil { return }
        published[uri] = findings.isEmpty && document == nil ? nil : news
        let lines = document?.text.lines ?? lines(of: file) ?? TextLines([])
        let diagnostics = Diagnostics(folder: folder.path, encoding: client.encoding)
        let places = TokenRanges(findings.isEmpty ? [] : lines.bytes)
        // Up to 100 findings may refer to the same other file; read its text only once.
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
