import GlassBase
import GlassContainer

/// A link on its way to a routable.
struct PendingLink: Sendable {
    /// The link as it was opened.
    let link: DeepLink
    /// The routes that have already been tried and declined.
    var asked: Set<RouteDeclaration> = []
    /// The budget that their handlers have used.
    var budget = HandlerBudget()
}

extension DeepLinkRouter {
    /// Opens a link: gate, route, preconditions, handler.
    ///
    /// - Parameter text: The link.
    /// - Returns: The result. The final outcome of a link that waits, or whose handler is running, follows through
    ///   ``DeepLinkHooks/outcomeHandler``.
    @discardableResult
    public func open(_ text: String) -> DispatchResult {
        let snapshot = snapshotAfterExpiry()
        do {
            return dispatch(PendingLink(link: try DeepLink(text, limits: limits)), snapshot)
        } catch {
            return conclude(nil, text, .refused(error), snapshot)
        }
    }

    /// Opens a parsed link.
    ///
    /// - Parameter link: The link.
    /// - Returns: The result.
    @discardableResult
    public func open(_ link: DeepLink) -> DispatchResult {
        dispatch(PendingLink(link: link), snapshotAfterExpiry())
    }

    /// Returns what opening the link would do, without doing it.
    ///
    /// - Parameter text: The link.
    /// - Returns: The result. `routed` means that a routable would be tried; only opening the link shows whether it
    ///   declines.
    public func dryRun(_ text: String) -> DispatchResult {
        do {
            return dryRun(try DeepLink(text, limits: limits))
        } catch {
            return result(nil, text, .refused(error))
        }
    }

    /// Whether the link would be routed, immediately or after its preconditions are satisfied.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether a route matches the link.
    public func canRoute(deepLink: DeepLink) -> Bool {
        dryRun(deepLink).outcome.isRoutable
    }

    /// Routes a parsed link.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether the link was routed, is waiting or running, or was passed to the external handler.
    @discardableResult
    public func route(deepLink: DeepLink) -> Bool {
        open(deepLink).outcome.isTaken
    }

    private func dryRun(_ link: DeepLink) -> DispatchResult {
        let snapshot = snapshot
        let configuration = snapshot.configuration
        if let outcome = snapshot.outcomeBeforeRouting(link, limits) { return result(link, link.text, outcome) }
        guard let match = snapshot.routes.table.bestMatch(for: link) else {
            return result(link, link.text, configuration.outcomeWithoutRoute(link))
        }
        let matched = link.matched(match)
        if let refusal = configuration.nestedRefusal(inParametersOf: matched, limits: limits) {
            return result(matched, link.text, .refused(refusal))
        }
        let unmet = unmet(snapshot.routes.routes[match.ordinal].requirement)
        return result(matched, link.text, unmet.isEmpty ? .routed : .waiting(unmet: unmet))
    }

    // MARK: Steps

    /// The maximum number of times that a link starts over because its routes were replaced before it would wait.
    static let maximumRepeats = 8

    /// Processes a link up to an outcome or a wait. A single snapshot decides about all of it, unless the link starts
    /// over with a later one.
    func dispatch(_ pending: PendingLink, _ snapshot: Snapshot, repeats: Int = 0) -> DispatchResult {
        var pending = pending
        let (link, table) = (pending.link, snapshot.routes.table)
        if let outcome = snapshot.outcomeBeforeRouting(link, limits) {
            return conclude(link, link.text, outcome, snapshot)
        }
        // Most links are handled by their first candidate, so the others are searched for only if it declines.
        lazy var others = table.matches(for: link).dropFirst().makeIterator()
        var candidate = table.bestMatch(for: link)
        while let match = candidate {
            if let result = attempt(match, &pending, snapshot, repeats) { return result }
            candidate = others.next()
        }
        let isNew = pending.asked.isEmpty
        let outcome = isNew ? snapshot.configuration.outcomeWithoutRoute(link) : .unroutable(.declined)
        return conclude(link, link.text, outcome, snapshot)
    }

    /// Tries one candidate, unless it was already tried. Returns nil if it declines.
    private func attempt(
        _ match: RouteMatch, _ pending: inout PendingLink, _ snapshot: Snapshot, _ repeats: Int
    ) -> DispatchResult? {
        if pending.asked.contains(match.declaration) { return nil }
        let text = pending.link.text
        let route = snapshot.routes.routes[match.ordinal]
        let matched = pending.link.matched(match, pending.budget)
        // The parts that don't depend on the route were checked before.
        if let refusal = snapshot.configuration.nestedRefusal(inParametersOf: matched, limits: limits) {
            return conclude(matched, text, .refused(refusal), snapshot)
        }
        if let waiting = wait(pending, matched, for: route.requirement, snapshot, repeats) { return waiting }
        if pending.asked.isEmpty { snapshot.hooks.preExecutionHandler?(matched) }
        pending.asked.insert(match.declaration)
        let draft = navigationState.draft()
        switch route.handler {
        case .asynchronous(let handler):
            return start(handler, matched, pending, draft)
        case .synchronous(let handler):
            return run(handler, matched, text, draft, snapshot)
        case .mainActor(let handler):
            // Waiting for the main actor here could stop both threads, so a link from elsewhere is handled later.
            guard MainActor.shared.isCurrent else {
                return start({ try await handler($0, $1) }, matched, pending, draft)
            }
            return run(
                { link, state in try MainActor.assumeIsolated { try handler(link, state) } }, matched, text, draft,
                snapshot)
        }
    }

    /// Calls a handler. Returns nil if it declines.
    private func run(
        _ handler: RouteHandler, _ matched: DeepLink, _ text: String, _ draft: DeepLinkNavigationState,
        _ snapshot: Snapshot
    ) -> DispatchResult? {
        do {
            guard try handler(matched, draft) else {
                draft.discard()
                return nil
            }
            draft.commit()
            return conclude(matched, text, .routed, snapshot)
        } catch {
            draft.discard()
            return conclude(matched, text, .failed(RouteFailure(error)), snapshot)
        }
    }

    private enum Waiting {
        case askAgain
        case startOver(Snapshot)
        case queued(displaced: [WaitingLinkQueue.Entry])
        case handOver(@Sendable (String) -> DispatchResult?)
    }

    /// Queues the link unless its preconditions are satisfied, here or in the deep linker that replaced this one. If its
    /// routes have been replaced, the link starts over with the new ones instead.
    private func wait(
        _ pending: PendingLink, _ matched: DeepLink, for requirement: PreconditionRequirement, _ snapshot: Snapshot,
        _ repeats: Int
    ) -> DispatchResult? {
        guard requirement.waits else { return nil }
        var hasSuccessor = true
        while true {
            // Read the epoch together with the queries: a precondition that becomes satisfied later increments it.
            let (questions, epoch) = state.withLock { ($0.questions(for: requirement), $0.epoch) }
            let unmet = questions.unmet
            if unmet.isEmpty { return nil }
            let now = now()
            let waiting: Waiting = state.withLock { state in
                // The routes were replaced in the meantime, and the drain for that may have finished already: nothing
                // would tell the link that its new route is ready. A precondition's handler that replaces the routes
                // whenever it is called must not keep the link here, so after the last repeat it waits for the route
                // that it has; the next change checks it against the routes of then.
                if state.snapshot.routes !== snapshot.routes {
                    if repeats < Self.maximumRepeats { return .startOver(state.snapshot) }
                } else if state.epoch != epoch {
                    // A precondition became satisfied in the meantime, and its drain may have finished already: check
                    // again.
                    return .askAgain
                }
                // Looked up in the critical section that would queue the link, because a handover sets the successor
                // and empties the queue in one step.
                if hasSuccessor, let successor = state.successor { return .handOver(successor) }
                return .queued(displaced: state.queue.append(pending, now: now))
            }
            switch waiting {
            case .askAgain:
                continue
            case .startOver(let snapshot):
                return dispatch(pending, snapshot, repeats: repeats + 1)
            case .handOver(let open):
                if let result = open(pending.link.text) { return result }
                // The successor no longer exists, so the link waits here.
                hasSuccessor = false
            case .queued(let displaced):
                conclude(displaced, .displaced)
                return result(matched, pending.link.text, .waiting(unmet: unmet))
            }
        }
    }

    // MARK: Results

    /// The result of a link at this moment. That of a refused link has only its text: its parts are not to be trusted.
    func result(_ link: DeepLink?, _ text: String, _ outcome: RouteOutcome) -> DispatchResult {
        var link = link
        if case .refused = outcome { link = nil }
        return DispatchResult(text: text, outcome: outcome, link: link, navigation: navigationState.current)
    }

    /// Reports the final outcome of a link that isn't being dispatched to the current hooks.
    @discardableResult
    package func conclude(_ link: DeepLink?, _ text: String, _ outcome: RouteOutcome) -> DispatchResult {
        conclude(link, text, outcome, snapshot)
    }

    /// Reports links that have left the queue unrouted, and that the queue has changed.
    func conclude(_ entries: [WaitingLinkQueue.Entry], _ reason: UnroutableReason) {
        for entry in entries { conclude(entry.pending.link, entry.pending.link.text, .unroutable(reason)) }
        notifyLoadingState()
    }

    /// Reports a final outcome to the hooks.
    @discardableResult
    func conclude(
        _ link: DeepLink?, _ text: String, _ outcome: RouteOutcome, _ snapshot: Snapshot
    ) -> DispatchResult {
        let result = result(link, text, outcome)
        let hooks = snapshot.hooks
        if let link {
            switch outcome {
            case .routed:
                hooks.successRouteHandler?(link)
                if let tracking = hooks.trackingHandler { snapshot.configuration.track(link, tracking) }
            case .external: hooks.externalURLHandler?(link)
            case .unroutable(let reason): hooks.unableToRouteHandler?(link, reason)
            case .waiting, .running, .refused, .failed: break
            }
        }
        hooks.outcomeHandler?(result)
        return result
    }
}

extension DeepLinkRouter.Snapshot {
    /// The outcome of a link that no route needs to be searched for; nil for an app link.
    fileprivate func outcomeBeforeRouting(_ link: DeepLink, _ limits: DeepLinkLimits) -> RouteOutcome? {
        if let outcome = configuration.outcomeBeforeRouting(link, limits) { return outcome }
        return browserPaths.keeping(link).map {
            .refused(DeepLinkRefusal(rule: .browser, part: $0.text, offset: 0))
        }
    }
}

extension DeepLinkConfiguration {
    /// The outcome of a link that depends neither on routes nor on paths; nil for an app link.
    fileprivate func outcomeBeforeRouting(_ link: DeepLink, _ limits: DeepLinkLimits) -> RouteOutcome? {
        if let refusal = nestedRefusal(in: link, limits: limits) { return .refused(refusal) }
        guard link.isWebLink else {
            return hasScheme(link.scheme) ? nil : .unroutable(.unknownScheme(link.scheme))
        }
        let isUniversal = isUniversal(host: link.host)
        guard isUniversal || isAllowed(host: link.host) else { return .unroutable(.unknownHost(link.host)) }
        if link.scheme == "http" {
            return .refused(DeepLinkRefusal(rule: .cleartext, part: "http://\(link.host)", offset: 0))
        }
        return isUniversal ? nil : .external
    }

    fileprivate func outcomeWithoutRoute(_ link: DeepLink) -> RouteOutcome {
        // The host of a custom scheme is a path segment, so only a web link can be external.
        link.isWebLink && isAllowed(host: link.host) ? .external : .unroutable(.noRoute)
    }

    /// Tracks each event whose value the link contains, once per event.
    fileprivate func track(_ link: DeepLink, _ tracking: (String, [QueryItem]) -> Void) {
        let items = link.queryItems
        var events: Set<String> = []
        for parameter in queryParameters where parameter.qualifiesTracking {
            let isCarried = items.contains { $0.value?.utf8.elementsEqual(parameter.value.utf8) == true }
            if isCarried, events.insert(parameter.eventName).inserted { tracking(parameter.eventName, items) }
        }
    }
}
