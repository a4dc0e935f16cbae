package import GlassSchema

/// A precondition that a market declares: a named condition that links wait for until the app satisfies it.
package struct MarketPrecondition: ConfigurationSection {
    /// A one-line description of the condition.
    package var doc = ""

    /// The keys of the section.
    package static let keys: [ConfigurationKey<Self>] = [
        .init("doc", \.doc, .string(.nonEmpty), required: true, "A one-line description of the condition.")
    ]

    /// Creates a precondition with empty values.
    package init() {}
}
