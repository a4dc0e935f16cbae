import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassSchema

/// Builds one market for one situation: merges, validates, decodes, and assembles.
struct MarketBuild {
    let assembly: MarketAssembly
    /// The files, with what they say in the situation.
    let origin: MarketOrigin
    /// The situation that the caller requested.
    let given: MarketSituation
    /// The same situation, with every attribute filled in.
    let situation: MarketSituation
    let reading: MarketAssembly.Reading
    let budget: WorkBudget
    let findings: FindingList

    private var schema: MarketSchema { assembly.schema }

    /// The market, or what is left of one with errors.
    ///
    /// - Parameter situations: The rules of all situations, to check the market in each; nil to check it in its own only.
    func result(proving situations: SituationRules?) throws(WorkBudget.Exceeded) -> MarketAssembly.Result {
        var merger = MarketMerger(schema: schema.declaration, findings: findings, budget: budget)
        let root = try merger.merge(origin.layers)
        let order = LayerOrder(origin.layers)
        try validate(root, order, in: situations)

        // Secrets have their values in the decoded configuration and nowhere else.
        let resolved = root.resolvingSecrets(by: assembly.secrets)
        try resolved.warnOfSecrets(within: assembly.prefixes, in: findings, budget: budget)

        // With an error, or in an abstract base, nothing is built, but the intact parts are still validated.
        let isWhole = !findings.hasErrors && !reading.isAbstract
        let definition = isWhole ? MarketDefinition(validated: resolved.value) : MarketDefinition()
        // Register services first: the deep linker, which receives the routes, may be one of them.
        let container = Container()
        let sections = register(definition, isWhole ? resolved : ConfigurationNode(.emptyTable), in: container)
        let flags = registerFlags(of: definition, in: container)
        for finding in container.findings(requiring: schema.module.allServices.map(\.type)) { findings.append(finding) }
        guard isWhole, !findings.hasErrors else {
            return MarketAssembly.Result(rest: try intactValues(of: root, order))
        }

        let deepLinker = registeredDeepLinker(definition, in: container)
        try routables(of: root, definition, ErrorFreeValues(root), order)
            .register(in: deepLinker, container: container, resolved: resolved)
        guard !findings.hasErrors else {
            let failed = findings.pathsWithErrors?.union([ConfigurationPath([.key("routables")])])
            return MarketAssembly.Result(rest: failed.map { validValues(definition, root, routes: [], failed: $0) })
        }
        return MarketAssembly.Result(
            Market(
                definition: definition, sections: sections, source: root, schema: schema, container: container,
                deepLinker: deepLinker, warnings: origin.unaccepted(findings.sorted()).withLines(of: origin.files),
                origin: origin, flags: flags, given: given, situation: situation, bytes: budget.bytesHeld,
                reread: { [assembly] market, given, situations throws(MarketError) in
                    try assembly.market(like: market, in: given, of: situations)
                }))
    }

    // MARK: Validating

    /// Checks each key against its declaration, then the rules about the whole market, also in every situation.
    private func validate(
        _ root: ConfigurationNode, _ order: LayerOrder, in situations: SituationRules?
    ) throws(WorkBudget.Exceeded) {
        try ConfigurationValidator.validate(
            root, as: .section(schema.declaration), into: findings, budget: budget, unknownKeys: reading.unknownKeys,
            place: reading.place)
        if let situations { try prove(situations, order) }
        if let now = reading.now { try reportExpiredPaths(at: now) }
        findings.endSuppression()
        findings.suggestTemplate(for: root)
        for code in [FindingCode.invalidChoice, .invalidPercent] {
            findings.replace(code) { $0.explainingVendor(in: root) }
        }
        findings.replace(.inconsistent) { order.atChange($0) }
        findings.replace(.numbersDisagree) { order.atChange($0) }
        findings.replace(.missingKey) { order.atRemoval($0) }
    }

    /// Checks the market in every situation.
    private func prove(_ situations: SituationRules, _ order: LayerOrder) throws(WorkBudget.Exceeded) {
        guard let space = try SituationSpace(situations, now: reading.now, budget: budget, findings: findings) else {
            return
        }
        var merger = VariedMerger(schema: schema.declaration, space: space, findings: findings, budget: budget)
        let root = try merger.merge(situations.fragments)
        if let limit = merger.limit { try findings.add(.tooManySituations, at: situations.start, "\(limit)") }
        for (path, position) in merger.excessive.sorted(by: { $0.key.description < $1.key.description }) {
            try findings.add(
                .tooManySituations, at: position, path: path,
                "this key can have more than \(SituationReader.maximumAlternatives) different values",
                hint: "change it in fewer overlays and base markets, or write a single vary")
        }
        var proof = SituationProof(
            of: situations, root: root, space: space, schema: schema, order: order, reading: reading,
            findings: findings, budget: budget)
        try proof.run(secrets: assembly.secrets, within: assembly.prefixes)
    }

    /// Reports deprecated paths of the market's own file whose last day is over.
    private func reportExpiredPaths(at now: ContextDate) throws(WorkBudget.Exceeded) {
        for layer in origin.ownLayers {
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
                    hint: "remove the paths and the deprecated table, or change expires")
            }
        }
    }

    // MARK: Values without errors

    /// Validates the intact routables of a market that has errors.
    ///
    /// - Returns: The values without errors; nil if it is not known which these are.
    private func intactValues(of root: ConfigurationNode, _ order: LayerOrder) throws(WorkBudget.Exceeded)
        -> ValidValues?
    {
        // If there are more errors than can be recorded, it is unknown which parts are intact.
        guard let failed = findings.pathsWithErrors else { return nil }
        let parts = try ErrorFreeValues(of: root, without: failed, budget: budget)
        let definition = MarketDefinition(validated: parts.root.value)
        findings.leaveOut(reading.isComplete ? [] : FindingCode.routablesNeedingBase)
        defer { findings.endSuppression() }
        let routes = try routables(of: root, definition, parts, order).check()
        guard reading.isComplete, !reading.isAbstract else { return nil }
        return validValues(definition, parts.root, routes: routes, failed: findings.pathsWithErrors ?? [])
    }

    private func validValues(
        _ definition: MarketDefinition, _ source: ConfigurationNode, routes: [RouteDeclaration],
        failed: Set<ConfigurationPath>
    ) -> ValidValues {
        ValidValues(
            definition: definition, source: source, schema: schema, origin: origin, routes: routes,
            warnings: findings.sorted(), failed: failed)
    }

    // MARK: Assembling

    private func routables(
        of root: ConfigurationNode, _ definition: MarketDefinition, _ parts: ErrorFreeValues, _ order: LayerOrder
    ) -> RoutableAssembly {
        RoutableAssembly(
            definition: definition, source: root, order: order, parts: parts, isComplete: reading.isComplete,
            schema: schema, place: reading.place, budget: budget, findings: findings)
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
        MarketInstance(sections: schema.module.sections, compiledDigest: origin.compiledDigest).register(in: container)
        return sections
    }

    private func registerFlags(of definition: MarketDefinition, in container: Container) -> MarketFlags {
        let flags = MarketFlags(
            origin.situations?.flags ?? FlagSet(),
            attributes: origin.situations?.attributes
                ?? SituationReader.sharedAttributes(of: origin.layers, locales: definition.locales, schema),
            context: situation.live, market: definition.id, revision: origin.revision.digest, container: container,
            complete: { [situations = origin.situations] in situations?.completed($0) ?? $0 })
        container.register(MarketFlags.self, requires: []) { _ in flags }
        return flags
    }

    /// The deep linker of the module. If it has none of its own, the router is used, and the container provides it to
    /// others.
    private func registeredDeepLinker(_ definition: MarketDefinition, in container: Container) -> any DeepLinker {
        if let registered = container.getIfRegistered((any DeepLinker).self) { return registered }
        let router = DeepLinkRouter(configuration: definition.deepLinking)
        container.register((any DeepLinker).self, requires: []) { _ in router }
        return router
    }
}
