public import GlassContainer

// Patterns that a program names as constants: if they clash, the program is wrong, and it stops with the clash. The
// methods named `add` throw instead; use them for patterns from a market's file, and for a deep linker that has any.

extension DeepLinker {
    /// Adds routables whose patterns are constants. Traps with the clash and its places if they do not form a valid
    /// table together with the routes so far.
    ///
    /// Use ``add(routables:)``, which throws, if patterns come from a market's file: those of the routables, or those
    /// that the deep linker already has.
    ///
    /// - Parameters:
    ///   - routables: The routables.
    ///   - file: The file of the call, for the message.
    ///   - line: The line of the call, for the message.
    public func register(routables: [any Routable], file: StaticString = #fileID, line: UInt = #line) {
        constants("register(routables:)", "\(file):\(line)") { place throws(RouteTableError) in
            guard let router = self as? DeepLinkRouter else { return try add(routables: routables) }
            try router.add(routables: routables, place: place)
        }
    }

    /// Adds the routables of the given cases, whose patterns are constants. Traps with the clash and its places if they
    /// do not form a valid table together with the routes so far.
    ///
    /// Use ``add(routes:using:)``, which throws, if patterns come from a market's file: those of the routables, or those
    /// that the deep linker already has.
    ///
    /// - Parameters:
    ///   - routes: The cases.
    ///   - container: The container that `Container.shared` returns while these routables handle a link. Held weakly.
    ///   - file: The file of the call, for the message.
    ///   - line: The line of the call, for the message.
    public func register(
        routes: [Route], using container: Container, file: StaticString = #fileID, line: UInt = #line
    ) {
        constants("register(routes:using:)", "\(file):\(line)") { place throws(RouteTableError) in
            guard let router = self as? DeepLinkRouter else { return try add(routes: routes, using: container) }
            try router.add(routes: routes, using: container, place: place)
        }
    }

    /// Adds routes with one handler, whose patterns are constants. Traps with the clash and its places if they do not
    /// form a valid table together with the routes so far.
    ///
    /// Use ``add(patterns:waitForPreconditions:handler:)-(_,PreconditionRequirement,_)``, which throws, if patterns come
    /// from a market's file: these, or those that the deep linker already has.
    ///
    /// - Parameters:
    ///   - patterns: The patterns.
    ///   - waitForPreconditions: The preconditions that their links wait for.
    ///   - file: The file of the call, for the message.
    ///   - line: The line of the call, for the message.
    ///   - handler: Handles the links.
    public func addRoutes(
        _ patterns: [String], waitForPreconditions: PreconditionRequirement, file: StaticString = #fileID,
        line: UInt = #line, handler: @escaping RouteHandler
    ) {
        constants("addRoutes", "\(file):\(line)") { place throws(RouteTableError) in
            guard let router = self as? DeepLinkRouter else {
                return try add(patterns: patterns, waitForPreconditions: waitForPreconditions, handler: handler)
            }
            try router.add(
                patterns: patterns, waitForPreconditions: waitForPreconditions, place: place, handler: handler)
        }
    }

    /// Adds routes with one handler, whose patterns are constants. Traps with the clash and its places if they do not
    /// form a valid table together with the routes so far.
    ///
    /// - Parameters:
    ///   - patterns: The patterns.
    ///   - waitForPreconditions: Whether their links wait for all preconditions.
    ///   - file: The file of the call, for the message.
    ///   - line: The line of the call, for the message.
    ///   - handler: Handles the links.
    public func addRoutes(
        _ patterns: [String], waitForPreconditions: Bool = true, file: StaticString = #fileID, line: UInt = #line,
        handler: @escaping RouteHandler
    ) {
        addRoutes(
            patterns, waitForPreconditions: PreconditionRequirement(waitForPreconditions), file: file, line: line,
            handler: handler)
    }

    /// Adds a route whose pattern is a constant. Traps with the clash and its places if it does not fit into the table.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - waitForPreconditions: Whether its links wait for all preconditions.
    ///   - file: The file of the call, for the message.
    ///   - line: The line of the call, for the message.
    ///   - handler: Handles the links.
    public func addRoute(
        _ pattern: String, waitForPreconditions: Bool = true, file: StaticString = #fileID, line: UInt = #line,
        handler: @escaping RouteHandler
    ) {
        addRoutes([pattern], waitForPreconditions: waitForPreconditions, file: file, line: line, handler: handler)
    }

    /// Adds a routable that registers itself.
    func register(_ routable: any Routable) {
        constants("registerRoutes()", "the class of \"\(routable.id)\"") { _ throws(RouteTableError) in
            try add(routables: [routable])
        }
    }

    func constants(
        _ call: String, _ place: String, _ add: (_ place: String) throws(RouteTableError) -> Void
    ) {
        do throws(RouteTableError) {
            try add(place)
        } catch {
            let places = (self as? DeepLinkRouter)?.places(of: error) ?? []
            let hint = "hint: to handle the error, call the method named add, which throws"
            fatalError((["\(call) at \(place): \(error)"] + places + [hint]).joined(separator: "\n  "))
        }
    }
}

extension DeepLinkRouter {
    /// The places of the registered constants that an error concerns, one per line.
    fileprivate func places(of error: RouteTableError) -> [String] {
        let concerned = Set(error.issues.flatMap(\.declarations))
        return snapshot.routes.registrations.compactMap { registration in
            guard let place = registration.place,
                let route = registration.routes.first(where: { concerned.contains($0.declaration) })
            else { return nil }
            return "\(route.declaration.routableID) is registered at \(place)"
        }
    }
}
