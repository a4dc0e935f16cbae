import GlassBase

extension DeepLinkRouter {
    /// Takes the waiting links out, for a router that takes this one's place.
    ///
    /// They get no outcome from this router.
    ///
    /// - Returns: The links as they were opened, oldest first.
    package func takeWaitingLinks() -> [String] {
        let taken = state.withLock { $0.queue.removeAll() }
        if !taken.isEmpty { notifyLoadingState() }
        return taken.map(\.link.text)
    }
}
