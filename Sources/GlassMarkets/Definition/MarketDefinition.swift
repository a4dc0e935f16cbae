public import GlassDeepLinking
public import GlassSchema

/// The keys that every market has, in any module: its identity, its links and its routables.
///
/// A market's container provides it as a service, so that other services can find out which market they serve.
public struct MarketDefinition: ConfigurationSection {
    /// The market's id: the name of its file.
    public var id = ""
    /// The country's name.
    public var name = ""
    /// The base market.
    public var extends: String?
    /// The market's locales, with the preferred one first.
    public var locales: [String] = []
    /// The currency of prices.
    public var currency = ""
    /// The app's links, and which other links may open.
    public var deepLinking = DeepLinkConfiguration()
    /// The preconditions that the market adds to those of the module, by name.
    package var preconditions: [String: MarketPrecondition] = [:]
    /// The flags, by name.
    package var flags: [String: FlagDefinition] = [:]
    /// The layers whose slots flags can take, by name.
    package var layers: [String: FlagLayerDefinition] = [:]
    /// The features that a link can open, by id.
    package var routables: [String: RoutableDefinition] = [:]

    /// The names of ``keys``. A module is declared before its first market is needed, and needs the names without
    /// evaluating the full declarations of the keys.
    static let keyNames = [
        "id", "name", "extends", "locales", "currency", "deepLinking", "preconditions", "flags", "layers", "routables",
    ]
    /// The keys of the section. Those of a module's sections come before the last one.
    ///
    /// The id, the base market and the locales are the ground on which situations are described, so they are the same in
    /// every situation.
    public static let keys: [ConfigurationKey<Self>] = [
        .init(
            "id", \.id, .string(.marketID), required: true, "The market's id: the name of its file."
        ).varying(.fixed),
        .init("name", \.name, .string(.nonEmpty), required: true, "The country's name."),
        .init(
            "extends", \.extends, .string(.marketID.naming(.market)),
            "The base market, from which this one inherits. To confirm that a table's identifying values are "
                + "inherited, as in `appInfo`, write `inherit = true` in it."
        ).varying(.fixed),
        .init(
            "locales", \.locales, .set(of: .string(.locale), count: 1...50), required: true,
            sense: .higherIsLooser, "The market's locales, with the preferred one first."
        ).identifying(.market).varying(.fixed),
        .init(
            "currency", \.currency, .string(.currency), required: true, "The currency of prices, as an ISO 4217 code."
        ).identifying(.market),
        .init(
            "deepLinking", \.deepLinking, required: true, "The app's links, and which other links may open."
        ).varying(.live),
        .init(
            "preconditions", \.preconditions,
            .map(of: MarketPrecondition.valueType, keys: .identifier.naming(.precondition), count: 0...100),
            "The market's own preconditions, which links can wait for in addition to those of the app."
        ).varying(.live),
        .init(
            "flags", \.flags, .map(of: FlagDefinition.valueType, keys: .flag, count: 0...FlagDefinition.maximumCount),
            "Flags by name: values that differ between users for a release, an experiment, or operations. Rules "
                + "decide who gets which value, so overlays cannot contain flags."
        ).varying(.fixed),
        .init(
            "layers", \.layers, .map(of: FlagLayerDefinition.valueType, keys: .identifier, count: 0...100),
            "Groups of mutually exclusive experiments, by name."
        ).varying(.fixed),
        .init(
            "routables", \.routables, .map(of: RoutableDefinition.valueType, keys: .identifier), required: true,
            "The features that a link can open, by id."
        ).varying(.live),
    ]

    /// Creates a definition with empty values.
    public init() {}
}
