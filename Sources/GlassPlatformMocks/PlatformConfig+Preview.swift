public import GlassPlatform
import GlassSchema

extension PlatformConfig {
    /// A complete and valid market for previews and tests: an app of example.com in the United States, which tracks no
    /// requests. Change only what the preview is about.
    ///
    /// ```swift
    /// var config = PlatformConfig.preview
    /// config.address = .preview(country: "CA")
    /// ```
    public static let preview = PlatformConfig {
        $0.userDefaultsRegistration.suite = "group.com.example.preview"
        $0.aniviaSuperAttributes.tenant = "preview"
        $0.environment = .preview(services: ["api": "https://api.example.com"])
        $0.networking.defaultService = "api"
        $0.networking.tracking = false
        $0.appInfo = .preview(name: "Preview")
        $0.preferences.suite = "group.com.example.preview"
        $0.address = .preview(country: "US")
    }
}

extension EnvironmentConfiguration {
    /// One environment, `production`, for previews and tests.
    ///
    /// - Parameter services: The base URL of each service. A server on the loopback can use http.
    /// - Returns: The environment.
    public static func preview(services: [String: String]) -> Self {
        Self {
            $0.default = "production"
            $0.environments = ["production": Environment { $0.services = services }]
        }
    }
}

extension AppInfoConfiguration {
    /// An app of example.com, for previews and tests.
    ///
    /// - Parameter name: The name below the icon.
    /// - Returns: The identity.
    public static func preview(name: String) -> Self {
        Self {
            $0.name = name
            $0.bundleIdentifier = "com.example.preview"
            $0.version = "1.0"
            $0.teamIdentifier = "ABCDE12345"
            $0.appStoreIdentifier = "1"
            $0.android = Android {
                $0.package = "com.example.preview"
                $0.certificateDigests = [Array(repeating: "00", count: 32).joined(separator: ":")]
            }
        }
    }
}

extension AddressConfiguration {
    /// An address format with three fields and one region, for previews and tests.
    ///
    /// - Parameter country: The country, as an ISO 3166-1 code.
    /// - Returns: The address format.
    public static func preview(country: String) -> Self {
        Self {
            $0.country = country
            $0.fieldOrder = [.street, .city, .postalCode]
            $0.requiredFields = [.street]
            $0.postalCodePattern = "[0-9]{5}"
            $0.postalCodeExample = "72716"
            $0.regions = [
                Region {
                    $0.code = "AR"
                    $0.name = "Arkansas"
                }
            ]
            $0.lines = ["{street}", "{city} {postalCode}"]
        }
    }
}
