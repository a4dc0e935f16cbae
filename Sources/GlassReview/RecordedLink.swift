package import GlassSchema

/// A link that somebody has used, out of a file of such.
package struct RecordedLink: Sendable, Hashable {
    /// The link.
    package let text: String
    /// Its line.
    package let place: SourcePosition

    /// Describes a link.
    package init(_ text: String, at place: SourcePosition) {
        self.text = text
        self.place = place
    }
}
