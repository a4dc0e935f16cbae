import GlassBase

extension DeepLinkRouter {
    /// Takes the waiting links out, for a deep linker that takes this one's place. They get no outcome from this one.
    ///
    /// - Returns: The links as they were opened, oldest first.
    public func takeWaitingLinks() -> [String] {
        let taken = state.withLock { $0.queue.removeAll() }
        if !taken.isEmpty { notifyLoadingState() }
        return taken.map(\.link.text)
    }

    /// Hands the waiting links over to a deep linker that takes this one's place: those that wait now, and each that would
    /// begin to wait here later.
    ///
    /// - Parameter open: Opens a link there; nil when nobody has the place any more, and the link waits here.
    public func handOverWaitingLinks(to open: @escaping @Sendable (String) -> DispatchResult?) {
        // One step, so that a link is either among those taken or finds where to go. The successor before, if any, is
        // released without the lock.
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
