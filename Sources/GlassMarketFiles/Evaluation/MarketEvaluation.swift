import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema
import LuaBridge

/// The result of running a market's files: a layer for each file of the `extends` chain, and what went wrong.
struct EvaluatedMarket: Sendable {
    /// The values of the files, the most basic one first.
    var layers: [ConfigurationNode]
    /// What went wrong.
    var findings: FindingList
    /// The files that were read, by name.
    var sources: [MarketFile] = []
    /// What ran out, if anything did.
    var exceeded: Allowance.Exceeded?
    /// Whether every file of the chain ran. When a base is missing, a missing key of the market is no finding.
    var isComplete = false
    /// What the evaluation cost.
    var cost: LuaUsage
    /// What its functions use from now on, beginning with the memory that the files left.
    let meter = MarketMeter()
}

/// Runs the files of one market in one Lua state: the market, what it extends, and what they include.
struct MarketEvaluation {
    private let folder: MarketFolder
    private let limits: LuaLimits
    private let handle: LuaLimits
    private let record: EvaluationRecord
    private let allowance: Allowance

    /// How many markets can extend each other.
    static let longestChain = 32

    /// Prepares an evaluation.
    ///
    /// - Parameters:
    ///   - folder: Where the files are.
    ///   - limits: What the Lua of the whole chain may use, and later its functions for a link.
    ///   - allowance: What everything else may use.
    init(folder: MarketFolder, limits: MarketLimits, allowance: Allowance) {
        self.folder = folder
        self.limits = limits.evaluation
        handle = limits.handle
        self.allowance = allowance
        record = EvaluationRecord(folder: folder, allowance: allowance)
    }

    /// Runs a market and everything that it extends.
    ///
    /// - Parameters:
    ///   - id: The market.
    ///   - state: A fresh state of the config profile.
    /// - Returns: The layers and what went wrong in the files.
    /// - Throws: ``MarketFolderError`` when the market's own file cannot be read.
    func run(_ id: String, in state: LuaState) throws -> EvaluatedMarket {
        var evaluated = try evaluate(id, in: state)
        evaluated.sources = record.allSources
        for source in evaluated.sources where !evaluated.findings.has(.unrepresentable, in: source.file) {
            guard let place = source.firstPlaceThatIsNotUTF8 else { continue }
            evaluated.findings.append(
                Finding(.unrepresentable, at: place, "the file is not valid UTF-8", hint: "save the file as UTF-8"))
        }
        return evaluated
    }

    private func evaluate(_ id: String, in state: LuaState) throws -> EvaluatedMarket {
        return try state.perform { context in
            var evaluated = EvaluatedMarket(layers: [], findings: FindingList(), cost: context.usage)
            do {
                // The clock of this thread starts here, and is read where it ends.
                try allowance.look(in: .evaluating)
                defer { allowance.note() }
                try context.evaluate(limits: limits) {
                    defer {
                        evaluated.cost = context.usage
                        evaluated.meter.add(cpuTime: .zero, memory: context.usage.memory)
                    }
                    let functions = LuaLinkHandler.Place(state: state, limits: handle, meter: evaluated.meter)
                    try MarketFileWord.install(in: context)
                    try installInclude(in: context)
                    try runChain(from: id, functions, in: context, into: &evaluated)
                }
            } catch let error as LuaError {
                // What ran out inside of a word comes here as an error of Lua.
                evaluated.exceeded = allowance.exceeded
                guard evaluated.exceeded == nil else { return evaluated }
                evaluated.findings.append(finding(for: error, start: record.positions(for: folder.file(of: id)).start))
            } catch let exceeded as Allowance.Exceeded {
                evaluated.exceeded = exceeded
            }
            return evaluated
        }
    }

    /// Runs a market, the market that it extends, and so on.
    private func runChain(
        from id: String, _ functions: LuaLinkHandler.Place, in context: LuaContext,
        into evaluated: inout EvaluatedMarket
    ) throws {
        var chain = [id]
        while let next = chain.last {
            let file = folder.file(of: next)
            let bytes = try folder.read(market: next, limit: limits.sourceSize)
            let value: LuaValue
            do throws(LuaError) {
                value = try run(bytes, file: file, in: context)
            } catch {
                if let exceeded = allowance.exceeded { throw exceeded }
                evaluated.findings.append(finding(for: error, start: record.positions(for: file).start))
                return
            }
            let positions = record.positions(for: file)
            guard case .table = value else {
                evaluated.findings.append(Self.notATable(value, at: positions.start))
                return
            }
            var reader = LuaConfigurationReader(
                positions: positions, functions: functions, findings: evaluated.findings, allowance: allowance)
            let layer: ConfigurationNode
            do {
                defer { evaluated.findings = reader.findings }
                layer = try reader.read(value, at: ConfigurationPath())
            }
            if let mismatch = Self.mismatch(of: layer, id: next, start: positions.start) {
                evaluated.findings.append(mismatch)
            }
            evaluated.layers.insert(layer, at: 0)
            guard layer.node(at: "extends") != nil else {
                evaluated.isComplete = true
                return
            }
            guard let base = try base(of: layer, chain: chain, &evaluated.findings) else { return }
            chain.append(base)
        }
    }

    private func run(_ bytes: [UInt8], file: String, in context: LuaContext) throws(LuaError) -> LuaValue {
        record.add(source: bytes, file: file)
        do {
            try allowance.spend(1 + bytes.count / 64, on: .reading)
        } catch {
            throw .runtime(LuaErrorDetail(message: "\(error)"))  // the caller asks the allowance
        }
        // Editors on some systems begin a UTF-8 file with a byte order mark, which Lua takes for a symbol.
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let source = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
        let chunk = try context.load(LuaSource(bytes: source, chunkName: file))
        return try context.call(chunk, []).first ?? .nil
    }

    private func installInclude(in context: LuaContext) throws(LuaError) {
        let include = try context.function("include") { [self] context, arguments in
            guard let name = arguments.first?.stringValue else {
                throw MarketWordError(message: "include expects a path below the markets folder")
            }
            let file: String
            let bytes: [UInt8]
            do throws(MarketFolderError) {
                (bytes, file) = try folder.read(include: name, limit: limits.sourceSize)
            } catch {
                throw record.noted(IncludeFailure(error, name: name))
            }
            if let circle = record.enter(file) { throw record.noted(.circle(name, files: circle)) }
            defer { record.leave() }
            let value = try run(bytes, file: file, in: context)
            // Without this, a file that an editor has emptied on its way to saving it would let the key be inherited.
            guard !value.isNil else { throw record.noted(.returnsNothing(name, file: file)) }
            return [value]
        }
        try context.setGlobal("include", include)
    }

    /// The diagnostic for an error that ended a file. For `include` it points at the file's name.
    ///
    /// Lua carries an error of the host as its text, so the failure is kept beside it; the text is only compared, to see
    /// that no other error came after it. A position in a file that was not read is one that the market made up.
    private func finding(for error: LuaError, start: SourcePosition) -> Finding {
        let position = error.position.flatMap { record.hasRead($0.chunk) ? $0 : nil }
        guard let failure = record.includeFailure, failure.description == error.message, let position else {
            return Finding(error, at: position, start: start, limits: limits)
        }
        let column = record.include(of: failure.name, in: position.chunk, line: position.line)
        return Finding(
            .include, at: SourcePosition(file: position.chunk, line: position.line, column: column), error.message,
            hint: failure.hint(in: folder))
    }

    /// The market that a layer extends, if it exists and is not part of the chain already.
    private func base(
        of layer: ConfigurationNode, chain: [String], _ findings: inout FindingList
    ) throws -> String? {
        guard let node = layer.node(at: "extends"), case .string(let base) = node.value else { return nil }
        if chain.contains(base) {
            let circle = (chain[(chain.firstIndex(of: base) ?? 0)...] + [base]).joined(separator: " → ")
            findings.append(
                Finding(
                    .extendsCycle, at: node.position, path: "extends",
                    "markets extend each other in a circle: \(circle)", hint: "let one of them extend nothing"))
            return nil
        }
        guard chain.count < Self.longestChain else {
            findings.append(
                Finding(
                    .limit, at: node.position, path: "extends",
                    "more than \(Self.longestChain) markets extend each other",
                    hint: "let one of them extend nothing"))
            return nil
        }
        let ids = try folder.marketIDs()
        guard ids.contains(base) else {
            let near = try Suggestion.nearest(to: base, in: ids, allowance: allowance)
            findings.append(
                Finding(
                    .missingBase, at: node.position, path: "extends",
                    "there is no market \(base.quotedForMessage) to extend",
                    hint: near.map { "did you mean \"\($0)\"?" }
                        ?? "the markets are \(ids.listed)"))
            return nil
        }
        return base
    }

    private static func mismatch(of layer: ConfigurationNode, id: String, start: SourcePosition) -> Finding? {
        guard let node = layer.node(at: "id") else {
            return Finding(
                .missingKey, at: start, path: "id", "missing: expected \"\(id)\", the name of the file",
                hint: "every market names itself; an id is not inherited")
        }
        guard case .string(let written) = node.value, !written.isEmpty, written != id else { return nil }
        return Finding(
            .idMismatch, at: node.position, path: "id",
            "expected \"\(id)\", the name of the file, got \(written.quotedForMessage)",
            hint: [
                StringFormat.marketID.matches(written) ? "rename the file to \(written).lua" : nil,
                // An id of that name would be refused next.
                StringFormat.marketID.matches(id) ? "write id = \"\(id)\"" : nil,
            ].compactMap(\.self).joined(separator: ", or "))
    }

    private static func notATable(_ value: LuaValue, at position: SourcePosition) -> Finding {
        Finding(
            .noTable, at: position, "the file must return a table, got \(value.kindForMessage)",
            hint: "begin the market with return { and end it with }")
    }
}

/// What an evaluation collects while Lua runs: the sources that it read, and the files that are being included.
private final class EvaluationRecord: Sendable {
    private let state = Lock(Contents())
    private let folder: MarketFolder
    private let allowance: Allowance

    init(folder: MarketFolder, allowance: Allowance) {
        self.folder = folder
        self.allowance = allowance
    }

    private struct Contents: Sendable {
        /// The maps that were made so far.
        var maps: [String: LuaSourceMap] = [:]
        var sources: [String: [UInt8]] = [:]
        var including: [String] = []
        var includeFailure: IncludeFailure?
    }

    /// The last `include` that failed.
    var includeFailure: IncludeFailure? { state.withLock { $0.includeFailure } }

    /// Whether a file was read.
    func hasRead(_ file: String) -> Bool { state.withLock { $0.sources[file] != nil } }

    /// The files that were read, in byte order of their names.
    var allSources: [MarketFile] {
        state.withLock { contents in
            contents.sources.sorted { $0.key < $1.key }.map { MarketFile(file: $0.key, bytes: $0.value) }
        }
    }

    /// Remembers why an `include` failed.
    ///
    /// - Returns: The failure, to be thrown.
    func noted(_ failure: IncludeFailure) -> IncludeFailure {
        state.withLock { $0.includeFailure = failure }
        return failure
    }

    /// The column of the name that an `include` on a line was given; nil when the name was computed.
    func include(of name: String, in file: String, line: Int) -> Int? {
        guard let source = state.withLock({ $0.sources[file] }) else { return nil }
        var tokenizer = LuaTokenizer(source)
        while true {
            let token = tokenizer.next()
            if token.kind == .endOfFile { return nil }
            if token.line == line, token.kind == .string(Array(name.utf8)) { return token.column }
        }
    }

    func add(source: [UInt8], file: String) {
        state.withLock { contents in
            // A file that is included again and again is read into a map once, if at all.
            guard contents.sources[file] != source else { return }
            contents.sources[file] = source
            contents.maps[file] = nil
        }
    }

    /// The map of a file that was read.
    private func map(of file: String) throws(Allowance.Exceeded) -> LuaSourceMap? {
        let (known, source) = state.withLock { ($0.maps[file], $0.sources[file]) }
        if let known { return known }
        guard let source else { return nil }
        let map = LuaSourceMap(source: source, chunk: file, allowance: allowance)
        try allowance.hold(bytes: source.count + map.bytes, for: .positions)
        state.withLock { $0.maps[file] = map }
        return map
    }

    /// Begins to include a file.
    ///
    /// - Returns: The files that include each other, if this one is among them; it is then not included again.
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
            file: file, map: { [self] file throws(Allowance.Exceeded) in try map(of: file) },
            includedFile: { [folder] in "\(folder.path)/\($0)" }, allowance: allowance)
    }
}

extension LuaValue {
    /// The kind of value that a file returned, for a diagnostic.
    fileprivate var kindForMessage: String { isNil ? "nothing" : literal }
}
