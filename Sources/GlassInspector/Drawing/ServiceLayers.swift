import GlassBase

/// The column and row of each service within its area.
struct ServiceLayers {
    /// The areas from top to bottom.
    private(set) var areas: [String]
    /// The column of each service; nil for a service without any connections.
    let columns: [Int?]
    /// The number of columns.
    let columnCount: Int
    /// The services of each area by column, from top to bottom.
    private(set) var cells: [String: [[Int]]] = [:]
    /// The services of each area that have no column.
    private(set) var loose: [String: [Int]] = [:]

    /// The number of passes that order the rows. More passes change little.
    private static let sweeps = 4

    /// Arranges services.
    init(areas: [String], needs: [[Int]]) {
        let ranks = Self.ranks(needs)
        var isNeeded = [Bool](repeating: false, count: needs.count)
        for other in needs.joined() { isNeeded[other] = true }
        let connected = needs.indices.filter { !needs[$0].isEmpty || isNeeded[$0] }
        let highest = connected.map { ranks[$0] }.max()
        let isConnected = Set(connected)
        columns = needs.indices.map { service in
            isConnected.contains(service) ? highest.map { $0 - ranks[service] } : nil
        }
        columnCount = highest.map { $0 + 1 } ?? 0
        self.areas = Self.near(Set(areas).sorted { $0.precedesInUTF8($1) }, areas, needs)
        for (service, area) in areas.enumerated() {
            if let column = columns[service] {
                cells[area, default: [[Int]](repeating: [], count: columnCount)][column].append(service)
            } else {
                loose[area, default: []].append(service)
            }
        }
        order(needs)
    }

    /// The rank of each service: the longest distance to a service that needs nothing. Services that need each other
    /// share a rank.
    private static func ranks(_ needs: [[Int]]) -> [Int] {
        let groups = StrongComponents(needs).groups
        var ranks = [Int](repeating: 0, count: needs.count)
        var group = [Int](repeating: 0, count: needs.count)
        for (number, members) in groups.enumerated() { for member in members { group[member] = number } }
        // The groups that a group needs come before it.
        for (number, members) in groups.enumerated() {
            let others = members.flatMap { needs[$0] }.filter { group[$0] != number }
            let rank = others.map { ranks[$0] + 1 }.max() ?? 0
            for member in members { ranks[member] = rank }
        }
        return ranks
    }

    /// Orders the areas so that connected ones are close to each other: swaps neighbors as long as the total length of
    /// all edges decreases.
    private static func near(_ names: [String], _ areas: [String], _ needs: [[Int]]) -> [String] {
        var counts: [String: [String: Int]] = [:]
        for (service, others) in needs.enumerated() {
            for other in others where areas[other] != areas[service] {
                counts[areas[service], default: [:]][areas[other], default: 0] += 1
            }
        }
        func length(_ order: [String]) -> Int {
            let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
            return counts.reduce(0) { sum, from in
                from.value.reduce(sum) { $0 + $1.value * abs((places[$1.key] ?? 0) - (places[from.key] ?? 0)) }
            }
        }
        var order = names
        var best = length(order)
        var isBetter = true
        while isBetter {
            isBetter = false
            for place in order.indices.dropLast() {
                order.swapAt(place, place + 1)
                let new = length(order)
                if new < best {
                    (best, isBetter) = (new, true)
                } else {
                    order.swapAt(place, place + 1)
                }
            }
        }
        return order
    }

    /// Orders the services of each cell by the average row of the services that they are connected to.
    private mutating func order(_ needs: [[Int]]) {
        var joined = needs
        for (service, others) in needs.enumerated() { for other in others { joined[other].append(service) } }
        for _ in 0..<Self.sweeps {
            var rows = [Double](repeating: 0, count: needs.count)
            var first = 0
            for area in areas {
                let columns = cells[area] ?? []
                for cell in columns { for (row, service) in cell.enumerated() { rows[service] = Double(first + row) } }
                first += (columns.map(\.count).max() ?? 0) + 1
            }
            let middles = joined.enumerated().map { service, others in
                others.isEmpty ? rows[service] : others.reduce(0) { $0 + rows[$1] } / Double(others.count)
            }
            for area in areas {
                // Ties are ordered by index, which is the order by name.
                cells[area] = cells[area]?.map { $0.sorted { (middles[$0], $0) < (middles[$1], $1) } }
            }
        }
    }
}
