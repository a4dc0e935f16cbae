package import GlassSchema
package import LuaBridge

/// Converts values between Lua and services. Services use `ScriptValue` only.
package enum ScriptConversion {
    /// Converts a Lua value for a service.
    package static func scriptValue(_ value: LuaValue, path: String = "argument") throws(ScriptConversionError)
        -> ScriptValue
    {
        do throws(ScriptConversionError) {
            return try scriptValue(value)
        } catch {
            throw error.within(path)
        }
    }

    /// Converts the arguments of a call for a service.
    static func scriptValues(_ arguments: [LuaValue]) throws(ScriptConversionError) -> [ScriptValue] {
        var values: [ScriptValue] = []
        values.reserveCapacity(arguments.count)
        for (offset, argument) in arguments.enumerated() {
            values.append(try scriptValue(argument, path: "argument \(offset + 1)"))
        }
        return values
    }

    /// The path of an error is built only if there is one, from the inside out: keys may be long and many.
    private static func scriptValue(_ value: LuaValue) throws(ScriptConversionError) -> ScriptValue {
        switch value {
        case .nil: return .nil
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(Int(number))
        case .number(let number): return .number(number)
        case .string(let string):
            guard let text = string.text else { throw ScriptConversionError(path: "", problem: "is not valid UTF-8") }
            return .string(text)
        case .table(let table):
            let list = table.array
            if !table.isEmpty, list.count == table.count {
                var values: [ScriptValue] = []
                values.reserveCapacity(list.count)
                for (offset, element) in list.enumerated() {
                    do throws(ScriptConversionError) {
                        values.append(try scriptValue(element))
                    } catch {
                        throw error.within("[\(offset + 1)]")
                    }
                }
                return .list(values)
            }
            guard list.isEmpty else { throw ScriptConversionError(path: "", problem: "has a key that is not a string") }
            var values: [String: ScriptValue] = [:]
            for field in table.fields {
                guard let name = field.key.stringValue else {
                    throw ScriptConversionError(path: "", problem: "has a key that is not a string")
                }
                do throws(ScriptConversionError) {
                    values[name] = try scriptValue(field.value)
                } catch {
                    throw error.within(".\(name.shortened(toBytes: 100))")
                }
            }
            return .map(values)
        default:
            if let object = value.object(as: ScriptObject.self) { return .object(object.target) }
            throw ScriptConversionError(path: "", problem: "is a value that services do not accept")
        }
    }

    /// Converts a value for a script of no market.
    package static func luaValue(_ value: ScriptValue, in context: LuaContext) throws(LuaError) -> LuaValue {
        try luaValue(value, in: context, of: nil)
    }

    /// Converts a service's value for a script.
    static func luaValue(
        _ value: ScriptValue, in context: LuaContext, of market: HeldMarket?
    ) throws(LuaError) -> LuaValue {
        switch value {
        case .nil: return .nil
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(Int64(number))
        case .number(let number): return .number(number)
        case .string(let text): return text.luaValue
        case .list(let values):
            var elements: [LuaValue] = []
            for value in values { elements.append(try luaValue(value, in: context, of: market)) }
            return .table(LuaTable(array: elements))
        case .map(let values):
            var fields: [(String, LuaValue)] = []
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                fields.append((key, try luaValue(value, in: context, of: market)))
            }
            return .table(LuaTable(fields: fields))
        case .object(let object):
            return try ScriptObject(object, of: market).luaValue(in: context)
        }
    }
}

extension ScriptArguments {
    /// The arguments of a Lua call.
    init(lua: [LuaValue], method: String) throws(ScriptConversionError) {
        self.init(try ScriptConversion.scriptValues(lua), method: method)
    }
}

/// The error for a Lua value that a service cannot accept.
package struct ScriptConversionError: Error, Equatable, CustomStringConvertible {
    let path: String
    let problem: String

    /// The same error with an outer part of its path.
    func within(_ outer: String) -> ScriptConversionError {
        ScriptConversionError(path: (outer + path).shortened(toBytes: 400), problem: problem)
    }

    package var description: String { "\(path) \(problem)" }
}

/// A service or another scriptable object as Lua holds it.
final class ScriptObject: Sendable {
    let target: any ScriptCallable
    private let methods: [String: ScriptMethod]
    private let market: HeldMarket?

    init(_ target: any ScriptCallable, of market: HeldMarket?) {
        self.target = target
        self.market = market
        methods = Dictionary(target.scriptMethods.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Identifies the objects that share a type description. A class may have methods that depend on the object.
    private struct TypeKey: Hashable {
        let type: ObjectIdentifier
        let name: String
        let methods: [String]
    }

    /// The object as a Lua value with the methods of `ScriptCallable.scriptMethods`.
    func luaValue(in context: LuaContext, holding bytes: Int = 0) throws(LuaError) -> LuaValue {
        let names = methods.keys.sorted()
        let key = TypeKey(type: ObjectIdentifier(Swift.type(of: target)), name: target.scriptTypeName, methods: names)
        let type = context.type(for: key) {
            var members: [String: LuaObjectType.Method] = [:]
            for name in names {
                members[name] = { context, object, arguments in
                    // All objects with these methods share the type description.
                    guard let object = object as? ScriptObject, let method = object.methods[name] else { return [] }
                    return [try object.call(method, arguments, in: context)]
                }
            }
            return LuaObjectType(name: key.name, methods: members, properties: [:])
        }
        return try context.object(self, type, holding: bytes)
    }

    private func call(
        _ method: ScriptMethod, _ arguments: [LuaValue], in context: LuaContext
    ) throws -> LuaValue {
        let values = try ScriptConversion.scriptValues(arguments)
        // A service may keep the arguments for any time, so they count for as long as the state lives.
        if method.keeps { try context.charge(bytes: arguments.reduce(64) { $0 + $1.footprint }) }
        let result =
            switch method.body {
            case .immediate(let body): try body(ScriptArguments(values, method: method.name))
            case .waiting: try BlockingCall.result(within: context.remainingTime) { try await method(values) }
            }
        try market?.settle(in: context)
        return try ScriptConversion.luaValue(result, in: context, of: market)
    }
}
