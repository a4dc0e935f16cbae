package import GlassBase
import LuaBridge

/// Where the keys and values of the table that a market file returns stand in the file.
///
/// A table carries no positions at run time, so this reads the source once more, understands table constructors,
/// assignments to them, locals that hold them and the words of a market file, and remembers what stands where. What is
/// computed has the position of the nearest thing that is known: the assignment or the `return` that built it.
///
/// ```swift
/// let map = LuaSourceMap(source: Array("return { retry = { maxRetries = 4 } }".utf8), chunk: "markets/ca.lua")
/// let located = map.position(of: [.key("retry"), .key("maxRetries")])
/// // located.keyPosition is 1:20, located.valuePosition is 1:33
/// ```
///
/// It never fails: broken syntax, or bytes that are not Lua at all, leave fewer positions exact.
package struct LuaSourceMap: Sendable {
    /// The name of the chunk, as diagnostics print it (`markets/ca.lua`).
    package let chunk: String
    /// The `return` that ends the file; line 1, column 1 if there is none.
    package var returnPosition: Position { root.keyPosition }
    /// The tables that were found; an `Entry` refers to one by its index, so that two names can share a table.
    private let tables: [Table]
    /// What the chunk returns.
    private let root: Entry

    /// Reads a market file.
    package init(source: [UInt8], chunk: String, budget: WorkBudget = .unlimited) {
        let parser = LuaSourceMapParser(source, budget: budget)
        parser.parse()
        self.chunk = chunk
        self.tables = parser.tables
        self.root = parser.root
    }

    /// Finds the place of a value by its path in the returned table.
    package func position(of path: [PathElement]) -> Located {
        var entry = root
        var isExact = entry.isExact
        for (depth, element) in path.enumerated() {
            guard let table = entry.table.map({ tables[$0] }) else { return located(entry, isExact: false) }
            isExact = isExact && table.isCertain
            if let next = table.entries[element] {
                // A later assignment to a computed key may have been the one that set this key.
                isExact = isExact && next.isExact && (table.computed?.order ?? 0) < next.order
                entry = next
            } else if let next = table.fallback(for: element) {
                isExact = false
                entry = next
            } else if let included = table.included {
                let rest = Included(file: included.file, path: included.path + path[depth...])
                return located(entry, isExact: false, included: rest)
            } else {
                return located(entry, isExact: false)
            }
        }
        return located(entry, isExact: isExact)
    }

    /// About how many bytes the map takes.
    var bytes: Int { tables.reduce(0) { $0 + 256 + 160 * $1.entries.count } }

    private func located(_ entry: Entry, isExact: Bool, included: Included? = nil) -> Located {
        Located(
            keyPosition: entry.keyPosition, valuePosition: entry.valuePosition, isExact: isExact && !entry.isImplied,
            included: included)
    }
}
