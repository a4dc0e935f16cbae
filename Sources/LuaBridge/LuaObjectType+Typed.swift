/// A Swift object from Lua, as a typed argument or result.
///
/// ```swift
/// let sameOwner = try lua.bind("sameOwner") { (left: LuaObject<Account>, right: LuaObject<Account>) in
///     left.object.owner == right.object.owner
/// }
/// ```
public struct LuaObject<Object: AnyObject & Sendable>: LuaInitializable, Sendable {
    /// The object.
    public let object: Object

    /// Reads the next value.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` if the value is not an object of that class.
    public init(from reader: inout LuaValueReader) throws(LuaError) {
        let value = try reader.next()
        guard let object = value.object(as: Object.self) else {
            throw reader.mismatch(expected: "an object of \(Object.self)", got: value)
        }
        self.object = object
    }
}

extension LuaObjectType {
    /// Adds a function that Lua calls as `object:name(...)`.
    ///
    /// An argument of another type raises a Lua error that names the argument. A ``LuaVariadic`` as the last parameter
    /// takes all remaining arguments; as the result, it returns any number of values.
    ///
    /// - Parameters:
    ///   - name: The method's name.
    ///   - body: The method. Its first parameter is the object. If ``LuaContext/object(_:_:holding:)`` was given an
    ///     object of another class with this type, calling the method from Lua traps.
    /// - Returns: The type with that method.
    public func method<Object: AnyObject & Sendable, each Argument: LuaInitializable, Result: LuaRepresentable>(
        _ name: String,
        _ body: @escaping @Sendable (Object, repeat each Argument) throws -> Result
    ) -> LuaObjectType {
        adding(MemberKind.method, name, Self.typed(name, body))
    }

    /// Adds a function without a result that Lua calls as `object:name(...)`.
    ///
    /// - Parameters:
    ///   - name: The method's name.
    ///   - body: The method. Its first parameter is the object.
    /// - Returns: The type with that method.
    public func method<Object: AnyObject & Sendable, each Argument: LuaInitializable>(
        _ name: String,
        _ body: @escaping @Sendable (Object, repeat each Argument) throws -> Void
    ) -> LuaObjectType {
        let function = HostFunction { receiver, reader in
            let object = Self.receiver(receiver, Object.self, name)
            let arguments = (repeat try (each Argument)(from: &reader))
            try reader.end()
            try body(object, repeat each arguments)
            return reader.answer()
        }
        return adding(MemberKind.method, name, function)
    }

    /// Defines a call of the object, `object(...)`.
    ///
    /// - Parameter body: The function. Its first parameter is the object.
    /// - Returns: The type with that function.
    public func call<Object: AnyObject & Sendable, each Argument: LuaInitializable, Result: LuaRepresentable>(
        _ body: @escaping @Sendable (Object, repeat each Argument) throws -> Result
    ) -> LuaObjectType {
        adding(MemberKind.call, "call", Self.typed("call", body))
    }

    /// Adds a property that Lua reads as `object.name`. Assigning to it is an error.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - get: Returns its value.
    /// - Returns: The type with that property.
    public func property<Object: AnyObject & Sendable, Value: LuaRepresentable>(
        _ name: String,
        _ get: @escaping @Sendable (Object) throws -> Value
    ) -> LuaObjectType {
        adding(MemberKind.getter, name, Self.typed(name, get))
    }

    /// Adds a property that Lua reads as `object.name` and writes as `object.name = value`.
    ///
    /// - Parameters:
    ///   - name: The property's name.
    ///   - get: Returns its value.
    ///   - set: Sets a new value. A value of another type raises a Lua error.
    /// - Returns: The type with that property.
    public func property<Object: AnyObject & Sendable, Value: LuaConvertible>(
        _ name: String,
        get: @escaping @Sendable (Object) throws -> Value,
        set: @escaping @Sendable (Object, Value) throws -> Void
    ) -> LuaObjectType {
        let setter = HostFunction { receiver, reader in
            let object = Self.receiver(receiver, Object.self, name)
            let value = try Value(from: &reader)
            try reader.end()
            try set(object, value)
            return reader.answer()
        }
        return property(name, get).adding(MemberKind.setter, name, setter)
    }

    /// Defines the text of `tostring(object)`.
    ///
    /// - Parameter body: Returns the text.
    /// - Returns: The type with that text.
    public func toString<Object: AnyObject & Sendable>(
        _ body: @escaping @Sendable (Object) throws -> String
    ) -> LuaObjectType {
        adding(MemberKind.toString, "tostring", Self.typed("tostring", body))
    }

    /// Defines the length of the object, `#object`.
    ///
    /// - Parameter body: Returns the length.
    /// - Returns: The type with that length.
    public func length<Object: AnyObject & Sendable>(
        _ body: @escaping @Sendable (Object) throws -> Int
    ) -> LuaObjectType {
        adding(MemberKind.length, "#", Self.typed("#", body))
    }

    /// Defines `left == right` for two objects. An object never equals anything else.
    ///
    /// - Parameter body: Compares two objects.
    /// - Returns: The type with that comparison.
    public func equals<Object: AnyObject & Sendable>(
        _ body: @escaping @Sendable (Object, Object) throws -> Bool
    ) -> LuaObjectType {
        let function = HostFunction { _, reader in
            let left = try reader.next().object(as: Object.self)
            let right = try reader.next().object(as: Object.self)
            let isEqual = if let left, let right { try body(left, right) } else { false }
            var writer = reader.answer()
            try writer.write(isEqual)
            return writer
        }
        return adding(MemberKind.equals, "==", function)
    }

    /// Defines `left < right` for two objects. Comparing an object with anything else raises a Lua error.
    ///
    /// - Parameter body: Compares two objects.
    /// - Returns: The type with that comparison.
    public func lessThan<Object: AnyObject & Sendable>(
        _ body: @escaping @Sendable (Object, Object) throws -> Bool
    ) -> LuaObjectType {
        let function = HostFunction { _, reader in
            let left = try LuaObject<Object>(from: &reader)
            let isLess = try body(left.object, try LuaObject<Object>(from: &reader).object)
            var writer = reader.answer()
            try writer.write(isLess)
            return writer
        }
        return adding(MemberKind.less, "<", function)
    }

    private static func typed<Object: AnyObject & Sendable, each Argument: LuaInitializable, Result: LuaRepresentable>(
        _ name: String,
        _ body: @escaping @Sendable (Object, repeat each Argument) throws -> Result
    ) -> HostFunction {
        HostFunction { receiver, reader in
            let object = Self.receiver(receiver, Object.self, name)
            let arguments = (repeat try (each Argument)(from: &reader))
            try reader.end()
            let result = try body(object, repeat each arguments)
            var writer = reader.answer()
            try result.write(to: &writer)
            return writer
        }
    }

    /// Traps for an object of another class: only the host can give an object a type that is not its own.
    private static func receiver<Object: AnyObject>(
        _ receiver: HostObject?,
        _ type: Object.Type,
        _ member: String
    ) -> Object {
        guard let object = receiver?.object as? Object else {
            trap("'\(member)' is written for \(type), but its object is of another class")
        }
        return object
    }
}
