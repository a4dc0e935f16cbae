import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassSchema

/// Builds a market's routables and registers them with its deep linker, or reports why that is not possible.
struct RoutableAssembly {
    let definition: MarketDefinition
    let source: ConfigurationNode
    /// The order of its files.
    let order: LayerOrder
    /// The intact parts of the market: all of it, or the parts from which `definition` was read.
    let parts: ErrorFreeValues
    /// Whether all base markets exist.
    let isComplete: Bool
    let schema: MarketSchema
    /// Finds the positions of bytes in strings.
    let place: MarketAssembly.SourceLocator
    let budget: WorkBudget
    /// The findings about ids, patterns and routes, all at once. If one of them is an error, some routables are
    /// missing, and the deep linker cannot be used.
    let findings: FindingList

    /// The context in which handlers of routables are created; nil if nothing is created.
    private typealias BuildContext = (container: Container, resolved: ConfigurationNode)

    /// Registers the routables of the market.
    func register(
        in deepLinker: any DeepLinker, container: Container, resolved: ConfigurationNode
    ) throws(WorkBudget.Exceeded) {
        let routables = try routables((container, resolved))
        // Also with a wrong id, so that one run reports both.
        do throws(RouteTableError) {
            try deepLinker.add(routables: routables, budget: budget)
        } catch {
            return try report(error, of: routables)
        }
        try declarePreconditions(in: deepLinker, container: container)
        try reportDeclinedPaths()
        try reportShadowedRoutes(in: deepLinker.table)
        try reportRoutesInBrowser(in: deepLinker.table)
    }

    /// Whether the handler of a routable's links requires a service that the module removed.
    private func isDropped(_ settings: RoutableSettings, _ id: String) -> Bool {
        if settings.show != nil || settings.handle != nil { return false }
        let requires = settings.handler.map { schema.handlers[$0]?.requires } ?? schema.routables[id]?.requires
        return schema.module.omits(anyOf: requires ?? [])
    }

    /// Validates the routables without creating any of them.
    ///
    /// - Returns: Their routes.
    @discardableResult
    func check() throws(WorkBudget.Exceeded) -> [RouteDeclaration] {
        let routables = try routables(nil)
        let routes = Self.declarations(of: routables)
        let table: RouteTable
        do throws(RouteTableError) {
            table = try RouteTable(routes, budget: budget)
        } catch {
            try report(error, of: routables)
            return routes
        }
        try reportDeclinedPaths()
        try reportShadowedRoutes(in: table)
        try reportRoutesInBrowser(in: table)
        return routes
    }

    /// The routables of the market. Reports those that are not valid.
    private func routables(_ making: BuildContext?) throws(WorkBudget.Exceeded) -> [HandlerRoutable] {
        try reportKnownPreconditions()
        var routables: [HandlerRoutable] = []
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
            routables.append(HandlerRoutable(id: id, configuration: configuration, handler: handler))
            if configuration.paths == nil, configuration.customPaths.isEmpty { try reportMissingPaths(of: id) }
        }
        return routables
    }

    /// Whether a routable without `paths` has its standard ones: not if its `paths` have an error, or if a base market
    /// that cannot be read may set them.
    func hasKnownPaths(of id: String) -> Bool { isComplete && !parts.isBroken(routable(id, .key("paths"))) }

    /// Whether the definition of what a routable does already has an error.
    private func isBroken(_ id: String) -> Bool {
        guard parts.isBroken(routable(id)) else { return false }
        guard case .map(let written)? = source.node(at: routable(id))?.value else { return true }
        let others = ["paths", "customPaths", "waitForPreconditions", "deprecated"]
        return written.keys.contains { !others.contains($0) && parts.isBroken(routable(id, .key($0))) }
    }

    private static func declarations(of routables: [HandlerRoutable]) -> [RouteDeclaration] {
        routables.flatMap { RouteDeclaration.list($0.actionRoutes, of: $0.id) }
    }

    /// Reports why the routes do not form a table, and the findings about the other routes.
    private func report(
        _ error: RouteTableError, of routables: [HandlerRoutable]
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
            return  // too much work is the only other failure, and was reported
        }
        try reportShadowedRoutes(in: table)
        try reportRoutesInBrowser(in: table)
    }

    /// Reports invalid patterns of an unknown routable, which would be checked once its id is corrected.
    private func reportPatterns(
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
            // Weak, because the container keeps the deep linker.
            deepLinker.addDeeplinkPreconditionHandler(identifier: precondition.name) { [weak container] in
                container.map(holds) ?? false
            }
        }
    }

    /// The handler of a routable's links: that of the market, or else that of the app's routable. If there is neither,
    /// returns nil and adds a finding. If nothing is created, the handler does nothing.
    private func handler(
        _ settings: RoutableSettings, _ id: String, _ entry: RoutableEntry?, _ configuration: RoutableConfiguration,
        _ making: BuildContext?
    ) throws(WorkBudget.Exceeded) -> RoutableHandler? {
        guard !isBroken(id) else { return .nothing }
        if let show = settings.show { return try handler(show, id, configuration) }
        if let name = settings.handler {
            guard let handler = schema.handlers[name] else {
                try reportUnknownHandler(name, of: id)
                return nil
            }
            guard try !reportMissingServices(handler.requires, of: id, in: making?.container) else { return nil }
            return .synchronous { [weak container = making?.container] link, state in
                // The container is released with its deep linker, so there is one as long as links are handled.
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

    private func handler(
        _ show: DeclarativeDestination, _ id: String, _ configuration: RoutableConfiguration
    ) throws(WorkBudget.Exceeded) -> RoutableHandler? {
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

extension RoutableHandler {
    /// The handler of a routable that is only validated and never called.
    fileprivate static let nothing = RoutableHandler.synchronous { _, _ in false }
}

extension RoutableSettings {
    /// The settings in the form of the router's configuration.
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
