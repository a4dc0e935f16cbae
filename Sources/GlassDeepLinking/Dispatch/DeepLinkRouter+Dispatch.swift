import GlassBase

extension DeepLinkRouter {
    /// Where a link belongs before any route is looked at.
    private enum Place {
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
        switch place(of: link) {
        case .app: return dispatch(link, asked: [], budget: HandlerBudget())
        case .external: return conclude(link, link.text, .external)
        case .nowhere(let reason): return conclude(link, link.text, .unroutable(reason))
        case .refused(let refusal): return conclude(nil, link.text, .refused(refusal))
        }
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
        let outcome: RouteOutcome
        switch place(of: link) {
        case .external: outcome = .external
        case .nowhere(let reason): outcome = .unroutable(reason)
        case .refused(let refusal): outcome = .refused(refusal)
        case .app:
            let (routes, configuration) = state.withLock { ($0.routes, $0.configuration) }
            if let match = routes.table.bestMatch(for: link) {
                result = link.matched(match)
                if let refusal = nestedRefusal(result) {
                    outcome = .refused(refusal)
                } else {
                    let unmet = unmet(routes.routes[match.ordinal].requirement)
                    outcome = unmet.isEmpty ? .routed : .waiting(unmet: unmet)
                }
            } else {
                outcome = outcomeWithoutRoute(link, configuration)
            }
        }
        return DispatchResult(
            text: link.text, outcome: outcome, link: result, navigation: navigationState.current)
    }

    // MARK: Steps

    private func place(of link: DeepLink) -> Place {
        let configuration = configuration
        if let refusal = nestedRefusal(link) { return .refused(refusal) }
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

    /// The refusal of a nested link, in the query or in what the route took from the path.
    func nestedRefusal(_ link: DeepLink) -> DeepLinkRefusal? {
        configuration.nestedRefusal(in: link, limits: limits)
    }

    private func outcomeWithoutRoute(_ link: DeepLink, _ configuration: DeepLinkConfiguration) -> RouteOutcome {
        // A custom scheme's host is a path segment, so only a web link can be external.
        link.isWebLink && configuration.isAllowed(host: link.host) ? .external : .unroutable(.noRoute)
    }

    /// Asks the candidates in the order of rank, but those that were asked before. All together draw on one budget.
    func dispatch(
        _ link: DeepLink, asked earlier: Set<RouteDeclaration>, budget: HandlerBudget
    ) -> DispatchResult {
        var asked = earlier
        let (routes, configuration) = state.withLock { ($0.routes, $0.configuration) }
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
                return conclude(nil, link.text, .refused(refusal))
            }
            let waiting = wait(link, matched, for: route.requirement, asked: asked, budget)
            if let waiting { return waiting }
            if asked.isEmpty { state.withLock { $0.hooks.preExecutionHandler }?(matched) }
            let draft = navigationState.draft()
            if let handler = route.asyncHandler {
                return start(handler, matched, link, draft, asked: asked.union([match.declaration]), budget: budget)
            }
            do {
                if try route.handler(matched, draft) {
                    draft.commit()
                    return conclude(matched, link.text, .routed)
                }
                draft.discard()
            } catch {
                draft.discard()
                return conclude(matched, link.text, .failed(RouteFailure(error)))
            }
            asked.insert(match.declaration)
        }
        let outcome = asked.isEmpty ? outcomeWithoutRoute(link, configuration) : .unroutable(.declined)
        return conclude(link, link.text, outcome)
    }

    /// Queues the link unless its preconditions hold.
    private func wait(
        _ link: DeepLink, _ matched: DeepLink, for requirement: PreconditionRequirement, asked: Set<RouteDeclaration>,
        _ budget: HandlerBudget
    ) -> DispatchResult? {
        while true {
            let (questions, epoch) = state.withLock { ($0.preconditions.questions(for: requirement), $0.epoch) }
            let unmet = questions.unmet
            if unmet.isEmpty { return nil }
            let now = now()
            let (isQueued, displaced): (Bool, [WaitingLinkQueue.Entry]) = state.withLock { state in
                // Something became true since it was asked, and its drain may have passed already: ask again.
                guard state.epoch == epoch else { return (false, []) }
                return (true, state.queue.append(link, asked: asked, budget: budget, now: now))
            }
            guard isQueued else { continue }
            for entry in displaced { _ = conclude(entry.link, entry.link.text, .unroutable(.displaced)) }
            notifyLoadingState()
            return DispatchResult(
                text: link.text, outcome: .waiting(unmet: unmet), link: matched,
                navigation: navigationState.current)
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

    /// Tells the hooks of a final outcome.
    package func conclude(_ link: DeepLink?, _ text: String, _ outcome: RouteOutcome) -> DispatchResult {
        let result = DispatchResult(
            text: text, outcome: outcome, link: link, navigation: navigationState.current)
        let (hooks, tracked) = state.withLock { ($0.hooks, $0.configuration.queryParameters) }
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
