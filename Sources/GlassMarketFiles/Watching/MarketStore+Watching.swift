public import GlassMarkets

extension MarketStore {
    /// Loads markets, and reloads them whenever their folder changes.
    ///
    /// Every save counts: of a market, its base markets or the files that they include; by writing, by renaming a new
    /// file over the old one, or by deleting the folder and creating it again. The results are reported by ``events()``
    /// and ``statuses``.
    ///
    /// - Parameters:
    ///   - folder: The folder that the store's loader reads.
    ///   - ids: The markets; nil for all markets in the folder, including those that are added later.
    ///   - method: The method of watching.
    ///   - settle: The time for which the folder must remain unchanged before it is read, so that saving several files,
    ///     or one in several steps, is a single change.
    /// - Returns: The watch, which ends when it is released. When this method returns, the markets have been loaded or
    ///   rejected.
    /// - Throws: ``MarketFolderError`` if the folder or a market does not exist, ``WatchError`` if the system cannot
    ///   watch. A market with errors does not throw.
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
        let found = try? folder.marketIDs()  // unreadable: each known market reports it
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

    /// The method of watching; never ``WatchMethod/automatic``.
    public var method: WatchMethod { watcher.method }

    /// Ends the watch. A reload that is running completes.
    public func stop() {
        watcher.stop()
    }
}
