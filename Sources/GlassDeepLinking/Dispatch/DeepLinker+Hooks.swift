extension DeepLinker {
    /// Changes some of the ``hooks`` and leaves the others unchanged.
    ///
    /// - Parameter change: Changes the hooks.
    public func updateHooks(_ change: (inout DeepLinkHooks) -> Void) {
        var changed = hooks
        change(&changed)
        hooks = changed
    }

    /// One of the ``hooks`` by name: `router.outcomeHandler`. Setting it leaves the others unchanged.
    ///
    /// - Parameter hook: The hook.
    public subscript<Handler>(dynamicMember hook: WritableKeyPath<DeepLinkHooks, Handler>) -> Handler {
        get { hooks[keyPath: hook] }
        set { updateHooks { $0[keyPath: hook] = newValue } }
    }
}
