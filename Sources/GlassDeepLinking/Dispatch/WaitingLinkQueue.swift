/// The links that wait for their preconditions, oldest first.
struct WaitingLinkQueue {
    struct Entry {
        let id: Int
        var pending: PendingLink
        var deadline: ContinuousClock.Instant
    }

    let policy: WaitingPolicy
    private(set) var entries: [Entry] = []
    private var nextID = 0

    init(policy: WaitingPolicy) {
        self.policy = policy
    }

    /// Adds a link, or extends the deadline of an equal link that is already waiting. Returns the displaced links.
    mutating func append(_ pending: PendingLink, now: ContinuousClock.Instant) -> [Entry] {
        let link = pending.link
        let deadline = now.advanced(by: policy.expiry)
        if let index = entries.firstIndex(where: { $0.pending.link == link }) {
            entries[index].deadline = deadline
            entries[index].pending.asked.formUnion(pending.asked)
            return policy.retention == .newestOnly ? remove { $0.pending.link != link } : []
        }
        var displaced = policy.retention == .newestOnly ? removeAll() : []
        if entries.count >= policy.limit { displaced.append(entries.removeFirst()) }
        entries.append(Entry(id: nextID, pending: pending, deadline: deadline))
        nextID += 1
        return displaced
    }

    mutating func remove(id: Int) -> Entry? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        return entries.remove(at: index)
    }

    mutating func removeExpired(now: ContinuousClock.Instant) -> [Entry] {
        let expired = entries.filter { $0.deadline <= now }
        if !expired.isEmpty { entries.removeAll { $0.deadline <= now } }
        return expired
    }

    mutating func removeAll() -> [Entry] {
        defer { entries = [] }
        return entries
    }

    mutating func remove(where isGoing: (Entry) -> Bool) -> [Entry] {
        let removed = entries.filter(isGoing)
        entries.removeAll(where: isGoing)
        return removed
    }
}
