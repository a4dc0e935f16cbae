/// Decodes Swift types from Lua values.
///
/// Nothing is guessed: `"10"` is no number, `3.0` is the integer 3 and `2^63` is none, a list is 1…n and nothing else.
/// Every error names the key path.
///
/// ```swift
/// struct Retry: Decodable { var maxAttempts: Int }
/// let retry = try LuaDecoder().decode(Retry.self, from: ["maxAttempts": 4])
/// ```
public struct LuaDecoder: Sendable {
    /// Creates a decoder.
    public init() {}

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The type that is wanted.
    ///   - value: The value.
    /// - Returns: The decoded value.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` or ``LuaError/notUTF8(keyPath:_:)`` with the key path. Keys that the
    ///   type does not ask for are not an error.
    public func decode<T: Decodable>(_ type: T.Type, from value: LuaValue) throws(LuaError) -> T {
        do {
            return try ValueDecoder(value: value, codingPath: []).decode(type)
        } catch let error as LuaError {
            throw error
        } catch let error as DecodingError {
            throw Self.translated(error)
        } catch {
            throw .conversion(keyPath: "", LuaErrorDetail(message: "\(error)"))
        }
    }

    private static func translated(_ error: DecodingError) -> LuaError {
        switch error {
        case .keyNotFound(let key, let context):
            return conversion(context.codingPath + [key], "the key is missing")
        case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
            return conversion(context.codingPath, context.debugDescription)
        @unknown default:
            return .conversion(keyPath: "", LuaErrorDetail(message: "\(error)"))
        }
    }

    static func conversion(_ path: [any CodingKey], _ message: String) -> LuaError {
        .conversion(keyPath: keyPath(path), LuaErrorDetail(message: message))
    }

    /// Writes a path as `tiers[3].rate`.
    static func keyPath(_ path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return text
    }
}

/// A key of Lua: a name, or an index from 1.
struct LuaCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

/// Decodes one value; also the container for a single one.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: LuaValue
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private var shown: String {
        switch value {
        case .nil: return "nil"
        case .boolean(let value): return value ? "true" : "false"
        case .integer(let value): return "\(value)"
        case .number(let value): return "\(value)"
        case .string(let value): return value.count <= 40 ? "\"\(value)\"" : "a string of \(value.count) bytes"
        case .table: return "a table"
        case .function: return "a function"
        case .object(let value): return "an object of type \(value.type.name)"
        case .opaque(.thread): return "a thread"
        case .opaque(.userdata): return "a userdata"
        }
    }

    func mismatch(_ expected: String) -> LuaError {
        LuaDecoder.conversion(codingPath, "expected \(expected), got \(shown)")
    }

    private func table() throws -> LuaTable {
        guard case .table(let table) = value else { throw mismatch("a table") }
        return table
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try TableDecodingContainer<Key>(table: table(), codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .table(let table) = value else { throw mismatch("a list") }
        if let field = table.fields.first {
            guard case .integer(let index) = field.key, index > 0 else {
                throw LuaDecoder.conversion(
                    codingPath,
                    "expected a list, got a table with the key \(ValueDecoder(value: field.key, codingPath: []).shown)")
            }
            throw LuaDecoder.conversion(
                codingPath, "expected a list, but [\(table.array.count + 1)] is missing and [\(index)] is there")
        }
        return ListDecodingContainer(list: table.array, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value.isNil }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .boolean(let value) = value else { throw mismatch("true or false") }
        return value
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let value) = value else { throw mismatch("a string") }
        guard let text = value.text else {
            throw LuaError.notUTF8(
                keyPath: LuaDecoder.keyPath(codingPath), LuaErrorDetail(message: "the string is not UTF-8"))
        }
        return text
    }

    private func finite() throws -> Double {
        guard let number = value.numberValue else { throw mismatch("a number") }
        guard number.isFinite else { throw mismatch("a finite number") }
        return number
    }

    func decode(_ type: Double.Type) throws -> Double {
        if case .integer(let integer) = value, Double(exactly: integer) == nil {
            throw mismatch("a number that a float holds exactly")
        }
        return try finite()
    }

    func decode(_ type: Float.Type) throws -> Float { Float(try finite()) }

    private func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        switch value {
        case .integer(let value):
            if let integer = T(exactly: value) { return integer }
        case .number(let value):
            // `2^63` is a float and no Int64; `3.0` is 3.
            if let integer = T(exactly: value) { return integer }
        default: throw mismatch("an integer")
        }
        throw mismatch("an integer from \(T.min) to \(T.max)")
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        do {
            return try T(from: self)
        } catch DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty && !codingPath.isEmpty {
            // Types such as raw enumerations throw with the path they know, which may be none.
            throw LuaDecoder.conversion(codingPath, context.debugDescription)
        }
    }
}
