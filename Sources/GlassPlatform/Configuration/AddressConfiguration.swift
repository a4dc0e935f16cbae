public import Foundation
public import GlassSchema

/// A part of a postal address.
public enum AddressField: String, ConfigurationChoice {
    /// The recipient.
    case recipient
    /// The street and number.
    case street
    /// The apartment, suite, or floor.
    case unit
    /// The neighborhood (a colonia in Mexico).
    case neighborhood
    /// The city or town.
    case city
    /// The state or province.
    case region
    /// The postal code.
    case postalCode
    /// A telephone number for the courier.
    case phone
}

/// The format of postal addresses in the market.
public struct AddressConfiguration: ConfigurationSection {
    /// The country.
    public var country = ""
    /// The fields in the order of a form.
    public var fieldOrder: [AddressField] = []
    /// The fields that may not be empty.
    public var requiredFields: [AddressField] = []
    /// The pattern for a whole postal code; nil in a country without postal codes.
    public var postalCodePattern: String?
    /// A postal code that matches, for hints; nil in a country without postal codes.
    public var postalCodeExample: String?
    /// The states or provinces.
    public var regions: [Region] = []
    /// The lines of a written address; see ``AddressConfigurationAPI/lines(for:)``.
    public var lines = ["{recipient}", "{street} {unit}", "{neighborhood}", "{city}, {region} {postalCode}"]

    /// A state or province.
    public struct Region: ConfigurationSection {
        /// The ISO 3166-2 code without the country.
        public var code = ""
        /// The name.
        public var name = ""

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("code", \.code, .string(.regionCode), required: true, "The ISO 3166-2 code without the country.")
                .role(.regionCode),
            .init("name", \.name, .string(.nonEmpty), required: true, "The name.").role(.regionName),
        ]

        /// Creates an empty region.
        public init() {}
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "country", \.country, .string(.country), required: true,
            "The country, as an ISO 3166-1 code."
        ).role(.country),
        .init(
            "fieldOrder", \.fieldOrder, .set(of: AddressField.valueType, count: 1...8), required: true,
            "The fields in the order of a form."),
        .init(
            "requiredFields", \.requiredFields, .set(of: AddressField.valueType), required: true,
            sense: .higherIsStricter,
            "The fields that may not be empty."),
        .init(
            "postalCodePattern", \.postalCodePattern, .string(.textPattern),
            "The pattern for a whole postal code, as described below. Required if the form has a postal code."
        ).role(.postalPattern),
        .init(
            "postalCodeExample", \.postalCodeExample, .string(.nonEmpty),
            "A postal code that matches, for hints. Required if the form has a postal code."),
        .init(
            "regions", \.regions, .list(of: Region.valueType, count: 0...200), required: true, sense: .higherIsLooser,
            "The regions; empty for a country without any."
        ).role(.regions),
        .init(
            "lines", \.lines, .list(of: .string(.addressLine), count: 1...10),
            "The lines of a written address, with fields in braces."),
    ]

    /// A form with a postal code needs a pattern and an example, required fields must be shown, each field must be written on a line, and the example must match its pattern.
    public static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["requiredFields", "fieldOrder"]) { address in
            let missing = address.requiredFields.enumerated().filter { !address.fieldOrder.contains($0.element) }
            guard let first = missing.first else { return [] }
            let names = missing.map { "\"\($0.element.rawValue)\"" }.joined(separator: ", ")
            let isOne = missing.count == 1
            return [
                Inconsistency(
                    ConfigurationPath([.key("requiredFields"), .index(first.offset + 1)]),
                    "\(names) \(isOne ? "is" : "are") required but not in fieldOrder",
                    hint: "add \(names) to fieldOrder, or remove \(isOne ? "it" : "them") from requiredFields",
                    others: ["fieldOrder"])
            ]
        },
        .init(reads: ["fieldOrder", "requiredFields", "postalCodePattern", "postalCodeExample"]) { address in
            let keys = [
                ("postalCodePattern", address.postalCodePattern, StringFormat.textPattern),
                ("postalCodeExample", address.postalCodeExample, StringFormat.nonEmpty),
            ]
            let missing = keys.filter { $0.1 == nil }
            let isAsked = (address.fieldOrder + address.requiredFields).contains(.postalCode)
            guard isAsked || missing.count == 1 else { return [] }
            return missing.map { key, _, format in
                var found = Inconsistency(
                    ConfigurationPath([.key(key)]), "missing: expected \(ValueType.string(format).expectation)",
                    hint: isAsked
                        ? "for a country without postal codes, remove \"postalCode\" from fieldOrder and requiredFields"
                        : "set both postalCodePattern and postalCodeExample, or neither")
                found.code = .missingKey
                return found
            }
        },
        .init(reads: ["postalCodePattern", "postalCodeExample"]) { address in
            guard let pattern = address.postalCodePattern, let example = address.postalCodeExample,
                !PostalCodePattern(pattern).matches(example)
            else { return [] }
            var found = Inconsistency(
                "postalCodeExample", "\(example.quotedForMessage) does not match \(pattern.quotedForMessage)",
                hint: PostalCodePattern(pattern).example.map {
                    "write one that matches, such as \($0.quotedForMessage)"
                },
                others: ["postalCodePattern"])
            if let meant = LuaPatternClasses.regularExpression(for: pattern) {
                found.hint = "Lua character classes are not supported here: write \(meant.quotedForMessage)"
            }
            return [found]
        },
        .init(reads: ["fieldOrder", "lines"]) { address in
            let written = AddressLayout(address.lines).fields
            return address.fieldOrder.enumerated().filter { $0.element != .phone && !written.contains($0.element) }
                .map { offset, field in
                    Inconsistency(
                        ConfigurationPath([.key("fieldOrder"), .index(offset + 1)]),
                        "\"\(field.rawValue)\" is not on any of the lines", hint: "add {\(field.rawValue)} to a line",
                        others: ["lines"])
                }
        },
        .init(reads: ["fieldOrder", "lines", "requiredFields"], severity: .warning) { address in
            // The default lines have every field, and a form without required fields has an error of its own.
            guard address.lines != Self().lines, Set(address.requiredFields).isSubset(of: address.fieldOrder) else {
                return []
            }
            let written = AddressLayout(address.lines).fields.subtracting(address.fieldOrder)
            let fields = AddressField.allCases.filter(written.contains).map(\.rawValue)
            guard !fields.isEmpty else { return [] }
            let places = fields.map { "{\($0)}" }.joined(separator: ", ")
            let names = fields.map { "\"\($0)\"" }.joined(separator: ", ")
            let they = fields.count == 1 ? "it" : "them"
            return [
                Inconsistency(
                    "lines", "the lines contain \(places), but the form does not ask for \(they)",
                    hint: "add \(names) to fieldOrder, or remove \(they) from the lines", others: ["fieldOrder"])
            ]
        },
        .init(reads: ["regions"]) { address in
            Inconsistency.repeated(in: address.regions, "regions", at: "code", by: \.code) { "region \"\($0.code)\"" }
        },
    ]

    /// Creates an empty configuration.
    public init() {}
}

extension AddressConfiguration {
    /// The postal codes of some countries: the pattern, and an example.
    private static let postalCodes = [
        "CA": ("[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]", "K1A 0B1"), "MX": ("[0-9]{5}", "06000"),
        "US": ("[0-9]{5}(-[0-9]{4})?", "72716"),
    ]

    /// Creates a plain address form for the country of a locale, for an app that does not declare its own: any text is a
    /// region. Outside Canada, Mexico, and the United States, any letters and digits are a postal code, and none is
    /// required.
    ///
    /// - Parameter locale: The locale. Without a country, as in the locale `C`, the form is that of the United States.
    public init(locale: Locale) {
        let region = locale.region?.identifier ?? ""
        country = StringFormat.country.matches(region) ? region : "US"
        fieldOrder = [.recipient, .street, .unit, .city, .region, .postalCode, .phone]
        requiredFields = [.recipient, .street, .city]
        if let (pattern, example) = Self.postalCodes[country] {
            (postalCodePattern, postalCodeExample) = (pattern, example)
            requiredFields += [.region, .postalCode]
        } else {
            (postalCodePattern, postalCodeExample) = ("[A-Z0-9 \\-]+", "1000")
        }
    }
}

/// The character classes of Lua patterns, for texts that should be regular expressions.
enum LuaPatternClasses {
    private static let sets: [Character: String] = [
        "a": "[A-Za-z]", "d": "[0-9]", "l": "[a-z]", "s": " ", "u": "[A-Z]", "w": "[A-Za-z0-9]", "x": "[0-9A-Fa-f]",
    ]

    /// The regular expression that a Lua pattern stands for, with a count for repeated classes; nil if the text has no
    /// class of Lua's, or one without a counterpart.
    static func regularExpression(for pattern: String) -> String? {
        var parts: [(text: String, count: Int)] = []
        var hasClass = false
        var rest = pattern[...]
        while let character = rest.popFirst() {
            var text = String(character)
            if character == "%" {
                guard let next = rest.popFirst(), next.isASCII else { return nil }
                if let set = sets[next] {
                    (text, hasClass) = (set, true)
                } else if next.isLetter || next.isNumber {
                    return nil
                } else {
                    text = "\\\(next)"
                }
            }
            if let last = parts.last, last.text == text, text.hasPrefix("[") {
                parts[parts.count - 1].count += 1
            } else {
                parts.append((text, 1))
            }
        }
        return hasClass ? parts.map { $0.count > 1 ? "\($0.text){\($0.count)}" : $0.text }.joined() : nil
    }
}

extension StringFormat {
    /// A line of a written address.
    static let addressLine = StringFormat(
        name: "addressLine", expectation: "a line with fields in braces, such as \"{city}, {region} {postalCode}\""
    ) { AddressLayout.parts(of: $0) != nil }

    /// One to three capital letters or digits.
    static let regionCode = StringFormat(
        name: "regionCode", expectation: "a region code of one to three capital letters or digits"
    ) { text in
        (1...3).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }
}
