import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// A markets folder while somebody works in it: the texts that are open, and what is known about each market.
struct MarketWorkspace: Sendable {
    /// The markets as they are on the disk.
    let loader: MarketLoader
    /// The open texts, by their names below the folder.
    private(set) var texts: [String: [UInt8]] = [:]
    /// The markets that are open.
    private var open: Set<String> = []
    /// What was found out last.
    private(set) var snapshots: [String: MarketSnapshot] = [:]
    /// What was known when the market had no errors.
    private(set) var provenance: [String: MarketProvenanceTree] = [:]
    /// The markets that have a file, by its name in diagnostics.
    private(set) var readers: [String: Set<String>] = [:]
    /// The markets for which a file was not there.
    private var incomplete: Set<String> = []
    /// The markets that have errors.
    private var broken: Set<String> = []
    /// How many markets extend each one.
    private var extensions: [String: Int] = [:]
    /// The markets to be looked at now, the first one first.
    private var urgent: [String] = []
    private var urgentIDs: Set<String> = []
    /// The markets to be looked at when nothing has changed for a moment.
    private var later: Set<String> = []
    /// The same, the last one first, while nothing changes.
    private var rested: [String] = []
    /// The generation since which every market is to be looked at; nil when these are ``later``.
    private var everything: Int?
    /// Whether the folder has more markets than are looked at.
    private(set) var isFull = false
    /// Counts changes of any file.
    private(set) var generation = 0
    /// What two of the markets have and only one can have.
    private var clashes: [MarketIdentity.Clash] = []
    /// The files' changes.
    private(set) var changes = FileChanges()
    /// The generation that each snapshot is of.
    private var seen: [String: Int] = [:]

    /// How many markets are looked at that are not open. What is kept of each takes about a hundred kilobytes.
    static let maximumMarkets = 1_000

    init(_ loader: MarketLoader) {
        self.loader = loader.remembering(SourceAnalysisCache())
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

    /// A text was opened, changed or closed.
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

    /// Files on the disk were written, made or deleted. One that is open counts as it is in the editor.
    mutating func written(_ names: [String]) { touched(names.filter { texts[$0] == nil }) }

    private mutating func touched(_ names: [String]) {
        guard !names.isEmpty else { return }
        generation += 1
        // What waits for a moment of rest waits for another one.
        rested = []
        var affected = incomplete
        for name in names {
            let file = "\(path)/\(name)"
            changes.change(file, in: generation)
            if let own = market(of: name) { affected.insert(own) }
            if let readers = readers[file] { affected.formUnion(readers) } else { affected.formUnion(broken) }
        }
        // What somebody looks at comes before the rest.
        for id in affected.intersection(open).sorted() { askNow(id) }
        later.formUnion(affected.filter { !open.contains($0) && !urgentIDs.contains($0) })
        changes.forget(except: readers.keys, in: generation)
    }

    /// Has a market looked at before those that can wait.
    mutating func askNow(_ id: String, isFirst: Bool = false) {
        later.remove(id)
        let isNew = urgentIDs.insert(id).inserted
        if isFirst, !isNew { urgent.removeAll { $0 == id } }
        if isFirst { urgent.insert(id, at: 0) } else if isNew { urgent.append(id) }
    }

    /// Whether a market is to be looked at, now or later.
    func isAsked(_ id: String) -> Bool { later.contains(id) || urgentIDs.contains(id) }

    /// Whether a market is to be looked at of which nothing is known yet.
    var hasUnknownMarkets: Bool {
        everything != nil || urgent.contains { snapshots[$0] == nil } || later.contains { snapshots[$0] == nil }
    }

    /// Whether a market is known that extends another one.
    func isExtended(_ id: String) -> Bool { extensions[id] != nil }

    /// Asks for all markets.
    mutating func changeAll() {
        generation += 1
        changes.changeAll(in: generation)
        rested = []
        // The folder is listed when there is time, and once, however often this is asked for.
        everything = generation
        for id in open.sorted() { askNow(id) }
    }

    /// Lets the markets that waited for a moment of rest come next.
    mutating func rest() {
        if everything != nil || later.contains(where: { snapshots[$0] == nil }) {
            let listed = Set(ids)
            if let everything {
                let unseen = listed.union(snapshots.keys).filter { seen[$0, default: -1] < everything }
                later.formUnion(unseen.subtracting(urgentIDs))
            }
            everything = nil
            var room = max(0, Self.maximumMarkets - snapshots.count)
            // Of a file that was never there nothing has to be said.
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

    /// The markets that come next, in their order.
    var waiting: [String] { urgent + rested.reversed().filter(later.contains) }

    // MARK: Results

    /// Takes the market that comes next.
    mutating func next(except inHand: [String]) -> String? {
        if let index = urgent.firstIndex(where: { !inHand.contains($0) }) {
            let id = urgent.remove(at: index)
            urgentIDs.remove(id)
            return id
        }
        while let index = rested.lastIndex(where: { !inHand.contains($0) }) {
            let id = rested.remove(at: index)
            // One that somebody asked for meanwhile has been looked at.
            if later.remove(id) != nil { return id }
        }
        return nil
    }

    /// Keeps what was found out in a generation, unless a file of it has changed since: then the market waits again.
    ///
    /// Returns the files of which something else may be known.
    mutating func keep(_ found: MarketSnapshot, of generation: Int) -> Set<String> {
        let id = found.id
        guard changes.areUnchanged(found.files.keys, since: generation) else {
            askNow(id)
            return []
        }
        var snapshot = found
        snapshot.shareFiles(with: self)
        let identity = snapshots[id]?.identity
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
            // There is no such market any more.
            setProvenance(of: id, to: nil)
            (snapshots[id], seen[id]) = (nil, nil)
            broken.remove(id)
            removeReader(id, of: own)
        }
        if identity != snapshots[id]?.identity {
            let known = clashes
            clashes = snapshots.values.compactMap(\.identity).clashes(severity: .warning)
            // What is told in a market's file may have become another one's doing.
            files.formUnion((known + clashes).concerning([id]).compactMap(\.finding.position?.file))
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

    /// A file as it was read last; nil for one that nobody has.
    func text(of file: String) -> [UInt8]? { readers[file]?.first.flatMap { snapshots[$0]?.files[file] } }

    /// What is known about a file as it is now, from every market that has it.
    func findings(of file: String) -> [Finding] {
        (readers[file] ?? []).compactMap { snapshots[$0] }
            .filter { changes.isUnchanged(file, since: seen[$0.id, default: -1]) }
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
        return own.withLines(of: files).withPlaces(in: files, budget: .unlimited)
    }

    /// Whether a market was looked at since its file changed.
    func isKnown(_ id: String, with file: String) -> Bool {
        snapshots[id] != nil && changes.isUnchanged(file, since: seen[id, default: -1])
    }

    /// Whether a snapshot of a market is one of its files as they are now.
    func isCurrent(_ id: String) -> Bool {
        guard let seen = seen[id], let snapshot = snapshots[id] else { return false }
        return snapshot.provenance != nil && changes.areUnchanged(snapshot.files.keys, since: seen)
    }
}
