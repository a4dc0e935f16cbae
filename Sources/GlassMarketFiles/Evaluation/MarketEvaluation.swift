import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema
import LuaBridge
import LuaSyntax

/// The result of running a market's files: one layer for each file of the `extends` chain, and the findings.
struct EvaluatedMarket: Sendable {
    /// The values of each file, beginning with the root of the chain.
    var layers: [ConfigurationNode]
    let findings: FindingList
    /// What the market's own file says about decisions.
    var decisions = MarketDecisions()
    /// The warnings that the files accept.
    var acceptances: [MarketAcceptance] = []
    /// The files that were read, by name.
    var sources: [MarketFile] = []
    /// The syntax of these files, for the rest of the load.
    let trees: MarketTrees
    /// The limit that was exceeded, if any.
    var exceeded: WorkBudget.Exceeded?
    /// The ids of the files that are abstract bases.
    var abstractBases: Set<String> = []
    /// Whether every file of the chain ran. If a base market is missing, missing keys are not reported.
    var isComplete = false
    /// The resources that the evaluation used.
    var cost: LuaUsage
    /// Measures what the market's functions use from now on, beginning with the memory that the files left in use.
    let meter = MarketMeter()
}

/// Runs the files of one market in one Lua state: the market, its base markets and the files that they include.
struct MarketEvaluation {
    private let folder: MarketFolder
    private let schema: SectionDeclaration
    private let limits: LuaLimits
    private let handle: LuaLimits
    private let record: EvaluationRecord
    private let budget: WorkBudget
    /// Whether an abstract base is evaluated like a market, to check it.
    private let takesAbstract: Bool

    init(
        folder: MarketFolder, schema: SectionDeclaration, limits: MarketLimits, budget: WorkBudget,
        readings: SourceAnalysisCache? = nil, takesAbstract: Bool = false
    ) {
        self.takesAbstract = takesAbstract
        (self.folder, self.schema) = (folder, schema)
        self.limits = limits.evaluation
        handle = limits.handle
        self.budget = budget
        record = EvaluationRecord(folder: folder, budget: budget, readings: readings)
    }

    /// Runs a market and its base markets.
    func run(_ id: String, in state: LuaState) throws -> EvaluatedMarket {
        var evaluated = try evaluate(id, in: state)
        evaluated.sources = record.allSources
        for finding in record.failures { evaluated.findings.append(finding) }
        for source in evaluated.sources where !evaluated.findings.has(.unrepresentable, in: source.file) {
            guard let place = source.firstPlaceThatIsNotUTF8, !evaluated.findings.has(.syntax, at: place) else {
                continue
            }
            evaluated.findings.append(Self.notUTF8(.unrepresentable, source.bytes, at: place))
        }
        return evaluated
    }

    private func evaluate(_ id: String, in state: LuaState) throws -> EvaluatedMarket {
        return try state.perform { context in
            var evaluated = EvaluatedMarket(
                layers: [], findings: FindingList(), trees: record.trees, cost: context.usage)
            let functions = LuaLinkHandler.ExecutionContext(state: state, limits: handle, meter: evaluated.meter)
            do {
                // CPU time is measured for each thread: start the clock on this one, and record its time before leaving
                // it.
                try budget.look(in: .evaluating)
                defer { budget.note() }
                try context.evaluate(limits: limits) {
                    defer {
                        evaluated.cost = context.usage
                        evaluated.meter.add(cpuTime: .zero, memory: context.usage.memory)
                    }
                    try LuaMergeDirective.install(in: context)
                    try installInclude(in: context)
                    try runChain(from: id, functions, in: context, into: &evaluated)
                }
                functions.texts.withLock { $0 = record.allSources }
            } catch let error as LuaError {
                // A limit that was exceeded inside a host function arrives as an error of Lua.
                evaluated.exceeded = budget.exceeded
                guard evaluated.exceeded == nil else { return evaluated }
                report(error, start: record.positions(for: folder.file(of: id)).start, in: evaluated.findings)
            } catch let exceeded as WorkBudget.Exceeded {
                evaluated.exceeded = exceeded
            }
            guard evaluated.exceeded == nil else { return evaluated }
            do throws(WorkBudget.Exceeded) {
                try checkNames(in: context, layers: evaluated.layers, evaluated.findings)
            } catch {
                evaluated.exceeded = error
            }
            return evaluated
        }
    }

    /// Checks the names in the files, after the files have defined their globals.
    private func checkNames(
        in context: LuaContext, layers: [ConfigurationNode], _ findings: FindingList
    ) throws(WorkBudget.Exceeded) {
        var names: [String: LuaNames] = [:]
        let files = record.allSources.map(\.file)
        for file in files where !findings.has(.syntax, in: file) { names[file] = try record.names(in: file) }
        let check = MarketNameCheck(
            names: names, chain: record.chain,
            isGlobal: { name in
                do throws(LuaError) {
                    return try !context.global(name).isNil
                } catch {
                    return true  // it exists, but cannot be copied
                }
            }, layers: layers, budget: budget)
        let reported = record.undefined
        for file in files {
            try check.report(file, reported: reported, in: findings)
        }
    }

    /// Runs a market, its base market, and so on.
    private func runChain(
        from id: String, _ functions: LuaLinkHandler.ExecutionContext, in context: LuaContext,
        into evaluated: inout EvaluatedMarket
    ) throws {
        var chain = [id]
        while let next = chain.last {
            let file = folder.file(of: next)
            let bytes = try folder.read(market: next, limit: limits.sourceSize)
            let isAbstract = MarketHeader.isAbstract(bytes)
            if isAbstract {
                guard takesAbstract || chain.count > 1 else { throw folder.abstractMarket(id) }
                evaluated.abstractBases.insert(next)
            }
            record.noteChain(file)
            let value: LuaValue
            do throws(LuaError) {
                value = try run(bytes, file: file, in: context)
            } catch {
                if let exceeded = budget.exceeded { throw exceeded }
                report(error, start: record.positions(for: file).start, in: evaluated.findings)
                return
            }
            if LuaMergeDirective.isMissing(value) { return }
            let positions = record.positions(for: file)
            guard case .table = value else {
                evaluated.findings.append(Self.notATable(value, at: positions.start))
                return
            }
            var reader = LuaConfigurationReader(
                positions: positions, functions: functions, findings: evaluated.findings,
                type: { schema.type(at: $0) },
                canInherit: { schema.type(at: $0)?.section?.canInherit ?? false }, budget: budget)
            var layer: ConfigurationNode
            do {
                defer { evaluated.acceptances += reader.acceptances }
                // None of the market's code runs here: the load's budget bounds it.
                layer = try context.untimed { () throws(WorkBudget.Exceeded) in
                    try reader.read(value, at: ConfigurationPath())
                }
            }
            if let finding = takeMark(from: &layer, isAbstract: isAbstract, id: next) {
                evaluated.findings.append(finding)
            }
            if let mismatch = mismatch(of: layer, id: next, start: positions.start) {
                evaluated.findings.append(mismatch)
            }
            if chain.count == 1 { evaluated.decisions = reader.decisions }
            evaluated.layers.insert(layer, at: 0)
            guard layer.node(at: "extends") != nil else {
                evaluated.isComplete = true
                return
            }
            guard let base = try base(of: layer, chain: chain, evaluated.findings) else { return }
            chain.append(base)
        }
    }

    private func run(_ bytes: [UInt8], file: String, in context: LuaContext) throws(LuaError) -> LuaValue {
        record.add(source: bytes, file: file)
        do {
            try budget.spend(1 + bytes.count / 64, on: .reading)
        } catch {
            throw .runtime(LuaErrorDetail(message: "\(error)"))  // the caller checks the budget
        }
        // Some editors begin a UTF-8 file with a byte order mark, which Lua would read as a symbol.
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let source = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
        let chunk = try context.load(LuaSource(bytes: source, chunkName: file))
        return try context.call(chunk, []).first ?? .nil
    }

    private func installInclude(in context: LuaContext) throws(LuaError) {
        let include = try context.function("include") { [self] context, arguments in
            guard let name = arguments.first?.stringValue else {
                throw MergeDirectiveError(message: "include expects a path below the markets folder")
            }
            let place = context.callerPosition
            do {
                return [try included(name, in: context)]
            } catch let failure as IncludeFailure {
                record.note(name, at: place) { finding(for: failure, at: place) }
            } catch let error as LuaError where !error.isLimit && budget.exceeded == nil {
                record.note(name, at: place) { finding(for: error, start: start(ofInclude: name)) }
            }
            // Return a placeholder of unknown content, so that the rest of the market is checked in the same run.
            try budget.spend(Self.stepsPerFailedInclude, on: .reading)
            return [try context.object(LuaMergeDirective(.missing), LuaMergeDirective.type)]
        }
        try context.setGlobal("include", include)
    }

    /// The cost of a failed `include`: finding the failure takes as much work as reading a file.
    private static let stepsPerFailedInclude = 64

    /// Runs an included file and returns its value.
    private func included(_ name: String, in context: LuaContext) throws -> LuaValue {
        let file: String
        let bytes: [UInt8]
        do throws(MarketFolderError) {
            (bytes, file) = try folder.read(include: name, limit: limits.sourceSize)
        } catch {
            throw IncludeFailure(error, name: name)
        }
        if let circle = record.enter(file) { throw IncludeFailure.circle(name, files: circle) }
        defer { record.leave() }
        let value = try run(bytes, file: file, in: context)
        // Without this check, a file that an editor empties for a moment while saving would let the key be inherited.
        guard !value.isNil else { throw IncludeFailure.returnsNothing(name, file: file) }
        return value
    }

    private func start(ofInclude name: String) -> SourcePosition {
        record.positions(for: "\(folder.path)/\(name)").start
    }

    /// Adds the finding for an error that ended a file.
    private func report(_ error: LuaError, start: SourcePosition, in findings: FindingList) {
        // After a failed include, the placeholder may have caused the error.
        if case .runtime = error, !record.failures.isEmpty { return }
        findings.append(finding(for: error, start: start))
    }

    /// The finding for an error that ended a file. A position in a file that was not read was made up by the market,
    /// and is ignored.
    private func finding(for error: LuaError, start: SourcePosition) -> Finding {
        var position = error.position.flatMap { record.hasRead($0.chunk) ? $0 : nil }
        var visible: [String] = []
        var mistake: LuaSyntaxMistake?
        var opening: LuaSyntaxMistake.Notice?
        if let place = position {
            let bytes = record.source(of: place.chunk)
            // The parser would only report the byte as an unexpected symbol; the encoding explains it.
            if case .syntax = error, let stop = MarketFile(file: place.chunk, bytes: bytes).firstPlaceThatIsNotUTF8,
                stop.line == place.line, place.column == nil || place.column == stop.column
            {
                var finding = Self.notUTF8(.syntax, bytes, at: stop)
                finding.mayMaskOthers = true
                return finding
            }
            do throws(WorkBudget.Exceeded) {
                switch error {
                case .denied(let name, _):
                    (visible, mistake) = try locate(name, at: &position)
                case .syntax:
                    guard let tree = try record.tree(of: place.chunk) else { break }
                    mistake = LuaSyntaxMistake.find(in: tree, message: error.message)
                    if mistake?.noticed == nil { opening = LuaSyntaxMistake.opening(named: error.message, in: tree) }
                case .runtime where place.column == nil:
                    mistake = try runtimeMistake(error.message, at: place)
                    position?.column = try record.tree(of: place.chunk).flatMap {
                        LuaErrorColumn.find(error.message, line: place.line, in: $0)
                    }
                default: break
                }
            } catch {
                // The next charge to the budget throws the same error.
            }
        }
        var finding = Finding(error, at: position, start: start, limits: limits, visible: visible)
        if let file = position?.chunk, let notice = mistake?.noticed ?? opening {
            let place = SourcePosition(file: file, line: notice.line, column: notice.column)
            finding.related = [Finding.RelatedPosition(place, notice.message)]
        }
        guard let mistake, let file = position?.chunk else { return finding }
        let place = mistake.line.map { SourcePosition(file: file, line: $0, column: mistake.column) }
        if let place, finding.code != .syntax { record.noteUndefined(place) }
        var better = mistake.finding(finding.code, at: place ?? finding.position, message: finding.message)
        better.mayMaskOthers = true
        (better.related, better.traceback) = (finding.related, finding.traceback)
        return better
    }

    /// The finding for a file that is not valid UTF-8 from a position on.
    private static func notUTF8(_ code: FindingCode, _ bytes: [UInt8], at place: SourcePosition) -> Finding {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return Finding(
            code, at: place, "the file is \(isUTF16 ? "UTF-16" : "not valid UTF-8")",
            hint: "save the file as UTF-8")
    }

    /// Finds the column of an undefined name on the line where Lua read it, and returns the names that are visible
    /// there.
    private func locate(
        _ name: String, at position: inout LuaPosition?
    ) throws(WorkBudget.Exceeded) -> (visible: [String], mistake: LuaSyntaxMistake?) {
        guard let place = position else { return ([], nil) }
        let names = try record.names(in: place.chunk)
        let use = names.globals.first { $0.name == name && $0.place.line == place.line && !$0.isAssigned }
        guard let use else { return ([], nil) }
        position?.column = use.place.column
        record.noteUndefined(SourcePosition(file: place.chunk, line: place.line, column: use.place.column))
        let isCause = use.cause?.names.allSatisfy { name in
            !names.assigned.contains(name) && names.globals.contains { $0.name == name }
        }
        return (use.visible, isCause == true ? use.cause?.mistake : nil)
    }

    /// The mistake that raised an error on a line, if it can be seen in the text.
    private func runtimeMistake(
        _ message: String, at place: LuaPosition
    ) throws(WorkBudget.Exceeded) -> LuaSyntaxMistake? {
        if message.hasPrefix("attempt to add a ") {
            return try record.names(in: place.chunk).sums.first { $0.line == place.line }
        }
        if let value = ["missing", "present"].first(where: { message.hasSuffix("(global '\($0)')") }) {
            guard let tree = try record.tree(of: place.chunk) else { return nil }
            return LuaMistakeReader(tree: tree).argument(ofValue: value, onLine: place.line)
        }
        let words = ["all", "any", "append", "prepend", "remove"]
        guard let word = words.first(where: { message.hasPrefix("\($0) expects a list") }) else { return nil }
        guard let tree = try record.tree(of: place.chunk),
            let (token, mistake) = LuaMistakeReader(tree: tree).directiveWithString(named: word, onLine: place.line)
        else { return nil }
        if word == "all" || word == "any" { return mistake }
        // Where the key is not a list, the directive itself is the mistake.
        let keys = tree.nodes(around: token).filter { tree.kind($0) == .field }.compactMap { node in
            if case .name(let key) = tree.field(node, element: 0).key { key } else { nil as String? }
        }
        guard case .list? = schema.type(at: ConfigurationPath(keys.map { .key($0) })) else { return nil }
        return mistake
    }

    /// The finding for a file that cannot be included, at the name of the file.
    private func finding(for failure: IncludeFailure, at place: LuaPosition?) -> Finding {
        let position = place.map { place in
            SourcePosition(
                file: place.chunk, line: place.line,
                column: record.include(of: failure.name, in: place.chunk, line: place.line))
        }
        var finding = Finding(.include, at: position, failure.description, advice: failure.advice(in: folder))
        finding.mayMaskOthers = true
        return finding
    }

    /// The base market of a layer, if it exists and is not part of the chain already.
    private func base(
        of layer: ConfigurationNode, chain: [String], _ findings: FindingList
    ) throws -> String? {
        guard let node = layer.node(at: "extends"), case .string(let base) = node.value else { return nil }
        if chain.contains(base) {
            let circle = (chain[(chain.firstIndex(of: base) ?? 0)...] + [base]).joined(separator: " → ")
            findings.append(
                Finding(
                    .inheritanceCycle, at: node.position, path: "extends",
                    "markets extend each other in a cycle: \(circle)", hint: "remove extends from one of them"))
            return nil
        }
        guard chain.count < MarketLimits.maximumChainLength else {
            findings.append(
                Finding(
                    .limit, at: node.position, path: "extends",
                    "the chain of base markets has more than \(MarketLimits.maximumChainLength) markets",
                    hint: "remove extends from one of them"))
            return nil
        }
        let ids = try folder.fileIDs()
        guard ids.contains(base) else {
            var finding = Finding(
                .missingBase, at: node.position, path: "extends",
                "there is no market \(base.quotedForMessage) to extend",
                // Without the markets of the chain, which would close a cycle.
                advice: try .nearest(to: base, in: ids.filter { !chain.contains($0) }, budget: budget)
                    ?? Advice("the markets are \(ids.listed)"))
            finding.mayMaskOthers = true
            findings.append(finding)
            return nil
        }
        return base
    }

    /// Removes `abstract` from a file, which no market inherits, and gives a base without an id the name of its file.
    /// Returns the finding for a value that has no effect.
    private func takeMark(from layer: inout ConfigurationNode, isAbstract: Bool, id: String) -> Finding? {
        guard case .map(var entries) = layer.value else { return nil }
        let mark = entries.removeValue(forKey: "abstract")
        if isAbstract, entries["id"] == nil {
            entries["id"] = ConfigurationNode(.string(id), position: layer.position)
        }
        layer.value = .map(entries)
        guard let mark, !isAbstract else { return nil }
        switch mark.value {
        case .boolean(false): return nil
        case .boolean(true):
            return Finding(
                .noEffect, at: mark.position, path: "abstract",
                "must be a literal, because markets are listed without running their files",
                hint: "write abstract = true in the table that the file returns")
        default:
            return Finding(
                .wrongType, at: mark.position, path: "abstract",
                "expected \(ValueType.boolean.expectation), got \(mark.value.found)",
                hint: "write abstract = true for a base that is not a market")
        }
    }

    private func mismatch(of layer: ConfigurationNode, id: String, start: SourcePosition) -> Finding? {
        guard let node = layer.node(at: "id") else {
            return Finding(
                .missingKey, at: start, path: "id", "missing: expected \"\(id)\", the name of the file",
                hint: "each market must set its own id; it is not inherited")
        }
        guard case .string(let written) = node.value, !written.isEmpty, written != id else { return nil }
        return Finding(
            .idMismatch, at: node.position, path: "id",
            "expected \"\(id)\", the name of the file, got \(written.quotedForMessage)",
            advice: advice(forFile: id, saying: written))
    }

    /// The advice for a file whose id differs from its name; suggests only what would be valid.
    private func advice(forFile id: String, saying written: String) -> Advice {
        let others = (try? folder.fileIDs()) ?? []  // reading the folder reports its errors
        let lower = id.lowercased()
        func canBeFile(_ id: String) -> Bool { StringFormat.marketID.matches(id) && !others.contains(id) }
        var hints: [String] = []
        if canBeFile(written) { hints.append("rename the file to \(written).lua") }
        // Otherwise the new id would be rejected next.
        let canBeWritten = StringFormat.marketID.matches(id)
        if canBeWritten { hints.append("write id = \"\(id)\"") }
        if hints.isEmpty, canBeFile(lower) {
            hints.append("rename the file to \(lower).lua and write id = \"\(lower)\"")
        }
        return Advice(
            hints.isEmpty ? nil : hints.joined(separator: ", or "),
            canBeWritten ? .spelling(written, meant: id, isUnambiguous: hints.count == 1) : nil)
    }

    private static func notATable(_ value: LuaValue, at position: SourcePosition) -> Finding {
        var finding = Finding(
            .notATable, at: position, "the file must return a table, got \(value.kindForMessage)",
            hint: "begin the market with return { and end it with }")
        finding.mayMaskOthers = true
        return finding
    }
}

extension LuaValue {
    /// The kind of value that a file returned, for a message.
    fileprivate var kindForMessage: String { isNil ? "nothing" : literal }
}
