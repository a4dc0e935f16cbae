import GlassBase
import GlassContainer

/// Routes deep links to routables.
///
/// Every link ends in one final outcome, which the outcome handler hears exactly once; a link that waits is final
/// later. The router is thread-safe and calls handlers and hooks without a lock held, on the caller's thread. A handler
/// may open links and register routes: the table is a frozen value, and registering swaps in a new one.
///
/// ```swift
/// let router = DeepLinkRouter(configuration: DeepLinkConfiguration(schemes: ["walmart"]))
/// try router.addRoute("ip/:itemID(int)") { link, state in
///     state.show("item", parameters: link.parameters.dictionary)
///     return true
/// }
/// print(router.open("walmart://ip/42").outcome.name)  // routed
/// ```
public final class DeepLinkRouter: DeepLinker {
    /// One declaration and what runs for it.
    struct RegisteredRoute: Sendable {
        let declaration: RouteDeclaration
        let requirement: PreconditionRequirement
        let handler: RouteHandler
        var asyncHandler: AsyncRoutable.Handler?
    }

    /// What one registration added: a routable, or the patterns of ``addRoutes(_:waitForPreconditions:handler:)``.
    struct Registration: Sendable {
        let routable: (any Routable)?
        let routes: [RegisteredRoute]
    }

    /// The frozen routes: swapped as a whole.
    struct Routes: Sendable {
        var registrations: [Registration] = []
        var routes: [RegisteredRoute] = []
        var table = RouteTable.empty
        /// Counts the swaps, so that a build notices that another one was faster.
        var version = 0
    }

    /// What decides about links and hears of them, as of one moment. A link takes it once each time that it sets out: when
    /// it is opened, when its preconditions hold, when an asynchronous handler declined. So no change comes between two of
    /// its checks.
    final class Snapshot: Sendable {
        let configuration: DeepLinkConfiguration
        let routes: Routes
        let hooks: DeepLinkHooks

        init(configuration: DeepLinkConfiguration, routes: Routes = Routes(), hooks: DeepLinkHooks = DeepLinkHooks()) {
            self.configuration = configuration
            self.routes = routes
            self.hooks = hooks
        }
    }

    struct State {
        /// Replaced as a whole, so that taking it copies one reference.
        var snapshot: Snapshot
        /// Counts the changes of the hooks, so that a change notices that another one was faster.
        var hooksVersion = 0
        var preconditions = PreconditionList()
        var board = PreconditionRegistry()
        var queue: WaitingLinkQueue
        /// Opens links that would wait here, once another deep linker has taken this one's place.
        var successor: (@Sendable (String) -> DispatchResult?)?
        /// The asynchronous handlers at work, by number.
        var running: [Int: RunningHandler] = [:]
        var nextRunning = 0
        /// Counts the changes of preconditions and routes, so that no link starts to wait for what has just come.
        var epoch = 0
        var isDraining = false
        var mustDrainAgain = false
        var isNotifying = false
        var notifiedLoading = false
    }

    let state: Lock<State>
    let limits: DeepLinkLimits
    let now: @Sendable () -> ContinuousClock.Instant

    /// What handled links change, and what the app's UI renders.
    public let navigationState: DeepLinkNavigationState

    /// Creates a router without routes.
    ///
    /// - Parameters:
    ///   - configuration: The market's schemes, hosts and domains.
    ///   - waitingPolicy: How many links may wait, and for how long.
    ///   - limits: How large a link may be.
    ///   - navigationState: What handled links change.
    ///   - now: The clock for expiry. The router has no timer: it looks at the clock whenever it is called.
    public init(
        configuration: DeepLinkConfiguration = DeepLinkConfiguration(),
        waitingPolicy: WaitingPolicy = WaitingPolicy(),
        limits: DeepLinkLimits = DeepLinkLimits(),
        navigationState: DeepLinkNavigationState = DeepLinkNavigationState(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        state = Lock(
            State(
                snapshot: Snapshot(configuration: configuration), queue: WaitingLinkQueue(policy: waitingPolicy)))
        self.limits = limits
        self.navigationState = navigationState
        self.now = now
        state.withLock { $0.board }.attach(self)
    }

    deinit {
        // The last promise to links that still wait: they too get an outcome.
        cancelWaitingLinks()
        cancelRunningHandlers()
    }

    // MARK: Configuration

    /// The market's schemes, hosts and domains. Setting them applies to links opened from then on, and to links that wait
    /// when they go on.
    public var configuration: DeepLinkConfiguration {
        get { snapshot.configuration }
        set {
            state.withLock { state in
                let old = state.snapshot
                state.snapshot = Snapshot(configuration: newValue, routes: old.routes, hooks: old.hooks)
            }
        }
    }

    /// What decides about a link that sets out now.
    var snapshot: Snapshot { state.withLock { $0.snapshot } }

    /// The custom schemes, without `://`.
    public var urlSchemes: [String] { configuration.schemes }

    /// The https hosts whose links are app links.
    public var universalLinks: [String] { configuration.universalLinks }

    /// The domains that may open outside the app.
    public var allowedDomains: [DeepLinkConfiguration.AllowedDomain] { configuration.allowedDomains }

    /// The routes at this moment, as a frozen value.
    public var table: RouteTable { snapshot.routes.table }

    // MARK: Hooks

    /// What the router calls on its way.
    public var hooks: DeepLinkHooks {
        get { snapshot.hooks }
        set { updateHooks { $0 = newValue } }
    }

    /// Changes some of the ``hooks`` and leaves the others as they are, also while another thread changes those.
    ///
    /// - Parameter change: Changes the hooks. It runs without a lock held, and again where another change came first.
    public func updateHooks(_ change: (inout DeepLinkHooks) -> Void) {
        while true {
            let (old, version) = state.withLock { ($0.snapshot, $0.hooksVersion) }
            var new = old.hooks
            change(&new)
            let replaced: Snapshot? = state.withLock { state in
                guard state.hooksVersion == version else { return nil }
                let old = state.snapshot
                state.snapshot = Snapshot(configuration: old.configuration, routes: old.routes, hooks: new)
                state.hooksVersion += 1
                return old
            }
            // What the old hooks held is released here, without the lock: it may run an app's code.
            if replaced != nil { return }
        }
    }

    // MARK: Debugging

    /// Schemes, hosts, routes, preconditions and waiting links as text for a debug panel.
    public var debugInfo: String {
        let (snapshot, waiting) = state.withLock { ($0.snapshot, $0.queue.entries) }
        let (configuration, routes) = (snapshot.configuration, snapshot.routes)
        let domains = configuration.allowedDomains.map { ($0.allowSubdomains ? "*." : "") + $0.name }
        let unmet = unmetPreconditions
        let known = state.withLock { $0.preconditions.names }
        var lines = [
            "schemes: \(configuration.schemes.joined(separator: ", "))",
            "universal links: \(configuration.universalLinks.joined(separator: ", "))",
            "allowed domains: \(domains.joined(separator: ", "))",
            "preconditions: \(known.map { $0 + (unmet.contains($0) ? " (unmet)" : "") }.joined(separator: ", "))",
            "routes: \(routes.routes.count), at most \(routes.table.worstVisits) visits",
        ]
        lines += routes.routes.map { "  \($0.declaration.pattern) -> \($0.declaration.routableID)" }
        lines.append("waiting links: \(waiting.count)")
        lines += waiting.map { "  \($0.link.text)" }
        return lines.joined(separator: "\n")
    }
}
