import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge
import LuaSyntax

/// The state that an evaluation collects while Lua runs: the sources read so far and the files being included.
final class EvaluationRecord: Sendable {
    // Written on the thread of the Lua state, and read by the loading thread.
    private let state = Lock(Contents())
    private let folder: MarketFolder
    private let budget: WorkBudget
    private let readings: SourceAnalysisCache?
    /// The syntax of the files.
    let trees: MarketTrees

    init(folder: MarketFolder, budget: WorkBudget, readings: SourceAnalysisCache?) {
        self.folder = folder
        self.budget = budget
        self.readings = readings
        trees = MarketTrees(budget: budget, readings: readings)
    }

    private struct Contents: Sendable {
        var maps: [String: LuaSourceMap] = [:]
        var sources: [String: [UInt8]] = [:]
        var including: [String] = []
        var names: [String: LuaNames] = [:]
        var chain: Set<String> = []
        var undefined: Set<SourcePosition> = []
        var failures: [Finding] = []
        var failedIncludes: Set<FailedInclude> = []
    }

    /// Identifies a failed `include`, so that one in a loop is reported only once.
    private struct FailedInclude: Hashable {
        let name: String
        let file: String?
        let line: Int?
    }

    /// The maximum number of failed includes to report.
    private static let maximumFailures = 2 * FindingList.maximumOfAFile

    /// The findings about files that could not be included.
    var failures: [Finding] { state.withLock { $0.failures } }

    /// Whether a file has been read.
    func hasRead(_ file: String) -> Bool { state.withLock { $0.sources[file] != nil } }

    /// The contents of a file that was read; empty otherwise.
    func source(of file: String) -> [UInt8] { state.withLock { $0.sources[file] ?? [] } }

    /// The files that were read, in byte order of their names.
    var allSources: [MarketFile] {
        state.withLock { contents in
            contents.sources.sorted { $0.key < $1.key }.map { MarketFile(file: $0.key, bytes: $0.value) }
        }
    }

    /// Records why an `include` failed, unless it is already recorded.
    func note(_ name: String, at place: LuaPosition?, _ finding: () -> Finding) {
        let isNew = state.withLock { contents in
            contents.failedIncludes.count < Self.maximumFailures
                && contents.failedIncludes.insert(FailedInclude(name: name, file: place?.chunk, line: place?.line))
                    .inserted
        }
        guard isNew else { return }
        // Outside the lock, which is not recursive: the closure reads this record.
        let finding = finding()
        state.withLock { $0.failures.append(finding) }
    }

    /// The column of the name passed to an `include` on a line; nil if the name is computed.
    func include(of name: String, in file: String, line: Int) -> Int? {
        let tree: LuaTree?
        do {
            tree = try self.tree(of: file)
        } catch {
            return nil  // the evaluation ends with a finding about the budget
        }
        guard let tree else { return nil }
        let token = tree.tokens(onLine: line).first {
            tree.tokens[$0].kind == .string && tree.value(ofString: $0).elementsEqual(name.utf8)
        }
        return token.map { tree.position(of: $0).column }
    }

    func add(source: [UInt8], file: String) {
        state.withLock { contents in
            // Keep the map and the names of a file that is included repeatedly.
            guard contents.sources[file] != source else { return }
            contents.sources[file] = source
            contents.maps[file] = nil
            contents.names[file] = nil
        }
    }

    /// The syntax of a file that was read.
    func tree(of file: String) throws(WorkBudget.Exceeded) -> LuaTree? {
        guard let source = state.withLock({ $0.sources[file] }) else { return nil }
        return try trees.tree(of: MarketFile(file: file, bytes: source))
    }

    /// The source map of a file that was read.
    private func map(of file: String) throws(WorkBudget.Exceeded) -> LuaSourceMap? {
        let (known, source) = state.withLock { ($0.maps[file], $0.sources[file]) }
        if let known { return known }
        guard let source, let tree = try tree(of: file) else { return nil }
        let map: LuaSourceMap
        if let remembered = readings?.map(of: file, source) {
            try budget.spend(remembered.steps, on: .positions)
            map = remembered.value
        } else {
            try budget.spend(tree.tokens.count, on: .positions)
            map = LuaSourceMap(of: tree)
            readings?.remember(map, of: file, source, steps: tree.tokens.count)
        }
        try budget.hold(bytes: source.count + map.bytes, for: .positions)
        state.withLock { $0.maps[file] = map }
        return map
    }

    /// The names that a file declares and uses.
    func names(in file: String) throws(WorkBudget.Exceeded) -> LuaNames {
        let (known, source) = state.withLock { ($0.names[file], $0.sources[file]) }
        if let known { return known }
        guard let source, let tree = try tree(of: file) else { return LuaNames() }
        let names: LuaNames
        if let remembered = readings?.names(in: file, source) {
            try budget.spend(remembered.steps, on: .positions)
            names = remembered.value
        } else {
            let before = budget.steps
            names = try LuaNames(of: tree, knowing: MarketNameCheck.known, budget: budget)
            readings?.remember(names, in: file, source, steps: budget.steps - before)
        }
        state.withLock { $0.names[file] = names }
        return names
    }

    /// The files of the market and its base markets, without the files that they include.
    var chain: Set<String> { state.withLock { $0.chain } }

    /// Records a file of the `extends` chain.
    func noteChain(_ file: String) { state.withLock { _ = $0.chain.insert(file) } }

    /// The positions at which an undefined name ended a file.
    var undefined: Set<SourcePosition> { state.withLock { $0.undefined } }

    /// Records a position at which an undefined name ended a file.
    func noteUndefined(_ place: SourcePosition) { state.withLock { _ = $0.undefined.insert(place) } }

    /// Begins including a file. If the file is already being included, returns the files of the cycle instead.
    func enter(_ file: String) -> [String]? {
        state.withLock { contents in
            guard !contents.including.contains(file) else { return contents.including + [file] }
            contents.including.append(file)
            return nil
        }
    }

    func leave() {
        state.withLock { _ = $0.including.popLast() }
    }

    func positions(for file: String) -> MarketPositions {
        MarketPositions(
            file: file, map: { [self] file throws(WorkBudget.Exceeded) in try map(of: file) },
            includedFile: { [folder] in "\(folder.path)/\($0)" }, budget: budget)
    }
}
