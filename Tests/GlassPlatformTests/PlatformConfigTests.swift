@testable import GlassPlatform
public import GlassSchema
import Testing

struct PlatformConfigTests {
    /// A section's keys must be its properties, in the same order: a property without a key could not be set.
    private func expectKeysAreProperties<Section: ConfigurationSection>(_ type: Section.Type) {
        let properties = Mirror(reflecting: Section()).children.compactMap(\.label)
        #expect(Section.keys.map(\.declaration.name) == properties, "\(Section.self)")
    }

    @Test func propertiesAndKeysCorrespond() {
        expectKeysAreProperties(PlatformConfig.self)
        expectKeysAreProperties(UserDefaultsRegistrationConfiguration.self)
        expectKeysAreProperties(AniviaSuperAttributesConfiguration.self)
        expectKeysAreProperties(EnvironmentConfiguration.self)
        expectKeysAreProperties(EnvironmentConfiguration.Environment.self)
        expectKeysAreProperties(SessionConfiguration.self)
        expectKeysAreProperties(NetworkingConfiguration.self)
        expectKeysAreProperties(NetworkingConfiguration.Retry.self)
        expectKeysAreProperties(NetworkingConfiguration.Media.self)
        expectKeysAreProperties(AppInfoConfiguration.self)
        expectKeysAreProperties(AppInfoConfiguration.Android.self)
        expectKeysAreProperties(PreferencesConfiguration.self)
        expectKeysAreProperties(PreferencesConfiguration.Preference.self)
        expectKeysAreProperties(CookieStorageConfiguration.self)
        expectKeysAreProperties(CookieStorageConfiguration.Cookie.self)
        expectKeysAreProperties(AddressConfiguration.self)
        expectKeysAreProperties(AddressConfiguration.Region.self)
        expectKeysAreProperties(PermissionsConfiguration.self)
    }

    /// Visits every declaration, so that keys added later are covered too.
    private func walk(_ section: SectionDeclaration, _ path: String, _ visit: (String, KeyDeclaration) -> Void) {
        for key in section.keys {
            visit("\(path)\(key.name)", key)
            if let inner = key.type.section { walk(inner, "\(path)\(key.name).", visit) }
        }
    }

    @Test func everyKeyIsDocumentedInASentence() {
        var count = 0
        walk(PlatformConfig.declaration, "") { path, key in
            count += 1
            #expect(key.documentation.hasSuffix("."), "\(path)")
        }
        #expect(count > 70)
    }

    @Test func everyDefaultIsValid() {
        walk(PlatformConfig.declaration, "") { path, key in
            // A section's default is checked key by key, because its required keys have none.
            guard key.type.section == nil, let value = key.defaultValue else { return }
            let found = ConfigurationValidator.findings(in: ConfigurationNode(value), type: key.type, path: "x")
            #expect(found.isEmpty, "\(path)")
        }
    }

    @Test(
        arguments: [
            (
                "environment",
                .map(values: ["default": "prod", "environments": .map(values: ["production": .services(["a"])])]),
                """
                error: environment.default: "prod" is not an environment [inconsistent]
                  hint: the environments are production
                """
            ),
            (
                "environment",
                .map(values: [
                    "default": "production",
                    "environments": .map(values: ["production": .services(["a", "b"]), "staging": .services(["a"])]),
                ]),
                """
                error: environment.environments.staging.services.b: missing: environment "production" has this service [inconsistent]
                  hint: every environment needs a base URL for each service
                """
            ),
            (
                "permissions", .map(values: ["allowsBackgroundLocationUpdates": .boolean(true)]),
                """
                error: permissions.allowsBackgroundLocationUpdates: requires locationLevel = "always" [inconsistent]
                  hint: set locationLevel = "always", or the system stops location updates in the background
                """
            ),
            (
                "preferences",
                .map(values: [
                    "suite": "a.b",
                    "keys": .map(values: ["storeID": .map(values: ["type": "integer", "default": "100"])]),
                ]),
                "error: preferences.keys.storeID.default: expected an integer to match the type, got \"100\" [inconsistent]"
            ),
            (
                "networking",
                .map(values: [
                    "defaultService": "a",
                    "retry": .map(values: ["initialDelaySeconds": 50, "maximumDelaySeconds": 2]),
                ]),
                """
                error: networking.retry.initialDelaySeconds: 50 is more than maximumDelaySeconds, 2 [inconsistent]
                  hint: write at most 2, or raise maximumDelaySeconds
                """
            ),
            (
                "address",
                .map(values: [
                    "country": "CA", "fieldOrder": .list(values: ["street"]), "requiredFields": .list(values: ["city"]),
                    "postalCodePattern": "[0-9]{5}", "postalCodeExample": "K1A",
                    "regions": .list(values: [.map(values: ["code": "ON", "name": "Ontario"])]),
                ]),
                """
                error: address.postalCodeExample: "K1A" does not match "[0-9]{5}" [inconsistent]
                  hint: write one that matches, such as "00000"
                error: address.requiredFields[1]: "city" is required but not in fieldOrder [inconsistent]
                  hint: add "city" to fieldOrder, or remove it from requiredFields
                """
            ),
            (
                "address",
                .map(values: [
                    "country": "CA", "fieldOrder": .list(values: ["street"]),
                    "requiredFields": .list(values: ["street"]),
                    "postalCodePattern": "[0-9]{5}", "postalCodeExample": "12345",
                    "regions": .list(values: [
                        .map(values: ["code": "ON", "name": "Ontario"]), .map(values: ["code": "ON", "name": "Other"]),
                    ]),
                ]),
                "error: address.regions[2].code: region \"ON\" appears twice in this list [inconsistent]"
            ),
        ] as [(String, ConfigurationValue, String)])
    func contradictingValuesAreReported(key: String, value: ConfigurationValue, text: String) throws {
        let type = try #require(PlatformConfig.declaration.key(key)).type
        let findings = ConfigurationValidator.findings(
            in: ConfigurationNode(value), type: type, path: ConfigurationPath([.key(key)]))
        #expect(findings.map(\.description).joined(separator: "\n") == text)
    }

    @Test func defaultServiceMustExistInEnvironments() {
        var config = PlatformConfig()
        config.analytics.sinks = [.app]
        config.environment.default = "production"
        config.environment.environments = ["production": .init()]
        config.environment.environments["production"]?.services = ["orchestra": "https://a.b"]
        config.networking.defaultService = "orchestar"
        #expect(
            config.inconsistencies() == [
                Inconsistency(
                    "networking.defaultService", "\"orchestar\" is not a service of the environments",
                    misspelled: "orchestar", in: ["orchestra"], else: "", others: ["environment.environments"])
            ])
        config.networking.defaultService = "orchestra"
        #expect(config.inconsistencies() == [])
    }
}

extension ValueType {
    /// The section inside this type, including in a list or map.
    fileprivate var section: SectionDeclaration? {
        switch self {
        case .section(let section): section
        case .map(let element, _, _): element.section
        case .list(let element, _, _): element.section
        default: nil
        }
    }
}

extension ConfigurationValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }

    fileprivate static func services(_ names: [String]) -> ConfigurationValue {
        .map(values: ["services": .map(values: Dictionary(uniqueKeysWithValues: names.map { ($0, "https://a.b") }))])
    }
}
