public import GlassPlatform

/// Address rules that a test decides.
public final class AddressConfigurationAPIMock: AddressConfigurationAPI {
    /// The country, as in ISO 3166-1.
    public let country: String
    /// The fields in the order of a form.
    public let fieldOrder: [AddressField]
    /// The fields that may not be empty.
    public let requiredFields: [AddressField]
    /// The names of the regions by code.
    public let regions: [String: String]
    /// A postal code that is accepted, for hints.
    public let postalCodeExample: String
    /// The lines of a written address.
    public let lineTemplates: [String]
    private let isAccepted: @Sendable (String) -> Bool

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - country: The country.
    ///   - fieldOrder: The fields in the order of a form.
    ///   - requiredFields: The fields that may not be empty.
    ///   - regions: The names of the regions by code.
    ///   - postalCodeExample: A postal code that is accepted.
    ///   - lineTemplates: The lines of a written address.
    ///   - isPostalCode: Which postal codes are accepted; by default the example alone.
    public init(
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

    /// Whether the mock accepts a text.
    ///
    /// - Parameter text: The text.
    /// - Returns: What the test decided.
    public func isPostalCode(_ text: String) -> Bool { isAccepted(text) }
}
