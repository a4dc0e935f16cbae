package import GlassBase
import GlassContainer
import GlassDeepLinking
package import GlassSchema

/// Builds markets from the values of any source: merges, validates, decodes and assembles them.
package struct MarketAssembly: Sendable {
    /// Finds the position of a byte in a string, for a finding about a part of it; nil if the position is unknown.
    package typealias SourceLocator = (_ offset: Int, _ node: ConfigurationNode) -> SourcePosition?

    /// The keys that a market may set.
    package let schema: MarketSchema
    private let prefixes: SecretPrefixes
    private let secrets: @Sendable (String) -> String?

    /// Creates an assembly for the markets of a module.
    package init(_ module: MarketModule, secrets: @escaping @Sendable (String) -> String?) {
        let prefixes = SecretPrefixes(list: module.secretPrefixes)
        schema = MarketSchema(module)
        self.prefixes = prefixes
        self.secrets = { name in prefixes.allow(name) ? secrets(name) : nil }
    }

    /// How a market is read.
    package struct Reading: Sendable {
        /// The rules of the time zones that dates can name.
        package var zones: ZoneRules
        /// Whether the market is checked in every situation, and not only in this one.
        package var provesAllSituations: Bool
        /// The current time, for conditions that are over; nil if that does not matter.
        package var now: ContextDate?

        package init(
            zones: ZoneRules = .utc, provesAllSituations: Bool = false, now: ContextDate? = nil
        ) {
            self.zones = zones
            self.provesAllSituations = provesAllSituations
            self.now = now
        }
    }

    /// A market, or what is left of one with errors.
    package struct Result: Sendable {
        /// The market; nil if it has an error.
        package fileprivate(set) var market: Market?
        /// The values without errors of a market that has some; nil if it is not known which values these are.
        package fileprivate(set) var rest: ValidValues?

        /// No market, and no values.
        package init() {}

        fileprivate init(_ market: Market) { self.market = market }

        fileprivate init(rest: ValidValues?) { self.rest = rest }
    }

    /// Builds a market in the default situation, or reports why that is not possible.
    package func market(
        from written: MarketOrigin, isComplete: Bool, isAbstract: Bool = false, reading: Reading = Reading(),
        budget: WorkBudget, findings: inout FindingList,
        unknownKeys: @escaping (ConfigurationPath) -> Finding.Severity = { _ in .error }, place: @escaping SourceLocator
    ) throws(WorkBudget.Exceeded) -> Result {
        findings.leaveOut(isComplete ? [] : FindingCode.needingBase)
        for layer in written.layers {
            try layer.refuseForeignSecrets(outside: prefixes, in: &findings, budget: budget)
        }

        // Strike out what does not hold.
        var origin = written
        var situation = MarketSituation()
        let situations =
            if let known = written.situations {
                known
            } else {
                try SituationReader.situations(
                    of: written.layers, schema: schema, zones: reading.zones, budget: budget, findings: &findings)
            }
        if let situations {
            situation = situations.completed(situation)
            origin = written.read(in: situation, of: situations)
        }
        return try market(
            from: origin, given: MarketSituation(), situation, isComplete: isComplete, isAbstract: isAbstract,
            proof: reading.provesAllSituations ? situations : nil, now: reading.now, budget: budget,
            findings: &findings, unknownKeys: unknownKeys, place: place)
    }

    /// Builds the same market in another situation, or once more if nothing depends on the situation.
    func market(
        like market: Market, in given: MarketSituation, of situations: SituationRules?
    ) throws(MarketError) -> Market {
        let situation = situations?.completed(given) ?? given
        let budget = WorkBudget()
        var findings = FindingList()
        var built: Market?
        do throws(WorkBudget.Exceeded) {
            built = try self.market(
                from: situations.map { market.origin.read(in: situation, of: $0) } ?? market.origin, given: given,
                situation, isComplete: true,
                isAbstract: false,
                proof: nil, now: nil, budget: budget, findings: &findings, unknownKeys: { _ in .warning },
                place: { _, _ in nil }
            ).market
        } catch {
            findings.append(Finding(.limit, at: nil, "\(error)"))
        }
        guard let built else { throw MarketError.invalid(market.id, findings: findings.sorted()) }
        return built
    }

    /// Builds a market from what its files say in a situation.
    private func market(
        from origin: MarketOrigin, given: MarketSituation, _ situation: MarketSituation, isComplete: Bool,
        isAbstract: Bool,
        proof situations: SituationRules?, now: ContextDate?, budget: WorkBudget, findings: inout FindingList,
        unknownKeys: @escaping (ConfigurationPath) -> Finding.Severity, place: @escaping SourceLocator
    ) throws(WorkBudget.Exceeded) -> Result {
        // Merge: the market over its base markets.
        var merger = MarketMerger(schema: schema.declaration, findings: findings, budget: budget)
        let root: ConfigurationNode
        do {
            defer { findings = merger.findings }
            root = try merger.merge(origin.layers)
        }

        // Validate: each key against its declaration, then the rules about the whole market.
        try ConfigurationValidator.validate(
            root, as: .section(schema.declaration), into: &findings, budget: budget, unknownKeys: unknownKeys,
            place: place)
        var order = LayerOrder(origin.layers)
        if let situations {
            try prove(
                situations, order, isComplete: isComplete, now: now, budget: budget, findings: &findings, place: place)
        }
        if let now { try reportExpiredPaths(in: origin.ownLayers, at: now, budget: budget, findings: &findings) }
        findings.endSuppression()
        findings.suggestTemplate(for: root)
        for code in [FindingCode.invalidChoice, .invalidPercent] {
            findings.replace(code) { $0.explainingVendor(in: root) }
        }
        findings.replace(.inconsistent) { order.atChange($0) }
        findings.replace(.numbersDisagree) { order.atChange($0) }
        findings.replace(.missingKey) { order.atRemoval($0) }
        let resolved = root.resolvingSecrets(by: secrets)
        try resolved.warnOfSecrets(within: prefixes, in: &findings, budget: budget)

        // Decode, and assemble: services first, because one of them gets the routes. Secrets have their values in the
        // decoded configuration and nowhere else. With an error nothing is built, but the intact parts are still
        // validated. The same goes for an abstract base, which lacks what its markets add.
        let isWhole = !findings.hasErrors && !isAbstract
        let definition = isWhole ? MarketDefinition(validated: resolved.value) : MarketDefinition()
        let container = Container()
        let sections = register(definition, isWhole ? resolved : ConfigurationNode(.emptyTable), in: container)
        MarketInstance(sections: schema.module.sections, compiledDigest: origin.compiledDigest).register(in: container)
        let flags = MarketFlags(
            origin.situations?.flags ?? FlagSet(),
            attributes: origin.situations?.attributes ?? SituationReader.sharedAttributes(of: origin.layers, schema),
            context: situation.live, market: definition.id, revision: origin.revision.digest,
            container: container,
            complete: { [situations = origin.situations] in situations?.completed($0) ?? $0 })
        container.register(MarketFlags.self, requires: []) { _ in flags }
        for finding in container.findings(requiring: schema.module.allServices.map(\.type)) { findings.append(finding) }
        guard isWhole, !findings.hasErrors else {
            let rest = try checkRoutables(
                of: root, order, isComplete: isComplete, budget: budget, findings: &findings, place: place)
            guard let rest, isComplete, !isAbstract else { return Result() }
            return Result(
                rest: ValidValues(
                    definition: rest.definition, source: rest.root, schema: schema, origin: origin,
                    routes: rest.routes, warnings: findings.sorted(), failed: findings.pathsWithErrors ?? []))
        }
        let deepLinker: any DeepLinker
        if let registered = container.getIfRegistered((any DeepLinker).self) {
            deepLinker = registered
        } else {
            // If the module has no deep linker of its own, the router is used, and the container provides it to others.
            let router = DeepLinkRouter(configuration: definition.deepLinking)
            container.register((any DeepLinker).self, requires: []) { _ in router }
            deepLinker = router
        }
        var assembly = RoutableAssembly(
            definition: definition, source: root, order: order, parts: ErrorFreeValues(root), isComplete: isComplete,
            schema: schema, place: place, budget: budget, findings: findings)
        do {
            defer { findings = assembly.findings }
            try assembly.register(in: deepLinker, container: container, resolved: resolved)
        }
        guard !findings.hasErrors else {
            guard let failed = findings.pathsWithErrors else { return Result() }
            return Result(
                rest: ValidValues(
                    definition: definition, source: root, schema: schema, origin: origin, routes: [],
                    warnings: findings.sorted(), failed: failed.union([ConfigurationPath([.key("routables")])])))
        }
        let rereader = self
        let market = Market(
            definition: definition, sections: sections, source: root, schema: schema, container: container,
            deepLinker: deepLinker, warnings: origin.unaccepted(findings.sorted()).withLines(of: origin.files),
            origin: origin,
            flags: flags,
            given: given, situation: situation, bytes: budget.bytesHeld,
            reread: { market, given, situations throws(MarketError) in
                try rereader.market(like: market, in: given, of: situations)
            })
        return Result(market)
    }

    /// Checks a market in every situation.
    private func prove(
        _ situations: SituationRules, _ order: LayerOrder, isComplete: Bool, now: ContextDate?, budget: WorkBudget,
        findings: inout FindingList, place: @escaping SourceLocator
    ) throws(WorkBudget.Exceeded) {
        guard let space = try SituationSpace(situations, now: now, budget: budget, findings: &findings) else { return }
        var merger = VariedMerger(schema: schema.declaration, space: space, findings: findings, budget: budget)
        let root = try merger.merge(situations.fragments)
        findings = merger.findings
        if let limit = merger.limit { try findings.add(.tooManySituations, at: situations.start, "\(limit)") }
        for (path, position) in merger.excessive.sorted(by: { $0.key.description < $1.key.description }) {
            try findings.add(
                .tooManySituations, at: position, path: path,
                "this key can have more than \(SituationReader.maximumAlternatives) different values",
                hint: "let fewer overlays and base markets change it, or write one vary")
        }
        var proof = SituationProof(
            of: situations, root: root, space: space, schema: schema, order: order, isComplete: isComplete, now: now,
            findings: findings, budget: budget, place: place)
        defer { findings = proof.findings }
        try proof.run(secrets: secrets, within: prefixes)
    }

    /// Reports deprecated paths of the market's own file whose last day is over.
    private func reportExpiredPaths(
        in layers: some Sequence<ConfigurationNode>, at now: ContextDate, budget: WorkBudget,
        findings: inout FindingList
    ) throws(WorkBudget.Exceeded) {
        for layer in layers {
            guard case .map(let routables)? = layer.node(at: "routables")?.value else { continue }
            for (id, routable) in routables.inOrder {
                try budget.spend(on: .validating)
                guard let node = routable.node(at: "deprecated.expires"), case .string(let text) = node.value,
                    let lastDay = ContextLocalDate(text),
                    now.secondsSince1970 >= lastDay.secondsSince1970 + 86_400
                else { continue }
                try findings.add(
                    .expiredPath, severity: .warning, at: node.position,
                    path: ConfigurationPath([.key("routables"), .key(id), .key("deprecated"), .key("expires")]),
                    "these paths expired on \(text)",
                    hint: "remove the paths and the table deprecated, or set a new last day")
            }
        }
    }

    /// Validates the intact routables of a market that has errors.
    ///
    /// - Returns: The values without errors, and the routes that can be read; nil if there are too many errors to know.
    private func checkRoutables(
        of root: ConfigurationNode, _ order: LayerOrder, isComplete: Bool, budget: WorkBudget,
        findings: inout FindingList, place: @escaping SourceLocator
    ) throws(WorkBudget.Exceeded)
        -> (root: ConfigurationNode, definition: MarketDefinition, routes: [RouteDeclaration])?
    {
        // If there are more errors than can be recorded, it is unknown which parts are intact.
        guard let failed = findings.pathsWithErrors else { return nil }
        let parts = try ErrorFreeValues(of: root, without: failed, budget: budget)
        let definition = MarketDefinition(validated: parts.root.value)
        findings.leaveOut(isComplete ? [] : FindingCode.routablesNeedingBase)
        defer { findings.endSuppression() }
        var assembly = RoutableAssembly(
            definition: definition, source: root, order: order, parts: parts, isComplete: isComplete, schema: schema,
            place: place, budget: budget, findings: findings)
        defer { findings = assembly.findings }
        return (parts.root, definition, try assembly.check())
    }

    /// Registers the market's definition and sections as services, and the services of the module.
    private func register(
        _ definition: MarketDefinition, _ resolved: ConfigurationNode, in container: Container
    ) -> [String: any MarketSection] {
        func register<S: MarketSection>(_ type: S.Type) -> S {
            let value = resolved.node(at: ConfigurationPath([.key(S.key)])).map { S(validated: $0.value) } ?? S()
            container.register(type, requires: []) { _ in value }
            return value
        }
        container.register(MarketDefinition.self, requires: []) { _ in definition }
        container.register(DeepLinkConfiguration.self, requires: []) { _ in definition.deepLinking }
        var sections: [String: any MarketSection] = [:]
        for type in schema.module.sections { sections[type.key] = register(type) }
        for service in schema.module.allServices { service.register(in: container) }
        return sections
    }
}
