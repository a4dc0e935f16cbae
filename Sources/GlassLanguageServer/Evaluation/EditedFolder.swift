import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// A markets folder while somebody works in it: the texts that are open, and what is known about each market.
struct EditedFolder: Sendable {
    /// The markets as they are on the disk.
    let loader: MarketLoader
    /// The open texts, by their names below the folder.
    private(set) var texts: [String: [UInt8]] = [:]
    /// How often each file changed, by its name in diagnostics.
    private(set) var revisions: [String: Int] = [:]
    /// What was found out last.
    private(set) var snapshots: [String: MarketSnapshot] = [:]
    /// What was known when the market had no errors.
    private(set) var provenance: [String: MarketProvenanceTree] = [:]
    /// The markets to be looked at now, the first one first.
    private(set) var waiting: [String] = []
    /// The markets to be looked at when nothing has changed for a moment.
    private(set) var later: Set<String> = []
    /// Counts changes of any file.
    private(set) var generation = 0
    /// What two of the markets have and only one can have.
    private var clashes: [MarketIdentity.Clash] = []
    /// The revisions of the files that each snapshot was made from.
    private var seen: [String: [String: Int]] = [:]

    init(_ loader: MarketLoader) {
        self.loader = loader.remembering(SourceReadings())
    }

    /// The folder's path.
    var path: String { loader.folder.path }

    /// The loader that reads the open texts.
    var current: MarketLoader { loader.replacing(texts) }

    /// The market that a file of the folder is; nil for files in folders below it.
    func market(of name: String) -> String? {
        name.hasSuffix(".lua") && !name.contains("/") && !name.hasPrefix(".") ? String(name.dropLast(4)) : nil
    }

    /// The ids of all markets, as far as the folder can be listed.
    var ids: [String] {
        // Without a folder there are the open texts.
        (try? current.marketIDs()) ?? texts.keys.compactMap(market).sorted()
    }

    /// The markets that had no error once, with what loads the text that each had then.
    var lastValid: [(id: String, loader: MarketLoader)] {
        provenance.keys.sorted().map { id in
            var texts: [String: [UInt8]] = [:]
            for (file, bytes) in provenance[id]?.files ?? [:] {
                if let name = loader.folder.name(of: file) { texts[name] = bytes }
            }
            return (id, loader.replacing(texts))
        }
    }

    // MARK: Changes

    /// A text was opened, changed or closed, or a file was written.
    mutating func change(_ name: String, to text: [UInt8]?) {
        let isNew = texts[name] == nil
        if isNew, text == nil { return written(name) }
        if let text, texts[name] == text { return }
        texts[name] = text
        touched(name)
    }

    /// A file on the disk was written, made or deleted. One that is open counts as it is in the editor.
    mutating func written(_ name: String) {
        if texts[name] == nil { touched(name) }
    }

    private mutating func touched(_ name: String) {
        let file = "\(path)/\(name)"
        revisions[file, default: 0] += 1
        generation += 1
        let own = market(of: name)
        let dependents = snapshots.values.filter { $0.files[file] != nil || needs(name, $0) }.map(\.id)
        let open = Set(texts.keys.compactMap(market))
        // The edited one, then what somebody looks at, then the rest when there is time.
        let affected = Set(dependents + waiting + later + [own].compactMap(\.self))
        waiting = [own].compactMap(\.self) + affected.intersection(open).subtracting([own].compactMap(\.self)).sorted()
        later = affected.subtracting(waiting)
    }

    /// Whether a market said that a file is not there.
    private func needs(_ name: String, _ snapshot: MarketSnapshot) -> Bool {
        snapshot.findings.contains { $0.code == .missingBase || $0.code == .include }
            || (snapshots[String(name.dropLast(4))] == nil && snapshot.provenance == nil)
    }

    /// Whether a market is to be looked at, now or later.
    func isAsked(_ id: String) -> Bool { waiting.contains(id) || later.contains(id) }

    /// Whether a market is known that extends another one.
    func isExtended(_ id: String) -> Bool { provenance.values.contains { $0.bases.first == id } }

    /// Asks for all markets.
    mutating func changeAll() {
        let open = Set(texts.keys.compactMap(market))
        let all = Set(ids).union(snapshots.keys)
        generation += 1
        for id in all { revisions[loader.folder.file(of: id), default: 0] += 1 }
        waiting = all.intersection(open).sorted()
        later = all.subtracting(open)
    }

    /// Lets the markets that waited for a moment of rest come next.
    mutating func rest() {
        waiting += later.sorted()
        later = []
    }

    // MARK: Results

    /// Takes the market that comes next, and what it is to be looked at with.
    mutating func next(
        except inHand: [String]
    ) -> (id: String, loader: MarketLoader, revisions: [String: Int])? {
        guard let place = waiting.firstIndex(where: { !inHand.contains($0) }) else { return nil }
        return (waiting.remove(at: place), current, revisions)
    }

    /// Keeps what was found out, unless a file of it has changed meanwhile: then the market waits again.
    mutating func keep(_ snapshot: MarketSnapshot, from old: [String: Int]) -> Set<String> {
        guard snapshot.files.keys.allSatisfy({ revisions[$0] == old[$0] }) else {
            if !waiting.contains(snapshot.id) { waiting.append(snapshot.id) }
            later.remove(snapshot.id)
            return []
        }
        let before = snapshots[snapshot.id]
        snapshots[snapshot.id] = snapshot
        var files = Set(snapshot.files.keys).union(before?.files.keys.map(\.self) ?? [])
        if before?.identity != snapshot.identity {
            let known = clashes
            clashes = snapshots.values.compactMap(\.identity).clashes(severity: .warning)
            // What is told in a market's file may have become another one's doing.
            files.formUnion((known + clashes).concerning([snapshot.id]).compactMap(\.finding.position?.file))
        }
        seen[snapshot.id] = old.filter { snapshot.files[$0.key] != nil }
        if let found = snapshot.provenance { provenance[snapshot.id] = found }
        if snapshot.files[loader.folder.file(of: snapshot.id)]?.isEmpty == true, snapshot.findings.isEmpty {
            // There is no such market any more.
            provenance[snapshot.id] = nil
        }
        return files
    }

    /// What is known about a file as it is now, from every market that has it.
    func findings(of file: String) -> [Finding] {
        snapshots.values.filter { seen[$0.id]?[file] == revisions[file] && $0.files[file] != nil }
            .flatMap { snapshot in
                (snapshot.findings + clashes(at: snapshot)).filter {
                    ($0.position?.file ?? loader.folder.file(of: snapshot.id)) == file
                }
            }.sortedByPosition()
    }

    /// What a market has of another one, with the lines of its files.
    private func clashes(at snapshot: MarketSnapshot) -> [Finding] {
        let own = clashes.filter { $0.market == snapshot.id }.map(\.finding)
        guard !own.isEmpty else { return [] }
        let files = snapshot.files.map { MarketFile(file: $0.key, bytes: $0.value) }
        return own.withLines(of: files).withPlaces(in: files, allowance: .unlimited)
    }

    /// Whether a snapshot of a market is one of its files as they are now.
    func isCurrent(_ id: String) -> Bool {
        guard let seen = seen[id], let snapshot = snapshots[id] else { return false }
        return snapshot.provenance != nil && snapshot.files.keys.allSatisfy { seen[$0] == revisions[$0] }
    }
}
