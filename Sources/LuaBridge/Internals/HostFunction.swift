/// A Swift function that Lua references; C keeps it as an opaque pointer.
///
/// There is only one kind, which reads its arguments from the tape and writes its results there. Typed functions,
/// functions over values, methods and properties are built from it, so that a guard for one call guards all of them.
final class HostFunction: Sendable {
    /// The receiver is the object of a method, and nil for a function.
    typealias Body = @Sendable (_ receiver: HostObject?, _ arguments: inout LuaValueReader) throws -> LuaValueWriter

    let body: Body

    init(_ body: @escaping Body) {
        self.body = body
    }

    /// Creates a function over values.
    convenience init(values body: @escaping @Sendable (LuaContext, [LuaValue]) throws -> [LuaValue]) {
        self.init { _, reader in
            try Self.pass(&reader, to: body)
        }
    }

    /// Creates a method over values.
    convenience init(method body: @escaping LuaObjectType.Method) {
        self.init { receiver, reader in
            guard let receiver else { trap("a method was called without its object") }
            return try Self.pass(&reader, to: { context, arguments in try body(context, receiver.object, arguments) })
        }
    }

    private static func pass(
        _ reader: inout LuaValueReader, to body: (LuaContext, [LuaValue]) throws -> [LuaValue]
    ) throws -> LuaValueWriter {
        let arguments = try reader.rest()
        try reader.end()
        let results = try body(reader.context, arguments)
        var writer = reader.answer()
        for result in results { try writer.write(result) }
        return writer
    }
}

/// A Swift object that Lua references; C keeps it as an opaque pointer.
@usableFromInline
final class HostObject: Sendable {
    let object: any AnyObject & Sendable
    let type: LuaObjectType

    init(_ object: any AnyObject & Sendable, _ type: LuaObjectType) {
        self.object = object
        self.type = type
    }
}
