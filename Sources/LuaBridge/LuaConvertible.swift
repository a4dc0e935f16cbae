/// A type whose values can go to Lua.
///
/// ```swift
/// struct Money: LuaRepresentable {
///     var cents: Int
///     var luaValue: LuaValue { ["cents": .integer(Int64(cents))] }
/// }
/// ```
public protocol LuaRepresentable: SendableMetatype {
    /// The value as Lua sees it.
    var luaValue: LuaValue { get }

    /// Writes the value as one value of Lua. By default, ``luaValue``.
    ///
    /// - Parameter writer: Where to write.
    /// - Throws: That the value cannot be passed.
    func write(to writer: inout LuaValueWriter) throws(LuaError)
}

/// A type whose values can come from Lua.
public protocol LuaInitializable: SendableMetatype {
    /// Reads the next value.
    ///
    /// - Parameter reader: Where to read.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` when the value is another one than the type needs; make it with
    ///   ``LuaValueReader/mismatch(expected:got:)``.
    init(from reader: inout LuaValueReader) throws(LuaError)
}

/// A type whose values can go to Lua and come back.
public typealias LuaConvertible = LuaRepresentable & LuaInitializable

extension LuaRepresentable {
    /// Writes ``luaValue``.
    ///
    /// - Parameter writer: Where to write.
    /// - Throws: That the value cannot be passed.
    public func write(to writer: inout LuaValueWriter) throws(LuaError) {
        try writer.write(luaValue)
    }
}

/// All values that are left: the `...` of a function, or a list of results of any length.
public struct LuaVariadic: LuaConvertible, Sendable, Equatable {
    /// The values.
    public var values: [LuaValue]

    /// Creates a list of values.
    ///
    /// - Parameter values: The values.
    public init(_ values: [LuaValue]) {
        self.values = values
    }

    /// Reads all values that are left.
    ///
    /// - Parameter reader: Where to read.
    /// - Throws: Nothing that Lua can cause.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        values = try reader.rest()
    }

    /// The values as a list.
    public var luaValue: LuaValue { .table(LuaTable(array: values)) }

    /// Writes each value by itself.
    ///
    /// - Parameter writer: Where to write.
    /// - Throws: That a value cannot be passed.
    public func write(to writer: inout LuaValueWriter) throws(LuaError) {
        for value in values { try writer.write(value) }
    }
}
