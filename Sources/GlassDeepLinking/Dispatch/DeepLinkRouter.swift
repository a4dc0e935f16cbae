import GlassBase
import GlassContainer

/// Routes deep links to routables.
///
/// Every link has exactly one final outcome, which is reported to the outcome handler; for a link that waits, later.
/// The router is thread-safe, and calls handlers and hooks on the caller's thread without a lock held. A handler may
/// open links and register routes: the table is immutable, and registering replaces it.
///
/// ```swift
/// let router = DeepLinkRouter(configuration: DeepLinkConfiguration(schemes: ["walmart"]))
/// router.addRoute("ip/:itemID(int)") { link, state in
///     state.show("item", parameters: link.parameters.dictionary)
///     return true
/// }
/// print(router.open("walmart://ip/42").outcome.name)  // routed
/// ```
public final class DeepLinkRouter: DeepLinker {
    /// A pattern, and what happens to its links.
    struct RegisteredRoute: Sendable {
        let declaration: RouteDeclaration
        let requirement: PreconditionRequirement
        let handler: RoutableHandler
    }

    /// The routes of one registration: of a routable, or of patterns with a handler.
    struct Registration: Sendable {
        let routable: (any Routable)?
        let routes: [RegisteredRoute]
        /// The position of the call, if it registered constants.
        var place: String?
    }

    /// The frozen routes. A match's ordinal is an index into `routes`. A class, so that a link can tell whether its
    /// routes are still in use.
    final class Routes: Sendable {
        let registrations: [Registration]
        let routes: [RegisteredRoute]
        let table: RouteTable

        init(registrations: [Registration] = [], routes: [RegisteredRoute] = [], table: RouteTable = .empty) {
            (self.registrations, self.routes, self.table) = (registrations, routes, table)
        }
    }

    /// The state that routes links and receives their outcomes, as of one moment. A link takes a snapshot whenever its
    /// processing starts: when it is opened, when its preconditions are satisfied, when an asynchronous handler has
    /// finished, and when it would wait for routes that have been replaced. So no change can come between two of its
    /// checks.
    final class Snapshot: Sendable {
        let configuration: DeepLinkConfiguration
        let routes: Routes
        let hooks: DeepLinkHooks
        /// The paths that stay in the browser, read once for all links.
        let browserPaths: [BrowserPath]

        init(
            configuration: DeepLinkConfiguration, routes: Routes = Routes(), hooks: DeepLinkHooks = DeepLinkHooks(),
            browserPaths: [BrowserPath]? = nil
        ) {
            self.configuration = configuration
            self.browserPaths = browserPaths ?? configuration.browser.map(BrowserPath.init)
            self.routes = routes
            self.hooks = hooks
        }

        /// The same snapshot with one of its parts replaced.
        func with(
            configuration: DeepLinkConfiguration? = nil, routes: Routes? = nil, hooks: DeepLinkHooks? = nil
        ) -> Snapshot {
            Snapshot(
                configuration: configuration ?? self.configuration, routes: routes ?? self.routes,
                hooks: hooks ?? self.hooks, browserPaths: configuration == nil ? browserPaths : nil)
        }
    }

    struct State {
        /// Replaced as a whole, so that taking it only copies a reference.
        var snapshot: Snapshot
        /// Where the configuration comes from, until it is found or set.
        var lateConfiguration: LateConfiguration?
        var preconditions = PreconditionList()
        var registry = PreconditionRegistry()
        var queue: WaitingLinkQueue
        /// Opens links that would wait here, once another deep linker has replaced this one.
        var successor: (@Sendable (String) -> DispatchResult?)?
        /// The running asynchronous handlers, by number.
        var running: [Int: RunningHandler] = [:]
        var nextRunning = 0
        /// Incremented with changes of preconditions and routes, so that no link starts to wait for something that has
        /// just been satisfied.
        var epoch = 0
        var isDraining = false
        var mustDrainAgain = false
        var isNotifying = false
        var notifiedLoading = false
    }

    // Never held while handlers and hooks run, because they may call the router.
    let state: Lock<State>
    let limits: DeepLinkLimits
    let now: @Sendable () -> ContinuousClock.Instant

    /// The navigation state that handled links change and the app's UI renders.
    public let navigationState: DeepLinkNavigationState

    /// Creates a router without routes.
    ///
    /// - Parameters:
    ///   - configuration: The market's schemes, hosts and domains.
    ///   - waitingPolicy: The limits for the number of waiting links and their time.
    ///   - limits: The limits for the size of a link.
    ///   - navigationState: The navigation state that handled links change.
    ///   - now: The clock for expiry. The router has no timer: it checks the clock whenever it is called.
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
        state.withLock { $0.registry }.attach(self)
    }

    deinit {
        // Links that still wait also get an outcome.
        cancelWaitingLinks()
        cancelRunningHandlers()
    }

    // MARK: Configuration

    /// The market's schemes, hosts and domains. A change applies to links that are opened later, and to waiting links
    /// once they continue.
    public var configuration: DeepLinkConfiguration {
        get { snapshot.configuration }
        set {
            state.withLock { $0.lateConfiguration = nil }
            replaceSnapshot { $0.with(configuration: newValue) }
        }
    }

    /// The snapshot for a link whose processing starts now.
    var snapshot: Snapshot {
        let (snapshot, isLate) = state.withLock { ($0.snapshot, $0.lateConfiguration != nil) }
        if !isLate { return snapshot }
        takeLateConfiguration()
        return state.withLock { $0.snapshot }
    }

    /// Replaces the snapshot. `change` runs without a lock held, and again if another change came first.
    func replaceSnapshot<Failure>(_ change: (Snapshot) throws(Failure) -> Snapshot) throws(Failure) {
        while true {
            let old = state.withLock { $0.snapshot }
            let new = try change(old)
            let isReplaced = state.withLock { state in
                guard state.snapshot === old else { return false }
                state.snapshot = new
                return true
            }
            // The old objects are released here, outside the lock, because that may run app code.
            withExtendedLifetime(old) {}
            if isReplaced { return }
        }
    }

    /// The custom schemes, without `://`.
    public var urlSchemes: [String] { configuration.schemes }

    /// The https hosts whose links are app links.
    public var universalLinks: [String] { configuration.universalLinks }

    /// The domains whose links may open outside the app.
    public var allowedDomains: [DeepLinkConfiguration.AllowedDomain] { configuration.allowedDomains }

    /// The current routes as an immutable value.
    public var table: RouteTable { snapshot.routes.table }

    // MARK: Hooks

    /// The hooks that the router calls.
    public var hooks: DeepLinkHooks {
        get { snapshot.hooks }
        set { updateHooks { $0 = newValue } }
    }

    /// Changes some of the ``hooks`` and leaves the others unchanged, even if another thread changes them concurrently.
    ///
    /// - Parameter change: Changes the hooks. It runs without a lock held, and again if another change came first.
    public func updateHooks(_ change: (inout DeepLinkHooks) -> Void) {
        replaceSnapshot { old in
            var hooks = old.hooks
            change(&hooks)
            return old.with(hooks: hooks)
        }
    }

    // MARK: Debugging

    /// Schemes, hosts, routes, preconditions and waiting links as text, for a debug panel.
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
        lines += waiting.map { "  \($0.pending.link.text)" }
        return lines.joined(separator: "\n")
    }
}

extension DeepLinkRouter {
    /// Removes the waiting links, for a deep linker that replaces this one. This deep linker reports no outcome for
    /// them.
    ///
    /// - Returns: The links as they were opened, oldest first.
    public func takeWaitingLinks() -> [String] {
        let taken = state.withLock { $0.queue.removeAll() }
        if !taken.isEmpty { notifyLoadingState() }
        return taken.map(\.pending.link.text)
    }

    /// Hands over the waiting links to a deep linker that replaces this one: those that wait now, and any that would
    /// start to wait here later.
    ///
    /// - Parameter open: Opens a link in the successor. Returns nil if there is no successor anymore; the link then
    ///   waits here.
    public func handOverWaitingLinks(to open: @escaping @Sendable (String) -> DispatchResult?) {
        // In one step, so that a link is either taken here or finds the successor. A previous successor is released
        // outside the lock.
        let (taken, former) = state.withLock { state in
            let former = state.successor
            state.successor = open
            return (state.queue.removeAll(), former)
        }
        withExtendedLifetime(former) {}
        guard !taken.isEmpty else { return }
        notifyLoadingState()
        for entry in taken where open(entry.pending.link.text) == nil {
            _ = dispatch(entry.pending, snapshot)
        }
    }
}
