package import LuaSyntax

/// The positions of the keys and values of the table that a market file returns.
///
/// A table carries no positions at run time. So this type follows table constructors, assignments to them, locals that
/// hold them and the directives of market files in the source, and records their positions. A computed value has the
/// position of the nearest known construct: the assignment or the `return` that built it.
///
/// ```swift
/// let map = LuaSourceMap(of: LuaTree(Array("return { retry = { maxRetries = 4 } }".utf8)))
/// let located = map.position(of: [.key("retry"), .key("maxRetries")])
/// // located.keyPosition is 1:20, located.valuePosition is 1:33
/// ```
///
/// It never fails: invalid syntax, or bytes that are not Lua at all, only make fewer positions exact.
package struct LuaSourceMap: Sendable {
    /// The position of the `return` that ends the file; line 1, column 1 if there is none.
    package var returnPosition: Position { lines.position(of: root.keyStart) }
    private let lines: LuaLines
    /// The tables that were found. An `Entry` refers to one by its index, so that two names can share a table.
    private let tables: [Table]
    /// The value that the chunk returns.
    private let root: Entry

    /// Follows the tables in a market file.
    package init(of tree: LuaTree) {
        let builder = LuaSourceMapBuilder(tree)
        (lines, tables, root) = (tree.lines, builder.tables, builder.root)
    }

    /// Finds the position of a value by its path in the returned table.
    package func position(of path: [PathElement]) -> Located {
        var entry = root
        var isExact = entry.isExact
        for (depth, element) in path.enumerated() {
            guard let table = entry.table.map({ tables[$0] }) else { return located(entry, isExact: false) }
            isExact = isExact && table.isCertain
            if let next = table.entries[element] {
                // A later assignment to a computed key may have set this key.
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

    /// The approximate size of the map, in bytes.
    var bytes: Int { tables.reduce(0) { $0 + 256 + 160 * $1.entries.count } }

    private func located(_ entry: Entry, isExact: Bool, included: Included? = nil) -> Located {
        Located(
            keyPosition: lines.position(of: entry.keyStart), valuePosition: lines.position(of: entry.valueStart),
            isExact: isExact && !entry.isImplied,
            included: included)
    }
}
