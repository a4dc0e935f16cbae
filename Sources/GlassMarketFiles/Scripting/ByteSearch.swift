import GlassBase

extension [UInt8] {
    /// Whether a run of bytes occurs in these, in time linear in both (Knuth–Morris–Pratt).
    func contains(_ part: [UInt8], spending budget: WorkBudget) throws(WorkBudget.Exceeded) -> Bool {
        guard part.count > 0 else { return true }
        guard part.count <= count else { return false }
        try budget.spend(1 + (count + part.count) / 16, on: .comparing)
        // For each position of the part, the length of the longest proper prefix that ends there.
        var borders = [Int](repeating: 0, count: part.count)
        var matched = 0
        for place in 1..<part.count {
            while matched > 0, part[matched] != part[place] { matched = borders[matched - 1] }
            if part[matched] == part[place] { matched += 1 }
            borders[place] = matched
        }
        matched = 0
        for byte in self {
            while matched > 0, part[matched] != byte { matched = borders[matched - 1] }
            if part[matched] == byte { matched += 1 }
            if matched == part.count { return true }
        }
        return false
    }
}
