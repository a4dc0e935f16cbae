public import GlassMarkets

extension MarketStore {
    /// Loads markets, and reloads them whenever their folder changes.
    ///
    /// Every save counts: of a market, of what it extends and includes, by writing, by renaming a new file over the old
    /// one, by deleting and making the folder again. What came of it is told by ``events()`` and ``statuses``.
    ///
    /// - Parameters:
    ///   - folder: The folder that the store's loader reads.
    ///   - ids: The markets; nil for all that the folder has, also those that come later.
    ///   - method: How to watch.
    ///   - settle: How long the folder must have been left alone before it is read: saving several files, or one in
    ///     several steps, is one change.
    /// - Returns: The watch; it ends when it is let go of. The markets are loaded, or rejected, when this returns.
    /// - Throws: ``MarketFolderError`` when there is no such folder or no such market, ``WatchError`` when the system
    ///   cannot watch. A market with errors does not throw.
    public func watch(
        _ folder: MarketFolder, _ ids: [String]? = nil, method: WatchMethod = .automatic,
        settle: Duration = .milliseconds(200)
    ) throws -> MarketWatch {
        let available = try folder.marketIDs()
        for id in ids ?? [] where !available.contains(id) { try folder.requireMarket(id) }
        let watcher = try FolderWatcher(folder.path, method: method, settle: settle)
        reloadAll(ids, in: folder)
        watcher.start { [weak self] in self?.reloadAll(ids, in: folder) }
        return MarketWatch(watcher)
    }

    private func reloadAll(_ ids: [String]?, in folder: MarketFolder) {
        let known = statuses.map(\.id)
        let found = try? folder.marketIDs()  // unreadable: a finding of each market that was there
        for id in ids ?? Set(known + (found ?? [])).sorted() { reload(id) }
    }
}

/// Reloads the markets of a `MarketStore` when their files change, until it is released.
public final class MarketWatch: Sendable {
    private let watcher: FolderWatcher

    init(_ watcher: FolderWatcher) {
        self.watcher = watcher
    }

    deinit {
        watcher.stop()
    }

    /// How the folder is watched; never ``WatchMethod/automatic``.
    public var method: WatchMethod { watcher.method }

    /// Ends the watch. A reload that is going on ends in its own time.
    public func stop() {
        watcher.stop()
    }
}
