package import GlassSchema

/// A link that people have used, from a file of recorded links.
package struct RecordedLink: Sendable, Hashable {
    /// The link.
    package let text: String
    /// The position of the link.
    package let place: SourcePosition

    /// Creates a recorded link.
    package init(_ text: String, at place: SourcePosition) {
        self.text = text
        self.place = place
    }
}
