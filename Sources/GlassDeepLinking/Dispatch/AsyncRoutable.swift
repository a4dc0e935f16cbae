import GlassBase

/// A feature whose handler is asynchronous.
///
/// Opening its link gives ``RouteOutcome/running``: the handler is at work, and the final outcome comes through the outcome
/// hook, exactly once, even when the router goes away first.
public protocol AsyncRoutable: Sendable {
    /// Handles a link; see ``handleDeepLink(_:state:)``.
    typealias Handler = @Sendable (DeepLink, DeepLinkNavigationState) async throws -> Bool

    /// The name under which a result knows the routable.
    var id: String { get }

    /// The patterns that the routable answers to.
    var actionRoutes: [String] { get }

    /// Which preconditions its links wait for.
    var requiredPreconditions: PreconditionRequirement { get }

    /// Handles a link.
    ///
    /// - Parameters:
    ///   - deepLink: The link with its parameters.
    ///   - state: What to change. Changes become visible when the function returns true.
    /// - Returns: False to decline the link; then the next candidate is asked.
    /// - Throws: Any error; the outcome is then `failed`, or `unroutable` with the reason `cancelled` when the handler
    ///   was cancelled.
    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) async throws -> Bool
}

extension AsyncRoutable {
    /// All preconditions.
    public var requiredPreconditions: PreconditionRequirement { .all }
}

/// A routable that may have an asynchronous handler, for layers that register both kinds alike.
package protocol AsyncHandling: Routable {
    /// What the router calls in place of `handleDeepLink`; nil for a routable that handles its links at once.
    var asynchronousHandler: AsyncRoutable.Handler? { get }
}

/// A handler at work. Who removes it from the router's state reports its link.
struct RunningHandler: Sendable {
    let link: DeepLink
    let task: Task<Void, Never>
}

extension DeepLinkRouter {
    /// Adds asynchronous routables to what is registered. They are not part of ``routables``.
    ///
    /// - Parameter asyncRoutables: The routables.
    /// - Throws: ``RouteTableError`` when the patterns do not make a table; then nothing has changed.
    public func register(asyncRoutables: [any AsyncRoutable]) throws(RouteTableError) {
        let added = asyncRoutables.map { routable in
            Registration(
                routable: nil,
                routes: routable.actionRoutes.enumerated().map { index, pattern in
                    RegisteredRoute(
                        declaration: RouteDeclaration(pattern: pattern, routableID: routable.id, index: index),
                        requirement: routable.requiredPreconditions, handler: { _, _ in false },
                        asyncHandler: { try await routable.handleDeepLink($0, state: $1) })
                })
        }
        try swap { $0 + added }
    }

    /// How many asynchronous handlers are at work.
    package var runningHandlerCount: Int { state.withLock { $0.running.count } }

    /// Cancels all asynchronous handlers at work; each link is reported as cancelled at once, and what its handler does
    /// afterwards changes nothing.
    public func cancelRunningHandlers() {
        let running = state.withLock { state in
            defer { state.running = [:] }
            return state.running.sorted { $0.key < $1.key }.map(\.value)
        }
        for handler in running {
            handler.task.cancel()
            _ = conclude(handler.link, handler.link.text, .unroutable(.cancelled))
        }
    }

    func start(
        _ handler: @escaping AsyncRoutable.Handler, _ matched: DeepLink, _ link: DeepLink,
        _ draft: DeepLinkNavigationState, asked: Set<RouteDeclaration>, budget: HandlerBudget
    ) -> DispatchResult {
        state.withLock { state in
            let id = state.nextRunning
            state.nextRunning += 1
            // The task takes the lock before it reports, so it finds itself in the table.
            let task = Task { [weak self] in
                var outcome = RouteOutcome.unroutable(.cancelled)
                var isDeclined = false
                do {
                    isDeclined = try await !handler(matched, draft)
                    outcome = .routed
                } catch is CancellationError {
                    // The outcome says so already.
                } catch {
                    outcome = .failed(RouteFailure(error))
                }
                self?.finish(id, matched, link, draft, outcome, isDeclined: isDeclined, asked: asked, budget: budget)
            }
            state.running[id] = RunningHandler(link: matched, task: task)
        }
        return DispatchResult(
            text: link.text, outcome: .running, link: matched, navigation: navigationState.current)
    }

    private func finish(
        _ id: Int, _ matched: DeepLink, _ link: DeepLink, _ draft: DeepLinkNavigationState, _ outcome: RouteOutcome,
        isDeclined: Bool, asked: Set<RouteDeclaration>, budget: HandlerBudget
    ) {
        guard state.withLock({ $0.running.removeValue(forKey: id) }) != nil else {
            draft.discard()
            return
        }
        if outcome == .routed && !isDeclined { draft.commit() } else { draft.discard() }
        if isDeclined {
            _ = setOut(link, asked: asked, budget: budget)
        } else {
            _ = conclude(matched, link.text, outcome)
        }
    }
}
