import GlassBase

/// A feature with an asynchronous handler.
///
/// Opening its link returns ``RouteOutcome/running``: the handler is running, and the outcome hook reports the final
/// outcome exactly once, even if the router is released first.
public protocol AsyncRoutable: Sendable {
    /// Handles a link; see ``handleDeepLink(_:state:)``.
    typealias Handler = @Sendable (DeepLink, DeepLinkNavigationState) async throws -> Bool

    /// The name that identifies the routable in results.
    var id: String { get }

    /// The route patterns of the routable.
    var actionRoutes: [String] { get }

    /// The preconditions that its links wait for.
    var requiredPreconditions: PreconditionRequirement { get }

    /// Handles a link.
    ///
    /// - Parameters:
    ///   - deepLink: The link with its parameters.
    ///   - state: The navigation state to change. Changes become visible when the function returns true.
    /// - Returns: False to decline the link; the next candidate is then tried.
    /// - Throws: Any error; the outcome is then `failed`, or `unroutable` with the reason `cancelled` if the handler
    ///   was cancelled.
    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) async throws -> Bool
}

extension AsyncRoutable {
    /// All preconditions.
    public var requiredPreconditions: PreconditionRequirement { .all }
}

/// A running handler. The code that removes it from the router's state reports its link.
struct RunningHandler: Sendable {
    let link: DeepLink
    let task: Task<Void, Never>
}

extension DeepLinkRouter {
    /// Adds asynchronous routables whose patterns are constants. They are not part of ``routables``. Traps with the
    /// clash and its places if they do not form a valid table together with the routes so far.
    ///
    /// - Parameters:
    ///   - asyncRoutables: The routables.
    ///   - file: The file of the call, for the message.
    ///   - line: The line of the call, for the message.
    public func register(
        asyncRoutables: [any AsyncRoutable], file: StaticString = #fileID, line: UInt = #line
    ) {
        constants("register(asyncRoutables:)", "\(file):\(line)") { place throws(RouteTableError) in
            try add(asyncRoutables: asyncRoutables, place: place)
        }
    }

    /// Adds asynchronous routables. They are not part of ``routables``.
    ///
    /// - Parameter asyncRoutables: The routables.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    public func add(asyncRoutables: [any AsyncRoutable]) throws(RouteTableError) {
        try add(asyncRoutables: asyncRoutables, place: nil)
    }

    private func add(asyncRoutables: [any AsyncRoutable], place: String?) throws(RouteTableError) {
        let added = asyncRoutables.map { routable in
            let handler = RoutableHandler.asynchronous { try await routable.handleDeepLink($0, state: $1) }
            return Registration(
                routable: nil,
                routes: RouteDeclaration.list(routable.actionRoutes, of: routable.id).map {
                    RegisteredRoute(declaration: $0, requirement: routable.requiredPreconditions, handler: handler)
                }, place: place)
        }
        try replaceRoutes { $0 + added }
    }

    /// The number of running asynchronous handlers.
    package var runningHandlerCount: Int { state.withLock { $0.running.count } }

    /// Cancels all running asynchronous handlers. Each link is reported as cancelled immediately, and later changes by
    /// its handler are ignored.
    public func cancelRunningHandlers() {
        let running = state.withLock { state in
            defer { state.running = [:] }
            return state.running.sorted { $0.key < $1.key }.map(\.value)
        }
        for handler in running {
            handler.task.cancel()
            conclude(handler.link, handler.link.text, .unroutable(.cancelled))
        }
    }

    func start(
        _ handler: @escaping AsyncRoutable.Handler, _ matched: DeepLink, _ pending: PendingLink,
        _ draft: DeepLinkNavigationState
    ) -> DispatchResult {
        state.withLock { state in
            let id = state.nextRunning
            state.nextRunning += 1
            // The task takes the lock before it reports, so it always finds its own entry.
            let task = Task { [weak self] in
                var outcome = RouteOutcome.unroutable(.cancelled)
                var isDeclined = false
                do {
                    isDeclined = try await !handler(matched, draft)
                    outcome = .routed
                } catch is CancellationError {
                    // The initial outcome already is `cancelled`.
                } catch {
                    outcome = .failed(RouteFailure(error))
                }
                self?.finish(id, matched, pending, draft, outcome, isDeclined: isDeclined)
            }
            state.running[id] = RunningHandler(link: matched, task: task)
        }
        return result(matched, pending.link.text, .running)
    }

    private func finish(
        _ id: Int, _ matched: DeepLink, _ pending: PendingLink, _ draft: DeepLinkNavigationState,
        _ outcome: RouteOutcome, isDeclined: Bool
    ) {
        let (running, snapshot) = state.withLock { ($0.running.removeValue(forKey: id), $0.snapshot) }
        // Otherwise the link was cancelled, and already reported, in the meantime.
        guard running != nil else {
            draft.discard()
            return
        }
        if outcome == .routed && !isDeclined { draft.commit() } else { draft.discard() }
        if isDeclined {
            _ = dispatch(pending, snapshot)
        } else {
            conclude(matched, matched.text, outcome, snapshot)
        }
    }
}
