public import GlassSchema

/// The user defaults that the app registers: values that apply until other values are set.
public struct UserDefaultsRegistrationConfiguration: ConfigurationSection {
    /// The suite that the app and its extensions share.
    public var suite = ""
    /// The default values by key.
    public var defaults: [String: ConfigurationScalar] = [:]

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "suite", \.suite, .string(.bundleIdentifier), required: true,
            "The suite that the app and its extensions share."
        ).identifying(.appGroup),
        .init("defaults", \.defaults, "The default values by key.").role(.userDefaults),
    ]

    /// Creates the configuration with every default.
    public init() {}
}
