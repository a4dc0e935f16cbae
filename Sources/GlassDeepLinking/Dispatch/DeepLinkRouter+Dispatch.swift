import GlassBase

extension DeepLinkRouter {
    /// Where a link belongs before any route is looked at.
    private enum LinkClass {
        case app
        case external
        case nowhere(UnroutableReason)
        case refused(DeepLinkRefusal)
    }

    /// Opens a link: gate, route, preconditions, handler.
    ///
    /// - Parameter text: The link.
    /// - Returns: What became of it. The final outcome of a link that waits, or whose handler is at work, follows through ``outcomeHandler``.
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
    /// - Returns: What became of it.
    @discardableResult
    public func open(_ link: DeepLink) -> DispatchResult {
        expireWaitingLinks()
        return setOut(link, asked: [], budget: HandlerBudget())
    }

    /// Says what ``open(_:)`` would do, and does nothing.
    ///
    /// - Parameter text: The link.
    /// - Returns: `routed` means that a routable would be asked; whether it declines shows only in doing.
    public func dryRun(_ text: String) -> DispatchResult {
        do {
            return dryRun(try DeepLink(text, limits: limits))
        } catch {
            return DispatchResult(
                text: text, outcome: .refused(error), link: nil, navigation: navigationState.current)
        }
    }

    /// Whether the link would be routed, now or after its preconditions.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether a route takes it.
    public func canRoute(deepLink: DeepLink) -> Bool {
        dryRun(deepLink).outcome.isRoutable
    }

    /// Routes a parsed link.
    ///
    /// - Parameter deepLink: The link.
    /// - Returns: Whether it was routed, waits, is at work, or went to the external handler.
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

    /// Takes a link from where it sets out to an outcome or to a wait. One snapshot decides about all of the way.
    ///
    /// - Parameters:
    ///   - asked: The routes that were asked before.
    ///   - budget: What their handlers used.
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
        // A custom scheme's host is a path segment, so only a web link can be external.
        link.isWebLink && configuration.isAllowed(host: link.host) ? .external : .unroutable(.noRoute)
    }

    /// Asks the candidates in the order of rank, but those that were asked before. All together draw on one budget.
    private func dispatch(
        _ link: DeepLink, _ snapshot: Snapshot, asked earlier: Set<RouteDeclaration>, budget: HandlerBudget
    ) -> DispatchResult {
        var asked = earlier
        let (routes, configuration) = (snapshot.routes, snapshot.configuration)
        // Most links are handled by their first candidate, so the others are searched for only when it declines.
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
            // What does not depend on the route was looked at before.
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

    /// Queues the link unless its preconditions hold, here or in the deep linker that has taken this one's place.
    private func wait(
        _ link: DeepLink, _ matched: DeepLink, for requirement: PreconditionRequirement, asked: Set<RouteDeclaration>,
        _ budget: HandlerBudget
    ) -> DispatchResult? {
        var hasSuccessor = true
        while true {
            // The epoch is read with the answers: what becomes true afterwards counts it up.
            let (questions, epoch) = state.withLock { ($0.questions(for: requirement), $0.epoch) }
            let unmet = questions.unmet
            if unmet.isEmpty { return nil }
            let now = now()
            let waiting: Waiting = state.withLock { state in
                // Something became true since it was asked, and its drain may have passed already: ask again.
                guard state.epoch == epoch else { return .askAgain }
                // Looked up where the link would be queued, since a hand-over sets it and empties the queue in one step.
                if hasSuccessor, let successor = state.successor { return .handOver(successor) }
                return .queued(displaced: state.queue.append(link, asked: asked, budget: budget, now: now))
            }
            switch waiting {
            case .askAgain:
                continue
            case .handOver(let open):
                if let result = open(link.text) { return result }
                // There is no other deep linker any more, so the link waits here.
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

    /// Tells of each event whose value the link carries, once, also where several of its values are carried.
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

    /// Tells the hooks of a final outcome that a link has where it is, and not on its way.
    package func conclude(_ link: DeepLink?, _ text: String, _ outcome: RouteOutcome) -> DispatchResult {
        conclude(link, text, outcome, snapshot)
    }

    /// Tells the hooks of a final outcome.
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
