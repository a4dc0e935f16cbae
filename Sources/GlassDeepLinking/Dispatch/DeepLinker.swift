public import GlassContainer
package import GlassSchema

/// An app's interface to deep links: registers routes and opens links.
///
/// ``DeepLinkRouter`` is the standard implementation. An app's own deep linker, which usually forwards to a router, is
/// treated the same way: its ``hooks`` are set, its ``table`` is checked and explained, and its waiting links are
/// handed over to its successor.
@dynamicMemberLookup
public protocol DeepLinker: AnyObject, Sendable {
    /// Handles a link; returns false to decline it, so that the next candidate is tried.
    typealias RouteHandler = @Sendable (DeepLink, DeepLinkNavigationState) throws -> Bool

    /// The custom schemes, without `://`.
    var urlSchemes: [String] { get }

    /// The https hosts whose links are app links.
    var universalLinks: [String] { get }

    /// The domains whose links may open outside the app.
    var allowedDomains: [DeepLinkConfiguration.AllowedDomain] { get }

    /// Schemes, hosts, routes, preconditions and waiting links as text, for a debug panel.
    var debugInfo: String { get }

    /// The hooks that are called while links are handled.
    var hooks: DeepLinkHooks { get set }

    /// Changes some of the ``hooks`` and leaves the others unchanged.
    ///
    /// The default implementation reads all hooks and sets them. A deep linker whose hooks are set from several threads
    /// needs its own implementation.
    ///
    /// - Parameter change: Changes the hooks; it may be called more than once.
    func updateHooks(_ change: (inout DeepLinkHooks) -> Void)

    /// The navigation state that links change: the tab and the screens that the app's UI renders and observes.
    var navigationState: DeepLinkNavigationState { get }

    /// The current routes as an immutable value.
    var table: RouteTable { get }

    /// The registered routables. Setting this property replaces all of them and keeps the routes of
    /// `addRoutes` and ``add(patterns:waitForPreconditions:handler:)-(_,PreconditionRequirement,_)``.
    ///
    /// Setting traps with the problems if the patterns do not form a valid table; use `replaceRoutables(_:)` for
    /// patterns from a file.
    var routables: [any Routable] { get set }

    /// Opens a link: gate, route, preconditions, handler.
    ///
    /// - Parameter text: The link.
    /// - Returns: The result. The final outcome of a link that waits, or whose handler is running, follows through the
    ///   outcome hook.
    @discardableResult
    func open(_ text: String) -> DispatchResult

    /// Returns what ``open(_:)`` would do, without doing it.
    ///
    /// - Parameter text: The link.
    /// - Returns: The result. `routed` means that a routable would be tried; only opening the link shows whether it
    ///   declines.
    func dryRun(_ text: String) -> DispatchResult

    /// Explains where a link goes and why, without opening it.
    ///
    /// The default implementation uses ``dryRun(_:)`` and the ``table``.
    ///
    /// - Parameters:
    ///   - text: The link.
    ///   - others: Other markets by name, to report which of them would route the link.
    /// - Returns: The explanation.
    func explain(_ text: String, others: [(name: String, deepLinker: any DeepLinker)]) -> LinkExplanation

    /// Whether the link would be routed, immediately or after its preconditions are satisfied.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether a route matches the link.
    func canRoute(deepLink: DeepLink) -> Bool

    /// Routes a parsed link.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether the link was routed, is waiting or running, or was passed to the external handler.
    @discardableResult
    func route(deepLink: DeepLink) -> Bool

    /// Adds routes with one handler.
    ///
    /// - Parameters:
    ///   - patterns: The patterns.
    ///   - waitForPreconditions: The preconditions that their links wait for.
    ///   - handler: Handles the links.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    func add(
        patterns: [String], waitForPreconditions: PreconditionRequirement, handler: @escaping RouteHandler
    ) throws(RouteTableError)

    /// Adds routables.
    ///
    /// - Parameter routables: The routables.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    func add(routables: [any Routable]) throws(RouteTableError)

    /// Adds the routables of the given cases.
    ///
    /// - Parameters:
    ///   - routes: The cases.
    ///   - container: The container that `Container.shared` returns while these routables handle a link. Held weakly.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    func add(routes: [Route], using container: Container) throws(RouteTableError)

    /// Adds a precondition with a handler, replacing one of the same name.
    ///
    /// The handler is called when a link is opened and when waiting links are checked; call ``routeWaitingLinks()``
    /// when its result changes.
    ///
    /// - Parameters:
    ///   - identifier: The precondition's name.
    ///   - handler: Returns whether the precondition is satisfied.
    func addDeeplinkPreconditionHandler(identifier: String, handler: @escaping @Sendable () -> Bool)

    /// Removes a precondition, and checks the waiting links.
    ///
    /// - Parameter identifier: The precondition's name.
    func removeDeeplinkPreconditionHandler(identifier: String)

    /// Declares preconditions that are not satisfied yet; known ones keep their state.
    ///
    /// - Parameter names: The names.
    func declarePreconditions(_ names: [String])

    /// Marks a precondition as satisfied, and runs the links that waited for it.
    ///
    /// - Parameter name: The precondition's name; an unknown one is declared.
    func satisfyPrecondition(_ name: String)

    /// Marks a precondition as unmet. If it has a handler, the handler decides again from now on.
    ///
    /// - Parameter name: The precondition's name; an unknown one is declared.
    func resetPrecondition(_ name: String)

    /// The names of the unmet preconditions.
    var unmetPreconditions: [String] { get }

    /// Checks the waiting links, oldest first, and runs those whose preconditions are satisfied.
    func routeWaitingLinks()

    /// Removes the waiting links, for a deep linker that replaces this one. This deep linker reports no outcome for
    /// them.
    ///
    /// - Returns: The links as they were opened, oldest first.
    func takeWaitingLinks() -> [String]

    /// Hands over the waiting links to a deep linker that replaces this one: those that wait now, and any that would
    /// start to wait here later.
    ///
    /// The default implementation hands over only the links that wait now.
    ///
    /// - Parameter open: Opens a link in the successor. Returns nil if there is no successor anymore; the link then
    ///   waits here.
    func handOverWaitingLinks(to open: @escaping @Sendable (String) -> DispatchResult?)

    /// The state of the app's preconditions, to be shared with a deep linker that replaces this one.
    ///
    /// The default is nil. The state is then copied when the successor is created, and changes during that time may be
    /// lost. A deep linker with a router can return the router's registry.
    var preconditionRegistry: PreconditionRegistry? { get set }
}

extension DeepLinker {
    /// Hands over the links that wait now.
    ///
    /// - Parameter open: Opens a link in the other deep linker.
    public func handOverWaitingLinks(to open: @escaping @Sendable (String) -> DispatchResult?) {
        for link in takeWaitingLinks() where open(link) == nil { self.open(link) }
    }

    /// Nil: the state isn't shared.
    public var preconditionRegistry: PreconditionRegistry? {
        get { nil }
        set { _ = newValue }
    }

    /// Whether the link would be routed, immediately or after its preconditions are satisfied.
    ///
    /// - Parameter deepLink: The link's text.
    /// - Returns: Whether a route matches the link; false for a link that the gate refuses.
    public func canRoute(deepLink: String) -> Bool {
        dryRun(deepLink).outcome.isRoutable
    }

    /// Routes a link.
    ///
    /// - Parameter deepLink: The link's text.
    /// - Returns: Whether the link was routed, is waiting or running, or was passed to the external handler.
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
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    public func add(
        patterns: [String], waitForPreconditions: Bool = true, handler: @escaping RouteHandler
    ) throws(RouteTableError) {
        try add(
            patterns: patterns, waitForPreconditions: PreconditionRequirement(waitForPreconditions), handler: handler)
    }
}

extension RouteOutcome {
    /// Whether a route handles the link, immediately or later.
    package var isRoutable: Bool {
        switch self {
        case .routed, .waiting, .running: true
        case .external, .unroutable, .refused, .failed: false
        }
    }

    /// Whether the link is handled, immediately or later, including outside the app.
    package var isTaken: Bool { isRoutable || self == .external }
}

extension DeepLinker {
    /// Changes some of the ``hooks`` and leaves the others unchanged.
    ///
    /// - Parameter change: Changes the hooks.
    public func updateHooks(_ change: (inout DeepLinkHooks) -> Void) {
        var changed = hooks
        change(&changed)
        hooks = changed
    }

    /// One of the ``hooks`` by name: `router.outcomeHandler`. Setting it leaves the others unchanged.
    ///
    /// - Parameter hook: The hook.
    public subscript<Handler>(dynamicMember hook: WritableKeyPath<DeepLinkHooks, Handler>) -> Handler {
        get { hooks[keyPath: hook] }
        set { updateHooks { $0[keyPath: hook] = newValue } }
    }
}

extension DeepLinker {
    /// The methods for scripts. Links are opened through the market, which binds its container.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("canRoute", ["url"], "Whether a route matches the link.") { arguments in
                .boolean(self.canRoute(deepLink: try arguments.string(0, "url")))
            },
            ScriptMethod("schemes", [], "The custom schemes.") { _ in .list(self.urlSchemes.map { .string($0) }) },
            ScriptMethod("universalLinks", [], "The https hosts whose links are app links.") { _ in
                .list(self.universalLinks.map { .string($0) })
            },
            ScriptMethod("allowedDomains", [], "The domains whose links may open outside the app.") { _ in
                .list(self.allowedDomains.map { .string($0.name) })
            },
            ScriptMethod("debugInfo", [], "Schemes, routes, preconditions and waiting links as text.") { _ in
                .string(self.debugInfo)
            },
        ]
    }
}
