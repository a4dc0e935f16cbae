public import GlassSchema

/// A section of a market file: a structure whose key is at the top level of the file.
///
/// ```swift
/// struct LoyaltyConfiguration: MarketSection {
///     var pointsPerDollar = 1
///     static let key = "loyalty"
///     static let summary = "Points and tiers."
///     static let keys: [ConfigurationKey<Self>] = [
///         .init("pointsPerDollar", \.pointsPerDollar, .integer(0...100), "Points for each dollar.")
///     ]
/// }
/// ```
///
/// Read it from a market as `market[LoyaltyConfiguration.self]`, or as a service of the market's container. The section
/// is required in a market file if and only if one of its keys is.
public protocol MarketSection: ConfigurationSection, SendableMetatype {
    /// The key, such as `loyalty`: a name of letters and digits.
    static var key: String { get }
    /// A one-line description of its purpose.
    static var summary: String { get }
    /// How often the values of its keys may vary with the situation, unless a key says otherwise.
    static var pace: ContextPace { get }
}

extension MarketSection {
    /// At any time: when the situation changes, the market gets a new section.
    public static var pace: ContextPace { .live }
}

/// A configuration without keys, which is the default of routables.
public struct NoConfiguration: ConfigurationSection {
    /// No keys.
    public static let keys: [ConfigurationKey<Self>] = []

    /// Creates the configuration.
    public init() {}
}
