/// How often an attribute can change while an app is installed, or a key can follow such a change, slowest first.
public enum ContextPace: Int, Sendable, Hashable, Comparable {
    /// Never: the key is the same in every situation.
    case fixed
    /// From build to build of the app.
    case build
    /// From start to start.
    case start
    /// At any time.
    case live

    /// Whether the pace is slower than another.
    public static func < (left: ContextPace, right: ContextPace) -> Bool { left.rawValue < right.rawValue }
}

/// The values that an attribute can have.
public enum ContextType: Sendable, Hashable {
    /// True or false.
    case boolean
    /// A whole number.
    case integer
    /// A number.
    case number
    /// One of some names.
    case choice([String])
    /// A text of at most 256 bytes.
    case text
    /// A version.
    case version
    /// An instant. A literal needs a time zone.
    case date
    /// The date and time on the device's clock. A literal has no time zone.
    case localDate
    /// A set of names, of these if they are known.
    case set([String]?)
    /// One of the locales that the market offers. A literal also covers the more exact ones: `fr` covers `fr-CA`.
    case locale([String])
    /// A country or a part of one, in ISO 3166. A country covers its parts: `CA` covers `CA-QC`.
    case region
    /// The position of a unit among 100,000, computed from its hash.
    case bucket
}

/// The declaration of an attribute of a situation.
public struct ContextAttribute: Sendable, Hashable {
    /// The name, as in conditions.
    public var name: String
    /// The values.
    public var type: ContextType
    /// How often it can change.
    public var pace: ContextPace
    /// Whether it belongs to a person. Only keys that follow at any time can depend on it, and it is never logged.
    public var isPersonal: Bool
    /// Whether it only identifies a unit, so that a condition can test only whether it is missing.
    public var isUnitOnly: Bool
    /// Whether pages, logs, and explanations leave out its values: it belongs to a person, or identifies an installation.
    package var isPrivate: Bool { isPersonal || isUnitOnly }
    /// Whether it has a value in every situation, so that no proof considers it missing.
    public var isAlwaysPresent: Bool
    /// A description, in one sentence.
    public var documentation: String
    /// The map of the market whose keys are the choices.
    public var valuesPath: ConfigurationPath?
    /// The key of the market that has the default value.
    public var defaultPath: ConfigurationPath?
    /// The default value.
    public var defaultValue: ContextValue?

    /// Creates a declaration.
    ///
    /// - Parameters:
    ///   - name: The name, as in conditions.
    ///   - type: The values.
    ///   - pace: How often it can change.
    ///   - isPersonal: Whether it belongs to a person.
    ///   - isUnitOnly: Whether it only identifies a unit.
    ///   - isAlwaysPresent: Whether it has a value in every situation; if nil, whether it has a default value.
    ///   - documentation: A description, in one sentence.
    ///   - valuesPath: The map of the market whose keys are the choices.
    ///   - defaultPath: The key of the market that has the default value.
    ///   - defaultValue: The default value.
    public init(
        _ name: String, _ type: ContextType, pace: ContextPace, isPersonal: Bool = false, isUnitOnly: Bool = false,
        isAlwaysPresent: Bool? = nil, documentation: String = "", valuesPath: ConfigurationPath? = nil,
        defaultPath: ConfigurationPath? = nil, defaultValue: ContextValue? = nil
    ) {
        self.name = name
        self.type = type
        self.pace = pace
        self.isPersonal = isPersonal
        self.isUnitOnly = isUnitOnly
        self.isAlwaysPresent = isAlwaysPresent ?? (defaultValue != nil || defaultPath != nil)
        self.documentation = documentation
        self.valuesPath = valuesPath
        self.defaultPath = defaultPath
        self.defaultValue = defaultValue
    }
}

extension ContextAttribute {
    /// The words of conditions and tests, which no attribute can have as its name.
    package static let reservedNames = Set(SectionDeclaration.condition.keys.map(\.name))

    /// The attributes of every market.
    ///
    /// The names of the environments, the locales, and the keys with the defaults of `appVersion`, `environment` and
    /// `region` belong to the market and its modules, which complete the declarations.
    package static let builtIn: [ContextAttribute] = [
        ContextAttribute(
            "appVersion", .version, pace: .build, isAlwaysPresent: true, documentation: "The version of the app."),
        ContextAttribute(
            "audience", .set(nil), pace: .live, isPersonal: true,
            documentation: "The groups that the person belongs to.", defaultValue: .set([])),
        ContextAttribute(
            "build", .choice(["debug", "beta", "release"]), pace: .build,
            documentation: "The kind of build.", defaultValue: .text("release")),
        ContextAttribute(
            "customerID", .text, pace: .live, isPersonal: true, isUnitOnly: true,
            documentation: "The person who is signed in."),
        ContextAttribute(
            "date", .date, pace: .live, isAlwaysPresent: true,
            documentation: "The current time, corrected by the server's clock if that is known."),
        ContextAttribute(
            "deviceClass", .choice(["phone", "tablet", "desktop", "tv", "watch", "car", "server"]), pace: .start,
            documentation: "The kind of device.", defaultValue: .text("phone")),
        ContextAttribute(
            "environment", .choice([]), pace: .start, isAlwaysPresent: true,
            documentation: "The environment whose services the app uses."),
        ContextAttribute(
            "installID", .text, pace: .start, isUnitOnly: true,
            documentation: "A random text that identifies the installation."),
        ContextAttribute(
            "locale", .locale([]), pace: .live, isAlwaysPresent: true,
            documentation: "The market's locale that best matches the device's languages."),
        ContextAttribute(
            "localDate", .localDate, pace: .live, isAlwaysPresent: true,
            documentation: "The date and time on the device's clock."),
        ContextAttribute("osVersion", .version, pace: .start, documentation: "The version of the system."),
        ContextAttribute(
            "platform", .choice(["iOS", "macOS", "watchOS", "tvOS", "visionOS", "linux"]), pace: .build,
            documentation: "The system that the app was built for.", defaultValue: .text("iOS")),
        ContextAttribute(
            "region", .region, pace: .live, isAlwaysPresent: true,
            documentation: "The country or region of the store or address."),
        ContextAttribute(
            "signedIn", .boolean, pace: .live, isPersonal: true,
            documentation: "Whether a person is signed in.", defaultValue: .boolean(false)),
    ]
}
