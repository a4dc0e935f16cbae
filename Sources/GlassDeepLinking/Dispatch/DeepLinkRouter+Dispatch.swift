import GlassBase

extension DeepLinkRouter {
    /// The classification of a link before routing.
    private enum LinkClass {
        case app
        case external
        case nowhere(UnroutableReason)
        case refused(DeepLinkRefusal)
    }

    /// Opens a link: gate, route, preconditions, handler.
    ///
    /// - Parameter text: The link.
    /// - Returns: The result. The final outcome of a link that waits, or whose handler is running, follows through
    ///   ``outcomeHandler``.
    @discardableResult
    public func open(_ text: String) -> DispatchResult {
        do {
            return open(try DeepLink(text, limits: limits))
        } catch {
            expireWaitingLinks()
            return conclude(nil, text, .refused(error))
        }
    }

    /// Opens a parsed link.
    ///
    /// - Parameter link: The link.
    /// - Returns: The result.
    @discardableResult
    public func open(_ link: DeepLink) -> DispatchResult {
        expireWaitingLinks()
        return setOut(link, asked: [], budget: HandlerBudget())
    }

    /// Returns what ``open(_:)`` would do, without doing it.
    ///
    /// - Parameter text: The link.
    /// - Returns: The result. `routed` means that a routable would be tried; only opening the link shows whether it
    ///   declines.
    public func dryRun(_ text: String) -> DispatchResult {
        do {
            return dryRun(try DeepLink(text, limits: limits))
        } catch {
            return DispatchResult(
                text: text, outcome: .refused(error), link: nil, navigation: navigationState.current)
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
        var result = link
        let snapshot = snapshot
        let routes = snapshot.routes
        let outcome: RouteOutcome
        switch place(of: link, snapshot.configuration) {
        case .external: outcome = .external
        case .nowhere(let reason): outcome = .unroutable(reason)
        case .refused(let refusal): outcome = .refused(refusal)
        case .app:
            if let match = routes.table.bestMatch(for: link) {
                result = link.matched(match)
                if let refusal = snapshot.configuration.nestedRefusal(in: result, limits: limits) {
                    outcome = .refused(refusal)
                } else {
                    let unmet = unmet(routes.routes[match.ordinal].requirement)
                    outcome = unmet.isEmpty ? .routed : .waiting(unmet: unmet)
                }
            } else {
                outcome = outcomeWithoutRoute(link, snapshot.configuration)
            }
        }
        return DispatchResult(
            text: link.text, outcome: outcome, link: result, navigation: navigationState.current)
    }

    // MARK: Steps

    /// Starts processing a link, up to an outcome or a wait. Uses a single snapshot throughout.
    ///
    /// - Parameters:
    ///   - asked: The routes that have already been tried.
    ///   - budget: The budget that their handlers have used.
    func setOut(_ link: DeepLink, asked: Set<RouteDeclaration>, budget: HandlerBudget) -> DispatchResult {
        let snapshot = snapshot
        switch place(of: link, snapshot.configuration) {
        case .app: return dispatch(link, snapshot, asked: asked, budget: budget)
        case .external: return conclude(link, link.text, .external, snapshot)
        case .nowhere(let reason): return conclude(link, link.text, .unroutable(reason), snapshot)
        case .refused(let refusal): return conclude(nil, link.text, .refused(refusal), snapshot)
        }
    }

    private func place(of link: DeepLink, _ configuration: DeepLinkConfiguration) -> LinkClass {
        if let refusal = configuration.nestedRefusal(in: link, limits: limits) { return .refused(refusal) }
        guard link.isWebLink else {
            return configuration.hasScheme(link.scheme) ? .app : .nowhere(.unknownScheme(link.scheme))
        }
        let isUniversal = configuration.isUniversal(host: link.host)
        guard isUniversal || configuration.isAllowed(host: link.host) else {
            return .nowhere(.unknownHost(link.host))
        }
        if link.scheme == "http" {
            return .refused(DeepLinkRefusal(rule: .cleartext, part: "http://\(link.host)", offset: 0))
        }
        return isUniversal ? .app : .external
    }

    private func outcomeWithoutRoute(_ link: DeepLink, _ configuration: DeepLinkConfiguration) -> RouteOutcome {
        // The host of a custom scheme is a path segment, so only a web link can be external.
        link.isWebLink && configuration.isAllowed(host: link.host) ? .external : .unroutable(.noRoute)
    }

    /// Tries the candidates in the order of their rank, except those that were already tried. All of them share one
    /// budget.
    private func dispatch(
        _ link: DeepLink, _ snapshot: Snapshot, asked earlier: Set<RouteDeclaration>, budget: HandlerBudget
    ) -> DispatchResult {
        var asked = earlier
        let (routes, configuration) = (snapshot.routes, snapshot.configuration)
        // Most links are handled by their first candidate, so the others are searched for only if it declines.
        var candidates = routes.table.bestMatch(for: link).map { [$0] } ?? []
        var hasAll = false
        var index = 0
        while true {
            if index == candidates.count {
                if hasAll || candidates.isEmpty { break }
                candidates = routes.table.matches(for: link)
                hasAll = true
                if index >= candidates.count { break }
            }
            let match = candidates[index]
            index += 1
            if asked.contains(match.declaration) { continue }
            let route = routes.routes[match.ordinal]
            let matched = link.matched(match, budget)
            // The parts that don't depend on the route were checked before.
            if let refusal = configuration.nestedRefusal(inParametersOf: matched, limits: limits) {
                return conclude(nil, link.text, .refused(refusal), snapshot)
            }
            let waiting = wait(link, matched, for: route.requirement, asked: asked, budget)
            if let waiting { return waiting }
            if asked.isEmpty { snapshot.hooks.preExecutionHandler?(matched) }
            let draft = navigationState.draft()
            if let handler = route.asyncHandler {
                return start(handler, matched, link, draft, asked: asked.union([match.declaration]), budget: budget)
            }
            do {
                if try route.handler(matched, draft) {
                    draft.commit()
                    return conclude(matched, link.text, .routed, snapshot)
                }
                draft.discard()
            } catch {
                draft.discard()
                return conclude(matched, link.text, .failed(RouteFailure(error)), snapshot)
            }
            asked.insert(match.declaration)
        }
        let outcome = asked.isEmpty ? outcomeWithoutRoute(link, configuration) : .unroutable(.declined)
        return conclude(link, link.text, outcome, snapshot)
    }

    private enum Waiting {
        case askAgain
        case queued(displaced: [WaitingLinkQueue.Entry])
        case handOver(@Sendable (String) -> DispatchResult?)
    }

    /// Queues the link unless its preconditions are satisfied, here or in the deep linker that replaced this one.
    private func wait(
        _ link: DeepLink, _ matched: DeepLink, for requirement: PreconditionRequirement, asked: Set<RouteDeclaration>,
        _ budget: HandlerBudget
    ) -> DispatchResult? {
        var hasSuccessor = true
        while true {
            // Read the epoch together with the queries: a precondition that becomes satisfied later increments it.
            let (questions, epoch) = state.withLock { ($0.questions(for: requirement), $0.epoch) }
            let unmet = questions.unmet
            if unmet.isEmpty { return nil }
            let now = now()
            let waiting: Waiting = state.withLock { state in
                // A precondition became satisfied in the meantime, and its drain may have finished already: check
                // again.
                guard state.epoch == epoch else { return .askAgain }
                // Looked up in the critical section that would queue the link, because a handover sets the successor
                // and empties the queue in one step.
                if hasSuccessor, let successor = state.successor { return .handOver(successor) }
                return .queued(displaced: state.queue.append(link, asked: asked, budget: budget, now: now))
            }
            switch waiting {
            case .askAgain:
                continue
            case .handOver(let open):
                if let result = open(link.text) { return result }
                // The successor no longer exists, so the link waits here.
                hasSuccessor = false
            case .queued(let displaced):
                for entry in displaced { _ = conclude(entry.link, entry.link.text, .unroutable(.displaced)) }
                notifyLoadingState()
                return DispatchResult(
                    text: link.text, outcome: .waiting(unmet: unmet), link: matched,
                    navigation: navigationState.current)
            }
        }
    }

    /// Tracks each event whose value the link contains, once per event.
    private func track(
        _ link: DeepLink, _ tracked: [DeepLinkConfiguration.TrackedQueryParameter],
        _ tracking: (String, [QueryItem]) -> Void
    ) {
        let items = link.queryItems
        var events: Set<String> = []
        for parameter in tracked where parameter.qualifiesTracking {
            let isCarried = items.contains { $0.value?.utf8.elementsEqual(parameter.value.utf8) == true }
            if isCarried, events.insert(parameter.eventName).inserted { tracking(parameter.eventName, items) }
        }
    }

    /// Reports the final outcome of a link that isn't being dispatched to the current hooks.
    package func conclude(_ link: DeepLink?, _ text: String, _ outcome: RouteOutcome) -> DispatchResult {
        conclude(link, text, outcome, snapshot)
    }

    /// Reports a final outcome to the hooks.
    private func conclude(
        _ link: DeepLink?, _ text: String, _ outcome: RouteOutcome, _ snapshot: Snapshot
    ) -> DispatchResult {
        let result = DispatchResult(
            text: text, outcome: outcome, link: link, navigation: navigationState.current)
        let (hooks, tracked) = (snapshot.hooks, snapshot.configuration.queryParameters)
        if let link {
            switch outcome {
            case .routed:
                hooks.successRouteHandler?(link)
                if let tracking = hooks.trackingHandler { track(link, tracked, tracking) }
            case .external: hooks.externalURLHandler?(link)
            case .unroutable(let reason): hooks.unableToRouteHandler?(link, reason)
            case .waiting, .running, .refused, .failed: break
            }
        }
        hooks.outcomeHandler?(result)
        return result
    }
}
