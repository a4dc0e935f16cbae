public import GlassMarkets
public import GlassSchema

/// What a market says about points.
public struct PointsConfiguration: MarketSection {
    /// The points for each unit of the currency.
    public var perUnit = 1

    /// The section's key in a market.
    public static let key = "points"
    /// The section's description.
    public static let summary = "The points that a purchase earns."
    /// The section's keys.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("perUnit", \.perUnit, .integer(0...100), "The points for each unit of the currency.")
    ]

    /// Creates the default values.
    public init() {}
}

extension MarketModule {
    /// The app's module.
    public static let corner = MarketModule("corner", sections: [PointsConfiguration.self])
}
