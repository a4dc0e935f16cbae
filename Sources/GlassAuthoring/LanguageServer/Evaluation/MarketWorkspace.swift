import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// A markets folder in an editor: the open documents and the latest results for each market.
struct MarketWorkspace: Sendable {
    /// Loads the markets from disk.
    let loader: MarketLoader
    /// The open documents, by path relative to the folder.
    private(set) var texts: [String: [UInt8]] = [:]
    /// The markets with an open document.
    private var open: Set<String> = []
    /// The latest result for each market.
    private(set) var snapshots: [String: MarketSnapshot] = [:]
    /// The values of each market when it last had no errors.
    private(set) var provenance: [String: MarketProvenanceTree] = [:]
    /// The markets that read each file, by the path shown in diagnostics.
    private(set) var readers: [String: Set<String>] = [:]
    /// The markets with a missing file.
    private var incomplete: Set<String> = []
    /// The markets with errors.
    private var broken: Set<String> = []
    /// The number of markets that extend each market.
    private var extensions: [String: Int] = [:]
    /// The markets to evaluate immediately, in this order.
    private var urgent: [String] = []
    private var urgentIDs: Set<String> = []
    /// The markets to evaluate once editing pauses.
    private var later: Set<String> = []
    /// The deferred markets to evaluate during the current pause, in reverse order.
    private var rested: [String] = []
    /// The generation since which all markets are to be evaluated; nil once they are listed in ``later``.
    private var everything: Int?
    /// Whether the folder has more markets than are evaluated.
    private(set) var isFull = false
    /// Incremented with every change of any file.
    private(set) var generation = 0
    /// The identifiers that must be unique but are shared by several markets.
    private var clashes: [MarketIdentity.Clash] = []
    /// The hosts that are nearly another one.
    private var confusedMarkets: [ConfusedMarket] = []
    /// The latest change of each file.
    private(set) var changes = FileChanges()
    /// The generation of each snapshot.
    private var seen: [String: Int] = [:]

    /// The maximum number of markets that are evaluated without being open. Each takes about 100 KB of memory.
    static let maximumMarkets = 1_000

    init(_ loader: MarketLoader) {
        self.loader = loader.remembering(SourceAnalysisCache()).checkingAbstractBases.writingFixes
    }

    /// The folder's path.
    var path: String { loader.folder.path }

    /// A loader in which the open documents replace files.
    var current: MarketLoader { loader.replacing(texts) }

    /// The market that a file defines; nil for files in subfolders.
    func market(of name: String) -> String? {
        name.hasSuffix(".lua") && !name.contains("/") && !name.hasPrefix(".") ? String(name.dropLast(4)) : nil
    }

    /// The ids of all markets and abstract bases; only the open ones if the folder cannot be listed.
    var ids: [String] {
        // The folder may not exist yet: then only the open documents count.
        (try? current.folder.fileIDs()) ?? texts.keys.compactMap(market).sorted()
    }

    /// The markets that have loaded without errors, each with a loader of that version.
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

    /// Records that a document was opened, changed or closed.
    mutating func change(_ name: String, to text: [UInt8]?) {
        if let text, texts[name] == text { return }
        texts[name] = text
        let own = market(of: name)
        if let own {
            if text == nil { open.remove(own) } else { open.insert(own) }
        }
        touched([name])
        if let own { askNow(own, isFirst: true) }
    }

    /// Records that files were written, created or deleted on disk. For an open file, the version in the editor counts.
    mutating func written(_ names: [String]) { touched(names.filter { texts[$0] == nil }) }

    private mutating func touched(_ names: [String]) {
        guard !names.isEmpty else { return }
        generation += 1
        // The deferred markets wait for the next pause.
        rested = []
        var affected = incomplete
        for name in names {
            let file = "\(path)/\(name)"
            changes.change(file, in: generation)
            if let own = market(of: name) { affected.insert(own) }
            if let readers = readers[file] { affected.formUnion(readers) } else { affected.formUnion(broken) }
        }
        // Open markets come first, because the user is looking at them.
        for id in affected.intersection(open).sorted() { askNow(id) }
        later.formUnion(affected.filter { !open.contains($0) && !urgentIDs.contains($0) })
        changes.forget(except: readers.keys, in: generation)
    }

    /// Schedules a market before the deferred ones.
    mutating func askNow(_ id: String, isFirst: Bool = false) {
        later.remove(id)
        let isNew = urgentIDs.insert(id).inserted
        if isFirst, !isNew { urgent.removeAll { $0 == id } }
        if isFirst { urgent.insert(id, at: 0) } else if isNew { urgent.append(id) }
    }

    /// Whether a market is scheduled, immediately or deferred.
    func isAsked(_ id: String) -> Bool { later.contains(id) || urgentIDs.contains(id) }

    /// Whether a market without any result is scheduled.
    var hasUnknownMarkets: Bool {
        everything != nil || urgent.contains { snapshots[$0] == nil } || later.contains { snapshots[$0] == nil }
    }

    /// Whether another known market extends a market.
    func isExtended(_ id: String) -> Bool { extensions[id] != nil }

    /// Schedules all markets.
    mutating func changeAll() {
        generation += 1
        changes.changeAll(in: generation)
        rested = []
        // List the folder only once editing pauses, and only once for any number of calls.
        everything = generation
        for id in open.sorted() { askNow(id) }
    }

    /// Schedules the deferred markets once editing pauses.
    mutating func rest() {
        if everything != nil || later.contains(where: { snapshots[$0] == nil }) {
            let listed = Set(ids)
            if let everything {
                let unseen = listed.union(snapshots.keys).filter { seen[$0, default: -1] < everything }
                later.formUnion(unseen.subtracting(urgentIDs))
            }
            everything = nil
            var room = max(0, Self.maximumMarkets - snapshots.count)
            // A file that never existed needs no result.
            for id in later.filter({ snapshots[$0] == nil }).sorted() {
                if room > 0, listed.contains(id) {
                    room -= 1
                } else {
                    later.remove(id)
                    isFull = isFull || listed.contains(id)
                }
            }
        }
        rested = later.sorted(by: >)
    }

    /// The scheduled markets, in order.
    var waiting: [String] { urgent + rested.reversed().filter(later.contains) }

    // MARK: Results

    /// Removes and returns the next market to evaluate.
    mutating func next(except inHand: [String]) -> String? {
        if let index = urgent.firstIndex(where: { !inHand.contains($0) }) {
            let id = urgent.remove(at: index)
            urgentIDs.remove(id)
            return id
        }
        while let index = rested.lastIndex(where: { !inHand.contains($0) }) {
            let id = rested.remove(at: index)
            // A market that was scheduled urgently in the meantime has already been evaluated.
            if later.remove(id) != nil { return id }
        }
        return nil
    }

    /// Stores the result of an evaluation, unless one of its files has changed since: then the market is scheduled
    /// again.
    ///
    /// Returns the files whose findings may have changed.
    mutating func keep(_ found: MarketSnapshot, of generation: Int) -> Set<String> {
        let id = found.id
        guard changes.areUnchanged(found.files.keys, since: generation) else {
            askNow(id)
            return []
        }
        var snapshot = found
        snapshot.shareFiles(with: self)
        let (identity, mentions) = (snapshots[id]?.identity, snapshots[id]?.mentions)
        var files = Set(snapshot.files.keys)
        for file in snapshots[id]?.files.keys.map(\.self) ?? [] where files.insert(file).inserted {
            removeReader(id, of: file)
        }
        for file in snapshot.files.keys { readers[file, default: []].insert(id) }
        seen[id] = generation
        snapshots[id] = snapshot
        if let found = snapshot.provenance { setProvenance(of: id, to: found) }
        Self.set(id, in: &broken, to: snapshot.provenance == nil)
        Self.set(
            id, in: &incomplete, to: snapshot.findings.contains { $0.code == .missingBase || $0.code == .include })
        let own = loader.folder.file(of: id)
        if snapshot.files[own]?.isEmpty == true, snapshot.findings.isEmpty {
            // The market no longer exists.
            setProvenance(of: id, to: nil)
            (snapshots[id], seen[id]) = (nil, nil)
            broken.remove(id)
            removeReader(id, of: own)
        }
        if identity != snapshots[id]?.identity {
            let known = clashes
            clashes = snapshots.values.compactMap(\.identity).clashes(severity: .warning).unexplained
            // The clash reported in one market's file may now belong to another market.
            files.formUnion((known + clashes).concerning([id]).compactMap(\.finding.position?.file))
        }
        if mentions != snapshots[id]?.mentions {
            let known = confusedMarkets
            confusedMarkets = snapshots.values.compactMap(\.mentions).confusedMarkets
            files.formUnion((known + confusedMarkets).compactMap(\.finding.position?.file))
        }
        return files
    }

    private mutating func removeReader(_ id: String, of file: String) {
        readers[file]?.remove(id)
        if readers[file]?.isEmpty == true { readers[file] = nil }
    }

    private mutating func setProvenance(of id: String, to new: MarketProvenanceTree?) {
        if let base = provenance[id]?.bases.first {
            extensions[base, default: 1] -= 1
            if extensions[base] == 0 { extensions[base] = nil }
        }
        if let base = new?.bases.first { extensions[base, default: 0] += 1 }
        provenance[id] = new
    }

    private static func set(_ id: String, in ids: inout Set<String>, to isMember: Bool) {
        if isMember { ids.insert(id) } else { ids.remove(id) }
    }

    /// The text of a file as of its last evaluation; nil if no market reads it.
    func text(of file: String) -> [UInt8]? { readers[file]?.first.flatMap { snapshots[$0]?.files[file] } }

    /// The current findings in a file, from every market that reads it.
    func findings(of file: String) -> [Finding] {
        (readers[file] ?? []).compactMap { snapshots[$0] }
            .filter { changes.isUnchanged(file, since: seen[$0.id, default: -1]) }
            .flatMap { snapshot in
                (snapshot.findings + clashes(at: snapshot)).filter {
                    ($0.position?.file ?? loader.folder.file(of: snapshot.id)) == file
                }
            }.withoutConsequences.sortedByPosition()
    }

    /// The findings about identifiers that a market shares with others and about values of others, with the source lines.
    private func clashes(at snapshot: MarketSnapshot) -> [Finding] {
        let own =
            clashes.filter { $0.market == snapshot.id }.map(\.finding)
            + confusedMarkets.filter { $0.market == snapshot.id }.map(\.finding)
        guard !own.isEmpty else { return [] }
        let files = snapshot.files.map { MarketFile(file: $0.key, bytes: $0.value) }
        var acceptances = FileAcceptances(snapshot.acceptances, today: FileAcceptances.today)
        return own.filter { !acceptances.accepts($0) }.withLines(of: files).withPlacesAndFixes(
            in: files, budget: .unlimited)
    }

    /// Whether a market was evaluated since its file changed.
    func isKnown(_ id: String, with file: String) -> Bool {
        snapshots[id] != nil && changes.isUnchanged(file, since: seen[id, default: -1])
    }

    /// Whether the latest result of a market is valid and reflects the current version of its files.
    func isCurrent(_ id: String) -> Bool {
        guard let seen = seen[id], let snapshot = snapshots[id] else { return false }
        return snapshot.provenance != nil && changes.areUnchanged(snapshot.files.keys, since: seen)
    }
}
