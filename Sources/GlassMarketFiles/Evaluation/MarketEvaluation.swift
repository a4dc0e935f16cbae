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
    var exceeded: WorkBudget.Exceeded?
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
    private let budget: WorkBudget

    /// How many markets can extend each other.
    static let maximumChainLength = 32

    /// Prepares an evaluation.
    init(folder: MarketFolder, limits: MarketLimits, budget: WorkBudget, readings: SourceAnalysisCache? = nil) {
        self.folder = folder
        self.limits = limits.evaluation
        handle = limits.handle
        self.budget = budget
        record = EvaluationRecord(folder: folder, budget: budget, readings: readings)
    }

    /// Runs a market and everything that it extends.
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
            var evaluated = EvaluatedMarket(layers: [], findings: FindingList(), cost: context.usage)
            let functions = LuaLinkHandler.ExecutionContext(state: state, limits: handle, meter: evaluated.meter)
            do {
                // The clock of this thread starts here, and is read where it ends.
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
                // What ran out inside of a word comes here as an error of Lua.
                evaluated.exceeded = budget.exceeded
                guard evaluated.exceeded == nil else { return evaluated }
                report(error, start: record.positions(for: folder.file(of: id)).start, in: &evaluated.findings)
            } catch let exceeded as WorkBudget.Exceeded {
                evaluated.exceeded = exceeded
            }
            guard evaluated.exceeded == nil else { return evaluated }
            do throws(WorkBudget.Exceeded) {
                try checkNames(in: context, &evaluated.findings)
            } catch {
                evaluated.exceeded = error
            }
            return evaluated
        }
    }

    /// Looks at the names in the files, once the files have made their globals.
    private func checkNames(
        in context: LuaContext, _ findings: inout FindingList
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
                    return true  // there is one, which cannot be copied
                }
            }, budget: budget)
        let told = record.undefined
        for file in files {
            try check.report(file, told: told, in: &findings)
        }
    }

    /// Runs a market, the market that it extends, and so on.
    private func runChain(
        from id: String, _ functions: LuaLinkHandler.ExecutionContext, in context: LuaContext,
        into evaluated: inout EvaluatedMarket
    ) throws {
        var chain = [id]
        while let next = chain.last {
            let file = folder.file(of: next)
            let bytes = try folder.read(market: next, limit: limits.sourceSize)
            record.noteChain(file)
            let value: LuaValue
            do throws(LuaError) {
                value = try run(bytes, file: file, in: context)
            } catch {
                if let exceeded = budget.exceeded { throw exceeded }
                report(error, start: record.positions(for: file).start, in: &evaluated.findings)
                return
            }
            if LuaMergeDirective.isMissing(value) { return }
            let positions = record.positions(for: file)
            guard case .table = value else {
                evaluated.findings.append(Self.notATable(value, at: positions.start))
                return
            }
            var reader = LuaConfigurationReader(
                positions: positions, functions: functions, findings: evaluated.findings, budget: budget)
            let layer: ConfigurationNode
            do {
                defer { evaluated.findings = reader.findings }
                layer = try reader.read(value, at: ConfigurationPath())
            }
            if let mismatch = mismatch(of: layer, id: next, start: positions.start) {
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
            try budget.spend(1 + bytes.count / 64, on: .reading)
        } catch {
            throw .runtime(LuaErrorDetail(message: "\(error)"))  // the caller asks the budget
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
            // What else is wrong with the market is told in the same run: for what is not there something stands of
            // which nothing is known.
            try budget.spend(Self.stepsPerFailedInclude, on: .reading)
            return [try context.object(LuaMergeDirective(.missing), LuaMergeDirective.type)]
        }
        try context.setGlobal("include", include)
    }

    /// Finding out that a file cannot be included is as much work as reading one.
    private static let stepsPerFailedInclude = 64

    /// Runs an included file.
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
        // Without this, a file that an editor has emptied on its way to saving it would let the key be inherited.
        guard !value.isNil else { throw IncludeFailure.returnsNothing(name, file: file) }
        return value
    }

    private func start(ofInclude name: String) -> SourcePosition {
        record.positions(for: "\(folder.path)/\(name)").start
    }

    /// Adds the diagnostic for an error that ended a file.
    private func report(_ error: LuaError, start: SourcePosition, in findings: inout FindingList) {
        // Behind an include that failed, Lua may have stumbled over what stands for the file.
        if case .runtime = error, !record.failures.isEmpty { return }
        findings.append(finding(for: error, start: start))
    }

    /// The diagnostic for an error that ended a file. A position in a file that was not read is one that the market made
    /// up.
    private func finding(for error: LuaError, start: SourcePosition) -> Finding {
        var position = error.position.flatMap { record.hasRead($0.chunk) ? $0 : nil }
        var visible: [String] = []
        var mistake: LuaSyntaxMistake?
        var opening: LuaSyntaxMistake.Notice?
        if let place = position {
            let bytes = record.source(of: place.chunk)
            // The parser takes the byte for a symbol, and would only repeat in its words what the encoding explains.
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
                    visible = try locate(name, at: &position)
                case .syntax:
                    mistake = try LuaSyntaxMistake.find(
                        in: bytes, line: place.line, column: place.column, message: error.message,
                        budget: budget)
                    if mistake?.noticed == nil {
                        opening = try LuaSyntaxMistake.opening(
                            named: error.message, in: bytes, budget: budget)
                    }
                case .runtime where place.column == nil:
                    try budget.spend(1 + bytes.count / 64, on: .positions)
                    position?.column = LuaErrorColumn.find(error.message, line: place.line, in: bytes)
                default: break
                }
            } catch {
                // Whoever spends next hears of it.
            }
        }
        var finding = Finding(error, at: position, start: start, limits: limits, visible: visible)
        if let file = position?.chunk, let notice = mistake?.noticed ?? opening {
            let place = SourcePosition(file: file, line: notice.line, column: notice.column)
            finding.related = [Finding.RelatedPosition(place, notice.message)]
        }
        guard let mistake, let file = position?.chunk else { return finding }
        let place = mistake.line.map { SourcePosition(file: file, line: $0, column: mistake.column) }
        var better = Finding(
            .syntax, at: place ?? finding.position, mistake.message ?? finding.message,
            advice: Advice(
                mistake.hint, mistake.edits.isEmpty ? nil : .text(mistake.edits, isUnambiguous: mistake.isUnambiguous)))
        better.mayMaskOthers = true
        better.related = finding.related
        return better
    }

    /// The diagnostic for a file that is not UTF-8 from a place on.
    private static func notUTF8(_ code: FindingCode, _ bytes: [UInt8], at place: SourcePosition) -> Finding {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return Finding(
            code, at: place, "the file is \(isUTF16 ? "UTF-16" : "not valid UTF-8")",
            hint: "save the file as UTF-8")
    }

    /// Finds the column of an undefined name on the line where Lua read it.
    private func locate(_ name: String, at position: inout LuaPosition?) throws(WorkBudget.Exceeded) -> [String] {
        guard let place = position,
            let use = try record.names(in: place.chunk).globals.first(where: {
                $0.name == name && $0.place.line == place.line && !$0.isAssigned
            })
        else { return [] }
        position?.column = use.place.column
        record.noteUndefined(SourcePosition(file: place.chunk, line: place.line, column: use.place.column))
        return use.visible
    }

    /// The diagnostic for a file that is not there. It points at the file's name.
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

    /// The market that a layer extends, if it exists and is not part of the chain already.
    private func base(
        of layer: ConfigurationNode, chain: [String], _ findings: inout FindingList
    ) throws -> String? {
        guard let node = layer.node(at: "extends"), case .string(let base) = node.value else { return nil }
        if chain.contains(base) {
            let circle = (chain[(chain.firstIndex(of: base) ?? 0)...] + [base]).joined(separator: " → ")
            findings.append(
                Finding(
                    .inheritanceCycle, at: node.position, path: "extends",
                    "markets extend each other in a circle: \(circle)", hint: "let one of them extend nothing"))
            return nil
        }
        guard chain.count < Self.maximumChainLength else {
            findings.append(
                Finding(
                    .limit, at: node.position, path: "extends",
                    "more than \(Self.maximumChainLength) markets extend each other",
                    hint: "let one of them extend nothing"))
            return nil
        }
        let ids = try folder.marketIDs()
        guard ids.contains(base) else {
            var finding = Finding(
                .missingBase, at: node.position, path: "extends",
                "there is no market \(base.quotedForMessage) to extend",
                // None of those that end here: that would be a circle.
                advice: try .nearest(to: base, in: ids.filter { !chain.contains($0) }, budget: budget)
                    ?? Advice("the markets are \(ids.listed)"))
            finding.mayMaskOthers = true
            findings.append(finding)
            return nil
        }
        return base
    }

    private func mismatch(of layer: ConfigurationNode, id: String, start: SourcePosition) -> Finding? {
        guard let node = layer.node(at: "id") else {
            return Finding(
                .missingKey, at: start, path: "id", "missing: expected \"\(id)\", the name of the file",
                hint: "every market names itself; an id is not inherited")
        }
        guard case .string(let written) = node.value, !written.isEmpty, written != id else { return nil }
        return Finding(
            .idMismatch, at: node.position, path: "id",
            "expected \"\(id)\", the name of the file, got \(written.quotedForMessage)",
            advice: advice(forFile: id, saying: written))
    }

    /// What to do about a file that says another id than that of its name: only what would hold.
    private func advice(forFile id: String, saying written: String) -> Advice {
        let others = (try? folder.marketIDs()) ?? []  // what is wrong with the folder is said when it is read
        let lower = id.lowercased()
        func canBeFile(_ id: String) -> Bool { StringFormat.marketID.matches(id) && !others.contains(id) }
        var hints: [String] = []
        if canBeFile(written) { hints.append("rename the file to \(written).lua") }
        // An id of that name would be refused next.
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
    /// The kind of value that a file returned, for a diagnostic.
    fileprivate var kindForMessage: String { isNil ? "nothing" : literal }
}
