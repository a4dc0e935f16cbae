package import GlassBase
public import Foundation
import GlassSchema

/// Loads compiled markets. This is the source of markets for an app, which does not contain Lua.
///
/// ```swift
/// let store = MarketStore(CompiledMarkets(.shop, in: .main))  // 4/ca.json … among the bundle's resources
/// try store.activate("ca")
/// ```
///
/// Markets that `glass-host compile` has written are validated, decoded and assembled exactly like markets in Lua
/// files. An app that is older than the compiler may find a key that it does not know. If the digests of the
/// declarations differ, such a key is a warning.
public struct CompiledMarkets: MarketSource {
    /// The module of the markets.
    public var module: MarketModule { assembly.schema.module }
    private let assembly: MarketAssembly
    private let place: Place

    private enum Place: Sendable {
        case folder(CompiledMarketFiles)
        case closure(@Sendable (String) throws -> [UInt8]?)
    }

    /// The folder of the markets; nil if a closure reads them.
    package var files: CompiledMarketFiles? {
        if case .folder(let files) = place { files } else { nil }
    }

    /// Loads markets from a bundle's resources.
    ///
    /// - Parameters:
    ///   - module: The module of the markets.
    ///   - bundle: The bundle. It contains the folder `4` that `glass-host compile --to` has written.
    ///   - subfolder: The folder among the resources that contains this folder; by default, the resources themselves.
    ///   - secrets: Looks up the value of a secret by its name, for names with one of the module's prefixes. The
    ///     default reads the environment of the process, which in an app contains no secrets.
    public init(
        _ module: MarketModule, in bundle: Bundle, subfolder: String? = nil,
        secrets: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) }
    ) {
        let resources = bundle.resourceURL ?? bundle.bundleURL
        self.init(
            module, folder: subfolder.map { resources.appending(path: $0) } ?? resources, secrets: secrets)
    }

    /// Loads markets from a folder that `glass-host compile --to` has written.
    ///
    /// - Parameters:
    ///   - module: The module of the markets.
    ///   - folder: The folder that contains the folder `4`.
    ///   - secrets: As for a bundle.
    public init(
        _ module: MarketModule, folder: URL,
        secrets: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) }
    ) {
        self.init(module, files: CompiledMarketFiles(path: folder.filePath), secrets: secrets)
    }

    /// Loads markets from any place where an app stores them.
    ///
    /// - Parameters:
    ///   - module: The module of the markets.
    ///   - secrets: As for a bundle.
    ///   - reading: Returns the bytes of a market by its id, or nil if there is none.
    public init(
        _ module: MarketModule, secrets: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) },
        reading: @escaping @Sendable (_ id: String) throws -> [UInt8]?
    ) {
        assembly = MarketAssembly(module, secrets: secrets)
        place = .closure(reading)
    }

    /// Loads markets from a folder.
    package init(
        _ module: MarketModule, files: CompiledMarketFiles,
        secrets: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) }
    ) {
        assembly = MarketAssembly(module, secrets: secrets)
        place = .folder(files)
    }

    /// Loads a market and reports all of its findings.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The findings, sorted by position, and the market unless one of them is an error.
    /// - Throws: ``CompiledMarketError`` if the market does not exist, cannot be read, or is not a compiled market; any
    ///   error that the closure throws.
    public func check(_ id: String) throws -> MarketCheck {
        try check(id, budget: WorkBudget())
    }

    /// Loads a market within a budget.
    package func check(_ id: String, budget: WorkBudget) throws -> MarketCheck {
        switch place {
        case .folder(let files):
            let path = try files.file(of: id)
            return check(try CompiledMarket(file: path, below: files.path), as: id, budget: budget) {
                // nil means changed; the load that follows reports why
                (try? CompiledMarketFiles.read(path, below: files.path)).map(CompiledMarket.digest)
            }
        case .closure(let reading):
            guard let bytes = try reading(id) else {
                throw CompiledMarketError.noSuchMarket(id, place: "the app", suggestion: nil, available: [])
            }
            let market = try CompiledMarket(reading: bytes, name: CompiledMarketFiles.name(of: id))
            return check(market, as: id, budget: budget) {
                (try? reading(id)).map(CompiledMarket.digest)  // nil means changed; the load that follows reports why
            }
        }
    }

    /// Builds a market from a compiled one.
    package func check(
        _ compiled: CompiledMarket, as id: String? = nil, budget: WorkBudget = WorkBudget(),
        digest: @escaping @Sendable () -> String? = { nil }
    ) -> MarketCheck {
        let start = budget.timeLeft
        let revision = MarketRevision(digest: compiled.digest)
        let findings = FindingList()
        if let problem = compiled.mapProblem {
            findings.append(
                Finding(
                    .unreadable, severity: .warning, at: SourcePosition(file: compiled.name, line: 1), problem,
                    hint: "recompile it to restore source positions"))
        }
        if let id, id != compiled.id {
            findings.append(
                Finding(
                    .idMismatch, at: compiled.source.node(at: "id")?.position, path: "id",
                    "the file of market \(id.quotedForMessage) has the id \(compiled.id.quotedForMessage)",
                    hint: "recompile it, or restore the file name"))
        }
        var market: Market?
        do throws(WorkBudget.Exceeded) {
            try budget.hold(bytes: compiled.footprint, for: .reading)
            let origin = MarketOrigin(
                layers: [compiled.source], situations: situations(of: compiled, findings),
                files: [],
                revision: revision, removals: compiled.removals, histories: compiled.histories,
                isCurrent: { digest() == revision.digest })
            var reading = MarketAssembly.Reading()
            reading.unknownKeys = severityOfUnknownKeys(in: compiled)
            market = try assembly.market(from: origin, reading: reading, budget: budget, findings: findings).market
        } catch {
            findings.append(
                Finding(
                    .limit, at: SourcePosition(file: compiled.name, line: 1), "\(error)",
                    hint: "reduce the size of the market"))
        }
        return MarketCheck(
            id: id ?? compiled.id, findings: findings.sorted(), market: findings.hasErrors ? nil : market,
            cost: MarketCost(cpuTime: start - budget.timeLeft, instructions: 0, peakMemory: 0, steps: budget.steps),
            revision: revision,
            timeLeft: budget.timeLeft)
    }

    /// The situations of a market; nil if it is the same in each.
    ///
    /// An attribute that a condition tests must be the same one that the app sets. If the app does not have it, the
    /// market is for a later version: without the attribute, its conditions would have other results.
    private func situations(of compiled: CompiledMarket, _ findings: FindingList) -> SituationRules? {
        func refuse(_ path: ConfigurationPath, _ code: FindingCode, _ problem: String) {
            findings.append(
                Finding(
                    code, at: SourcePosition(file: compiled.name, line: 1), path: path, problem,
                    hint: "update the app, or compile the market with the version that the app has"))
        }
        // Compiling replaces overlays by varied values, so here they would have no meaning.
        let overlays = ConfigurationPath([.key(FileHeader.overlays)])
        if compiled.source.node(at: overlays) != nil { refuse(overlays, .unknownKey, "unknown key") }
        let header = compiled.situations
        guard !header.conditions.isEmpty || !compiled.flags.isEmpty else { return nil }
        var attributes = assembly.schema.module.contextAttributes
        for index in attributes.indices {
            if case .locale = attributes[index].type {
                attributes[index].type = .locale(compiled.source.locales)
            }
        }
        for attribute in header.attributes {
            let (declaration, path) = (
                attribute.declaration, ConfigurationPath([.key("attributes"), .key(attribute.declaration.name)])
            )
            guard let index = attributes.firstIndex(where: { $0.name == declaration.name }) else {
                if attribute.isOwn {
                    attributes.append(declaration)
                } else {
                    refuse(path, .unknownAttribute, "the app has no such attribute")
                }
                continue
            }
            guard attributes[index].type.isSameKind(as: declaration.type) else {
                refuse(
                    path, .wrongType,
                    "in the app, it is \(attributes[index].expectation), not \(declaration.expectation)")
                continue
            }
            if case .locale = declaration.type { continue }
            attributes[index].type = declaration.type
        }
        return SituationRules(
            fragments: [
                SituationRules.Fragment(node: compiled.source, condition: .always, overlay: nil, file: 0)
            ], attributes: attributes, conditions: [:], schema: assembly.schema.declaration,
            flags: compiled.flags, isMerged: true)
    }

    /// An app that is older than the compiler ignores the keys that it does not know. A reserved key changes the
    /// meaning of other keys, so a market with one is not for this app.
    private func severityOfUnknownKeys(
        in compiled: CompiledMarket
    ) -> (ConfigurationPath) -> Finding.Severity {
        // Only markets with unknown keys need the digest; others load without computing it.
        let schema = assembly.schema
        return { path in
            if case .key(let key)? = path.elements.first, path.elements.count == 1,
                MarketSchema.reservedKeys.contains(key)
            {
                return .error
            }
            return schema.digest == compiled.schemaDigest ? .error : .warning
        }
    }
}
