/// Decodes Swift types from Lua values.
///
/// Conversions are strict: `"10"` is not a number, `3.0` is the integer 3 but `2^63` is not an integer, and a list is
/// exactly 1…n. Every error names the key path.
///
/// ```swift
/// struct Retry: Decodable { var maxRetries: Int }
/// let retry = try LuaDecoder().decode(Retry.self, from: ["maxRetries": 4])
/// ```
public struct LuaDecoder: Sendable {
    /// Creates a decoder.
    public init() {}

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - value: The value.
    /// - Returns: The decoded value.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` or ``LuaError/notUTF8(keyPath:_:)`` with the key path. Keys that
    ///   the type does not read are not an error.
    public func decode<T: Decodable>(_ type: T.Type, from value: LuaValue) throws(LuaError) -> T {
        do {
            return try ValueDecoder(value: value).decode(type)
        } catch {
            throw Self.translated(error, at: nil)
        }
    }

    /// Decodes a value, and reports all of its errors, not only the first one.
    ///
    /// After an error, decoding continues with a placeholder: zero, an empty string, `nil`, an empty list, the first
    /// case of an enumeration. If a type has none, because its own `init(from:)` rejects all of these, the rest of the
    /// table that contains it is not checked.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - value: The value.
    /// - Returns: The decoded value.
    /// - Throws: ``LuaDecodingErrors`` with each error's key path, in the order of their occurrence.
    public func decodeReportingAll<T: Decodable>(
        _ type: T.Type,
        from value: LuaValue
    ) throws(LuaDecodingErrors) -> T {
        let collector = ErrorCollector()
        let decoded: T?
        do {
            decoded = try ValueDecoder(value: value, collector: collector).decode(type)
        } catch {
            // `Stopped` is thrown after its error was collected; any other error was thrown without being collected.
            if !(error is ErrorCollector.Stopped) { collector.add(Self.translated(error, at: nil)) }
            decoded = nil
        }
        guard let decoded, collector.errors.isEmpty else { throw LuaDecodingErrors(errors: collector.errors) }
        return decoded
    }

    static func translated(_ error: any Error, at path: PathNode?) -> LuaError {
        if let error = error as? LuaError { return error }
        guard let error = error as? DecodingError else {
            return .conversion(keyPath: keyPath(path?.keys ?? []), LuaErrorDetail(message: "\(error)"))
        }
        switch error {
        case .keyNotFound(let key, let context):
            return conversion(context.codingPath + [key], "the key is missing")
        case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
            // Types such as raw enumerations throw with the path they know, which may be empty.
            let keys = context.codingPath.isEmpty ? path?.keys ?? [] : context.codingPath
            return conversion(keys, context.debugDescription)
        @unknown default:
            return conversion(path?.keys ?? [], "\(error)")
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
