import GlassBase
public import GlassContainer
public import GlassDeepLinking

/// A deep linker that opens nothing and records what it was asked for.
public final class DeepLinkerMock: DeepLinker {
    private struct State: Sendable {
        var opened: [String] = []
        var registered: [any Routable] = []
        var patterns: [String] = []
        var preconditions: [String] = []
        var satisfied: Set<String> = []
    }

    /// The custom schemes, without `://`.
    public let urlSchemes: [String]
    /// The https hosts whose links are app links.
    public let universalLinks: [String]
    /// The domains that may open outside the app.
    public let allowedDomains: [DeepLinkConfiguration.AllowedDomain]
    private let outcome: @Sendable (String) -> RouteOutcome
    private let state = Lock(State())

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - configuration: The schemes, hosts and domains that it reports.
    ///   - outcome: What becomes of each link; by default every link is routed.
    public init(
        configuration: DeepLinkConfiguration = DeepLinkConfiguration(),
        outcome: @escaping @Sendable (String) -> RouteOutcome = { _ in .routed }
    ) {
        urlSchemes = configuration.schemes
        universalLinks = configuration.universalLinks
        allowedDomains = configuration.allowedDomains
        self.outcome = outcome
    }

    /// The links that were opened, in order.
    public var opened: [String] { state.withLock { $0.opened } }
    /// The patterns that were added without a routable, in order.
    public var patterns: [String] { state.withLock { $0.patterns } }
    /// What was opened, for a failed test's output.
    public var debugInfo: String { "mock: \(opened.joined(separator: ", "))" }

    /// The routables that were registered.
    public var routables: [any Routable] {
        get { state.withLock { $0.registered } }
        set { state.withLock { $0.registered = newValue } }
    }

    /// Records a link.
    ///
    /// - Parameter text: The link.
    /// - Returns: The outcome that the test decided.
    public func open(_ text: String) -> DispatchResult {
        state.withLock { $0.opened.append(text) }
        return dryRun(text)
    }

    /// Answers without recording.
    ///
    /// - Parameter text: The link.
    /// - Returns: The outcome that the test decided.
    public func dryRun(_ text: String) -> DispatchResult {
        DispatchResult(text: text, outcome: outcome(text), link: nil, navigation: NavigationSnapshot())
    }

    /// Whether the test decided that the link is routed, waits or is at work.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: True for `routed`, `waiting` and `running`.
    public func canRoute(deepLink: DeepLink) -> Bool {
        outcome(deepLink.text).isRoutable
    }

    /// Records a link.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether the test decided that somebody takes it.
    public func route(deepLink: DeepLink) -> Bool {
        open(deepLink.text).outcome.isTaken
    }

    /// Records patterns; their handler is never called.
    public func addRoutes(
        _ patterns: [String], waitForPreconditions: PreconditionRequirement, handler: @escaping RouteHandler
    ) throws(RouteTableError) {
        state.withLock { $0.patterns += patterns }
    }

    /// Records routables.
    public func register(routables: [any Routable]) throws(RouteTableError) {
        state.withLock { $0.registered += routables }
    }

    /// Records the routables of the cases.
    public func register(routes: [Route], using container: Container) throws(RouteTableError) {
        state.withLock { $0.registered += routes.map(\.routable) }
    }

    /// Records a precondition's name; its handler is never asked.
    public func addDeeplinkPreconditionHandler(identifier: String, handler: @escaping @Sendable () -> Bool) {
        declarePreconditions([identifier])
    }

    /// Forgets a precondition.
    public func removeDeeplinkPreconditionHandler(identifier: String) {
        state.withLock { state in
            state.preconditions.removeAll { $0 == identifier }
            state.satisfied.remove(identifier)
        }
    }

    /// Records preconditions that do not hold yet.
    public func declarePreconditions(_ names: [String]) {
        state.withLock { state in
            for name in names where !state.preconditions.contains(name) { state.preconditions.append(name) }
        }
    }

    /// Records that a precondition holds.
    public func satisfyPrecondition(_ name: String) {
        declarePreconditions([name])
        state.withLock { _ = $0.satisfied.insert(name) }
    }

    /// Records that a precondition no longer holds.
    public func resetPrecondition(_ name: String) {
        declarePreconditions([name])
        state.withLock { _ = $0.satisfied.remove(name) }
    }

    /// The names of the preconditions that were declared and not satisfied.
    public var unmetPreconditions: [String] {
        state.withLock { state in state.preconditions.filter { !state.satisfied.contains($0) } }
    }

    /// Does nothing: no link waits in a mock.
    public func routeWaitingLinks() {}
}
