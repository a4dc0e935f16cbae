public import GlassMarkets
public import GlassSchema

/// A market's settings for the shop's own stores.
public struct StoresConfiguration: MarketSection {
    /// The stores shown first.
    public var flagships: [Flagship] = []
    /// How many items of a department are cached.
    public var cacheLimit = 500
    /// The key of the maps.
    public var mapsKey: Secret?

    /// The top-level key in a market file.
    public static let key = "stores"
    /// A summary of the section.
    public static let summary = "The shop's own stores."
    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("flagships", \.flagships, "The stores that are shown first."),
        .init("cacheLimit", \.cacheLimit, .integer(0...10_000), "How many items of a department are kept."),
        .init("mapsKey", \.mapsKey, "The key of the maps."),
    ]

    /// Creates a configuration with the defaults.
    public init() {}

    /// A store that is shown first.
    public struct Flagship: ConfigurationSection {
        /// The store's number.
        public var number = 0
        /// The opening hours, by day.
        public var hours: [String: [String]] = [:]

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("number", \.number, .integer(1...99_999), required: true, "The store's number."),
            .init(
                "hours", \.hours, .map(of: .list(of: .string(.nonEmpty), count: 2...2), keys: .identifier),
                "When it is open, by day: from and to."),
        ]

        /// Creates a configuration with the defaults.
        public init() {}
    }
}
