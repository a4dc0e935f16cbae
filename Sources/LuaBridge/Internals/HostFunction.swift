/// A Swift function that Lua holds; C keeps it as an opaque pointer.
final class HostFunction: Sendable {
    typealias Plain = @Sendable (LuaContext, [LuaValue]) throws -> [LuaValue]
    typealias Method = @Sendable (LuaContext, any AnyObject & Sendable, [LuaValue]) throws -> [LuaValue]

    private enum Body: Sendable {
        case plain(Plain)
        case method(Method)
    }

    private let body: Body

    init(_ body: @escaping Plain) {
        self.body = .plain(body)
    }

    init(method body: @escaping Method) {
        self.body = .method(body)
    }

    func callAsFunction(_ context: LuaContext, _ object: HostObject?, _ arguments: [LuaValue]) throws -> [LuaValue] {
        switch body {
        case .plain(let body): return try body(context, arguments)
        case .method(let body):
            guard let object else { trap("a method was called without its object") }
            return try body(context, object.object, arguments)
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
