public import GlassPlatform

extension PlatformConfig {
    /// A whole market for previews and tests, in which nothing is wrong: an app of example.com in the United States, which
    /// tracks no requests. Change what the preview is about.
    ///
    /// ```swift
    /// var config = PlatformConfig.preview
    /// config.address = .preview(country: "CA")
    /// ```
    public static let preview = PlatformConfig(
        userDefaultsRegistration: .init(suite: "group.com.example.preview"),
        aniviaSuperAttributes: .init(tenant: "preview"),
        environment: .preview(services: ["api": "https://api.example.com"]),
        networking: .init(defaultService: "api", tracking: false),
        appInfo: .preview(name: "Preview"),
        preferences: .init(suite: "group.com.example.preview", keys: [:]),
        address: .preview(country: "US"))
}

extension EnvironmentConfiguration {
    /// One environment, `production`, for previews and tests.
    ///
    /// - Parameter services: The base URL of each service; a server on loopback may be http.
    /// - Returns: The environment.
    public static func preview(services: [String: String]) -> Self {
        Self(default: "production", environments: ["production": .init(services: services)])
    }
}

extension AppInfoConfiguration {
    /// An app of example.com, for previews and tests.
    ///
    /// - Parameter name: The name under the icon.
    /// - Returns: The identity.
    public static func preview(name: String) -> Self {
        Self(
            name: name, bundleIdentifier: "com.example.preview", version: "1.0", build: 1,
            teamIdentifier: "ABCDE12345", appStoreIdentifier: "1",
            android: .init(
                package: "com.example.preview",
                certificateDigests: [Array(repeating: "00", count: 32).joined(separator: ":")]))
    }
}

extension AddressConfiguration {
    /// Addresses of three fields and one region, for previews and tests.
    ///
    /// - Parameter country: The country, as in ISO 3166-1.
    /// - Returns: The addresses.
    public static func preview(country: String) -> Self {
        Self(
            country: country, fieldOrder: [.street, .city, .postalCode], requiredFields: [.street],
            postalCodePattern: "[0-9]{5}", postalCodeExample: "72716", regions: [.init(code: "AR", name: "Arkansas")],
            lines: ["{street}", "{city} {postalCode}"])
    }
}
