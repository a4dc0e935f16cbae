import GlassBase

extension DeepLinkRouter {
    /// Removes the waiting links, for a deep linker that replaces this one. This deep linker reports no outcome for
    /// them.
    ///
    /// - Returns: The links as they were opened, oldest first.
    public func takeWaitingLinks() -> [String] {
        let taken = state.withLock { $0.queue.removeAll() }
        if !taken.isEmpty { notifyLoadingState() }
        return taken.map(\.link.text)
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
        for entry in taken where open(entry.link.text) == nil {
            _ = setOut(entry.link, asked: entry.asked, budget: entry.budget)
        }
    }
}
