import GlassSchema
import LuaBridge

/// Carries values between Lua and services. Services see ``GlassSchema/ScriptValue`` only.
enum ScriptConversion {
    /// What a service sees of a Lua value.
    ///
    /// - Parameters:
    ///   - value: The Lua value.
    ///   - path: How an error message calls the value.
    /// - Returns: The value; an empty table becomes an empty map.
    /// - Throws: ``ScriptConversionError`` for text that is not UTF-8, functions, threads, and keys that are no text.
    static func scriptValue(_ value: LuaValue, path: String = "argument") throws(ScriptConversionError) -> ScriptValue {
        switch value {
        case .nil: return .nil
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(Int(number))
        case .number(let number): return .number(number)
        case .string(let string):
            guard let text = string.text else { throw ScriptConversionError(path: path, problem: "is not valid UTF-8") }
            return .string(text)
        case .table(let table):
            let list = table.array
            if !table.isEmpty, list.count == table.count {
                var values: [ScriptValue] = []
                for (offset, element) in list.enumerated() {
                    values.append(try scriptValue(element, path: "\(path)[\(offset + 1)]"))
                }
                return .list(values)
            }
            var values: [String: ScriptValue] = [:]
            for entry in table.entries {
                guard let name = entry.key.stringValue else {
                    throw ScriptConversionError(path: path, problem: "has a key that is no text")
                }
                values[name] = try scriptValue(entry.value, path: "\(path).\(name)")
            }
            return .map(values)
        default:
            if let object = value.object(as: ScriptObject.self) { return .object(object.target) }
            throw ScriptConversionError(path: path, problem: "is a value that services do not take")
        }
    }

    /// What a script sees of a service's value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - context: The state that takes it.
    /// - Returns: The Lua value.
    /// - Throws: `LuaError` when the state has no memory for an object.
    static func luaValue(_ value: ScriptValue, in context: LuaContext) throws(LuaError) -> LuaValue {
        switch value {
        case .nil: return .nil
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(Int64(number))
        case .number(let number): return .number(number)
        case .string(let text): return .string(LuaString(text))
        case .list(let values):
            var elements: [LuaValue] = []
            for value in values { elements.append(try luaValue(value, in: context)) }
            return .table(LuaTable(array: elements))
        case .map(let values):
            var fields: [(String, LuaValue)] = []
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                fields.append((key, try luaValue(value, in: context)))
            }
            return .table(LuaTable(fields: fields))
        case .object(let object):
            return try ScriptObject(object).luaValue(in: context)
        }
    }
}

/// A Lua value that a service cannot take.
struct ScriptConversionError: Error, Equatable, CustomStringConvertible {
    let path: String
    let problem: String
    var description: String { "\(path) \(problem)" }
}

/// A service or another scriptable object as Lua holds it.
final class ScriptObject: Sendable {
    let target: any ScriptCallable

    init(_ target: any ScriptCallable) {
        self.target = target
    }

    /// The object as a Lua value whose methods are those of ``GlassSchema/ScriptCallable/scriptMethods``.
    ///
    /// - Parameter context: The state that takes it.
    /// - Returns: The value.
    /// - Throws: `LuaError` when the state has no memory for it.
    func luaValue(in context: LuaContext) throws(LuaError) -> LuaValue {
        var methods: [String: LuaObjectType.Method] = [:]
        for method in target.scriptMethods {
            methods[method.name] = { context, _, arguments in
                let values = try arguments.enumerated().map { offset, argument in
                    try ScriptConversion.scriptValue(argument, path: "argument \(offset + 1)")
                }
                let result =
                    switch method.body {
                    case .immediate(let body): try body(ScriptArguments(values, method: method.name))
                    case .waiting: try BlockingCall.result(within: context.remainingTime) { try await method(values) }
                    }
                return [try ScriptConversion.luaValue(result, in: context)]
            }
        }
        let type = LuaObjectType(name: target.scriptTypeName, methods: methods, properties: [:])
        return try context.object(self, type)
    }
}
