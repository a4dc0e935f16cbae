package import GlassBase
public import GlassContainer

extension DeepLinkRouter {
    /// The registered routables. Setting this property replaces all of them and keeps the routes of `addRoutes`.
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

    /// Replaces all routables and keeps the routes of `addRoutes`.
    ///
    /// - Parameter routables: The new routables.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    public func replaceRoutables(_ routables: [any Routable]) throws(RouteTableError) {
        let added = routables.map { DeepLinkRouter.registration(of: $0, container: nil) }
        try swap { registrations in registrations.filter { $0.routable == nil } + added }
    }

    /// Adds routables.
    ///
    /// - Parameter routables: The routables.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    public func register(routables: [any Routable]) throws(RouteTableError) {
        let added = routables.map { DeepLinkRouter.registration(of: $0, container: nil) }
        try swap { $0 + added }
    }

    /// Adds routables with untrusted patterns.
    package func register(routables: [any Routable], budget: WorkBudget) throws(RouteTableError) {
        let added = routables.map { DeepLinkRouter.registration(of: $0, container: nil) }
        try swap(budget: budget) { $0 + added }
    }

    /// Adds the routables of the given cases.
    ///
    /// - Parameters:
    ///   - routes: The cases.
    ///   - container: The container that `Container.shared` returns while these routables handle a link. Held weakly.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    public func register(routes: [Route], using container: Container) throws(RouteTableError) {
        let added = routes.map { DeepLinkRouter.registration(of: $0.routable, container: container) }
        try swap { $0 + added }
    }

    /// Adds routes with one handler.
    ///
    /// - Parameters:
    ///   - patterns: The patterns. Each is also the routable id in results and errors.
    ///   - waitForPreconditions: The preconditions that their links wait for.
    ///   - handler: Handles the links.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    public func addRoutes(
        _ patterns: [String], waitForPreconditions: PreconditionRequirement, handler: @escaping RouteHandler
    ) throws(RouteTableError) {
        let routes = patterns.enumerated().map { index, pattern in
            RegisteredRoute(
                declaration: RouteDeclaration(pattern: pattern, routableID: pattern, index: index),
                requirement: waitForPreconditions, handler: handler)
        }
        try swap { $0 + [Registration(routable: nil, routes: routes)] }
    }

    private static func registration(of routable: any Routable, container: Container?) -> Registration {
        let requirement = routable.requiredPreconditions
        var handler: RouteHandler = { link, state in try routable.handleDeepLink(link, state: state) }
        if let container {
            handler = { [weak container] link, state in
                guard let container else { return try routable.handleDeepLink(link, state: state) }
                return try Container.$shared.withValue(container) {
                    try routable.handleDeepLink(link, state: state)
                }
            }
        }
        // Check the type first: if a cast of an object fails, the runtime goes on to search for bridging conversions.
        let isAsynchronous = type(of: routable) is any AsyncHandling.Type
        let asynchronous = isAsynchronous ? (routable as? any AsyncHandling)?.asynchronousHandler : nil
        let routes = routable.actionRoutes.enumerated().map { index, pattern in
            RegisteredRoute(
                declaration: RouteDeclaration(pattern: pattern, routableID: routable.id, index: index),
                requirement: requirement, handler: handler, asyncHandler: asynchronous)
        }
        return Registration(routable: routable, routes: routes)
    }

    /// Builds a table from changed registrations outside the lock, and swaps it in unless another swap came first.
    func swap(
        budget: WorkBudget = .forOwnRoutes, _ change: ([Registration]) -> [Registration]
    ) throws(RouteTableError) {
        while true {
            let old = snapshot.routes
            var new = Routes(registrations: change(old.registrations))
            new.routes = new.registrations.flatMap(\.routes)
            new.version = old.version + 1
            new.table = try RouteTable(new.routes.map(\.declaration), limits: limits, budget: budget)
            let replaced: Snapshot? = state.withLock { state in
                let current = state.snapshot
                guard current.routes.version == old.version else { return nil }
                state.snapshot = Snapshot(
                    configuration: current.configuration, routes: new, hooks: current.hooks)
                return current
            }
            // The old routes are released here, outside the lock, because that may run app code.
            if replaced != nil { break }
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
    package func register(routables: [any Routable], budget: WorkBudget) throws(RouteTableError) {
        if let router = self as? DeepLinkRouter {
            return try router.register(routables: routables, budget: budget)
        }
        let added = routables.flatMap { routable in
            routable.actionRoutes.enumerated().map { index, pattern in
                RouteDeclaration(pattern: pattern, routableID: routable.id, index: index)
            }
        }
        _ = try RouteTable(table.declarations + added, budget: budget)
        try register(routables: routables)
    }
}
