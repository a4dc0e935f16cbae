public import GlassSchema

/// The attributes of every analytics event of the market.
public struct AniviaSuperAttributesConfiguration: ConfigurationSection {
    /// The tenant to which events are assigned.
    public var tenant = ""
    /// The channel from which events are sent.
    public var channel = "app"
    /// Additional attributes by name.
    public var attributes: [String: ConfigurationScalar] = [:]
    /// The key that the event collector requires.
    public var writeKey: Secret?

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("tenant", \.tenant, .string(.nonEmpty), required: true, "The tenant to which events are assigned."),
        .init("channel", \.channel, .string(.nonEmpty), "The channel that events come from."),
        .init("attributes", \.attributes, .map(of: .scalar, keys: .identifier), "Additional attributes by name.").role(
            .eventAttributes),
        .init("writeKey", \.writeKey, "The key that the event collector requires."),
    ]

    /// Creates the configuration with every default.
    public init() {}
}
