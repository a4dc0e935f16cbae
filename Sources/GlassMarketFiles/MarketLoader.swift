package import GlassBase
public import GlassMarkets
package import GlassSchema
import LuaBridge

/// Loads the markets of a module from a folder of Lua files by running them in a sandbox.
///
/// ```swift
/// let markets = MarketLoader(.platform, folder: MarketFolder(path: "markets"))
/// let canada = try markets.load("ca")
/// canada.open("walmart.ca://myaccount")
/// ```
public struct MarketLoader: MarketSource {
    /// The folder of the market files.
    public private(set) var folder: MarketFolder
    /// The limits of evaluating a market and of its `handle` functions.
    package private(set) var limits: MarketLimits
    /// The module of the markets.
    public var module: MarketModule { schema.module }
    /// The keys that a market file may set.
    package var schema: MarketSchema { assembly.schema }
    private let assembly: MarketAssembly
    private var interruption: LoadCancellation?
    private var readings: SourceAnalysisCache?
    private var severityOfUnknownKeys = Finding.Severity.error
    private var takesAbstract = false
    private var now: (@Sendable () -> ContextDate)?
    private var fixes: FixWriter?

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - module: The module of the markets.
    ///   - folder: The folder of the market files.
    ///   - limits: The time and memory that a market may use.
    ///   - secrets: Looks up the value of `secret "NAME"`. It is called after the evaluation, and only for names with
    ///     one of the module's prefixes. The default reads the environment of the process.
    public init(
        _ module: MarketModule, folder: MarketFolder, limits: MarketLimits = MarketLimits(),
        secrets: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) }
    ) {
        self.folder = folder
        self.limits = limits
        assembly = MarketAssembly(module, secrets: secrets)
    }

    /// A copy of the loader in which unsaved texts replace files.
    package func replacing(_ texts: [String: [UInt8]]) -> MarketLoader {
        var loader = self
        loader.folder = folder.replacing(texts)
        return loader
    }

    /// A copy of the loader that warns of conditions that are over.
    package func warning(at now: @escaping @Sendable () -> ContextDate) -> MarketLoader {
        var loader = self
        loader.now = now
        return loader
    }

    /// A copy of the loader whose findings have the fixes that a writer makes.
    package func writingFixes(_ writer: @escaping FixWriter) -> MarketLoader {
        var loader = self
        loader.fixes = writer
        return loader
    }

    /// A copy of the loader for files of another version of the app, in which an unknown key is a warning.
    package var toleratingUnknownKeys: MarketLoader {
        var loader = self
        loader.severityOfUnknownKeys = .warning
        return loader
    }

    /// A copy of the loader that also checks abstract bases, as far as possible without a market that extends them.
    package var checkingAbstractBases: MarketLoader {
        var loader = self
        loader.takesAbstract = true
        return loader
    }

    /// A copy of the loader whose loads can be canceled.
    package func interrupted(by interruption: LoadCancellation) -> MarketLoader {
        var loader = self
        loader.interruption = interruption
        return loader
    }

    /// A copy of the loader that reuses what earlier loads derived from the same text. It still runs all files.
    package func remembering(_ readings: SourceAnalysisCache) -> MarketLoader {
        var loader = self
        loader.readings = readings
        return loader
    }

    /// Loads a market and reports all of its findings.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The findings, sorted by position, and the market unless one of them is an error.
    /// - Throws: ``MarketFolderError`` if the market's file cannot be read; `LuaError` if no Lua state can be created.
    public func check(_ id: String) throws -> MarketCheck {
        try check(id, budget: WorkBudget(cpuTime: limits.load))
    }

    /// Loads a market within the caller's remaining time.
    package func check(_ id: String, within time: Duration?) throws -> MarketCheck {
        var loader = self
        if let time {
            loader.limits.load = min(limits.load, time)
            loader.limits.evaluation.cpuTime = min(limits.evaluation.cpuTime, time)
        }
        return try loader.check(id)
    }

    /// Loads a market within a budget.
    package func check(_ id: String, budget: WorkBudget) throws -> MarketCheck {
        // Run the market, its base markets and the files that they include in one fresh state.
        let state = try LuaState(profile: .config, limits: limits.evaluation)
        let evaluation = MarketEvaluation(
            folder: folder, schema: schema.declaration, limits: limits, budget: budget, readings: readings,
            takesAbstract: takesAbstract)
        let evaluated =
            try interruption?.during(state) { try evaluation.run(id, in: state) } ?? evaluation.run(id, in: state)
        let origin = origin(of: evaluated)
        let isAbstract = evaluated.abstractBases.contains(id)
        let findings = evaluated.findings
        var built = MarketAssembly.Result()
        do throws(WorkBudget.Exceeded) {
            if let exceeded = evaluated.exceeded { throw exceeded }
            if !evaluated.layers.isEmpty {
                built = try assembly.market(
                    from: origin, reading: reading(of: evaluated, isAbstract: isAbstract), budget: budget,
                    findings: findings)
            }
        } catch {
            findings.append(
                Finding(
                    .limit, at: SourcePosition(file: folder.file(of: id), line: 1, column: 1), "\(error)",
                    hint: "the limit covers the market and all files it extends and includes: reduce their size"))
        }
        let found = findings.sorted().withLines(of: evaluated.sources)
            .withPlaces(in: evaluated.sources, evaluated.trees, fixes: fixes)
        var left = found
        if !evaluated.acceptances.isEmpty {
            var acceptances = FileAcceptances(evaluated.acceptances, today: FileAcceptances.today)
            left = found.filter { !acceptances.accepts($0) }
        }
        return MarketCheck(
            id: id, findings: left, accepted: left.count == found.count ? [] : found.filter { !left.contains($0) },
            acceptances: evaluated.acceptances, market: findings.hasErrors ? nil : built.market,
            rest: built.rest, cost: MarketCost(evaluated.cost, steps: budget.steps), revision: origin.revision,
            timeLeft: budget.timeLeft,
            files: evaluated.sources, isAbstract: isAbstract)
    }

    private func reading(of evaluated: EvaluatedMarket, isAbstract: Bool) -> MarketAssembly.Reading {
        var reading = MarketAssembly.Reading()
        reading.zones = .system
        reading.provesAllSituations = true
        reading.now = now?()
        reading.isComplete = evaluated.isComplete && !isAbstract
        reading.isAbstract = isAbstract
        reading.unknownKeys = { _ in severityOfUnknownKeys }
        reading.place = StringLiteralLocator(of: evaluated.sources, evaluated.trees).position(ofByte:in:)
        return reading
    }

    private func origin(of evaluated: EvaluatedMarket) -> MarketOrigin {
        let (folder, files, limit) = (folder, evaluated.sources, limits.evaluation.sourceSize)
        return MarketOrigin(
            layers: evaluated.layers, acceptances: evaluated.acceptances, decisions: evaluated.decisions,
            files: files,
            revision: MarketRevision(files, folder: folder.path),
            folder: folder.path, meter: evaluated.meter, abstractBases: evaluated.abstractBases,
            isCurrent: { files.allSatisfy { folder.holds($0, limit: limit) } },
            functionTexts: { MarketFunctionTexts(of: files) })
    }
}

extension MarketLoader: MarketCatalog {
    /// The ids of the folder's markets.
    package func marketIDs() throws -> [String] { try folder.marketIDs() }
}

extension MarketCost {
    /// The number of Lua instructions that take as long as one step of a budget.
    private static var instructionsOfAStep: Int { 5 }

    init(_ usage: LuaUsage, steps: Int) {
        self.init(
            cpuTime: usage.cpuTime, instructions: usage.instructions, peakMemory: usage.peakMemory,
            // Lua has a limit of time, in which a machine runs any number of instructions.
            steps: steps + min(usage.instructions / Self.instructionsOfAStep, WorkBudget.stepsOfAJob))
    }
}
