// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declarations that seed 000 assumes; the library documents its own.
public import GlassPlatform

// The configurations of the United States that seed 000 names, as far as the claims use them.

extension AddressConfigurationPlatformAPI {
    public static var usa: AddressConfigurationPlatformAPI {
        var configuration = AddressConfiguration()
        configuration.country = "US"
        return AddressConfigurationPlatformAPI(configuration: configuration)
    }
}

extension UserDefaultsRegistrationConfiguration {
    public static var usa: Self {
        var configuration = Self()
        configuration.suite = "seed-snippets"
        return configuration
    }
}

extension AniviaSuperAttributesConfiguration {
    public static var usa: Self {
        var configuration = Self()
        configuration.tenant = "walmart-us"
        return configuration
    }
}

extension EnvironmentConfiguration {
    public static var usa: Self {
        var production = Environment()
        production.services = ["orchestra": "https://www.walmart.com/orchestra"]
        var configuration = Self()
        configuration.default = "production"
        configuration.environments = ["production": production]
        return configuration
    }
}

extension SessionConfiguration {
    public static var usa: Self { Self() }
}

extension NetworkingConfiguration {
    public static var usa: Self {
        var configuration = Self()
        configuration.defaultService = "orchestra"
        return configuration
    }
}

extension AppInfoConfiguration {
    public static var usa: Self {
        var configuration = Self()
        configuration.name = "Walmart"
        return configuration
    }
}

extension PreferencesConfiguration {
    public static var usa: Self {
        var configuration = Self()
        configuration.suite = "seed-snippets"
        return configuration
    }
}

extension CookieStorageConfiguration {
    public static var usa: Self { Self() }
}
