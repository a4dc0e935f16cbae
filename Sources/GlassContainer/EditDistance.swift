/// The number of characters to insert, delete or replace, or of neighbours to swap, between two words.
///
/// Complexity: O(*n* · *m*) for words of *n* and *m* characters.
func editDistance(_ first: some StringProtocol, _ second: some StringProtocol) -> Int {
    let first = Array(first.lowercased())
    let second = Array(second.lowercased())
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    for (row, character) in first.enumerated() {
        var current = [row + 1]
        for (column, other) in second.enumerated() {
            var best = min(current[column] + 1, last[column + 1] + 1, last[column] + (character == other ? 0 : 1))
            if row > 0, column > 0, character == second[column - 1], first[row - 1] == other {
                best = min(best, beforeLast[column - 1] + 1)
            }
            current.append(best)
        }
        beforeLast = last
        last = current
    }
    return last[second.count]
}

/// The keys that come closest to `missing`, nearest first, at most three.
func nearest(to missing: ServiceID, among ids: [ServiceID]) -> [ServiceID] {
    var seen: Set<ServiceID> = []
    let name = missing.displayName
    let ranked = ids.filter { $0.property == nil && seen.insert($0).inserted }.compactMap { id -> (Int, ServiceID)? in
        let other = id.displayName
        // The same type under another name is the nearest of all; a name that contains the other is near, unless the other
        // is so short that many do.
        if id.type == missing.type { return (-1, id) }
        let distance = editDistance(name, other)
        if distance < name.count, distance <= max(1, name.count / 3) { return (distance, id) }
        guard min(name.count, other.count) >= 4, other.contains(name) || name.contains(other) else { return nil }
        return (name.count, id)
    }
    return ranked.sorted { ($0.0, $0.1.description) < ($1.0, $1.1.description) }.prefix(3).map(\.1)
}
