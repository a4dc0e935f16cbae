import GlassBase
import Foundation
public import GlassMarkets
package import GlassSchema

/// The format of postal addresses in the market, and validation of addresses.
public protocol AddressConfigurationAPI: AnyObject, Sendable {
    /// The country, as an ISO 3166-1 code.
    var country: String { get }
    /// The fields in the order of a form.
    var fieldOrder: [AddressField] { get }
    /// The fields that may not be empty.
    var requiredFields: [AddressField] { get }
    /// The names of the states or provinces by code. If empty, any text is a region.
    var regions: [String: String] { get }
    /// Whether a string is a whole postal code.
    ///
    /// - Parameter text: The string that was entered, without surrounding spaces.
    /// - Returns: `true` if it is a postal code of the country.
    func isPostalCode(_ text: String) -> Bool
    /// A postal code of the country, for hints; empty if it has none.
    var postalCodeExample: String { get }
    /// The lines of a written address, with fields in braces: `{city}, {region} {postalCode}`.
    var lineTemplates: [String] { get }
}

/// A problem with an address.
public struct AddressProblem: DescriptiveError, Equatable {
    /// The field with the problem.
    public let field: AddressField
    /// A description of the problem.
    public let message: String

    /// `postalCode: "123" is not a postal code, such as "K1A 0B1"`.
    public var description: String { "\(field.rawValue): \(message)" }
}

extension AddressConfigurationAPI {
    /// Converts an address to the form in which it is stored and written: without needless spaces, with the code of the
    /// region, and with the postal code in the capitalization and with the separators of the country.
    ///
    /// ```swift
    /// address.normalized([.city: " Ottawa ", .region: "ontario", .postalCode: "k1p1j1"])
    /// // [.city: "Ottawa", .region: "ON", .postalCode: "K1P 1J1"]
    /// ```
    ///
    /// - Parameter fields: The address as entered, by field.
    /// - Returns: The address without its empty fields. A value that matches no region or postal code stays as entered.
    public func normalized(_ fields: [AddressField: String]) -> [AddressField: String] {
        var result: [AddressField: String] = [:]
        for (field, typed) in fields {
            // Treat a control character as a space: a line break in a field would start a new line on an envelope.
            let text = typed.split {
                $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
            }
            .joined(separator: " ")
            guard !text.isEmpty else { continue }
            switch field {
            case .region: result[field] = regionCode(of: text)
            case .postalCode where !postalCodeExample.isEmpty:
                result[field] = PostalCodeShape(postalCodeExample).applied(to: text)
            default: result[field] = text
            }
        }
        return result
    }

    /// Validates an address after ``normalized(_:)``.
    ///
    /// - Parameter fields: The address by field. An absent field is treated as empty.
    /// - Returns: The problems, in the order of the form, followed by fields that the form does not have. The result is
    ///   empty for a valid address.
    public func problems(in fields: [AddressField: String]) -> [AddressProblem] {
        let fields = normalized(fields)
        let known: [AddressProblem] = fieldOrder.compactMap { field in
            guard let text = fields[field] else {
                return requiredFields.contains(field) ? AddressProblem(field: field, message: "is required") : nil
            }
            switch field {
            case .postalCode where !isPostalCode(text):
                return AddressProblem(
                    field: field,
                    message: "\(text.quotedForMessage) is not a postal code, such as \"\(postalCodeExample)\"")
            case .region where !regions.isEmpty && regions[text] == nil:
                let near = Suggestion.nearest(to: text, in: regions.keys)
                return AddressProblem(
                    field: field,
                    message: "\(text.quotedForMessage) is not a region of \(country)"
                        + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
            default:
                return nil
            }
        }
        let unknown = AddressField.allCases.filter { fields[$0] != nil && !fieldOrder.contains($0) }
        return known + unknown.map { AddressProblem(field: $0, message: "is not part of an address in \(country)") }
    }

    /// Formats an address for an envelope, without the phone number and the country.
    ///
    /// The market's lines contain fields in braces: those of ``AddressField``, and `{regionName}` for the name of the
    /// region instead of its code. Text between two fields is written only if both fields are. Text before the first
    /// field or after the last belongs to that field. A line without any field is omitted.
    ///
    /// - Parameter fields: The address by field. It is normalized but not validated; use ``problems(in:)`` for that.
    /// - Returns: The lines.
    public func lines(for fields: [AddressField: String]) -> [String] {
        let fields = normalized(fields)
        return AddressLayout(lineTemplates).lines { place in
            switch place {
            case .field(let field): fields[field]
            case .regionName: fields[.region].map { regions[$0] ?? $0 }
            }
        }
    }

    /// The code of a region that was entered as its code or name, ignoring case and accents.
    private func regionCode(of text: String) -> String {
        func folded(_ text: String) -> String {
            text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        }
        let wanted = folded(text)
        return regions.keys.first { folded($0) == wanted } ?? regions.first { folded($0.value) == wanted }?.key ?? text
    }

    /// The getters, and the script methods `isPostalCode`, `normalized`, `problems`, and `lines`.
    package var scriptMethods: [ScriptMethod] {
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
            ScriptMethod("isPostalCode", ["text"], "Whether a string is a whole postal code.") { arguments in
                .boolean(self.isPostalCode(try arguments.string(0, "text")))
            },
            ScriptMethod("normalized", ["fields"], "The address in the form in which it is stored.") { arguments in
                let fields = self.normalized(try Self.fields(arguments, "normalized"))
                return .map(Dictionary(uniqueKeysWithValues: fields.map { ($0.key.rawValue, .string($0.value)) }))
            },
            ScriptMethod("problems", ["fields"], "The problems of an address.") { arguments in
                .list(self.problems(in: try Self.fields(arguments, "problems")).map { .string($0.description) })
            },
            ScriptMethod("lines", ["fields"], "The lines of an address on an envelope.") { arguments in
                .list(self.lines(for: try Self.fields(arguments, "lines")).map { .string($0) })
            },
        ]
    }
}

extension AddressConfigurationAPI {
    private static func fields(_ arguments: ScriptArguments, _ method: String) throws -> [AddressField: String] {
        var fields: [AddressField: String] = [:]
        for (name, text) in try arguments.strings(0, "fields") {
            guard let field = AddressField(rawValue: name) else {
                throw ScriptArgumentError(
                    method: method, parameter: "fields",
                    expected: "the fields \(AddressField.allCases.map(\.rawValue).joined(separator: ", "))",
                    found: name)
            }
            fields[field] = text
        }
        return fields
    }
}

/// The address format that the market declares.
public final class AddressConfigurationPlatformAPI: AddressConfigurationAPI {
    private let configuration: AddressConfiguration
    private let postalCodePattern: PostalCodePattern?

    /// Creates the service.
    ///
    /// - Parameter configuration: The market's declaration.
    public init(configuration: AddressConfiguration) {
        self.configuration = configuration
        postalCodePattern = configuration.postalCodePattern.map { PostalCodePattern($0) }
        regions = Dictionary(configuration.regions.map { ($0.code, $0.name) }) { first, _ in first }
    }

    /// The country, as an ISO 3166-1 code.
    public var country: String { configuration.country }
    /// The fields in the order of a form.
    public var fieldOrder: [AddressField] { configuration.fieldOrder }
    /// The fields that may not be empty.
    public var requiredFields: [AddressField] { configuration.requiredFields }
    /// The names of the states or provinces by code.
    public let regions: [String: String]
    /// A postal code of the country, for hints; empty if it has none.
    public var postalCodeExample: String { configuration.postalCodeExample ?? "" }
    /// The lines of a written address, with fields in braces.
    public var lineTemplates: [String] { configuration.lines }

    /// Whether a string is a whole postal code.
    ///
    /// - Parameter text: The string that was entered, without surrounding spaces.
    /// - Returns: `true` if it is a postal code of the country.
    public func isPostalCode(_ text: String) -> Bool {
        postalCodePattern?.matches(text) ?? false
    }
}
