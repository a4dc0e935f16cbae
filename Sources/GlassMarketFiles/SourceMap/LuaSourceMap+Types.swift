extension LuaSourceMap {
    /// One step of a key path.
    package enum PathElement: Hashable, Sendable {
        /// A string key.
        case key(String)
        /// An integer key; list items count from 1, as in Lua.
        case index(Int)
        /// What a function returns.
        case result
    }

    /// A place in the source, both numbers from 1; a column is one Unicode scalar.
    package struct Position: Hashable, Sendable {
        /// The line.
        package var line: Int
        /// The column.
        package var column: Int

        /// Creates a position.
        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }
    }

    /// The answer to a look-up.
    package struct Located: Hashable, Sendable {
        /// The place of the key; of the item itself for a list item, of the `return` for the returned table.
        package var keyPosition: Position
        /// The place where the expression of the value starts.
        package var valuePosition: Position
        /// Whether the source certainly sets this path here. If not, these are the places of the nearest ancestor that
        /// is known, or of an assignment that may be another one's.
        package var isExact: Bool
        /// Where to look on, if the path leads into a file that an `include` names.
        package var included: Included?

        /// Creates an answer.
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

        /// Creates a path inside an included file.
        package init(file: String, path: [PathElement]) {
            self.file = file
            self.path = path
        }
    }

    /// One key of a table: where it is set, and to what.
    struct Entry: Sendable {
        var keyPosition: Position
        var valuePosition: Position
        /// The index of the table that the value is, if its content is known.
        var table: Int?
        /// Whether no other assignment can have set the key.
        var isExact = true
        /// Whether the source only sets keys below this one (`M.x.y = 1` implies `M.x`).
        var isImplied = false
        /// Later settings have higher numbers.
        var order = 0
    }

    /// What is known about a table.
    struct Table: Sendable {
        var entries: [PathElement: Entry] = [:]
        /// The last assignment to a key that is not written out (`t[name] = …`).
        var computed: Entry?
        /// What list items without an entry come from: a call at the end of a constructor, or `table.insert`.
        var appended: Entry?
        /// The file whose table this one is.
        var included: Included?
        /// Whether no other table can be in the place of this one.
        var isCertain = true

        /// The entry that may have set `element`, which has none of its own.
        func fallback(for element: PathElement) -> Entry? {
            if case .index = element, let appended { return appended }
            return computed
        }
    }
}
