public import GlassSchema

/// What every analytics event of the market carries.
public struct AniviaSuperAttributesConfiguration: ConfigurationSection {
    /// The tenant that events are booked on.
    public var tenant = ""
    /// The channel that events come from.
    public var channel = "app"
    /// Further attributes by name.
    public var attributes: [String: ConfigurationScalar] = [:]
    /// The key that the collector wants to see.
    public var writeKey: Secret?

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("tenant", \.tenant, .string(.nonEmpty), required: true, "The tenant that events are booked on."),
        .init("channel", \.channel, .string(.nonEmpty), "The channel that events come from."),
        .init("attributes", \.attributes, .map(of: .scalar, keys: .identifier), "Further attributes by name."),
        .init("writeKey", \.writeKey, "The key that the event collector wants to see."),
    ]

    /// Creates the configuration with every default.
    public init() {}

    /// Creates the configuration.
    ///
    /// - Parameters:
    ///   - tenant: The tenant that events are booked on.
    ///   - channel: The channel that events come from.
    ///   - attributes: Further attributes by name.
    ///   - writeKey: The key that the collector wants to see.
    public init(
        tenant: String, channel: String = "app", attributes: [String: ConfigurationScalar] = [:],
        writeKey: Secret? = nil
    ) {
        self.tenant = tenant
        self.channel = channel
        self.attributes = attributes
        self.writeKey = writeKey
    }
}
