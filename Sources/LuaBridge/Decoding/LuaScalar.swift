/// A type that is decoded from one value without nested values.
///
/// The containers have one generic method for all of these types. The standard library's method for each of them
/// resolves to it.
protocol LuaScalar: Decodable {
    /// The placeholder for an invalid value while errors are collected.
    static var standIn: Self { get }

    static func scalar(_ value: LuaValue) throws(ScalarMismatch) -> Self
}

/// The reason why a value is not the required scalar.
enum ScalarMismatch: Error {
    case expected(String)
    case notUTF8
}

extension Bool: LuaScalar {
    static var standIn: Bool { false }

    static func scalar(_ value: LuaValue) throws(ScalarMismatch) -> Bool {
        guard case .boolean(let value) = value else { throw .expected("true or false") }
        return value
    }
}

extension String: LuaScalar {
    static var standIn: String { "" }

    static func scalar(_ value: LuaValue) throws(ScalarMismatch) -> String {
        guard case .string(let string) = value else { throw .expected("a string") }
        guard let text = string.text else { throw .notUTF8 }
        return text
    }
}

extension Double: LuaScalar {
    static var standIn: Double { 0 }

    static func scalar(_ value: LuaValue) throws(ScalarMismatch) -> Double {
        if case .integer(let integer) = value, Double(exactly: integer) == nil {
            throw .expected("a number that a float holds exactly")
        }
        return try finite(value)
    }

    fileprivate static func finite(_ value: LuaValue) throws(ScalarMismatch) -> Double {
        guard let number = value.numberValue else { throw .expected("a number") }
        guard number.isFinite else { throw .expected("a finite number") }
        return number
    }
}

extension Float: LuaScalar {
    static var standIn: Float { 0 }

    static func scalar(_ value: LuaValue) throws(ScalarMismatch) -> Float { Float(try Double.finite(value)) }
}

extension LuaScalar where Self: FixedWidthInteger {
    static var standIn: Self { 0 }

    static func scalar(_ value: LuaValue) throws(ScalarMismatch) -> Self {
        switch value {
        case .integer(let value):
            if let integer = Self(exactly: value) { return integer }
        case .number(let value):
            // `2^63` is a float that does not fit in an Int64; `3.0` is 3.
            if let integer = Self(exactly: value) { return integer }
        default: throw .expected("an integer")
        }
        throw .expected("an integer from \(Self.min) to \(Self.max)")
    }
}

extension Int: LuaScalar {}
extension Int8: LuaScalar {}
extension Int16: LuaScalar {}
extension Int32: LuaScalar {}
extension Int64: LuaScalar {}
extension UInt: LuaScalar {}
extension UInt8: LuaScalar {}
extension UInt16: LuaScalar {}
extension UInt32: LuaScalar {}
extension UInt64: LuaScalar {}
