extension DeepLinker {
    /// Changes some of the ``hooks`` and leaves the others as they are.
    ///
    /// - Parameter change: Changes the hooks.
    public func updateHooks(_ change: (inout DeepLinkHooks) -> Void) {
        var changed = hooks
        change(&changed)
        hooks = changed
    }

    /// Called with a link before the first routable is asked.
    public var preExecutionHandler: (@Sendable (DeepLink) -> Void)? {
        get { hooks.preExecution }
        set { updateHooks { $0.preExecution = newValue } }
    }

    /// Called with a link that a routable has handled.
    public var successRouteHandler: (@Sendable (DeepLink) -> Void)? {
        get { hooks.successRoute }
        set { updateHooks { $0.successRoute = newValue } }
    }

    /// Called with a link of an allowed domain that no route takes: open it outside the app.
    public var externalURLHandler: (@Sendable (DeepLink) -> Void)? {
        get { hooks.externalURL }
        set { updateHooks { $0.externalURL = newValue } }
    }

    /// Called with a link that no route takes, and why. A refused link is no link; the outcome handler hears of it.
    public var unableToRouteHandler: (@Sendable (DeepLink, UnroutableReason) -> Void)? {
        get { hooks.unableToRoute }
        set { updateHooks { $0.unableToRoute = newValue } }
    }

    /// Called with true when links start to wait and with false when none waits any more.
    public var preconditionLoadingStateUIHandler: (@Sendable (Bool) -> Void)? {
        get { hooks.preconditionLoadingStateUI }
        set { updateHooks { $0.preconditionLoadingStateUI = newValue } }
    }

    /// Called once with the final result of each link, also of those that waited.
    public var outcomeHandler: (@Sendable (DispatchResult) -> Void)? {
        get { hooks.outcome }
        set { updateHooks { $0.outcome = newValue } }
    }

    /// Called with an event's name and a routed link's items; see ``DeepLinkConfiguration/TrackedQueryParameter``.
    public var trackingHandler: (@Sendable (String, [QueryItem]) -> Void)? {
        get { hooks.tracking }
        set { updateHooks { $0.tracking = newValue } }
    }
}
