/// A Lua value.
///
/// Integers and floats are distinct, as in Lua. Tables are copies; functions and objects are references that keep the
/// original alive.
///
/// ```swift
/// let value: LuaValue = ["retry", 3, true]
/// value.tableValue?.array.count  // 3
/// ```
public enum LuaValue: Sendable, Equatable {
    /// `nil`
    case `nil`
    /// `true` or `false`
    case boolean(Bool)
    /// An integer.
    case integer(Int64)
    /// A float.
    case number(Double)
    /// A string.
    case string(LuaString)
    /// A copy of a table.
    case table(LuaTable)
    /// A function.
    case function(LuaFunction)
    /// A Swift object.
    case object(LuaObjectReference)
    /// A coroutine.
    case coroutine(LuaCoroutine)
    /// A value that Swift cannot interpret.
    case opaque(Opaque)

    /// The kinds of opaque values.
    public enum Opaque: Sendable, Equatable {
        /// A userdata that is not a Swift object.
        case userdata
    }
}

extension LuaValue {
    /// Creates a string.
    ///
    /// - Parameter text: The text.
    public init(_ text: String) {
        self = .string(LuaString(text))
    }

    /// The boolean, or nil if the value is not one.
    public var booleanValue: Bool? {
        guard case .boolean(let value) = self else { return nil }
        return value
    }

    /// The integer, including that of a float without a fraction; otherwise nil.
    public var integerValue: Int? {
        switch self {
        case .integer(let value): return Int(exactly: value)
        case .number(let value): return Int(exactly: value)
        default: return nil
        }
    }

    /// The number as a float; nil for anything that is not a number.
    public var numberValue: Double? {
        switch self {
        case .integer(let value): return Double(value)
        case .number(let value): return value
        default: return nil
        }
    }

    /// The text of a string that is UTF-8; otherwise nil. Numbers are not strings.
    public var stringValue: String? {
        guard case .string(let value) = self else { return nil }
        return value.text
    }

    /// The table, or nil if the value is not one.
    public var tableValue: LuaTable? {
        guard case .table(let value) = self else { return nil }
        return value
    }

    /// The function, or nil if the value is not one.
    public var functionValue: LuaFunction? {
        guard case .function(let value) = self else { return nil }
        return value
    }

    /// The coroutine, or nil if the value is not one.
    package var coroutineValue: LuaCoroutine? {
        guard case .coroutine(let value) = self else { return nil }
        return value
    }

    /// Whether the value is `nil`.
    public var isNil: Bool {
        guard case .nil = self else { return false }
        return true
    }

    /// The Swift object behind the value.
    ///
    /// - Parameter type: The type of the object.
    /// - Returns: The object, or nil if the value is not an object of that type.
    public func object<T: AnyObject>(as type: T.Type) -> T? {
        guard case .object(let reference) = self else { return nil }
        return reference.object as? T
    }

    /// The name of the value's type in Lua.
    public var typeName: String {
        switch self {
        case .nil: return "nil"
        case .boolean: return "boolean"
        case .integer, .number: return "number"
        case .string: return "string"
        case .table: return "table"
        case .function: return "function"
        case .object, .opaque(.userdata): return "userdata"
        case .coroutine: return "thread"
        }
    }
}

extension LuaValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates `nil`.
    ///
    /// - Parameter nilLiteral: Nothing.
    public init(nilLiteral: ()) {
        self = .nil
    }

    /// Creates a boolean.
    ///
    /// - Parameter value: The boolean.
    public init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }

    /// Creates an integer.
    ///
    /// - Parameter value: The integer.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    /// Creates a float.
    ///
    /// - Parameter value: The float.
    public init(floatLiteral value: Double) {
        self = .number(value)
    }

    /// Creates a string.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) {
        self = .string(LuaString(value))
    }

    /// Creates a list.
    ///
    /// - Parameter elements: The elements.
    public init(arrayLiteral elements: LuaValue...) {
        self = .table(LuaTable(array: elements))
    }

    /// Creates a table with names.
    ///
    /// - Parameter elements: Names and values.
    public init(dictionaryLiteral elements: (String, LuaValue)...) {
        self = .table(LuaTable(fields: elements))
    }
}

extension LuaValue {
    /// The approximate memory of the value in Swift, in bytes, for memory accounting. O(values in it).
    ///
    /// Storage that two values share counts for both.
    package var footprint: Int { MemoryLayout<LuaValue>.stride + held }

    private var held: Int {
        switch self {
        case .nil, .boolean, .integer, .number, .opaque: 0
        case .string(let string): string.footprint
        case .table(let table): table.footprint
        case .function, .object, .coroutine: 64
        }
    }
}

extension LuaString {
    /// A string of up to 15 bytes is stored in place, a longer one in a block with a header.
    fileprivate var footprint: Int { count > 15 ? count + 32 : 0 }
}

extension LuaTable {
    fileprivate var footprint: Int {
        // The storage, the headers of its arrays, and for each field its share of prefixes and index.
        var bytes = 192
        for element in array { bytes += element.footprint }
        for field in fields { bytes += field.key.footprint + field.value.footprint + 16 }
        return bytes
    }
}
