public import GlassSchema

/// The preferences that can be stored: their suite, and the type and default of each.
public struct PreferencesConfiguration: ConfigurationSection {
    /// The suite that the app and its extensions share.
    public var suite = ""
    /// The preferences by key.
    public var keys: [String: Preference] = [:]

    /// One preference.
    public struct Preference: ConfigurationSection {
        /// The type of its value.
        public var type = PreferenceType.string
        /// The value until one is set.
        public var `default`: ConfigurationScalar?

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("type", \.type, required: true, "The type of its value."),
            .init("default", \.default, "Its value until one is set.").role(.preferenceDefault).varying(.live),
        ]

        /// The default must have the preference's type.
        public static let rules: [ConfigurationRule<Self>] = [
            .init(reads: ["type", "default"]) { preference in
                let type = preference.type
                guard let value = preference.default, !type.accepts(value) else { return [] }
                return [
                    Inconsistency(
                        "default",
                        "expected \(type.expectation) to match the type, got \(value.configurationValue.found)",
                        others: ["type"])
                ]
            }
        ]

        /// Creates a preference without a default.
        public init() {}
    }

    /// The type of a preference.
    public enum PreferenceType: String, ConfigurationChoice {
        /// True or false.
        case boolean
        /// A whole number.
        case integer
        /// A number.
        case number
        /// Text.
        case string

        /// Whether a value is of this type.
        package func accepts(_ value: ConfigurationScalar) -> Bool {
            switch (self, value) {
            case (.boolean, .boolean), (.integer, .integer), (.number, .number), (.number, .integer),
                (.string, .string):
                true
            default: false
            }
        }

        var expectation: String {
            switch self {
            case .boolean: "true or false"
            case .integer: "an integer"
            case .number: "a number"
            case .string: "a string"
            }
        }
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "suite", \.suite, .string(.bundleIdentifier), required: true,
            "The suite that the app and its extensions share."
        ).identifying(.appGroup),
        .init(
            "keys", \.keys, .map(of: Preference.valueType, keys: .identifier), required: true,
            "The preferences by key."
        ).role(.preferences),
    ]

    /// Creates a configuration without preferences.
    public init() {}
}
