import Foundation

/// What is kept of an answer.
struct MediaEntry: Sendable {
    /// What HTTP says about it.
    var info: CachedMedia
    /// The content.
    var body: Data

    /// The content as a resource.
    func resource(_ source: MediaResource.Source) -> MediaResource {
        MediaResource(data: body, mimeType: info.mimeType, source: source)
    }
}

/// Entries in memory up to a size; the one that was used longest ago goes first.
struct MediaMemoryCache: Sendable {
    private let capacity: Int
    private var entries: [String: (entry: MediaEntry, used: Int)] = [:]
    private var uses = 0
    /// The bytes of content that are kept.
    private(set) var size = 0

    init(capacity: Int) { self.capacity = capacity }

    /// The entry of a URL, which counts as a use.
    mutating func entry(for url: String) -> MediaEntry? {
        uses += 1
        entries[url]?.used = uses
        return entries[url]?.entry
    }

    /// Keeps an entry; one that is larger than the cache is not kept. O(entries) when others have to go.
    mutating func insert(_ entry: MediaEntry) {
        remove(entry.info.url)
        guard entry.body.count <= capacity else { return }
        uses += 1
        size += entry.body.count
        entries[entry.info.url] = (entry, uses)
        guard size > capacity else { return }
        for (url, _) in entries.sorted(by: { $0.value.used < $1.value.used }) {
            // A tenth of room spares the next insertions the search.
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
