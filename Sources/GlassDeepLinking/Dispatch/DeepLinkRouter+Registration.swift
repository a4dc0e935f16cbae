package import GlassBase
public import GlassContainer

extension DeepLinkRouter {
    /// The registered routables. Setting this property replaces all of them and keeps the routes of patterns.
    ///
    /// Setting traps with the problems if the patterns do not form a valid table; use ``replaceRoutables(_:)`` for
    /// patterns from a file.
    public var routables: [any Routable] {
        get { snapshot.routes.registrations.compactMap(\.routable) }
        set {
            do {
                try replaceRoutables(newValue)
            } catch {
                fatalError("DeepLinkRouter.routables: \(error)")  // a setter cannot throw; replaceRoutables(_:) can
            }
        }
    }

    /// Replaces all routables and keeps the routes of patterns.
    ///
    /// - Parameter routables: The new routables.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    public func replaceRoutables(_ routables: [any Routable]) throws(RouteTableError) {
        let added = routables.map { DeepLinkRouter.registration(of: $0) }
        try replaceRoutes { registrations in registrations.filter { $0.routable == nil } + added }
    }

    /// Adds routables.
    ///
    /// - Parameter routables: The routables.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    public func add(routables: [any Routable]) throws(RouteTableError) {
        try add(routables: routables, place: nil)
    }

    func add(routables: [any Routable], place: String?) throws(RouteTableError) {
        let added = routables.map { DeepLinkRouter.registration(of: $0, place: place) }
        try replaceRoutes { $0 + added }
    }

    /// Adds routables with untrusted patterns.
    package func add(routables: [any Routable], budget: WorkBudget) throws(RouteTableError) {
        let added = routables.map { DeepLinkRouter.registration(of: $0) }
        try replaceRoutes(budget: budget) { $0 + added }
    }

    /// Adds the routables of the given cases.
    ///
    /// - Parameters:
    ///   - routes: The cases.
    ///   - container: The container that `Container.shared` returns while these routables handle a link. Held weakly.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    public func add(routes: [Route], using container: Container) throws(RouteTableError) {
        try add(routes: routes, using: container, place: nil)
    }

    func add(routes: [Route], using container: Container, place: String?) throws(RouteTableError) {
        let added = routes.map { DeepLinkRouter.registration(of: $0.routable, container: container, place: place) }
        try replaceRoutes { $0 + added }
    }

    /// Adds routes with one handler.
    ///
    /// - Parameters:
    ///   - patterns: The patterns. Each is also the routable id in results and errors.
    ///   - waitForPreconditions: The preconditions that their links wait for.
    ///   - handler: Handles the links.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    public func add(
        patterns: [String], waitForPreconditions: PreconditionRequirement, handler: @escaping RouteHandler
    ) throws(RouteTableError) {
        try add(patterns: patterns, waitForPreconditions: waitForPreconditions, place: nil, handler: handler)
    }

    func add(
        patterns: [String], waitForPreconditions: PreconditionRequirement, place: String?,
        handler: @escaping RouteHandler
    ) throws(RouteTableError) {
        let routes = patterns.enumerated().map { index, pattern in
            RegisteredRoute(
                declaration: RouteDeclaration(pattern: pattern, routableID: pattern, index: index),
                requirement: waitForPreconditions, handler: .synchronous(handler))
        }
        try replaceRoutes { $0 + [Registration(routable: nil, routes: routes, place: place)] }
    }

    private static func registration(
        of routable: any Routable, container: Container? = nil, place: String? = nil
    ) -> Registration {
        var handler = RoutableHandler.synchronous { try routable.handleDeepLink($0, state: $1) }
        if let routable = routable as? HandlerRoutable { handler = routable.handler }
        switch (handler, container) {
        case (.synchronous(let handle), let container?):
            handler = .synchronous { [weak container] link, state in
                guard let container else { return try handle(link, state) }
                return try Container.$shared.withValue(container) { try handle(link, state) }
            }
        case (.mainActor(let handle), let container?):
            handler = .mainActor { [weak container] link, state in
                guard let container else { return try handle(link, state) }
                return try Container.$shared.withValue(container) { try handle(link, state) }
            }
        case (.asynchronous, _), (_, nil): break
        }
        let requirement = routable.requiredPreconditions
        return Registration(
            routable: routable,
            routes: RouteDeclaration.list(routable.actionRoutes, of: routable.id).map {
                RegisteredRoute(declaration: $0, requirement: requirement, handler: handler)
            }, place: place)
    }

    /// Builds a table from changed registrations, and replaces all routes.
    func replaceRoutes(
        budget: WorkBudget = .forOwnRoutes, _ change: ([Registration]) -> [Registration]
    ) throws(RouteTableError) {
        try replaceSnapshot { old throws(RouteTableError) in
            let registrations = change(old.routes.registrations)
            let routes = registrations.flatMap(\.routes)
            let table = try RouteTable(routes.map(\.declaration), limits: limits, budget: budget)
            return old.with(routes: Routes(registrations: registrations, routes: routes, table: table))
        }
        // Waiting links may have a different route now, or none.
        routeWaitingLinks()
    }
}

extension DeepLinker {
    /// Adds routables with untrusted patterns.
    ///
    /// Only ``DeepLinkRouter`` builds its table within the budget. For another deep linker, a table of its existing and
    /// new routes is built within the budget first.
    package func add(routables: [any Routable], budget: WorkBudget) throws(RouteTableError) {
        if let router = self as? DeepLinkRouter {
            return try router.add(routables: routables, budget: budget)
        }
        let added = routables.flatMap { RouteDeclaration.list($0.actionRoutes, of: $0.id) }
        _ = try RouteTable(table.declarations + added, budget: budget)
        try add(routables: routables)
    }
}
