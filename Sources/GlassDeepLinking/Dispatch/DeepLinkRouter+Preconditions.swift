import GlassBase

extension DeepLinkRouter {
    /// Adds a precondition with a handler, replacing one of the same name.
    ///
    /// - Parameters:
    ///   - identifier: The precondition's name.
    ///   - handler: Returns whether the precondition is satisfied. It is called when a link is opened and when waiting
    ///     links are checked, and must have no side effects. Call ``routeWaitingLinks()`` when the result changes.
    public func addDeeplinkPreconditionHandler(identifier: String, handler: @escaping @Sendable () -> Bool) {
        // The previous handler is released outside the lock.
        _ = state.withLock { $0.preconditions.setHandler(identifier, handler) }
        routeWaitingLinks()
    }

    /// Removes a precondition, and checks the waiting links.
    ///
    /// - Parameter identifier: The precondition's name.
    public func removeDeeplinkPreconditionHandler(identifier: String) {
        let (_, registry) = state.withLock { ($0.preconditions.remove(identifier), $0.registry) }
        registry.set(identifier, isSatisfied: false)
        routeWaitingLinks()
    }

    /// Declares preconditions that are not satisfied yet; known ones keep their state.
    ///
    /// - Parameter names: The names.
    public func declarePreconditions(_ names: [String]) {
        state.withLock { state in
            for name in names { state.preconditions.declare(name) }
        }
    }

    /// Marks a precondition as satisfied, and runs the links that waited for it.
    ///
    /// - Parameter name: The precondition's name; an unknown one is declared.
    public func satisfyPrecondition(_ name: String) {
        set(name, isSatisfied: true)
    }

    /// Marks a precondition as unmet. If it has a handler, the handler decides again from now on.
    ///
    /// - Parameter name: The precondition's name; an unknown one is declared.
    public func resetPrecondition(_ name: String) {
        set(name, isSatisfied: false)
    }

    private func set(_ name: String, isSatisfied: Bool) {
        let (registry, isOverridden): (PreconditionRegistry?, Bool) = state.withLock { state in
            state.preconditions.declare(name)
            guard state.preconditions.hasHandler(name) else { return (state.registry, false) }
            return (nil, state.preconditions.override(name, isSatisfied: isSatisfied))
        }
        registry?.set(name, isSatisfied: isSatisfied)
        if isOverridden, isSatisfied { routeWaitingLinks() }
    }

    /// The state of the preconditions without a handler, to be shared with a deep linker that replaces this one.
    /// Setting nil gives the router its own registry.
    public var preconditionRegistry: PreconditionRegistry? {
        get { state.withLock { $0.registry } }
        set {
            let registry = newValue ?? PreconditionRegistry()
            // Attach before the registry is read, so that no change is missed.
            registry.attach(self)
            state.withLock { $0.registry = registry }
            routeWaitingLinks()
        }
    }

    /// The names of all known preconditions, in declaration order.
    package var preconditions: [String] {
        state.withLock { $0.preconditions.names }
    }

    /// The names of the unmet preconditions.
    public var unmetPreconditions: [String] {
        unmet(.all)
    }

    /// The waiting links, oldest first.
    public var waitingLinks: [DeepLink] {
        state.withLock { $0.queue.entries.map(\.pending.link) }
    }

    /// Checks the waiting links, oldest first, and runs those whose preconditions are satisfied.
    ///
    /// Only one thread drains at a time; a concurrent call makes it repeat.
    public func routeWaitingLinks() {
        let isMine = state.withLock { state in
            state.epoch += 1
            if state.isDraining {
                state.mustDrainAgain = true
                return false
            }
            state.isDraining = true
            return true
        }
        guard isMine else { return }
        while true {
            drainOnce()
            let isDone = state.withLock { state in
                if state.mustDrainAgain {
                    state.mustDrainAgain = false
                    return false
                }
                state.isDraining = false
                return true
            }
            if isDone { break }
        }
        notifyLoadingState()
    }

    /// Reports the waiting links that have expired. The router does so with every call; an app that needs it on time
    /// calls this method from a timer.
    public func expireWaitingLinks() {
        _ = snapshotAfterExpiry()
    }

    /// The snapshot for a link whose processing starts now. Reports the waiting links that have expired first.
    func snapshotAfterExpiry() -> Snapshot {
        let now = now()
        let (expired, snapshot, isLate) = state.withLock {
            ($0.queue.removeExpired(now: now), $0.snapshot, $0.lateConfiguration != nil)
        }
        if expired.isEmpty, !isLate { return snapshot }
        if !expired.isEmpty { conclude(expired, .expired) }
        return self.snapshot  // the hooks may have changed it
    }

    /// Cancels all waiting links; each is reported as cancelled.
    public func cancelWaitingLinks() {
        conclude(state.withLock { $0.queue.removeAll() }, .cancelled)
    }

    /// Cancels one waiting link, which is reported as cancelled.
    @discardableResult
    package func cancelWaitingLink(_ text: String) -> Bool {
        let cancelled = state.withLock { state in
            state.queue.remove { $0.pending.link.text.utf8.elementsEqual(text.utf8) }
        }
        conclude(cancelled, .cancelled)
        return !cancelled.isEmpty
    }

    func unmet(_ requirement: PreconditionRequirement) -> [String] {
        state.withLock { $0.questions(for: requirement) }.unmet
    }

    private func drainOnce() {
        expireWaitingLinks()
        for id in state.withLock({ $0.queue.entries.map(\.id) }) {
            let (entry, snapshot) = state.withLock { state in
                (state.queue.entries.first { $0.id == id }, state.snapshot)
            }
            guard let entry, isReady(entry.pending, snapshot.routes) else { continue }
            // The link may have expired or been displaced or cancelled in the meantime; the code that removes it
            // reports it.
            guard let taken = state.withLock({ $0.queue.remove(id: id) }) else { continue }
            _ = dispatch(taken.pending, snapshot)
        }
    }

    /// Whether the next candidate's preconditions are satisfied, or no candidate is left.
    private func isReady(_ pending: PendingLink, _ routes: Routes) -> Bool {
        let next = routes.table.matches(for: pending.link).first { !pending.asked.contains($0.declaration) }
        guard let next else { return true }
        return unmet(routes.routes[next.ordinal].requirement).isEmpty
    }

    /// Notifies the UI when the queue becomes empty or nonempty, in the order of these changes.
    func notifyLoadingState() {
        var isMine = false
        while true {
            let call: (handler: (@Sendable (Bool) -> Void)?, isLoading: Bool)? = state.withLock { state in
                if isMine { state.isNotifying = false }
                let isLoading = !state.queue.entries.isEmpty
                // If another thread is notifying, it checks again afterwards.
                if state.isNotifying || isLoading == state.notifiedLoading { return nil }
                state.isNotifying = true
                state.notifiedLoading = isLoading
                return (state.snapshot.hooks.preconditionLoadingStateUIHandler, isLoading)
            }
            guard let call else { return }
            call.handler?(call.isLoading)
            isMine = true
        }
    }
}

extension DeepLinkRouter.State {
    /// The preconditions of a requirement. The caller runs the handlers outside the lock.
    func questions(for requirement: PreconditionRequirement) -> [PreconditionList.PreconditionQuery] {
        preconditions.questions(for: requirement, registry)
    }
}
