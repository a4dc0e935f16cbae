import Foundation
import GlassBase
public import GlassMarkets
public import GlassSchema

/// The value of a flag, of any of the types that it can have.
///
/// Not a `ConfigurationValue`: its cases are heap-allocated, and reference counting would cost more than the rest of a
/// read.
public enum FlagContent: Sendable, Equatable {
    /// True or false.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// A number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list or a table.
    case object(FlagObject)

    /// Reads a value; nil for one that no flag can have.
    package init?(_ value: ConfigurationValue) {
        switch value {
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .number(value)
        case .string(let value): self = .string(value)
        case .list, .map, .emptyTable, .secret, .opaque, .directive, .varied:
            guard let object = FlagObject(flagValue: value) else { return nil }
            self = .object(object)
        }
    }

    /// The type.
    public var type: FlagType {
        switch self {
        case .boolean: .boolean
        case .integer: .integer
        case .number: .number
        case .string: .string
        case .object: .object
        }
    }

    /// The value of a configuration.
    package var flagValue: ConfigurationValue {
        switch self {
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .string(let value): .string(value)
        case .object(let value): value.flagValue
        }
    }
}

/// A type that the value of a flag can have: `Bool`, `Int`, `Double`, `String`, or ``FlagObject`` for lists and tables.
public protocol FlagValue: Sendable, Equatable {
    /// The type of the flags that can be read as this type.
    static var flagType: FlagType { get }
    /// Reads a value.
    ///
    /// - Parameter content: The value; the result is nil if it has another type.
    init?(content: FlagContent)
    /// The value as that of a flag.
    var flagValue: ConfigurationValue { get }
}

extension FlagValue {
    /// Reads a value; nil if it has another type.
    package init?(flagValue: ConfigurationValue) {
        guard let content = FlagContent(flagValue) else { return nil }
        self.init(content: content)
    }
}

// Inlinable, because an app reads flags where it draws.

extension Bool: FlagValue {
    /// True or false.
    @inlinable public static var flagType: FlagType { .boolean }
    /// Reads a boolean.
    @inlinable public init?(content: FlagContent) {
        guard case .boolean(let value) = content else { return nil }
        self = value
    }
    /// The boolean.
    public var flagValue: ConfigurationValue { .boolean(self) }
}

extension Int: FlagValue {
    /// A whole number.
    @inlinable public static var flagType: FlagType { .integer }
    /// Reads a whole number.
    @inlinable public init?(content: FlagContent) {
        guard case .integer(let value) = content else { return nil }
        self = value
    }
    /// The number.
    public var flagValue: ConfigurationValue { .integer(self) }
}

extension Double: FlagValue {
    /// A number.
    @inlinable public static var flagType: FlagType { .number }
    /// Reads a number, whole or not.
    @inlinable public init?(content: FlagContent) {
        switch content {
        case .number(let value): self = value
        case .integer(let value): self = Double(value)
        default: return nil
        }
    }
    /// The number.
    public var flagValue: ConfigurationValue { .number(self) }
}

extension String: FlagValue {
    /// A text.
    @inlinable public static var flagType: FlagType { .string }
    /// Reads a text.
    @inlinable public init?(content: FlagContent) {
        guard case .string(let value) = content else { return nil }
        self = value
    }
    /// The text.
    public var flagValue: ConfigurationValue { .string(self) }
}

/// A list or a table as the value of a flag.
///
/// ```swift
/// let banner = flags[.banner]
/// let title: String? = banner["title"]
/// let all = try banner.decode(Banner.self)
/// ```
public struct FlagObject: FlagValue, Hashable {
    /// The list or the table.
    public let flagValue: ConfigurationValue

    /// Creates an empty table.
    public init() { flagValue = .emptyTable }

    /// Reads a list or a table; nil for any other value.
    package init?(flagValue: ConfigurationValue) {
        guard FlagType(of: flagValue) == .object else { return nil }
        self.flagValue = flagValue
    }

    /// Reads a list or a table.
    ///
    /// - Parameter content: The value; the result is nil if it has another type.
    @inlinable public init?(content: FlagContent) {
        guard case .object(let value) = content else { return nil }
        self = value
    }

    /// Creates the list or the table that a value is encoded as.
    ///
    /// - Parameter value: The value.
    /// - Throws: `EncodingError` if the value cannot be encoded; `DecodingError` if it is encoded as a scalar.
    public init(_ value: some Encodable) throws {
        let encoded = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value)).value
        guard let object = FlagObject(flagValue: encoded) else {
            throw DecodingError.typeMismatch(
                FlagObject.self, .init(codingPath: [], debugDescription: "expected a list or a table"))
        }
        self = object
    }

    /// Lists and tables.
    @inlinable public static var flagType: FlagType { .object }

    /// The keys of a table, in byte order; empty for a list.
    public var keys: [String] {
        guard case .map(let entries) = flagValue else { return [] }
        return entries.keys.sorted()
    }

    /// The number of values.
    public var count: Int {
        switch flagValue {
        case .map(let entries): entries.count
        case .list(let elements): elements.count
        default: 0
        }
    }

    /// A value of a table.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type of the value.
    /// - Returns: The value; nil if it is absent or has another type.
    public subscript<Value: FlagValue>(key: String, as type: Value.Type = Value.self) -> Value? {
        guard case .map(let entries) = flagValue else { return nil }
        return entries[key].flatMap { Value(flagValue: $0.value) }
    }

    /// A value of a list.
    ///
    /// - Parameters:
    ///   - index: The index, from 0.
    ///   - type: The type of the value.
    /// - Returns: The value; nil if it is absent or has another type.
    public subscript<Value: FlagValue>(index: Int, as type: Value.Type = Value.self) -> Value? {
        guard case .list(let elements) = flagValue, elements.indices.contains(index) else { return nil }
        return Value(flagValue: elements[index].value)
    }

    /// Reads a `Codable` type.
    ///
    /// - Parameter type: The type. An empty table of a market file is read as an object; it is no list.
    /// - Returns: The value.
    /// - Throws: `DecodingError` if the flag has another form.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value: ConfigurationValue = flagValue == .emptyTable ? .map([:]) : flagValue
        return try JSONDecoder().decode(type, from: JSONEncoder().encode(JSONValue(value)))
    }
}

/// The name of a flag. The process numbers each name once, so that a flag is found without comparing texts.
public struct FlagName: Sendable, Hashable {
    /// The name, as in market files.
    public let text: String
    /// The number; -1 for a name that has none, which is found by its text.
    package let index: Int

    /// The most names that get a number.
    private static let maximumCount = 1 << 16
    private static let numbers = Lock(InternTable<String>())

    /// Creates a name.
    ///
    /// - Parameter text: The name, as in market files.
    public init(_ text: String) {
        self.text = text
        index = Self.numbers.withLock { numbers in
            if let known = numbers.number(of: text) { return known }
            return numbers.values.count < Self.maximumCount ? numbers.insert(text).number : -1
        }
    }

    /// Creates a name from user input, without assigning it a number.
    package init(unnumbered text: String) {
        self.text = text
        index = Self.numbers.withLock { $0.number(of: text) ?? -1 }
    }

    /// Whether two names have the same text.
    public static func == (left: FlagName, right: FlagName) -> Bool { left.text == right.text }
    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension FlagName: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}

/// A flag with the type of its value, and the value where nothing else gives one.
///
/// ```swift
/// extension FlagKey where Value == Bool {
///     static let newCheckout = FlagKey("newCheckout", default: false)
/// }
/// ```
///
/// Store keys in constants: creating one looks up its name.
public struct FlagKey<Value: FlagValue>: Sendable {
    /// The name of the flag.
    public let name: FlagName
    /// The value where neither a provider nor the market gives one of its type.
    public let `default`: Value

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: The name of the flag, as in market files.
    ///   - default: The value where neither a provider nor the market gives one of its type.
    public init(_ name: String, default: Value) {
        self.name = FlagName(name)
        self.default = `default`
    }
}

extension FlagObject: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// Creates a list.
    public init(arrayLiteral elements: FlagContent...) { self.init(list: elements) }

    /// Creates a table. Traps if two entries have the same key.
    public init(dictionaryLiteral elements: (String, FlagContent)...) {
        self.init(table: Dictionary(uniqueKeysWithValues: elements))
    }

    fileprivate init(list: [FlagContent]) {
        flagValue = list.isEmpty ? .emptyTable : .list(list.map { ConfigurationNode($0.flagValue) })
    }

    fileprivate init(table: [String: FlagContent]) {
        flagValue = table.isEmpty ? .emptyTable : .map(table.mapValues { ConfigurationNode($0.flagValue) })
    }
}

extension FlagContent: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates true or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates a list.
    public init(arrayLiteral elements: FlagContent...) {
        self = .object(FlagObject(list: elements))
    }

    /// Creates a table. Traps if two entries have the same key.
    public init(dictionaryLiteral elements: (String, FlagContent)...) {
        self = .object(FlagObject(table: Dictionary(uniqueKeysWithValues: elements)))
    }
}
