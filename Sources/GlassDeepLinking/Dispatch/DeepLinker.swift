public import GlassContainer

/// What the app sees of deep links: it registers routes and opens links.
///
/// ``DeepLinkRouter`` is the class that does it. An app's own deep linker, which most often has a router and hands on to
/// it, is treated like one: its ``hooks`` are set, its ``table`` is checked and explained, and the links that wait in it
/// go over to the one that takes its place.
@dynamicMemberLookup
public protocol DeepLinker: AnyObject, Sendable {
    /// Handles a link; false declines it, and the next candidate is asked.
    typealias RouteHandler = @Sendable (DeepLink, DeepLinkNavigationState) throws -> Bool

    /// The custom schemes, without `://`.
    var urlSchemes: [String] { get }

    /// The https hosts whose links are app links.
    var universalLinks: [String] { get }

    /// The domains that may open outside the app.
    var allowedDomains: [DeepLinkConfiguration.AllowedDomain] { get }

    /// Schemes, hosts, routes, preconditions and waiting links as text for a debug panel.
    var debugInfo: String { get }

    /// What is called on the way of a link.
    var hooks: DeepLinkHooks { get set }

    /// Changes some of the ``hooks`` and leaves the others as they are.
    ///
    /// One has this from an extension, which reads all hooks and sets them; a deep linker whose hooks are set from several
    /// threads has one of its own.
    ///
    /// - Parameter change: Changes the hooks; it may be called more than once.
    func updateHooks(_ change: (inout DeepLinkHooks) -> Void)

    /// What links change: the tab and the screens that the app's UI renders and observes.
    var navigationState: DeepLinkNavigationState { get }

    /// The routes at this moment, as a frozen value.
    var table: RouteTable { get }

    /// The registered routables. Setting replaces them all and keeps the routes of
    /// ``addRoutes(_:waitForPreconditions:handler:)``.
    ///
    /// Setting stops with the problems when the patterns do not make a table; use `replaceRoutables(_:)` where they
    /// come from a file.
    var routables: [any Routable] { get set }

    /// Opens a link: gate, route, preconditions, handler.
    ///
    /// - Parameter text: The link.
    /// - Returns: What became of it. The final outcome of a link that waits, or whose handler is at work, follows through the
    ///   outcome hook.
    @discardableResult
    func open(_ text: String) -> DispatchResult

    /// Says what ``open(_:)`` would do, and does nothing.
    ///
    /// - Parameter text: The link.
    /// - Returns: `routed` means that a routable would be asked; whether it declines shows only in doing.
    func dryRun(_ text: String) -> DispatchResult

    /// Explains where a link goes and why, without opening it.
    ///
    /// One has this from an extension, which asks ``dryRun(_:)`` and the ``table``.
    ///
    /// - Parameters:
    ///   - text: The link.
    ///   - others: Other markets by name, to say which would take the link.
    /// - Returns: The explanation.
    func explain(_ text: String, others: [(name: String, deepLinker: any DeepLinker)]) -> LinkExplanation

    /// Whether the link would be routed, now or after its preconditions.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether a route takes it.
    func canRoute(deepLink: DeepLink) -> Bool

    /// Routes a parsed link.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether it was routed, waits, is at work, or went to the external handler.
    @discardableResult
    func route(deepLink: DeepLink) -> Bool

    /// Adds routes with one handler.
    ///
    /// - Parameters:
    ///   - patterns: The patterns.
    ///   - waitForPreconditions: What their links wait for.
    ///   - handler: Handles the links.
    /// - Throws: ``RouteTableError`` when the patterns do not make a table; then nothing has changed.
    func addRoutes(
        _ patterns: [String], waitForPreconditions: PreconditionRequirement, handler: @escaping RouteHandler
    ) throws(RouteTableError)

    /// Adds routables to those that are registered.
    ///
    /// - Parameter routables: The routables.
    /// - Throws: ``RouteTableError`` when the patterns do not make a table; then nothing has changed.
    func register(routables: [any Routable]) throws(RouteTableError)

    /// Adds the routables of an enum's cases to those that are registered.
    ///
    /// - Parameters:
    ///   - routes: The cases.
    ///   - container: The container that `Container.shared` is while these routables handle a link. It is held weakly.
    /// - Throws: ``RouteTableError`` when the patterns do not make a table; then nothing has changed.
    func register(routes: [Route], using container: Container) throws(RouteTableError)

    /// Adds a precondition that a handler answers, and replaces one of the same name.
    ///
    /// The router asks when a link comes and when waiting links are checked; call ``routeWaitingLinks()`` when the
    /// answer has changed.
    ///
    /// - Parameters:
    ///   - identifier: The precondition's name.
    ///   - handler: Whether it holds now.
    func addDeeplinkPreconditionHandler(identifier: String, handler: @escaping @Sendable () -> Bool)

    /// Removes a precondition, and checks the waiting links.
    ///
    /// - Parameter identifier: The precondition's name.
    func removeDeeplinkPreconditionHandler(identifier: String)

    /// Declares preconditions that do not hold yet; known ones keep their state.
    ///
    /// - Parameter names: The names.
    func declarePreconditions(_ names: [String])

    /// Notes that a precondition holds, and runs the links that waited for it.
    ///
    /// - Parameter name: The precondition's name; an unknown one is declared.
    func satisfyPrecondition(_ name: String)

    /// Notes that a precondition no longer holds; one with a handler is asked again from now on.
    ///
    /// - Parameter name: The precondition's name; an unknown one is declared.
    func resetPrecondition(_ name: String)

    /// The names of the preconditions that do not hold now.
    var unmetPreconditions: [String] { get }

    /// Checks the waiting links, oldest first, and runs those whose preconditions hold.
    func routeWaitingLinks()

    /// Takes the waiting links out, for a deep linker that takes this one's place. They get no outcome from this one.
    ///
    /// - Returns: The links as they were opened, oldest first.
    func takeWaitingLinks() -> [String]

    /// Hands the waiting links over to a deep linker that takes this one's place: those that wait now, and each that would
    /// begin to wait here later.
    ///
    /// One has this from an extension, which hands over those that wait now.
    ///
    /// - Parameter open: Opens a link there; nil when nobody has the place any more, and the link waits here.
    func handOverWaitingLinks(to open: @escaping @Sendable (String) -> DispatchResult?)

    /// What the app has said about its preconditions, for a deep linker that takes this one's place.
    ///
    /// One has nil from an extension. Then what holds is copied when the other one is made, and what the app says during that
    /// may be lost; a deep linker with a router has the router's board.
    var preconditionBoard: PreconditionRegistry? { get set }
}

extension DeepLinker {
    /// Hands over the links that wait now.
    ///
    /// - Parameter open: Opens a link in the other deep linker.
    public func handOverWaitingLinks(to open: @escaping @Sendable (String) -> DispatchResult?) {
        for link in takeWaitingLinks() where open(link) == nil { self.open(link) }
    }

    /// Nil: what the app has said is this deep linker's own.
    public var preconditionBoard: PreconditionRegistry? {
        get { nil }
        set { _ = newValue }
    }

    /// Whether the link would be routed, now or after its preconditions.
    ///
    /// - Parameter deepLink: The link's text.
    /// - Returns: Whether a route takes it; false for a link that the gate refuses.
    public func canRoute(deepLink: String) -> Bool {
        dryRun(deepLink).outcome.isRoutable
    }

    /// Routes a link.
    ///
    /// - Parameter deepLink: The link's text.
    /// - Returns: Whether it was routed, waits, is at work, or went to the external handler.
    @discardableResult
    public func route(deepLink: String) -> Bool {
        open(deepLink).outcome.isTaken
    }

    /// Adds routes with one handler.
    ///
    /// - Parameters:
    ///   - patterns: The patterns.
    ///   - waitForPreconditions: Whether their links wait for all preconditions.
    ///   - handler: Handles the links.
    /// - Throws: ``RouteTableError`` when the patterns do not make a table; then nothing has changed.
    public func addRoutes(
        _ patterns: [String], waitForPreconditions: Bool = true, handler: @escaping RouteHandler
    ) throws(RouteTableError) {
        try addRoutes(patterns, waitForPreconditions: PreconditionRequirement(waitForPreconditions), handler: handler)
    }

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - pattern: The pattern.
    ///   - waitForPreconditions: Whether its links wait for all preconditions.
    ///   - handler: Handles the links.
    /// - Throws: ``RouteTableError`` when the pattern does not fit into the table; then nothing has changed.
    public func addRoute(
        _ pattern: String, waitForPreconditions: Bool = true, handler: @escaping RouteHandler
    ) throws(RouteTableError) {
        try addRoutes([pattern], waitForPreconditions: waitForPreconditions, handler: handler)
    }
}

extension RouteOutcome {
    /// Whether a route takes the link, now or later.
    package var isRoutable: Bool {
        switch self {
        case .routed, .waiting, .running: true
        case .external, .unroutable, .refused, .failed: false
        }
    }

    /// Whether someone took the link, now or later.
    package var isTaken: Bool { isRoutable || self == .external }
}
