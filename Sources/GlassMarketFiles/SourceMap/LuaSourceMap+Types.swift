package import LuaSyntax

extension LuaSourceMap {
    /// One step of a key path.
    package enum PathElement: Hashable, Sendable {
        /// A string key.
        case key(String)
        /// An integer key; list items count from 1, as in Lua.
        case index(Int)
        /// The value that a function returns.
        case result
    }

    package typealias Position = LuaLines.Position

    /// The result of a lookup.
    package struct Located: Hashable, Sendable {
        /// The position of the key; for a list item, of the item itself; for the returned table, of the `return`.
        package var keyPosition: Position
        /// The position at which the expression of the value starts.
        package var valuePosition: Position
        /// Whether the source certainly sets this path here. If not, these are the positions of the nearest known
        /// ancestor, or of an assignment that may be to another path.
        package var isExact: Bool
        /// Where to continue if the path leads into a file that an `include` names.
        package var included: Included?

        /// Creates a result.
        package init(keyPosition: Position, valuePosition: Position, isExact: Bool, included: Included? = nil) {
            self.keyPosition = keyPosition
            self.valuePosition = valuePosition
            self.isExact = isExact
            self.included = included
        }
    }

    /// A path inside an included file.
    package struct Included: Hashable, Sendable {
        /// The file as the `include` names it.
        package var file: String
        /// The path in the table that the file returns.
        package var path: [PathElement]
    }

    /// A key of a table: where it is set, and to what value.
    struct Entry: Sendable {
        /// The bytes at which the key and the expression of the value start.
        var keyStart: Int
        var valueStart: Int
        /// The index of the value's table, if its content is known.
        var table: Int?
        /// Whether no other assignment can have set the key.
        var isExact = true
        /// Whether the source only sets keys below this one (`M.x.y = 1` implies `M.x`).
        var isImplied = false
        /// Later assignments have higher numbers.
        var order = 0
    }

    /// The known content of a table.
    struct Table: Sendable {
        var entries: [PathElement: Entry] = [:]
        /// The last assignment to a key that is not a literal (`t[name] = …`).
        var computed: Entry?
        /// The source of list items without an entry: a call at the end of a constructor, or `table.insert`.
        var appended: Entry?
        /// The file that returns this table.
        var included: Included?
        /// Whether no other table can take the place of this one at run time.
        var isCertain = true

        /// The entry that may have set `element`, which has no entry of its own.
        func fallback(for element: PathElement) -> Entry? {
            if case .index = element, let appended { return appended }
            return computed
        }
    }
}
