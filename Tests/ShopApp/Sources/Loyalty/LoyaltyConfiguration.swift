public import GlassMarkets
public import GlassSchema

/// A market's settings for points.
public struct LoyaltyConfiguration: MarketSection {
    /// The points per dollar.
    public var pointsPerDollar = 1
    /// The tiers, lowest first.
    public var tiers = [Tier()]
    /// The names for points, by locale.
    public var names: [String: String] = [:]
    /// The key of the partner that stores the points.
    public var partnerKey: Secret?
    /// The country where the partner keeps the points.
    public var homeCountry: String?
    /// The headers of requests to the partner.
    public var requestHeaders: [String: String] = [:]
    /// The cookies that the partner reads.
    public var crumbs: [Crumb] = []
    /// The partner's servers, by stage.
    public var stages: [String: Stage] = [:]
    /// The stage that the app starts with.
    public var firstStage: String?

    /// The top-level key in a market file.
    public static let key = "loyalty"
    /// A summary of the section.
    public static let summary = "Points and tiers."
    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("pointsPerDollar", \.pointsPerDollar, .integer(0...100), "The points for each dollar."),
        .init("tiers", \.tiers, .list(of: Tier.valueType, count: 1...10), "The tiers, lowest first."),
        .init("names", \.names, .map(of: .string(.nonEmpty), keys: .locale), "How points are called, by locale."),
        .init("partnerKey", \.partnerKey, "The key of the partner that keeps the points."),
        .init("homeCountry", \.homeCountry, .string(.country), "Where the partner keeps the points.").role(.country),
        .init(
            "requestHeaders", \.requestHeaders, .map(of: .string(.any), keys: .headerName),
            "The headers of requests to the partner."
        ).role(.headers),
        .init("crumbs", \.crumbs, .list(of: Crumb.valueType), "The cookies that the partner reads.").role(.cookies),
        .init(
            "stages", \.stages, .map(of: Stage.valueType, keys: .identifier), "The partner's servers, by stage."
        ).role(.environments),
        .init("firstStage", \.firstStage, .string(.identifier), "The stage that the app starts with.")
            .role(.firstEnvironment),
    ]

    /// Each tier must start above the previous one.
    public static let rules: [ConfigurationRule<Self>] = [
        .init(reads: ["tiers"]) { loyalty in
            zip(loyalty.tiers, loyalty.tiers.dropFirst()).enumerated().compactMap { offset, pair in
                guard pair.1.points <= pair.0.points else { return nil }
                return Inconsistency(
                    ConfigurationPath([.key("tiers"), .index(offset + 2), .key("points")]),
                    "\"\(pair.1.name)\" begins no higher than \"\(pair.0.name)\"", hint: "list the lowest tier first")
            }
        }
    ]

    /// Creates a configuration with the defaults.
    public init() {}
}

/// A tier of members.
public struct Tier: ConfigurationSection {
    /// The name.
    public var name = "member"
    /// The points at which it starts.
    public var points = 0

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("name", \.name, .string(.identifier), required: true, "The name."),
        .init("points", \.points, .integer(0...1_000_000), "The points with which it begins."),
    ]

    /// Creates a configuration with the defaults.
    public init() {}
}

/// A cookie that the partner reads.
public struct Crumb: ConfigurationSection {
    /// The name.
    public var title = ""
    /// The value.
    public var content = ""
    /// The domain that it is for.
    public var site = ""

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("title", \.title, .string(.headerName), required: true, "The name.").role(.cookieName),
        .init("content", \.content, .string(.headerValue), required: true, "The value.").role(.cookieValue),
        .init("site", \.site, .string(.nonEmpty), required: true, "The domain that it is for.").role(.cookieDomain),
    ]

    /// Creates a configuration with the defaults.
    public init() {}
}

/// The partner's servers of one stage.
public struct Stage: ConfigurationSection {
    /// The URLs by service.
    public var urls: [String: String] = [:]

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("urls", \.urls, .map(of: .string(.httpsURL), keys: .identifier), required: true, "The URLs by service.")
            .role(.serviceURLs)
    ]

    /// Creates a configuration with the defaults.
    public init() {}
}
