extension [Market] {
    /// The markets without an abstract base, and then those of each base, in the order of the ids.
    package var groupedByBase: [Market] {
        sorted { ($0.origin.group ?? "", $0.id) < ($1.origin.group ?? "", $1.id) }
    }
}
