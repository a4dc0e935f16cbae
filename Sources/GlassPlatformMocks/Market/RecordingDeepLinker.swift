import GlassBase
import GlassContainer
import GlassDeepLinking

/// The deep linker of a ``DeepLinkerMock``: it records what it is asked for, with a router behind it.
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
    /// What links that the router opens change.
    var navigationState: DeepLinkNavigationState { router.navigationState }
    /// What was opened, for a failed test's output.
    var debugInfo: String { "mock: \(opened.joined(separator: ", "))" }

    /// Records a link.
    ///
    /// - Parameter text: The link.
    /// - Returns: The outcome that the test decided, else the router's.
    @discardableResult
    func open(_ text: String) -> DispatchResult {
        state.withLock { $0.opened.append(text) }
        guard let outcome = outcome(text) else { return router.open(text) }
        return outcome.isFinal ? router.conclude(link(text), text, outcome) : decided(text, outcome)
    }

    /// Answers without recording.
    func dryRun(_ text: String) -> DispatchResult {
        outcome(text).map { decided(text, $0) } ?? router.dryRun(text)
    }

    private func decided(_ text: String, _ outcome: RouteOutcome) -> DispatchResult {
        DispatchResult(
            text: text, outcome: outcome, link: link(text), navigation: router.navigationState.snapshot)
    }

    private func link(_ text: String) -> DeepLink? {
        try? DeepLink(text)  // a test may decide about what is no link
    }

    /// Whether the link would be routed, waits or is at work.
    func canRoute(deepLink: DeepLink) -> Bool { dryRun(deepLink.text).outcome.isRoutable }

    /// Records a link.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether somebody takes it.
    @discardableResult
    func route(deepLink: DeepLink) -> Bool { open(deepLink.text).outcome.isTaken }

    /// Adds routes to the router, and records their patterns.
    func addRoutes(
        _ patterns: [String], waitForPreconditions: PreconditionRequirement, handler: @escaping RouteHandler
    ) throws(RouteTableError) {
        try router.addRoutes(patterns, waitForPreconditions: waitForPreconditions, handler: handler)
        state.withLock { $0.patterns += patterns }
    }
}

// What the router does.
extension RecordingDeepLinker {
    /// The custom schemes, without `://`.
    var urlSchemes: [String] { router.urlSchemes }

    /// The https hosts whose links are app links.
    var universalLinks: [String] { router.universalLinks }

    /// The domains that may open outside the app.
    var allowedDomains: [DeepLinkConfiguration.AllowedDomain] { router.allowedDomains }

    /// What is called on the way of a link.
    var hooks: DeepLinkHooks {
        get { router.hooks }
        set { router.hooks = newValue }
    }

    /// Changes some of the hooks and leaves the others as they are.
    func updateHooks(_ change: (inout DeepLinkHooks) -> Void) { router.updateHooks(change) }

    /// The routes at this moment.
    var table: RouteTable { router.table }

    /// The registered routables.
    var routables: [any Routable] {
        get { router.routables }
        set { router.routables = newValue }
    }

    /// Adds routables.
    func register(routables: [any Routable]) throws(RouteTableError) {
        try router.register(routables: routables)
    }

    /// Adds the routables of the cases.
    func register(routes: [Route], using container: Container) throws(RouteTableError) {
        try router.register(routes: routes, using: container)
    }

    /// Adds a precondition that a handler answers.
    func addDeeplinkPreconditionHandler(identifier: String, handler: @escaping @Sendable () -> Bool) {
        router.addDeeplinkPreconditionHandler(identifier: identifier, handler: handler)
    }

    /// Removes a precondition.
    func removeDeeplinkPreconditionHandler(identifier: String) {
        router.removeDeeplinkPreconditionHandler(identifier: identifier)
    }

    /// Declares preconditions that do not hold yet.
    func declarePreconditions(_ names: [String]) { router.declarePreconditions(names) }

    /// Notes that a precondition holds, and runs the links that waited for it.
    func satisfyPrecondition(_ name: String) { router.satisfyPrecondition(name) }

    /// Notes that a precondition no longer holds.
    func resetPrecondition(_ name: String) { router.resetPrecondition(name) }

    /// The names of the preconditions that do not hold now.
    var unmetPreconditions: [String] { router.unmetPreconditions }

    /// Checks the waiting links, and runs those whose preconditions hold.
    func routeWaitingLinks() { router.routeWaitingLinks() }

    /// Takes the waiting links out.
    func takeWaitingLinks() -> [String] { router.takeWaitingLinks() }

    /// Hands over the links that wait now, and those that would begin to wait later.
    func handOverWaitingLinks(to open: @escaping @Sendable (String) -> DispatchResult?) {
        router.handOverWaitingLinks(to: open)
    }

    /// What was said about the preconditions.
    var preconditionBoard: PreconditionRegistry? {
        get { router.preconditionBoard }
        set { router.preconditionBoard = newValue }
    }
}
