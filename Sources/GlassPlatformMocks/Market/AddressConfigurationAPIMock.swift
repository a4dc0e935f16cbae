package import GlassPlatform

/// An address format that a test defines.
package final class AddressConfigurationAPIMock: AddressConfigurationAPI {
    /// The country, as an ISO 3166-1 code.
    package let country: String
    /// The fields in the order of a form.
    package let fieldOrder: [AddressField]
    /// The fields that may not be empty.
    package let requiredFields: [AddressField]
    /// The names of the regions by code.
    package let regions: [String: String]
    /// A postal code that is accepted, for hints.
    package let postalCodeExample: String
    /// The lines of a written address.
    package let lineTemplates: [String]
    private let isAccepted: @Sendable (String) -> Bool

    /// Creates a mock.
    package init(
        country: String = "US", fieldOrder: [AddressField] = [.street, .city, .region, .postalCode],
        requiredFields: [AddressField] = [.street, .postalCode], regions: [String: String] = ["AR": "Arkansas"],
        postalCodeExample: String = "72716", lineTemplates: [String] = ["{street}", "{city}, {region} {postalCode}"],
        isPostalCode: (@Sendable (String) -> Bool)? = nil
    ) {
        self.country = country
        self.fieldOrder = fieldOrder
        self.requiredFields = requiredFields
        self.regions = regions
        self.postalCodeExample = postalCodeExample
        self.lineTemplates = lineTemplates
        isAccepted = isPostalCode ?? { $0 == postalCodeExample }
    }

    /// Whether the mock accepts a string.
    package func isPostalCode(_ text: String) -> Bool { isAccepted(text) }
}
