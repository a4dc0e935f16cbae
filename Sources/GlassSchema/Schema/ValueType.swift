/// The type of a key's value. Validation, the text of findings, and the type in generated pages follow from it.
public indirect enum ValueType: Sendable {
    /// True or false.
    case boolean
    /// An integer within a range.
    case integer(ClosedRange<Int>)
    /// A number within a range, integer or not.
    case number(ClosedRange<Double>)
    /// A number from 0 to 100 with at most three decimal places.
    case percent
    /// A string with a given format.
    case string(StringFormat)
    /// One of the listed strings.
    case choice([String])
    /// A `secret "NAME"`.
    case secret
    /// A boolean, a number or a string.
    case scalar
    /// Values in order, with an allowed range for their number; `unique` rejects repeated values.
    case list(of: ValueType, count: ClosedRange<Int>, unique: Bool)
    /// A list with one value of each type, in this order, such as `{ "control", 50 }`. `called` says what they are: "a
    /// variant and its percentage".
    case row([ValueType], called: String)
    /// Values by arbitrary keys with a given format, and an allowed range for their number.
    case map(of: ValueType, keys: StringFormat, count: ClosedRange<Int>)
    /// Values by the keys that a section declares.
    case section(SectionDeclaration)
    /// A function of the market file.
    case function
    /// A condition on the situation: a name, true or false, or a table of tests. Whoever knows the attributes reads it.
    case condition
    /// What a condition asks of an attribute, for the tables of situations. Whoever knows the attribute reads it; for any
    /// other key, it stands for any value.
    case test
    /// In a table that gives a key its value, such as an alternative of `vary`: the type of that key. For any other key,
    /// it stands for any value.
    case enclosing
    /// Any value that JSON can represent, with any keys.
    case data
    /// Any one of several types. The first type of the right kind reports the details.
    case either([ValueType])

    /// A list of any length.
    ///
    /// - Parameters:
    ///   - element: The type of each element.
    ///   - count: The allowed number of elements.
    /// - Returns: A list type whose elements may repeat.
    public static func list(of element: ValueType, count: ClosedRange<Int> = 0...Int.max) -> ValueType {
        .list(of: element, count: count, unique: false)
    }

    /// A list that rejects repeated elements.
    ///
    /// - Parameters:
    ///   - element: The type of each element.
    ///   - count: The allowed number of elements.
    /// - Returns: A list type whose elements differ.
    public static func set(of element: ValueType, count: ClosedRange<Int> = 0...Int.max) -> ValueType {
        .list(of: element, count: count, unique: true)
    }

    /// A table with any number of keys.
    ///
    /// - Parameters:
    ///   - element: The type of each value.
    ///   - keys: The format of the keys.
    /// - Returns: A map type.
    public static func map(of element: ValueType, keys: StringFormat) -> ValueType {
        .map(of: element, keys: keys, count: 0...Int.max)
    }

    /// The accepted values, with an article, for messages that begin with "expected".
    package var expectation: String {
        switch self {
        case .boolean: "true or false"
        case .integer(let range): "an integer\(Self.rangeText(range.lowerBound, range.upperBound, Int.min, Int.max))"
        case .number(let range):
            "a number\(Self.rangeText(range.lowerBound, range.upperBound, -Double.infinity, .infinity))"
        case .percent: "a percentage from 0 to 100"
        case .string(let format): format.expectation
        case .choice(let names): "one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .secret: "a secret, written as secret \"NAME\""
        case .scalar: "true, false, a number, or a string"
        case .list(let element, _, _): "a list, each \(element.expectation)"
        case .row(_, let description): "a list of \(description)"
        case .map(let element, _, _): "a table, each value \(element.expectation)"
        case .section(let section) where section.keys.isEmpty: "a table"
        case .section(let section):
            "a table with keys such as \(section.keys.prefix(2).map(\.name).joined(separator: " and "))"
        case .function: "a function"
        case .condition: "a condition"
        case .test: "a test of the attribute"
        case .enclosing: "a value of the key"
        case .data: "true, false, a number, a string, a list, or a table"
        case .either(let types): types.map(\.expectation).joined(separator: " or ")
        }
    }

    private static func rangeText<Number: Comparable>(
        _ low: Number, _ high: Number, _ lowest: Number, _ highest: Number
    ) -> String {
        switch (low > lowest, high < highest) {
        case (true, true): " from \(low) to \(high)"
        case (true, false): " of at least \(low)"
        case (false, true): " of at most \(high)"
        case (false, false): ""
        }
    }

    /// The section of this type, if it is one.
    package var section: SectionDeclaration? {
        switch self {
        case .section(let section): section
        case .either(let types): types.lazy.compactMap(\.section).first
        default: nil
        }
    }

    /// The type of the elements of a list or the values of a map.
    package var elementType: ValueType? {
        switch self {
        case .list(let element, _, _), .map(let element, _, _): element
        case .either(let types): types.lazy.compactMap(\.elementType).first
        default: nil
        }
    }

    /// Whether a value has the kind of this type, regardless of the details.
    package func accepts(kindOf value: ConfigurationValue) -> Bool {
        switch (self, value) {
        case (.boolean, .boolean), (.integer, .integer), (.integer, .number), (.number, .number), (.number, .integer),
            (.percent, .number), (.percent, .integer), (.row, .list),
            (.string, .string), (.choice, .string), (.secret, .secret), (.scalar, .boolean), (.scalar, .integer),
            (.scalar, .number), (.scalar, .string), (.list, .list), (.list, .emptyTable), (.map, .map),
            (.map, .emptyTable), (.section, .map), (.section, .emptyTable), (.function, .opaque),
            (.condition, .boolean),
            (.condition, .string), (.condition, .map), (.condition, .emptyTable):
            true
        case (.data, .secret), (.data, .opaque), (.data, .directive), (.data, .varied): false
        case (.data, _), (.test, _), (.enclosing, _): true
        case (.either(let types), _):
            types.contains { $0.accepts(kindOf: value) }
        default:
            false
        }
    }
}
