/// A type whose values can be passed to Lua.
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

    /// Writes the value as a single Lua value: by default, ``luaValue``.
    ///
    /// - Parameter writer: The writer.
    /// - Throws: An error if the value cannot be passed.
    func write(to writer: inout LuaValueWriter) throws(LuaError)
}

/// A type whose values can be read from Lua.
public protocol LuaInitializable: SendableMetatype {
    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if the value does not fit the type; create it with
    ///   ``LuaValueReader/mismatch(expected:got:)``.
    init(from reader: inout LuaValueReader) throws(LuaError)
}

/// A type whose values can be passed to Lua and read from it.
public typealias LuaConvertible = LuaRepresentable & LuaInitializable

extension LuaRepresentable {
    /// Writes ``luaValue``.
    ///
    /// - Parameter writer: The writer.
    /// - Throws: An error if the value cannot be passed.
    public func write(to writer: inout LuaValueWriter) throws(LuaError) {
        try writer.write(luaValue)
    }
}

/// All remaining values: the `...` of a function, or a list of results of any length.
public struct LuaVariadic: LuaConvertible, Sendable, Equatable {
    /// The values.
    public var values: [LuaValue]

    /// Creates a list of values.
    ///
    /// - Parameter values: The values.
    public init(_ values: [LuaValue]) {
        self.values = values
    }

    /// Reads all remaining values.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: No error that Lua can cause.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        values = try reader.rest()
    }

    /// The values as a list.
    public var luaValue: LuaValue { .table(LuaTable(array: values)) }

    /// Writes each value separately.
    ///
    /// - Parameter writer: The writer.
    /// - Throws: An error if a value cannot be passed.
    public func write(to writer: inout LuaValueWriter) throws(LuaError) {
        for value in values { try writer.write(value) }
    }
}
