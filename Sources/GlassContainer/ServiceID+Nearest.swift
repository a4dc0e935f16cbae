import GlassBase

/// Returns at most three keys with names similar to that of `missing`, the most similar first.
func nearest(to missing: ServiceID, among ids: [ServiceID]) -> [ServiceID] {
    var seen: Set<ServiceID> = []
    let name = missing.displayName
    let letters = Array(name.lowercased())
    let candidates = ids.filter { $0.property == nil && seen.insert($0).inserted }.prefix(Suggestion.maximumCandidates)
    let ranked = candidates.compactMap { id -> (Int, ServiceID)? in
        let other = id.displayName
        // The same type under another name ranks first. A name that contains the other one is similar, too, unless the
        // contained name is so short that many names contain it.
        if id.type == missing.type { return (-1, id) }
        // A third of the letters may differ, but never all of them, or a one-letter name would be similar to every
        // other one.
        let limit = min(max(1, name.count / 3), name.count - 1)
        if let distance = Suggestion.distance(letters, Array(other.lowercased()), limit: limit) {
            return (distance, id)
        }
        guard min(name.count, other.count) >= 4, other.contains(name) || name.contains(other) else { return nil }
        return (name.count, id)
    }
    return ranked.sorted { ($0.0, $0.1.description) < ($1.0, $1.1.description) }.prefix(3).map(\.1)
}
