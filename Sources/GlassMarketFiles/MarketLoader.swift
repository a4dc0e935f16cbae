public import GlassContainer
public import GlassPlatform
public import GlassSchema
import GlassBase
import GlassDeepLinking
import LuaBridge

/// Loads markets from a folder: reads, runs, merges, validates, decodes and assembles them.
///
/// ```swift
/// let markets = MarketLoader(folder: MarketFolder(path: "markets"))
/// let canada = try markets.load("ca")
/// canada.open("walmart.ca://myaccount")
/// ```
public struct MarketLoader: Sendable {
    /// Where the market files are.
    public let folder: MarketFolder
    /// What a market may use while it is evaluated, and what each of its `handle` functions may use for a link.
    public let limits: MarketLimits
    private let secretPrefixes: SecretPrefixes
    private let secrets: @Sendable (String) -> String?
    private let registerServices: @Sendable (Container, MarketDefinition) -> Void

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - folder: Where the market files are.
    ///   - limits: What a market may use.
    ///   - secretPrefixes: What the names of a market's secrets begin with; one with another name is an error, and is not
    ///     looked up.
    ///   - secrets: Looks up what a market calls `secret "NAME"`; asked after the evaluation. By default the process's
    ///     environment.
    ///   - registerServices: Registers the platform's services for a definition. By default the live ones, in memory.
    public init(
        folder: MarketFolder, limits: MarketLimits = MarketLimits(), secretPrefixes: [String] = ["GLASS_"],
        secrets: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) },
        registerServices: @escaping @Sendable (Container, MarketDefinition) -> Void = { container, definition in
            container.setupPlatformDependencies(with: definition.platform, deepLinking: definition.deepLinking)
        }
    ) {
        self.folder = folder
        self.limits = limits
        let prefixes = SecretPrefixes(list: secretPrefixes)
        self.secretPrefixes = prefixes
        self.secrets = { name in prefixes.allow(name) ? secrets(name) : nil }
        self.registerServices = registerServices
    }

    /// Loads a market.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The market, ready to use.
    /// - Throws: ``MarketError/invalid(_:findings:)`` with everything that is wrong with it;
    ///   ``MarketFolderError`` when its file cannot be read.
    public func load(_ id: String) throws -> Market {
        let check = try check(id)
        guard let market = check.market else { throw MarketError.invalid(id, findings: check.findings) }
        return market
    }

    /// Loads a market as far as it goes and tells everything about it.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The findings, sorted by position, and the market unless one of them is an error.
    /// - Throws: ``MarketFolderError`` when the market's file cannot be read; `LuaError` when no Lua state can be made.
    public func check(_ id: String) throws -> MarketCheck {
        try check(id, allowance: Allowance(cpuTime: limits.load))
    }

    /// Loads a market within an allowance.
    func check(_ id: String, allowance: Allowance) throws -> MarketCheck {
        // Run: the market, what it extends and what they include, in one fresh state.
        let state = try LuaState(profile: .config, limits: limits.evaluation)
        let evaluated = try MarketEvaluation(folder: folder, limits: limits.evaluation, allowance: allowance)
            .run(id, in: state)
        var findings = evaluated.findings
        var market: Market?
        do throws(Allowance.Exceeded) {
            if let exceeded = evaluated.exceeded { throw exceeded }
            market = try build(evaluated, state: state, allowance: allowance, findings: &findings)
        } catch {
            findings.append(
                Finding(
                    .limit, at: SourcePosition(file: folder.file(of: id), line: 1, column: 1), "\(error)",
                    hint: "a market with everything that it extends and includes is that large at most: shorten it"))
        }
        return MarketCheck(
            id: id, findings: findings.sorted().withLines(of: evaluated.sources),
            market: findings.hasErrors ? nil : market,
            cost: MarketCost(evaluated.cost), revision: MarketRevision(evaluated.sources, folder: folder),
            timeLeft: allowance.timeLeft)
    }

    /// Makes a market of what its files returned, or says why that cannot be.
    private func build(
        _ evaluated: EvaluatedMarket, state: LuaState, allowance: Allowance, findings: inout FindingList
    ) throws(Allowance.Exceeded) -> Market? {
        guard !evaluated.layers.isEmpty else { return nil }
        findings.leaveOut(evaluated.isComplete ? [] : FindingCode.needingBase)

        // Merge: the market over what it extends.
        for layer in evaluated.layers {
            try layer.refuseForeignSecrets(outside: secretPrefixes, in: &findings, allowance: allowance)
        }
        let schema = MarketDefinition.declaration
        var merger = MarketMerger(schema: schema, findings: findings, allowance: allowance)
        let root: ConfigurationNode
        do {
            defer { findings = merger.findings }
            root = try merger.merge(evaluated.layers)
        }

        // Validate: each key against its declaration, then what only the whole market can be asked.
        let places = MarketTextPlaces(of: evaluated.sources, allowance: allowance)
        try ConfigurationValidator.validate(
            root, as: .section(schema), into: &findings, allowance: allowance,
            place: places.position(ofByte:in:))
        findings.leaveOutNothing()
        let resolved = root.resolvingSecrets(by: secrets)
        try resolved.warnOfUnsetSecrets(within: secretPrefixes, in: &findings, allowance: allowance)
        guard !findings.hasErrors else { return nil }

        // Decode, and assemble: services first, because the routes go into one of them. Secrets have their values in
        // what is decoded and nowhere else.
        let definition = MarketDefinition(validated: resolved.value)
        let container = Container()
        registerServices(container, definition)
        for finding in container.findings(requiring: PlatformCatalogue.types) { findings.append(finding) }
        guard !findings.hasErrors else { return nil }
        let deepLinker: any DeepLinker = container.get()
        var assembly = RoutableAssembly(
            definition: definition, source: root, places: places, state: state, limits: limits.handle,
            allowance: allowance, findings: findings)
        do {
            defer { findings = assembly.findings }
            try assembly.register(in: deepLinker, container: container)
        }
        guard !findings.hasErrors else { return nil }
        return Market(
            definition: definition, source: root, container: container, deepLinker: deepLinker,
            warnings: findings.sorted().withLines(of: evaluated.sources),
            origin: MarketOrigin(folder: folder, layers: evaluated.layers, sources: evaluated.sources),
            footprint: evaluated.cost.memory + allowance.bytesHeld)
    }
}

/// What became of checking a market.
public struct MarketCheck: Sendable {
    /// The market's id.
    public let id: String
    /// Everything there is to say, sorted by position.
    public let findings: [Finding]
    /// The market, unless a finding is an error.
    public let market: Market?
    /// What the evaluation cost.
    public let cost: MarketCost
    /// The content of the files that were read; where one could not be read, that of the others.
    public let revision: MarketRevision
    /// What the load left of its CPU time, for what belongs to the same check.
    package var timeLeft: Duration
}

/// What it cost to run a market's files.
public struct MarketCost: Sendable, Equatable {
    /// The CPU time.
    public let cpuTime: Duration
    /// The Lua instructions, counted in steps of the bridge's hook.
    public let instructions: Int
    /// The most memory that Lua held at a time, in bytes.
    public let peakMemory: Int

    /// The CPU time in milliseconds, to a tenth.
    public var milliseconds: Double {
        let (seconds, attoseconds) = cpuTime.components
        return (Double(seconds) * 1000 + (Double(attoseconds) / 1e14).rounded() / 10)
    }

    init(_ usage: LuaUsage) {
        cpuTime = usage.cpuTime
        instructions = usage.instructions
        peakMemory = usage.peakMemory
    }
}

/// Why a market could not be loaded.
public enum MarketError: Error, CustomStringConvertible {
    /// The market's files have errors.
    case invalid(_ id: String, findings: [Finding])

    /// The errors, one below the other; warnings are not what kept the market from loading.
    public var description: String {
        switch self {
        case .invalid(let id, let findings):
            "market \"\(id)\" cannot be loaded:\n"
                + findings.filter { $0.severity == .error }.map(\.description).joined(separator: "\n")
        }
    }
}
