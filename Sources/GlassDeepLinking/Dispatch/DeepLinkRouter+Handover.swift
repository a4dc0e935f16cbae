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
}
