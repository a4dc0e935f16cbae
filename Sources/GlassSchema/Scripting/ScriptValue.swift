/// A value that is passed between a script and a service, independent of the script's language.
public indirect enum ScriptValue: Sendable {
    /// No value.
    case `nil`
    /// True or false.
    case boolean(Bool)
    /// An integer.
    case integer(Int)
    /// A number.
    case number(Double)
    /// A string.
    case string(String)
    /// Values in order.
    case list([ScriptValue])
    /// Values by key.
    case map([String: ScriptValue])
    /// A service or another object with methods.
    case object(any ScriptCallable)

    /// Creates a boolean, number, string, list or map from a configuration value; secrets show only their names.
    package init(_ value: ConfigurationValue) {
        switch value {
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = .number(number)
        case .string(let text): self = .string(text)
        case .secret(let secret): self = .string(secret.description)
        case .list(let nodes): self = .list(nodes.map { ScriptValue($0.value) })
        case .map(let entries): self = .map(entries.mapValues { ScriptValue($0.value) })
        case .emptyTable: self = .list([])
        case .opaque, .directive, .varied: self = .string("<\(value.found)>")
        }
    }

    /// Creates a boolean, number or string.
    package init(_ scalar: ConfigurationScalar) {
        self.init(scalar.configurationValue)
    }

    /// The value as a scalar; nil for nil, lists, tables and objects.
    package var scalar: ConfigurationScalar? {
        switch self {
        case .boolean(let flag): .boolean(flag)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        case .nil, .list, .map, .object: nil
        }
    }

    /// The value for error messages.
    package var found: String {
        switch self {
        case .nil: "nothing"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): value.written
        case .string(let value): value.quotedForMessage
        case .list: "a list"
        case .map: "a table"
        case .object(let object): object.scriptTypeName
        }
    }
}

extension ScriptValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// No value.
    public init(nilLiteral: ()) { self = .nil }
    /// Values in order.
    public init(arrayLiteral elements: ScriptValue...) { self = .list(elements) }
    /// Values by key. If a key is repeated, the last value is used.
    public init(dictionaryLiteral elements: (String, ScriptValue)...) {
        self = .map(Dictionary(elements) { _, last in last })
    }
}

extension ScriptValue: Equatable {
    /// Compares by value, and objects by identity.
    public static func == (left: ScriptValue, right: ScriptValue) -> Bool {
        switch (left, right) {
        case (.nil, .nil): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): Double(a) == b
        case (.string(let a), .string(let b)): a == b
        case (.list(let a), .list(let b)): a == b
        case (.map(let a), .map(let b)): a == b
        // Structures have no identity, so they are never equal.
        case (.object(let a), .object(let b)):
            type(of: a) is AnyClass && (a as AnyObject) === (b as AnyObject)
        default: false
        }
    }
}
