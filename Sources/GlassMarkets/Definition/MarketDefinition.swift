public import GlassDeepLinking
public import GlassSchema

/// The keys that every market has, in any module: its identity, its links and its routables.
///
/// A market's container has it as a service, so that other services can tell which market they serve.
public struct MarketDefinition: ConfigurationSection {
    /// The market's id: the name of its file.
    public var id = ""
    /// The country's name.
    public var name = ""
    /// The market that this one starts from.
    public var extends: String?
    /// The locales of the market, the preferred one first.
    public var locales: [String] = []
    /// The currency of prices.
    public var currency = ""
    /// Which links belong to the app, and where other links may go.
    public var deepLinking = DeepLinkConfiguration()
    /// The preconditions of the market's own, by name, beside those of the module.
    package var preconditions: [String: MarketPrecondition] = [:]
    /// The features that a link can open, by id.
    package var routables: [String: RoutableDefinition] = [:]

    /// The names of ``keys``. A module is declared before its first market is wanted, and has to know the names without
    /// waiting for all that is said of the keys.
    static let keyNames = ["id", "name", "extends", "locales", "currency", "deepLinking", "preconditions", "routables"]
    /// The keys of the section; those of a module's sections come before the last one.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("id", \.id, .string(.marketID), required: true, "The market's id: the name of its file."),
        .init("name", \.name, .string(.nonEmpty), required: true, "The country's name."),
        .init("extends", \.extends, .string(.marketID), "The market that this one starts from."),
        .init(
            "locales", \.locales, .set(of: .string(.locale), count: 1...50), required: true,
            sense: .higherIsLooser, "The locales of the market, the preferred one first."
        ).identifying(.market),
        .init(
            "currency", \.currency, .string(.currency), required: true, "The currency of prices, as in ISO 4217."
        ).identifying(.market),
        .init("deepLinking", \.deepLinking, required: true, "Which links belong to the app, and where others may go."),
        .init(
            "preconditions", \.preconditions, .map(of: MarketPrecondition.valueType, keys: .identifier, count: 0...100),
            "Preconditions of the market's own, which links can wait for beside those of the app."),
        .init(
            "routables", \.routables, .map(of: RoutableDefinition.valueType, keys: .identifier), required: true,
            "The features that a link can open, by id."),
    ]

    /// Creates a market to be filled in.
    public init() {}
}
