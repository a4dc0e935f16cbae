/// What a key accepts. From it come validation, the text of diagnostics, and the type in every generated page.
public indirect enum ValueType: Sendable {
    /// True or false.
    case boolean
    /// A whole number within a range.
    case integer(ClosedRange<Int>)
    /// A number within a range; a whole number is one too.
    case number(ClosedRange<Double>)
    /// Text of a given form.
    case string(StringFormat)
    /// One of the listed texts.
    case choice([String])
    /// A `secret "NAME"`.
    case secret
    /// A boolean, a number or text.
    case scalar
    /// Values in order, as many as the range says; `unique` refuses repeated ones.
    case list(of: ValueType, count: ClosedRange<Int>, unique: Bool)
    /// Values by free keys of a given form, as many as the range says.
    case map(of: ValueType, keys: StringFormat, count: ClosedRange<Int>)
    /// Values by the keys that a section declares.
    case section(SectionDeclaration)
    /// A function of the market file.
    case function
    /// Any one of several; the first whose kind fits reports the details.
    case either([ValueType])

    /// A list of any length.
    ///
    /// - Parameters:
    ///   - element: What each element accepts.
    ///   - count: How many elements there may be.
    /// - Returns: A list type whose elements may repeat.
    public static func list(of element: ValueType, count: ClosedRange<Int> = 0...Int.max) -> ValueType {
        .list(of: element, count: count, unique: false)
    }

    /// A list that refuses repeated elements.
    ///
    /// - Parameters:
    ///   - element: What each element accepts.
    ///   - count: How many elements there may be.
    /// - Returns: A list type whose elements differ.
    public static func set(of element: ValueType, count: ClosedRange<Int> = 0...Int.max) -> ValueType {
        .list(of: element, count: count, unique: true)
    }

    /// A table with any number of keys.
    ///
    /// - Parameters:
    ///   - element: What each value accepts.
    ///   - keys: The form of the keys.
    /// - Returns: A map type.
    public static func map(of element: ValueType, keys: StringFormat) -> ValueType {
        .map(of: element, keys: keys, count: 0...Int.max)
    }

    /// What is accepted, with an article, as a diagnostic says it after "expected".
    package var expectation: String {
        switch self {
        case .boolean: "true or false"
        case .integer(let range): "an integer\(Self.rangeText(range.lowerBound, range.upperBound, Int.min, Int.max))"
        case .number(let range):
            "a number\(Self.rangeText(range.lowerBound, range.upperBound, -Double.infinity, .infinity))"
        case .string(let format): format.expectation
        case .choice(let names): "one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
        case .secret: "a secret, written secret \"NAME\""
        case .scalar: "true, false, a number or text"
        case .list(let element, _, _): "a list, each \(element.expectation)"
        case .map(let element, _, _): "a table, each value \(element.expectation)"
        case .section(let section) where section.keys.isEmpty: "a table"
        case .section(let section):
            "a table with keys such as \(section.keys.prefix(2).map(\.name).joined(separator: " and "))"
        case .function: "a function"
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

    /// The section that a value of this type is, if it is one.
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

    /// Whether a value is of the kind that this type is about, details apart.
    func accepts(kindOf value: ConfigurationValue) -> Bool {
        switch (self, value) {
        case (.boolean, .boolean), (.integer, .integer), (.integer, .number), (.number, .number), (.number, .integer),
            (.string, .string), (.choice, .string), (.secret, .secret), (.scalar, .boolean), (.scalar, .integer),
            (.scalar, .number), (.scalar, .string), (.list, .list), (.list, .emptyTable), (.map, .map),
            (.map, .emptyTable), (.section, .map), (.section, .emptyTable), (.function, .opaque):
            true
        case (.either(let types), _):
            types.contains { $0.accepts(kindOf: value) }
        default:
            false
        }
    }
}
