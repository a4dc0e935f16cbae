/// A Swift type that can be read from a configuration value.
public protocol ConfigurationRepresentable: Sendable {
    /// The type of a key with this Swift type, unless its declaration is more specific.
    static var valueType: ValueType { get }
    /// Reads a value that validation has accepted for ``valueType`` or a stricter type.
    ///
    /// - Parameter value: The value. Traps if it has another kind: the key was declared with a type that its property
    ///   cannot hold.
    init(validated value: ConfigurationValue)
    /// The value as a configuration value.
    var configurationValue: ConfigurationValue { get }
}

/// Traps because a key's declared type does not fit its property: an error in the program, not in a file.
private func mismatch(_ type: Any.Type, _ value: ConfigurationValue) -> Never {
    preconditionFailure("a key of type \(type) was declared to accept \(value.found); fix the key's declaration")
}

extension Bool: ConfigurationRepresentable {
    /// True or false.
    public static var valueType: ValueType { .boolean }
    /// Reads a boolean.
    public init(validated value: ConfigurationValue) {
        guard case .boolean(let flag) = value else { mismatch(Bool.self, value) }
        self = flag
    }
    /// The boolean.
    public var configurationValue: ConfigurationValue { .boolean(self) }
}

extension Int: ConfigurationRepresentable {
    /// An integer.
    public static var valueType: ValueType { .integer(Int.min...Int.max) }
    /// Reads an integer, including one that was written as `3.0`.
    public init(validated value: ConfigurationValue) {
        switch value {
        case .integer(let number): self = number
        case .number(let number):
            guard let exact = Int(exactly: number) else { mismatch(Int.self, value) }
            self = exact
        default: mismatch(Int.self, value)
        }
    }
    /// The integer.
    public var configurationValue: ConfigurationValue { .integer(self) }
}

extension Double: ConfigurationRepresentable {
    /// A number.
    public static var valueType: ValueType { .number(-Double.infinity...Double.infinity) }
    /// Reads a number, integer or not.
    public init(validated value: ConfigurationValue) {
        switch value {
        case .number(let number): self = number
        case .integer(let number): self = Double(number)
        default: mismatch(Double.self, value)
        }
    }
    /// The number.
    public var configurationValue: ConfigurationValue { .number(self) }
}

extension String: ConfigurationRepresentable {
    /// A string.
    public static var valueType: ValueType { .string(.any) }
    /// Reads a string.
    public init(validated value: ConfigurationValue) {
        guard case .string(let text) = value else { mismatch(String.self, value) }
        self = text
    }
    /// The string.
    public var configurationValue: ConfigurationValue { .string(self) }
}

extension Secret: ConfigurationRepresentable {
    /// A secret.
    public static var valueType: ValueType { .secret }
    /// Reads a secret.
    public init(validated value: ConfigurationValue) {
        guard case .secret(let secret) = value else { mismatch(Secret.self, value) }
        self = secret
    }
    /// The secret's name; the value stays in the section that declares the key.
    public var configurationValue: ConfigurationValue { .secret(sealed) }
}

extension Array: ConfigurationRepresentable where Element: ConfigurationRepresentable {
    /// A list of values of the element's type.
    public static var valueType: ValueType { .list(of: Element.valueType) }
    /// Reads a list.
    public init(validated value: ConfigurationValue) {
        switch value {
        case .list(let nodes): self = nodes.map { Element(validated: $0.value) }
        case .emptyTable: self = []
        default: mismatch(Self.self, value)
        }
    }
    /// The elements in order.
    public var configurationValue: ConfigurationValue { .list(values: map(\.configurationValue)) }
}

extension Dictionary: ConfigurationRepresentable where Key == String, Value: ConfigurationRepresentable {
    /// A table of values of the value's type.
    public static var valueType: ValueType { .map(of: Value.valueType, keys: .nonEmpty) }
    /// Reads a table.
    public init(validated value: ConfigurationValue) {
        switch value {
        case .map(let entries): self = entries.mapValues { Value(validated: $0.value) }
        case .emptyTable: self = [:]
        default: mismatch(Self.self, value)
        }
    }
    /// The values by key.
    public var configurationValue: ConfigurationValue { .map(values: mapValues(\.configurationValue)) }
}

/// An enumeration whose raw values are the values in a configuration.
public protocol ConfigurationChoice: ConfigurationRepresentable, RawRepresentable, CaseIterable, Equatable
where RawValue == String {}

extension ConfigurationChoice {
    /// One of the raw values.
    public static var valueType: ValueType { .choice(allCases.map(\.rawValue)) }
    /// Reads a raw value.
    public init(validated value: ConfigurationValue) {
        guard case .string(let text) = value, let choice = Self(rawValue: text) else { mismatch(Self.self, value) }
        self = choice
    }
    /// The raw value.
    public var configurationValue: ConfigurationValue { .string(rawValue) }
}

/// A boolean, number or string. The configuration decides which.
public enum ConfigurationScalar: ConfigurationRepresentable, Equatable {
    /// True or false.
    case boolean(Bool)
    /// An integer.
    case integer(Int)
    /// A number.
    case number(Double)
    /// A string.
    case string(String)

    /// Any scalar.
    public static var valueType: ValueType { .scalar }
    /// Reads a scalar.
    public init(validated value: ConfigurationValue) {
        switch value {
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = .number(number)
        case .string(let text): self = .string(text)
        default: mismatch(Self.self, value)
        }
    }
    /// The scalar.
    public var configurationValue: ConfigurationValue {
        switch self {
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        }
    }
}

/// A scalar is encoded as itself. A number without a fraction may be decoded as an integer, as in JSON.
extension ConfigurationScalar: Codable {
    /// Reads a scalar.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError` if the value is not a boolean, number or string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {  // otherwise the next kind is tried; the last one throws
            self = .boolean(flag)
        } else if let number = try? container.decode(Int.self) {  // as above
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {  // as above
            self = .number(number)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// Writes the scalar.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: Any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .boolean(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        }
    }
}
