import Foundation

/// The cached parts of a response.
struct MediaEntry: Sendable {
    /// The description for the HTTP cache.
    var info: CachedMedia
    /// The content.
    var body: Data

    /// The content as a media resource.
    func resource(_ source: MediaResource.Source) -> MediaResource {
        MediaResource(data: body, mimeType: info.mimeType, source: source)
    }
}

/// Entries in memory up to a total size. The least recently used entry is evicted first.
struct MediaMemoryCache: Sendable {
    private let capacity: Int
    private var entries: [String: (entry: MediaEntry, used: Int)] = [:]
    private var uses = 0
    /// The size of the cached content in bytes.
    private(set) var size = 0

    init(capacity: Int) { self.capacity = capacity }

    /// The entry for a URL. Reading it counts as a use.
    mutating func entry(for url: String) -> MediaEntry? {
        uses += 1
        entries[url]?.used = uses
        return entries[url]?.entry
    }

    /// Stores an entry, unless it is larger than the cache. O(entries) if other entries must be evicted.
    mutating func insert(_ entry: MediaEntry) {
        remove(entry.info.url)
        guard entry.body.count <= capacity else { return }
        uses += 1
        size += entry.body.count
        entries[entry.info.url] = (entry, uses)
        guard size > capacity else { return }
        for (url, _) in entries.sorted(by: { $0.value.used < $1.value.used }) {
            // Freeing a tenth of the capacity saves later insertions from searching again.
            guard size > capacity / 10 * 9, entries.count > 1 else { break }
            remove(url)
        }
    }

    mutating func remove(_ url: String) {
        if let removed = entries.removeValue(forKey: url) { size -= removed.entry.body.count }
    }

    mutating func removeAll() {
        entries = [:]
        size = 0
    }
}
