package import GlassSchema

/// What a market's own file says about decisions that are open or made. None of it is in the market's values.
package struct MarketDecisions: Sendable, Equatable {
    /// The key that says that a section's inherited values are meant.
    package static let inherit = "inherit"
    /// The description of that key, in Markdown.
    package static let meaning =
        "`true` confirms that the market inherits the identifying values of this table and the tables inside it."

    /// A value that is only an example.
    package struct Example: Sendable, Equatable {
        /// The key.
        package let path: ConfigurationPath
        /// The position of the value.
        package let position: SourcePosition
    }

    /// The values in `undecided`, in the order of the file.
    package private(set) var examples: [Example] = []
    /// The sections with `inherit = true`.
    package private(set) var inheriting: [ConfigurationPath] = []

    package init() {}

    /// Records a value in `undecided`.
    package mutating func add(example path: ConfigurationPath, at position: SourcePosition) {
        examples.append(Example(path: path, position: position))
        examples.sort { ($0.position, $0.path.description) < ($1.position, $1.path.description) }
    }

    /// Records a section with `inherit = true`.
    package mutating func add(inheriting path: ConfigurationPath) { inheriting.append(path) }

    /// Whether the market means to inherit a key.
    package func inherits(_ path: ConfigurationPath) -> Bool {
        inheriting.contains { path.elements.starts(with: $0.elements) }
    }

    /// Whether a value, or a value around it, is an example.
    package func isExample(_ path: ConfigurationPath) -> Bool {
        examples.contains { path.elements.starts(with: $0.path.elements) }
    }
}

extension SectionDeclaration {
    /// Whether a market can write `inherit` in the section: the section has keys that each market should set.
    package var canInherit: Bool { key(MarketDecisions.inherit) == nil && !identifyingKeys.isEmpty }
}
