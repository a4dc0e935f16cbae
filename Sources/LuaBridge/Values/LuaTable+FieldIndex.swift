extension LuaTable {
    /// Finds the fields of a table by keys of any kind, each in O(1) on average.
    ///
    /// ``subscript(_:)-(LuaValue)`` searches the fields, which is too slow for looking up all of them.
    package struct FieldIndex {
        private enum Key: Hashable {
            case boolean(Bool)
            case integer(Int64)
            case number(Double)
            case string(LuaString)

            /// Returns nil for a value that cannot be a key of a table from Lua.
            init?(_ value: LuaValue) {
                switch value {
                case .boolean(let flag): self = .boolean(flag)
                case .integer(let number): self = .integer(number)
                case .number(let number): self = .number(number)
                case .string(let string): self = .string(string)
                default: return nil
                }
            }
        }

        private var values: [Key: LuaValue] = [:]

        /// Indexes the fields of a table, without the elements 1…n. O(fields).
        package init(_ table: LuaTable) {
            values.reserveCapacity(table.fields.count)
            for field in table.fields {
                // As in a search, the first of equal keys counts.
                if let key = Key(field.key), values[key] == nil { values[key] = field.value }
            }
        }

        /// The value of a key; nil if it is absent.
        package subscript(key: LuaValue) -> LuaValue? { Key(key).flatMap { values[$0] } }
    }
}
