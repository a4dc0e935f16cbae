package import GlassBase
public import GlassContainer

extension DeepLinkRouter {
    /// The registered routables. Setting replaces them all and keeps the routes of `addRoutes`.
    ///
    /// Setting stops with the problems when the patterns do not make a table; use ``replaceRoutables(_:)`` where they
    /// come from a file.
    public var routables: [any Routable] {
        get { snapshot.routes.registrations.compactMap(\.routable) }
        set {
            do {
                try replaceRoutables(newValue)
            } catch {
                fatalError("DeepLinkRouter.routables: \(error)")  // a property cannot throw; replaceRoutables(_:) does
            }
        }
    }

    /// Replaces all routables and keeps the routes of `addRoutes`.
    ///
    /// - Parameter routables: The new routables.
    /// - Throws: ``RouteTableError`` when the patterns do not make a table; then nothing has changed.
    public func replaceRoutables(_ routables: [any Routable]) throws(RouteTableError) {
        let added = routables.map { DeepLinkRouter.registration(of: $0, container: nil) }
        try swap { registrations in registrations.filter { $0.routable == nil } + added }
    }

    /// Adds routables to those that are registered.
    ///
    /// - Parameter routables: The routables.
    /// - Throws: ``RouteTableError`` when the patterns do not make a table; then nothing has changed.
    public func register(routables: [any Routable]) throws(RouteTableError) {
        let added = routables.map { DeepLinkRouter.registration(of: $0, container: nil) }
        try swap { $0 + added }
    }

    /// Adds routables that somebody else wrote the patterns of.
    package func register(routables: [any Routable], budget: WorkBudget) throws(RouteTableError) {
        let added = routables.map { DeepLinkRouter.registration(of: $0, container: nil) }
        try swap(budget: budget) { $0 + added }
    }

    /// Adds the routables of an enum's cases to those that are registered.
    ///
    /// - Parameters:
    ///   - routes: The cases.
    ///   - container: The container that `Container.shared` is while these routables handle a link. It is held weakly.
    /// - Throws: ``RouteTableError`` when the patterns do not make a table; then nothing has changed.
    public func register(routes: [Route], using container: Container) throws(RouteTableError) {
        let added = routes.map { DeepLinkRouter.registration(of: $0.routable, container: container) }
        try swap { $0 + added }
    }

    /// Adds routes with one handler.
    ///
    /// - Parameters:
    ///   - patterns: The patterns. Each is its own routable's id in results and errors.
    ///   - waitForPreconditions: What their links wait for.
    ///   - handler: Handles the links.
    /// - Throws: ``RouteTableError`` when the patterns do not make a table; then nothing has changed.
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
        // The type is asked first: where a cast of an object fails, the runtime goes on to what bridges.
        let isAsynchronous = type(of: routable) is any AsyncHandling.Type
        let asynchronous = isAsynchronous ? (routable as? any AsyncHandling)?.asynchronousHandler : nil
        let routes = routable.actionRoutes.enumerated().map { index, pattern in
            RegisteredRoute(
                declaration: RouteDeclaration(pattern: pattern, routableID: routable.id, index: index),
                requirement: requirement, handler: handler, asyncHandler: asynchronous)
        }
        return Registration(routable: routable, routes: routes)
    }

    /// Builds a table from changed registrations, without the lock, and swaps it in unless another swap came first.
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
            // What the old routes held is released here, without the lock: it may run an app's code.
            if replaced != nil { break }
        }
        // A waiting link may go elsewhere now, or nowhere.
        routeWaitingLinks()
    }
}

extension DeepLinker {
    /// Adds routables that somebody else wrote the patterns of.
    ///
    /// Only the router builds its table within the budget. Another deep linker is asked when a table of what it has
    /// and of what comes was built within it.
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
