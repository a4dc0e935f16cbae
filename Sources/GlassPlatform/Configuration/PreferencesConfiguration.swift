public import GlassSchema

/// The preferences that may be stored: where, and which with what type and default.
public struct PreferencesConfiguration: ConfigurationSection {
    /// The suite that app and extensions share.
    public var suite = ""
    /// The preferences by key.
    public var keys: [String: Preference] = [:]

    /// One preference.
    public struct Preference: ConfigurationSection {
        /// The type of its value.
        public var type = PreferenceType.string
        /// Its value until somebody sets one.
        public var `default`: ConfigurationScalar?

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("type", \.type, required: true, "The type of its value."),
            .init("default", \.default, "Its value until somebody sets one."),
        ]

        /// Creates a preference without a default.
        public init() {}

        /// Creates the configuration.
        ///
        /// - Parameters:
        ///   - type: The type of its value.
        ///   - default: Its value until somebody sets one.
        public init(
            type: PreferenceType, `default`: ConfigurationScalar? = nil
        ) {
            self.type = type
            self.default = `default`
        }

        /// The default must be of the preference's type.
        public func inconsistencies() -> [Inconsistency] {
            guard let value = self.default, !type.accepts(value) else { return [] }
            return [
                Inconsistency(
                    "default", "expected \(type.expectation) as the type says, got \(value.configurationValue.found)",
                    others: ["type"])
            ]
        }
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
            case .string: "text"
            }
        }
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "suite", \.suite, .string(.bundleIdentifier), required: true, "The suite that app and extensions share."
        ).identifying(.appGroup),
        .init(
            "keys", \.keys, .map(of: Preference.valueType, keys: .identifier), required: true,
            "The preferences by key."),
    ]

    /// Creates a configuration without preferences.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - suite: The suite that app and extensions share.
    ///   - keys: The preferences by key.
    public init(
        suite: String, keys: [String: Preference]
    ) {
        self.suite = suite
        self.keys = keys
    }
}
