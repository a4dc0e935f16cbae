/// Encodes Swift values as Lua values.
///
/// Structures become tables with names, lists become lists, optionals that are nil are left out. What goes in comes out
/// of ``LuaDecoder`` again.
///
/// ```swift
/// struct Retry: Encodable { var maxRetries = 4 }
/// let value = try LuaEncoder().encode(Retry())  // ["maxRetries": 4]
/// ```
public struct LuaEncoder: Sendable {
    /// Creates an encoder.
    public init() {}

    /// Encodes a value.
    ///
    /// - Parameter value: The value.
    /// - Returns: The value as Lua sees it.
    /// - Throws: ``LuaError/conversion(keyPath:_:)`` with the key path: for a `nil` inside of a list, for an integer that
    ///   is larger than Lua's, or for what the type's own `encode(to:)` throws.
    public func encode<T: Encodable>(_ value: T) throws(LuaError) -> LuaValue {
        do {
            return try EncodingSlot.encoded(value, path: nil)
        } catch let error as LuaError {
            throw error
        } catch let EncodingError.invalidValue(_, context) {
            throw LuaDecoder.conversion(context.codingPath, context.debugDescription)
        } catch {
            throw .conversion(keyPath: "", LuaErrorDetail(message: "\(error)"))
        }
    }
}
