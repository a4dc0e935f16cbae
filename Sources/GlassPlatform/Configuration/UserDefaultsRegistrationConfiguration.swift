public import GlassSchema

/// The user defaults that the app registers: values that hold until somebody sets another one.
public struct UserDefaultsRegistrationConfiguration: ConfigurationSection {
    /// The suite that app and extensions share.
    public var suite = ""
    /// The default values by key.
    public var defaults: [String: ConfigurationScalar] = [:]

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "suite", \.suite, .string(.bundleIdentifier), required: true, "The suite that app and extensions share."
        ).identifying(.appGroup),
        .init("defaults", \.defaults, "The default values by key."),
    ]

    /// Creates the configuration with every default.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - suite: The suite that app and extensions share.
    ///   - defaults: The default values by key.
    public init(
        suite: String, defaults: [String: ConfigurationScalar] = [:]
    ) {
        self.suite = suite
        self.defaults = defaults
    }
}
