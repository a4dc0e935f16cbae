public import GlassSchema

/// How postal addresses of the market look, and whether one does.
public protocol AddressConfigurationAPI: ScriptCallable {
    /// The country, as in ISO 3166-1.
    var country: String { get }
    /// The fields in the order of a form.
    var fieldOrder: [AddressField] { get }
    /// The fields that may not be empty.
    var requiredFields: [AddressField] { get }
    /// The names of the states or provinces by code.
    var regions: [String: String] { get }
    /// Whether a text is a whole postal code.
    ///
    /// - Parameter text: What was typed, without surrounding spaces.
    /// - Returns: True for a postal code of the country.
    func isPostalCode(_ text: String) -> Bool
    /// A postal code of the country, for hints.
    var postalCodeExample: String { get }
}

/// Something wrong with an address.
public struct AddressProblem: Error, Equatable, CustomStringConvertible {
    /// The field concerned.
    public let field: AddressField
    /// What is wrong.
    public let message: String

    /// `postalCode: "123" is no postal code, such as "K1A 0B1"`.
    public var description: String { "\(field.rawValue): \(message)" }
}

extension AddressConfigurationAPI {
    /// What is wrong with an address.
    ///
    /// - Parameter fields: The address by field; an absent field is an empty one.
    /// - Returns: The problems in the order of the form; empty for an address that can be used.
    public func problems(in fields: [AddressField: String]) -> [AddressProblem] {
        fieldOrder.compactMap { field in
            let text = fields[field] ?? ""
            if text.isEmpty {
                return requiredFields.contains(field) ? AddressProblem(field: field, message: "is required") : nil
            }
            switch field {
            case .postalCode where !isPostalCode(text):
                return AddressProblem(
                    field: field,
                    message: "\(text.quotedForMessage) is no postal code, such as \"\(postalCodeExample)\"")
            case .region where regions[text] == nil:
                let near = Suggestion.nearest(to: text, in: regions.keys)
                return AddressProblem(
                    field: field,
                    message: "\(text.quotedForMessage) is no region of \(country)"
                        + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
            default:
                return nil
            }
        }
    }

    /// `AddressConfigurationAPI`.
    public var scriptTypeName: String { "AddressConfigurationAPI" }

    /// The getters, `isPostalCode` and `problems`.
    public var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("country", [], "The country.") { _ in .string(self.country) },
            ScriptMethod("fieldOrder", [], "The fields in the order of a form.") { _ in
                .list(self.fieldOrder.map { .string($0.rawValue) })
            },
            ScriptMethod("requiredFields", [], "The fields that may not be empty.") { _ in
                .list(self.requiredFields.map { .string($0.rawValue) })
            },
            ScriptMethod("regions", [], "The names of the regions by code.") { _ in
                .map(self.regions.mapValues { .string($0) })
            },
            ScriptMethod("isPostalCode", ["text"], "Whether a text is a whole postal code.") { arguments in
                .boolean(self.isPostalCode(try arguments.string(0, "text")))
            },
            ScriptMethod("problems", ["fields"], "What is wrong with an address.") { arguments in
                var fields: [AddressField: String] = [:]
                for (name, text) in try arguments.strings(0, "fields") {
                    guard let field = AddressField(rawValue: name) else {
                        throw ScriptArgumentError(
                            method: "problems", parameter: "fields",
                            expected: "the fields \(AddressField.allCases.map(\.rawValue).joined(separator: ", "))",
                            found: name)
                    }
                    fields[field] = text
                }
                return .list(self.problems(in: fields).map { .string($0.description) })
            },
        ]
    }
}

/// The address rules that the market declares.
public final class AddressConfigurationPlatformAPI: AddressConfigurationAPI {
    /// What the market declares.
    public typealias Configuration = AddressConfiguration

    private let configuration: Configuration

    /// Creates the service.
    ///
    /// - Parameter configuration: What the market declares.
    public init(configuration: Configuration) {
        self.configuration = configuration
        regions = Dictionary(configuration.regions.map { ($0.code, $0.name) }) { first, _ in first }
    }

    /// The country, as in ISO 3166-1.
    public var country: String { configuration.country }
    /// The fields in the order of a form.
    public var fieldOrder: [AddressField] { configuration.fieldOrder }
    /// The fields that may not be empty.
    public var requiredFields: [AddressField] { configuration.requiredFields }
    /// The names of the states or provinces by code.
    public let regions: [String: String]
    /// A postal code of the country, for hints.
    public var postalCodeExample: String { configuration.postalCodeExample }

    /// Whether a text is a whole postal code. The pattern is compiled on each call: `Regex` is not Sendable.
    ///
    /// - Parameter text: What was typed, without surrounding spaces.
    /// - Returns: True for a postal code of the country.
    public func isPostalCode(_ text: String) -> Bool {
        PostalCodePattern(configuration.postalCodePattern).matches(text)
    }
}
