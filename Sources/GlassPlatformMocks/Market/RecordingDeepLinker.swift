import GlassBase
import GlassContainer
import GlassDeepLinking

/// The deep linker of a ``DeepLinkerMock``. It records calls and forwards them to a router.
final class RecordingDeepLinker: DeepLinker {
    private struct State: Sendable {
        var opened: [String] = []
        var patterns: [String] = []
    }

    private let router: DeepLinkRouter
    private let outcome: @Sendable (String) -> RouteOutcome?
    private let state = Lock(State())

    init(configuration: DeepLinkConfiguration, outcome: @escaping @Sendable (String) -> RouteOutcome?) {
        router = DeepLinkRouter(configuration: configuration)
        self.outcome = outcome
    }

    /// The links that were opened, in order.
    var opened: [String] { state.withLock { $0.opened } }
    /// The patterns that were added without a routable, in order.
    var patterns: [String] { state.withLock { $0.patterns } }
    /// The state that changes when the router opens links.
    var navigationState: DeepLinkNavigationState { router.navigationState }
    /// The links that were opened, for the output of a failed test.
    var debugInfo: String { "mock: \(opened.joined(separator: ", "))" }

    /// Records a link.
    ///
    /// - Parameter text: The link.
    /// - Returns: The test's outcome, or else the router's.
    @discardableResult
    func open(_ text: String) -> DispatchResult {
        state.withLock { $0.opened.append(text) }
        guard let outcome = outcome(text) else { return router.open(text) }
        return outcome.isFinal ? router.conclude(link(text), text, outcome) : decided(text, outcome)
    }

    /// Returns the outcome without recording the link.
    func dryRun(_ text: String) -> DispatchResult {
        outcome(text).map { decided(text, $0) } ?? router.dryRun(text)
    }

    private func decided(_ text: String, _ outcome: RouteOutcome) -> DispatchResult {
        DispatchResult(
            text: text, outcome: outcome, link: link(text), navigation: router.navigationState.snapshot)
    }

    private func link(_ text: String) -> DeepLink? {
        try? DeepLink(text)  // a test can set an outcome for an invalid link
    }

    /// Whether the link would be routed, would wait, or is being handled.
    func canRoute(deepLink: DeepLink) -> Bool { dryRun(deepLink.text).outcome.isRoutable }

    /// Records a link.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether the link was accepted.
    @discardableResult
    func route(deepLink: DeepLink) -> Bool { open(deepLink.text).outcome.isTaken }

    /// Adds routes to the router, and records their patterns.
    func add(
        patterns: [String], waitForPreconditions: PreconditionRequirement, handler: @escaping RouteHandler
    ) throws(RouteTableError) {
        try router.add(patterns: patterns, waitForPreconditions: waitForPreconditions, handler: handler)
        state.withLock { $0.patterns += patterns }
    }
}

// Forwarded to the router.
extension RecordingDeepLinker {
    /// The custom schemes, without `://`.
    var urlSchemes: [String] { router.urlSchemes }

    /// The https hosts whose links open in the app.
    var universalLinks: [String] { router.universalLinks }

    /// The domains whose links may open outside the app.
    var allowedDomains: [DeepLinkConfiguration.AllowedDomain] { router.allowedDomains }

    /// The hooks that are called while a link is handled.
    var hooks: DeepLinkHooks {
        get { router.hooks }
        set { router.hooks = newValue }
    }

    /// Changes some of the hooks and keeps the others.
    func updateHooks(_ change: (inout DeepLinkHooks) -> Void) { router.updateHooks(change) }

    /// The current routes.
    var table: RouteTable { router.table }

    /// The registered routables.
    var routables: [any Routable] {
        get { router.routables }
        set { router.routables = newValue }
    }

    /// Adds routables.
    func add(routables: [any Routable]) throws(RouteTableError) {
        try router.add(routables: routables)
    }

    /// Adds the routables of route cases.
    func add(routes: [Route], using container: Container) throws(RouteTableError) {
        try router.add(routes: routes, using: container)
    }

    /// Adds a precondition that a handler evaluates.
    func addDeeplinkPreconditionHandler(identifier: String, handler: @escaping @Sendable () -> Bool) {
        router.addDeeplinkPreconditionHandler(identifier: identifier, handler: handler)
    }

    /// Removes a precondition.
    func removeDeeplinkPreconditionHandler(identifier: String) {
        router.removeDeeplinkPreconditionHandler(identifier: identifier)
    }

    /// Declares preconditions that are not satisfied yet.
    func declarePreconditions(_ names: [String]) { router.declarePreconditions(names) }

    /// Marks a precondition as satisfied, and opens the links that were waiting for it.
    func satisfyPrecondition(_ name: String) { router.satisfyPrecondition(name) }

    /// Marks a precondition as unmet.
    func resetPrecondition(_ name: String) { router.resetPrecondition(name) }

    /// The names of the unmet preconditions.
    var unmetPreconditions: [String] { router.unmetPreconditions }

    /// Checks the waiting links, and opens those whose preconditions are satisfied.
    func routeWaitingLinks() { router.routeWaitingLinks() }

    /// Removes and returns the waiting links.
    func takeWaitingLinks() -> [String] { router.takeWaitingLinks() }

    /// Hands over the links that are waiting now, and those that would start to wait later.
    func handOverWaitingLinks(to open: @escaping @Sendable (String) -> DispatchResult?) {
        router.handOverWaitingLinks(to: open)
    }

    /// The registry of preconditions.
    var preconditionRegistry: PreconditionRegistry? {
        get { router.preconditionRegistry }
        set { router.preconditionRegistry = newValue }
    }
}
