public import GlassSchema

/// A precondition of a market's own: a named condition that links wait for until the app satisfies it.
public struct MarketPrecondition: ConfigurationSection {
    /// What is true when it holds, in one line.
    public var doc = ""

    /// What the section is for.
    public static let summary = "A precondition of the market's own."
    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("doc", \.doc, .string(.nonEmpty), required: true, "What is true when it holds, in one line.")
    ]

    /// Creates a precondition to be filled in.
    public init() {}
}
