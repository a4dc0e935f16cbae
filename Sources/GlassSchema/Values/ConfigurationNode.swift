import GlassBase

/// A value of a configuration, with its source position and the values that it replaced.
public struct ConfigurationNode: Sendable {
    /// The value.
    public var value: ConfigurationValue
    /// The position of the value; nil for a value that is not in a file, such as a default.
    package var position: SourcePosition?
    /// The position of the value's key; nil for list elements, roots and defaults.
    package var keyPosition: SourcePosition?
    /// The values that this value replaced in the base markets, nearest first.
    package var overridden: [Layer]

    /// A value that was overridden by a later layer.
    package struct Layer: Sendable, Equatable {
        /// The value that was replaced.
        package var value: ConfigurationValue
        /// Its position.
        package var position: SourcePosition?

        /// Creates a layer.
        package init(value: ConfigurationValue, position: SourcePosition?) {
            self.value = value
            self.position = position
        }
    }

    /// Creates a node.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - position: The position of the value.
    ///   - keyPosition: The position of its key.
    public init(_ value: ConfigurationValue, position: SourcePosition? = nil, keyPosition: SourcePosition? = nil) {
        self.init(value, position: position, keyPosition: keyPosition, overridden: [])
    }

    /// Creates a node that replaced others.
    package init(
        _ value: ConfigurationValue, position: SourcePosition? = nil, keyPosition: SourcePosition? = nil,
        overridden: [Layer]
    ) {
        self.value = value
        self.position = position
        self.keyPosition = keyPosition
        self.overridden = overridden
    }

    /// The node at a path below this one.
    package func node(at path: ConfigurationPath) -> ConfigurationNode? {
        var node = self
        for element in path.elements {
            switch (element, node.value) {
            case (.key(let key), .map(let entries)):
                guard let next = entries[key] else { return nil }
                node = next
            case (.index(let index), .list(let elements)):
                guard index > 0, index <= elements.count else { return nil }
                node = elements[index - 1]
            default:
                return nil
            }
        }
        return node
    }
}

extension ConfigurationNode: Hashable {
    /// Two nodes are equal if their values are, regardless of their positions.
    public static func == (left: ConfigurationNode, right: ConfigurationNode) -> Bool {
        left.value == right.value
    }

    /// Hashes the value. Linear in its size.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

/// A value of a configuration file, independent of the file's language.
public indirect enum ConfigurationValue: Sendable, Hashable {
    /// True or false.
    case boolean(Bool)
    /// An integer.
    case integer(Int)
    /// A number with a decimal point or an exponent.
    case number(Double)
    /// A string.
    case string(String)
    /// A secret that the file names and the host looks up.
    case secret(Secret)
    /// Values in order.
    case list([ConfigurationNode])
    /// Values by key.
    case map([String: ConfigurationNode])
    /// `{}`: an empty list or an empty map, whichever the schema expects there.
    case emptyTable
    /// What a file says about the value of its base market, such as `append { … }`, before they are merged.
    case directive(MergeDirective)
    /// Alternatives, of which the situation chooses one.
    case varied(VariedValue)
    /// A value that only the file's language understands, such as a function.
    case opaque(OpaqueValue)

    /// The value for messages: `"3"`, `4.5`, `a list`, `a function`.
    package var found: String {
        switch self {
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): value.written
        case .string(let value): value.quotedForMessage
        case .secret(let secret): "\(secret)"
        case .list: "a list"
        case .map: "a table with keys"
        case .emptyTable: "an empty table"
        case .directive(let directive): directive.description
        case .varied(let value): value.description
        case .opaque(let value): value.kind
        }
    }

    /// Creates a map of values without positions.
    ///
    /// - Parameter values: The values by key.
    /// - Returns: The map.
    public static func map(values: [String: ConfigurationValue]) -> ConfigurationValue {
        .map(values.mapValues { ConfigurationNode($0) })
    }

    /// Creates a list of values without positions.
    ///
    /// - Parameter values: The values in order.
    /// - Returns: The list.
    public static func list(values: [ConfigurationValue]) -> ConfigurationValue {
        .list(values.map { ConfigurationNode($0) })
    }
}

/// A value that a configuration contains but does not interpret.
public struct OpaqueValue: Sendable, Hashable {
    /// Its name in messages, with an article: `a function`.
    package let kind: String
    /// The value itself, for the layer that created it.
    package let payload: any AnyObject & Sendable

    /// Creates an opaque value.
    package init(kind: String, payload: any AnyObject & Sendable) {
        self.kind = kind
        self.payload = payload
    }

    /// Two opaque values are equal if they contain the same object.
    public static func == (left: OpaqueValue, right: OpaqueValue) -> Bool {
        left.payload === right.payload
    }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(payload))
    }
}

extension Double {
    /// The number for messages: `0.5`, `NaN`, `-infinity`.
    package var written: String {
        isNaN ? "NaN" : isInfinite ? (self < 0 ? "-infinity" : "infinity") : "\(self)"
    }
}

extension String {
    /// The text in double quotes, with invisible characters escaped, and truncated after 60 characters.
    package var quotedForMessage: String {
        var text = "\""
        for (offset, scalar) in unicodeScalars.enumerated() {
            if offset == 60 {
                text += "…"
                break
            }
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where scalar.needsEscape: text += scalar.escape
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
