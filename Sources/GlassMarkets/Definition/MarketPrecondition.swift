package import GlassSchema

/// A precondition of a market's own: a named condition that links wait for until the app satisfies it.
package struct MarketPrecondition: ConfigurationSection {
    /// What is true when it holds, in one line.
    package var doc = ""

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init("doc", \.doc, .string(.nonEmpty), required: true, "What is true when it holds, in one line.")
    ]

    /// Creates a precondition to be filled in.
    package init() {}
}
