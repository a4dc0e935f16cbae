import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassSchema

/// Builds a market's routables and registers them with its deep linker, or says why that cannot be.
struct RoutableAssembly {
    let definition: MarketDefinition
    let source: ConfigurationNode
    /// Which of its files lie over which.
    var order: LayerOrder
    /// What of the market is whole: all of it, or what `definition` was read from.
    let parts: ErrorFreeValues
    /// Whether all that the market extends is there.
    let isComplete: Bool
    let schema: MarketSchema
    /// Where the bytes of the texts stand.
    let place: MarketAssembly.SourceLocator
    let budget: WorkBudget
    /// What is wrong with ids, patterns and routes, all at once. With an error among it some routables are missing, and
    /// the deep linker is of no use.
    var findings: FindingList

    init(
        definition: MarketDefinition, source: ConfigurationNode, order: LayerOrder, parts: ErrorFreeValues,
        isComplete: Bool, schema: MarketSchema, place: @escaping MarketAssembly.SourceLocator, budget: WorkBudget,
        findings: FindingList
    ) {
        self.definition = definition
        self.source = source
        self.order = order
        self.parts = parts
        self.isComplete = isComplete
        self.schema = schema
        self.place = place
        self.budget = budget
        self.findings = findings
    }

    /// What the handlers of routables are made with; nil where nothing is made.
    private typealias BuildContext = (container: Container, resolved: ConfigurationNode)

    /// Registers the routables of the market.
    mutating func register(
        in deepLinker: any DeepLinker, container: Container, resolved: ConfigurationNode
    ) throws(WorkBudget.Exceeded) {
        let routables = try routables((container, resolved))
        // Also beside a wrong id: whoever fixes it wants to hear of the patterns in the same run.
        do throws(RouteTableError) {
            try deepLinker.register(routables: routables, budget: budget)
        } catch {
            return try report(error, of: routables)
        }
        try declarePreconditions(in: deepLinker, container: container)
        try reportDeclinedPaths()
        try reportShadowedRoutes(in: deepLinker.table)
    }

    /// Whether a routable's links would be handled by what requires a service that the module dropped.
    private func isDropped(_ settings: RoutableSettings, _ id: String) -> Bool {
        if settings.show != nil || settings.handle != nil { return false }
        let requires = settings.handler.map { schema.handlers[$0]?.requires } ?? schema.routables[id]?.requires
        return schema.module.omits(anyOf: requires ?? [])
    }

    /// Looks at the routables of a market with an error without making any of them.
    mutating func check() throws(WorkBudget.Exceeded) {
        let routables = try routables(nil)
        let table: RouteTable
        do throws(RouteTableError) {
            table = try RouteTable(Self.declarations(of: routables), budget: budget)
        } catch {
            return try report(error, of: routables)
        }
        try reportDeclinedPaths()
        try reportShadowedRoutes(in: table)
    }

    /// The routables of the market, with findings for those that are none.
    private mutating func routables(_ making: BuildContext?) throws(WorkBudget.Exceeded) -> [AssembledRoutable] {
        try reportKnownPreconditions()
        var routables: [AssembledRoutable] = []
        for (id, routable) in definition.routables.sorted(by: { $0.key < $1.key }) {
            try budget.spend(on: .routes)
            guard case .on(let settings) = routable else {
                try reportUnknownDisabledRoutable(id)
                continue
            }
            guard !isDropped(settings, id) else { continue }
            try reportUnknownPreconditions(settings, of: id)
            let entry = schema.routables[id]
            var configuration = settings.configuration
            if configuration.paths == nil {
                configuration.paths = hasKnownPaths(of: id) ? entry?.feature.paths : []
            }
            guard let handler = try handler(settings, id, entry, configuration, making) else {
                try reportPatterns(configuration, of: id)
                continue
            }
            routables.append(
                AssembledRoutable(
                    id: id, paths: entry?.feature.paths ?? [], configuration: configuration, handler: handler))
            if configuration.paths == nil, configuration.customPaths.isEmpty { try reportMissingPaths(of: id) }
        }
        return routables
    }

    /// Whether a routable without `paths` has its standard ones: not when its `paths` have an error, or when a market that
    /// cannot be read may say them.
    func hasKnownPaths(of id: String) -> Bool { isComplete && !parts.isBroken(routable(id, .key("paths"))) }

    /// Whether what a routable does has an error already.
    private func isBroken(_ id: String) -> Bool {
        guard parts.isBroken(routable(id)) else { return false }
        guard case .map(let written)? = source.node(at: routable(id))?.value else { return true }
        let others = ["paths", "customPaths", "waitForPreconditions", "deprecated"]
        return written.keys.contains { !others.contains($0) && parts.isBroken(routable(id, .key($0))) }
    }

    private static func declarations(of routables: [AssembledRoutable]) -> [RouteDeclaration] {
        routables.flatMap { routable in
            routable.actionRoutes.enumerated().map {
                RouteDeclaration(pattern: $0.element, routableID: routable.id, index: $0.offset)
            }
        }
    }

    /// Reports why the routes make no table, and what else can be said of those that are not at fault.
    private mutating func report(
        _ error: RouteTableError, of routables: [AssembledRoutable]
    ) throws(WorkBudget.Exceeded) {
        if let exceeded = error.exceeded { throw exceeded }
        for issue in error.issues { try report(issue) }
        try reportDeclinedPaths()
        let file = error.issues.last?.declarations.last.flatMap { place(of: $0).position?.file }
        findings.count(error.omittedCount, severity: .error, in: file)
        guard error.omittedCount == 0 else { return }
        let faulty = Set(error.issues.flatMap(\.declarations))
        let table: RouteTable
        do throws(RouteTableError) {
            table = try RouteTable(
                Self.declarations(of: routables).filter { !faulty.contains($0) }, budget: budget)
        } catch {
            if let exceeded = error.exceeded { throw exceeded }
            return  // without the faulty ones there is no other fault but too much work, and that is one of those
        }
        try reportShadowedRoutes(in: table)
    }

    /// Reports the patterns that cannot be compiled of a routable that is none: with its right name they would be looked at.
    private mutating func reportPatterns(
        _ configuration: RoutableConfiguration, of id: String
    ) throws(WorkBudget.Exceeded) {
        for (index, text) in ((configuration.paths ?? []) + configuration.customPaths).enumerated() {
            try budget.spend(text.utf8.count / 8 + 4, on: .routes)
            do throws(RoutePatternError) {
                _ = try RoutePattern(text)
            } catch {
                try report(.pattern(RouteDeclaration(pattern: text, routableID: id, index: index), error))
            }
        }
    }

    private func declarePreconditions(
        in deepLinker: any DeepLinker, container: Container
    ) throws(WorkBudget.Exceeded) {
        let own = definition.preconditions.keys.sorted()
        try budget.spend(schema.module.preconditions.count + own.count, on: .routes)
        deepLinker.declarePreconditions(schema.module.preconditions.map(\.name) + own)
        for precondition in schema.module.preconditions {
            guard let holds = precondition.holds else { continue }
            // Weak: the container keeps the deep linker.
            deepLinker.addDeeplinkPreconditionHandler(identifier: precondition.name) { [weak container] in
                container.map(holds) ?? false
            }
        }
    }

    /// What handles the links of a routable: what the market says, or else the routable of the app; nil, and a finding,
    /// when there is neither. Where nothing is made it does nothing.
    private mutating func handler(
        _ settings: RoutableSettings, _ id: String, _ entry: RoutableEntry?, _ configuration: RoutableConfiguration,
        _ making: BuildContext?
    ) throws(WorkBudget.Exceeded) -> RoutableEntry.Handler? {
        guard !isBroken(id) else { return .nothing }
        if let show = settings.show { return try handler(show, id, configuration) }
        if let name = settings.handler {
            guard let handler = schema.handlers[name] else {
                try reportUnknownHandler(name, of: id)
                return nil
            }
            guard try !reportMissingServices(handler.requires, of: id, in: making?.container) else { return nil }
            return .synchronous { [weak container = making?.container] link, state in
                // The container goes with its deep linker, so a link that is handled has one.
                guard let container else { return false }
                return try handler.body(link, state, container)
            }
        }
        if let handle = settings.handle?.value.payload as? any LinkHandling {
            return .synchronous { try handle.handle($0, state: $1, routable: id) }
        }
        guard let entry else {
            try reportUnknown(id)
            return nil
        }
        let root = making?.resolved ?? parts.root
        let value = root.node(at: ConfigurationPath([.key("routables"), .key(id)]))?.value ?? .emptyTable
        guard try !reportMissingKeys(value, of: id, entry),
            try !reportMissingServices(entry.requires, of: id, in: making?.container)
        else { return nil }
        return making.map { entry.make($0.container, value) } ?? .nothing
    }

    private mutating func handler(
        _ show: DeclarativeDestination, _ id: String, _ configuration: RoutableConfiguration
    ) throws(WorkBudget.Exceeded) -> RoutableEntry.Handler? {
        for (name, text) in show.parameters ?? [:] {
            try budget.spend(1 + (name.utf8.count + text.utf8.count) / 16, on: .routes)
        }
        do throws(ShowRoutableError) {
            let routable = try ShowRoutable(
                id: id, configuration: configuration, tab: show.tab, screen: show.screen,
                parameters: show.parameters, requires: show.requires)
            return .synchronous { routable.handleDeepLink($0, state: $1) }
        } catch {
            for issue in error.issues { try report(issue, of: id, show) }
            return nil
        }
    }
}

extension RoutableSettings {
    /// The settings as the router's configuration.
    var configuration: RoutableConfiguration {
        let wait: PreconditionRequirement =
            switch waitForPreconditions {
            case nil, .all(true)?: .all
            case .all(false)?: .none
            case .named(let names)?: .named(names)
            }
        return RoutableConfiguration(
            paths: paths, customPaths: customPaths, waitForPreconditions: wait)
    }
}
