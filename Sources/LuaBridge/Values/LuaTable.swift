/// An immutable copy of a Lua table.
///
/// The elements 1…n are in ``array``, all other keys in ``fields``. The fields of a table from Lua are in order:
/// numbers first, then strings by their bytes, then booleans.
///
/// ```swift
/// let table = LuaTable(array: [1, 2], fields: [("name", "Canada")])
/// table["name"]?.stringValue  // "Canada"
/// ```
public struct LuaTable: Sendable {
    /// A key with its value.
    public struct Field: Sendable, Equatable {
        /// The key: a string, a number or a boolean.
        public let key: LuaValue
        /// The value.
        public let value: LuaValue

        /// Creates a field.
        ///
        /// - Parameters:
        ///   - key: The key.
        ///   - value: The value.
        public init(key: LuaValue, value: LuaValue) {
            self.key = key
            self.value = value
        }
    }

    fileprivate final class Storage: Sendable {
        let array: [LuaValue]
        let fields: [Field]
        /// The index of each string key; empty for small tables and for ordered tables, which are searched.
        let index: [LuaString: Int]
        /// Whether the fields are in the order of ``LuaTable``: numbers, strings by their bytes, booleans.
        let isOrdered: Bool
        /// The prefix of each key of a small ordered table, where searching the prefixes is the fastest way.
        let prefixes: [UInt64]

        /// Whether each key of `fields` is known to be a UTF-8 string.
        let hasOnlyTextKeys: Bool
        let keyCheck: KeyCheck?

        init(
            array: [LuaValue], fields: [Field], isOrdered: Bool, prefixes: [UInt64] = [], hasOnlyTextKeys: Bool = false,
            keyCheck: KeyCheck? = nil
        ) {
            self.keyCheck = keyCheck
            self.prefixes = prefixes
            self.hasOnlyTextKeys = hasOnlyTextKeys
            self.array = array
            self.fields = fields
            self.isOrdered = isOrdered
            guard fields.count > 16 && !isOrdered else {
                index = [:]
                return
            }
            var index: [LuaString: Int] = [:]
            index.reserveCapacity(fields.count)
            for (place, field) in fields.enumerated() {
                if case .string(let name) = field.key { index[name] = place }
            }
            self.index = index
        }

        /// The index of the field with a name, by binary search in an ordered table.
        fileprivate func place(of name: String) -> Int? {
            if !prefixes.isEmpty {
                var text = name
                let (prefix, count) = text.withUTF8 { (LuaString.prefix(UnsafeRawBufferPointer($0)), $0.count) }
                return prefixes.withUnsafeBufferPointer { prefixes in
                    guard let start = prefixes.baseAddress else { return nil }
                    let end = prefixes.count
                    var index = 0
                    while index < end {
                        // For up to eight bytes, equal prefixes and lengths mean equal strings.
                        if start[index] == prefix, case .string(let key) = fields[index].key,
                            key.count == count, count <= 8 || key.equals(name)
                        {
                            return index
                        }
                        index &+= 1
                    }
                    return nil
                }
            }
            if isOrdered {
                var low = 0
                var high = fields.count
                while low < high {
                    let middle = (low + high) / 2
                    switch fields[middle].key {
                    case .string(let key):
                        let order = key.compare(name)
                        if order == 0 { return middle }
                        if order < 0 { low = middle + 1 } else { high = middle }
                    case .boolean: high = middle
                    default: low = middle + 1
                    }
                }
                return nil
            }
            if !index.isEmpty { return index[LuaString(name)] }
            return fields.firstIndex { field in
                guard case .string(let key) = field.key else { return false }
                return key.equals(name)
            }
        }
    }

    private let storage: Storage

    /// What a table in Lua does for a key that it does not have.
    struct KeyCheck: Sendable {
        let function: LuaFunction
        let number: UInt32
    }

    /// The table with a check of its keys.
    ///
    /// - Parameters:
    ///   - function: Called with the number and the key when Lua reads a key that the table does not have. Its result is
    ///     the value; it throws to report the key.
    ///   - number: A number that tells the tables of one function apart.
    package func checkingKeys(with function: LuaFunction, number: UInt32) -> LuaTable {
        LuaTable(
            storage: Storage(
                array: array, fields: fields, isOrdered: storage.isOrdered, prefixes: storage.prefixes,
                hasOnlyTextKeys: storage.hasOnlyTextKeys,
                keyCheck: KeyCheck(function: function, number: number)))
    }

    /// The check of the table's keys in Lua, which is not part of the value.
    var keyCheck: KeyCheck? { storage.keyCheck }

    private init(storage: Storage) {
        self.storage = storage
    }

    /// Looks up names without retaining the table, which the caller retains. Retaining it for each name costs more than
    /// the search.
    struct Lookup {
        fileprivate let storage: Unmanaged<Storage>

        subscript(name: String) -> LuaValue? {
            storage._withUnsafeGuaranteedRef { storage in
                storage.place(of: name).map { storage.fields[$0].value }
            }
        }
    }

    var lookup: Lookup { Lookup(storage: Unmanaged.passUnretained(storage)) }

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - array: The elements 1…n.
    ///   - fields: Names and values. If a name is repeated, the last value is used.
    public init(array: [LuaValue] = [], fields: [(String, LuaValue)] = []) {
        var places: [LuaString: Int] = [:]
        var unique: [Field] = []
        for (name, value) in fields {
            let key = LuaString(name)
            if let place = places[key] {
                unique[place] = Field(key: .string(key), value: value)
            } else {
                places[key] = unique.count
                unique.append(Field(key: .string(key), value: value))
            }
        }
        self.init(array: array, uncheckedFields: unique)
    }

    /// Creates a table with keys of any kind.
    ///
    /// - Parameters:
    ///   - array: The elements 1…n.
    ///   - entries: Keys and values. A key must be a string, a number or a boolean if the table is passed to Lua.
    public init(array: [LuaValue] = [], entries: [Field]) {
        self.init(array: array, uncheckedFields: entries)
    }

    init(array: [LuaValue], uncheckedFields fields: [Field]) {
        storage = Storage(array: array, fields: fields, isOrdered: false)
    }

    /// Creates a table whose fields are known to be in order and unique, like those that C writes.
    init(array: [LuaValue], orderedFields fields: [Field], prefixes: [UInt64], hasOnlyTextKeys: Bool) {
        storage = Storage(
            array: array, fields: fields, isOrdered: true, prefixes: prefixes, hasOnlyTextKeys: hasOnlyTextKeys)
    }

    var hasOnlyTextKeys: Bool { storage.hasOnlyTextKeys }

    static let maximumPrefixes = 64

    /// The elements 1…n.
    public var array: [LuaValue] { storage.array }

    /// The keys that are not in 1…n, with their values.
    public var fields: [Field] { storage.fields }

    /// All keys with their values: the elements 1…n, then the fields.
    ///
    /// - Complexity: O(*n*).
    public var entries: [Field] {
        var entries: [Field] = []
        entries.reserveCapacity(count)
        for (index, value) in array.enumerated() {
            entries.append(Field(key: .integer(Int64(index) + 1), value: value))
        }
        return entries + fields
    }

    /// The number of keys.
    public var count: Int { array.count + fields.count }

    /// Whether the table has no keys.
    public var isEmpty: Bool { count == 0 }

    /// The value of a string key.
    ///
    /// - Parameter name: The key.
    /// - Returns: The value, or nil if the key is absent.
    /// - Complexity: O(log *n*) for tables from Lua, O(1) on average for others.
    public subscript(name: String) -> LuaValue? {
        storage.place(of: name).map { storage.fields[$0].value }
    }

    /// The element at a Lua index, from 1.
    ///
    /// - Parameter index: The index.
    /// - Returns: The value, or nil if there is none.
    public subscript(index: Int) -> LuaValue? {
        if index >= 1 && index <= array.count { return array[index - 1] }
        return self[.integer(Int64(index))]
    }

    /// The value of any key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or nil if the key is absent.
    /// - Complexity: O(*n*) for keys that are not strings.
    public subscript(key: LuaValue) -> LuaValue? {
        switch key {
        case .integer(let index) where index >= 1 && index <= Int64(array.count): return array[Int(index) - 1]
        case .string(let name) where !storage.index.isEmpty: return storage.index[name].map { storage.fields[$0].value }
        default: return storage.fields.first { $0.key == key }?.value
        }
    }
}

extension LuaTable: Equatable {
    /// Returns whether two tables have the same keys with the same values, in any order.
    ///
    /// - Parameters:
    ///   - left: A table.
    ///   - right: Another table.
    /// - Returns: True if they are equal.
    public static func == (left: LuaTable, right: LuaTable) -> Bool {
        if left.storage === right.storage { return true }
        guard left.array == right.array, left.fields.count == right.fields.count else { return false }
        if left.fields == right.fields { return true }
        let places = FieldIndex(right)
        return left.fields.allSatisfy { places[$0.key] == $0.value }
    }
}

extension LuaTable {
    /// A key of a table from Lua.
    package enum Key: Hashable {
        /// True or false.
        case boolean(Bool)
        /// An integer.
        case integer(Int64)
        /// A number.
        case number(Double)
        /// A string.
        case string(LuaString)

        /// Returns nil for a value that cannot be a key of a table from Lua.
        package init?(_ value: LuaValue) {
            switch value {
            case .boolean(let flag): self = .boolean(flag)
            case .integer(let number): self = .integer(number)
            case .number(let number): self = .number(number)
            case .string(let string): self = .string(string)
            default: return nil
            }
        }

        /// The key as a value.
        package var value: LuaValue {
            switch self {
            case .boolean(let flag): .boolean(flag)
            case .integer(let number): .integer(number)
            case .number(let number): .number(number)
            case .string(let string): .string(string)
            }
        }
    }

    /// Finds the fields of a table by keys of any kind, each in O(1) on average.
    ///
    /// ``subscript(_:)-(LuaValue)`` searches the fields, which is too slow for looking up all of them.
    package struct FieldIndex {
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
