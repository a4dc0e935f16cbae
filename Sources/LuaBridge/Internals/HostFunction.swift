/// A Swift function that Lua holds; C keeps it as an opaque pointer.
final class HostFunction: Sendable {
    typealias Plain = @Sendable (LuaContext, [LuaValue]) throws -> [LuaValue]
    typealias Typed = @Sendable (inout LuaValueReader) throws -> LuaValueWriter
    typealias Method = @Sendable (LuaContext, any AnyObject & Sendable, [LuaValue]) throws -> [LuaValue]
    typealias TypedMethod = @Sendable (any AnyObject & Sendable, inout LuaValueReader) throws -> LuaValueWriter

    private enum Body: Sendable {
        case plain(Plain)
        case method(Method)
        /// Everything is in `typed` or `typedMethod`, which a call reaches without a copy of an enumeration.
        case none
    }

    private let body: Body
    let typed: Typed
    let isTyped: Bool
    let typedMethod: TypedMethod?

    private static let untyped: Typed = { _ in trap("a function was called in a way that is not its own") }

    init(_ body: @escaping Plain) {
        self.body = .plain(body)
        typed = Self.untyped
        isTyped = false
        typedMethod = nil
    }

    init(method body: @escaping Method) {
        self.body = .method(body)
        typed = Self.untyped
        isTyped = false
        typedMethod = nil
    }

    init(typed body: @escaping Typed) {
        self.body = .none
        typed = body
        isTyped = true
        typedMethod = nil
    }

    init(typedMethod body: @escaping TypedMethod) {
        self.body = .none
        typed = Self.untyped
        isTyped = false
        typedMethod = body
    }

    func callAsFunction(_ context: LuaContext, _ object: HostObject?, _ arguments: [LuaValue]) throws -> [LuaValue] {
        switch body {
        case .plain(let body): return try body(context, arguments)
        case .method(let body):
            guard let object else { trap("a method was called without its object") }
            return try body(context, object.object, arguments)
        case .none: trap("a function was called in a way that is not its own")
        }
    }
}

/// A Swift object that Lua holds; C keeps it as an opaque pointer.
final class HostObject: Sendable {
    let object: any AnyObject & Sendable
    let type: LuaObjectType

    init(_ object: any AnyObject & Sendable, _ type: LuaObjectType) {
        self.object = object
        self.type = type
    }
}
